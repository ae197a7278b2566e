// Formats numbers for the page, for example as 1 234 567, 60.2 kgen/s or 8:1.

const thin = '\u202f';
const superscripts = '⁰¹²³⁴⁵⁶⁷⁸⁹';

/**
 * Formats an integer as 1 234 567, with narrow no-break spaces. Writes a double beyond 2^53 with
 * four digits and a power of ten.
 * @param {string | number | bigint} number of any size
 * @returns {string}
 */
export function grouped(number) {
    if (typeof number === 'number' && Math.abs(number) > Number.MAX_SAFE_INTEGER) {
        const [digits, exponent] = number.toPrecision(4).split('e+');
        const raised = [...(exponent ?? '')].map((digit) => superscripts[Number(digit)]).join('');
        return `${digits}${thin}×${thin}10${raised}`;
    }
    return String(number).replace(/\B(?=(\d{3})+(?!\d))/g, thin);
}

/**
 * Formats an integer for a small space. Integers with more than 12 digits are rounded.
 * @param {string} digits an integer of any size
 * @returns {string}
 */
export function shortened(digits) {
    return grouped(digits.length > 12 ? Number(digits) : digits);
}

const prefixes = ['', 'k', 'M', 'G', 'T', 'P', 'E'];

/**
 * Formats a value with three digits, an SI prefix and the unit, as in 60.2 kgen/s.
 * @param {number} value at least 0
 * @param {string} unit
 * @returns {string}
 */
export function withUnit(value, unit) {
    let power = 0;
    while (value >= 999.5 && power < prefixes.length - 1) {
        value /= 1000;
        ++power;
    }
    const digits = value >= 99.95 || Number.isInteger(value) ? 0 : value >= 9.995 ? 1 : 2;
    const suffix = prefixes[power] + unit;
    return value.toFixed(digits) + (suffix === '' ? '' : thin + suffix);
}

/**
 * Formats a zoom: `8:1` for 8 pixels per cell, `1:8` for 8 cells per pixel.
 * @param {number} zoom CSS pixels per cell
 * @returns {string}
 */
export function scaleText(zoom) {
    const short = (/** @type {number} */ value) =>
        value < 9.95 ? String(Number(value.toFixed(1))) : grouped(Math.round(value));
    return zoom >= 1 ? `${short(zoom)}:1` : `1:${short(1 / zoom)}`;
}

/**
 * Formats a number of bytes.
 * @param {number} bytes
 * @returns {string}
 */
export function bytesText(bytes) {
    return withUnit(bytes, 'B');
}

/**
 * Formats a count with its noun, as in 1 cell or 2 cells.
 * @param {number} count
 * @param {string} one singular of the noun
 * @param {string} [many] plural
 * @returns {string}
 */
export function counted(count, one, many = `${one}s`) {
    return `${grouped(count)} ${count === 1 ? one : many}`;
}

/**
 * Formats an integer. Negative integers have a minus sign instead of a hyphen.
 * @param {bigint} value
 * @returns {string}
 */
export function coordinate(value) {
    return value < 0 ? `\u2212${grouped(-value)}` : grouped(value);
}
