// Numbers as people read them: thin spaces between thousands, units with a prefix, scales.

const thin = '\u202f';
const superscripts = '⁰¹²³⁴⁵⁶⁷⁸⁹';

/**
 * @param {string | number | bigint} number an integer, of any size
 * @returns {string} 1 234 567 with thin spaces that do not break; what a double does not hold
 *     exactly is rounded
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
 * @param {string} digits an integer, of any size
 * @returns {string} the same, or what is left of it where there is little room
 */
export function shortened(digits) {
    return grouped(digits.length > 12 ? Number(digits) : digits);
}

const prefixes = ['', 'k', 'M', 'G', 'T', 'P', 'E'];

/**
 * @param {number} value at least 0
 * @param {string} unit
 * @returns {string} three digits, the prefix and the unit: 60.2 kgen/s
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
 * @param {number} zoom CSS pixels a cell
 * @returns {string} `8:1` for 8 pixels a cell, `1:8` for 8 cells a pixel
 */
export function scaleText(zoom) {
    const short = (/** @type {number} */ value) =>
        value < 9.95 ? String(Number(value.toFixed(1))) : grouped(Math.round(value));
    return zoom >= 1 ? `${short(zoom)}:1` : `1:${short(1 / zoom)}`;
}

/**
 * @param {number} bytes
 * @returns {string}
 */
export function bytesText(bytes) {
    return withUnit(bytes, 'B');
}

/**
 * @param {number} count
 * @param {string} one the word for one of them
 * @param {string} [many] for several of them
 * @returns {string}
 */
export function counted(count, one, many = `${one}s`) {
    return `${grouped(count)} ${count === 1 ? one : many}`;
}

/**
 * @param {bigint} value
 * @returns {string} an integer with a true minus sign
 */
export function coordinate(value) {
    return value < 0 ? `\u2212${grouped(-value)}` : grouped(value);
}
