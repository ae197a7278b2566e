// Exact coordinates and sizes in cells, as BigInts. Doubles are exact only up to 2^53, but
// coordinates go up to 2^62 and beyond.
//
// Code that runs for each cell, pixel or event uses doubles for speed. `apart` converts a
// coordinate to a double: the distance from a nearby cell. Distances up to 2^53 cells are exact,
// which is enough for all cells on the screen.

/** @import { Area, Box, Cell, Look, Spot } from './types.js' */

/**
 * Largest distance from 0 at which the page can show single cells and edit them. Cells farther away
 * than REACH are shown only in downsampled pictures, and cannot be edited.
 */
export const REACH = 2n ** 62n;

/** Range of cells that the server shows in an unbounded direction; `end` is exclusive. */
export const SHOWN = { first: 1n - REACH, end: REACH - 1n };

/**
 * Returns `to` - `from`, exact up to 2^53.
 * @param {bigint} to
 * @param {bigint} from
 * @returns {number}
 */
export function apart(to, from) {
    return Number(to - from);
}

/**
 * Returns `value` modulo `side`.
 * @param {bigint} value
 * @param {bigint} side at least 1
 * @returns {bigint} from 0 to side - 1
 */
export function remainder(value, side) {
    const rest = value % side;
    return rest < 0n ? rest + side : rest;
}

/**
 * Returns `value` / `side`, rounded down.
 * @param {bigint} value
 * @param {bigint} side at least 1
 * @returns {bigint}
 */
function quotient(value, side) {
    return (value - remainder(value, side)) / side;
}

/** Returns the smaller of two integers. @param {bigint} a @param {bigint} b */
export function least(a, b) {
    return a < b ? a : b;
}

/** Returns the larger of two integers. @param {bigint} a @param {bigint} b */
export function most(a, b) {
    return a > b ? a : b;
}

// ---- places -------------------------------------------------------------------------------------

/**
 * Moves a point to the right and down by the given numbers of cells, which can be fractions.
 * @template {Spot} S
 * @param {S} spot
 * @param {number} right
 * @param {number} down
 * @returns {S}
 */
export function movedBy(spot, right, down) {
    const [across, below] = [spot.fx + right, spot.fy + down];
    const [x, y] = [Math.floor(across), Math.floor(below)];
    return {
        ...spot, x: spot.x + BigInt(x), y: spot.y + BigInt(y), fx: across - x, fy: below - y,
    };
}

/** Returns the middle of a box. @param {Box} box @returns {Spot} */
export function middleOf({ x, y, width, height }) {
    return {
        x: x + width / 2n, y: y + height / 2n, fx: Number(width % 2n) / 2,
        fy: Number(height % 2n) / 2,
    };
}

/**
 * Returns the box with cells a and b at opposite corners.
 * @param {Cell} a
 * @param {Cell} b
 * @returns {Box}
 */
export function boxBetween(a, b) {
    const [x, y] = [least(a.x, b.x), least(a.y, b.y)];
    return { x, y, width: most(a.x, b.x) - x + 1n, height: most(a.y, b.y) - y + 1n };
}

/**
 * Converts a box to an area relative to a cell.
 * @param {Box} box
 * @param {Cell} at
 * @returns {Area}
 */
export function areaFrom(box, at) {
    return {
        x: apart(box.x, at.x), y: apart(box.y, at.y), width: Number(box.width),
        height: Number(box.height),
    };
}

/**
 * Converts an area relative to a cell back to a box.
 * @param {Area} area
 * @param {Cell} at
 * @returns {Box}
 */
export function boxFrom(area, at) {
    return {
        x: at.x + BigInt(area.x), y: at.y + BigInt(area.y), width: BigInt(area.width),
        height: BigInt(area.height),
    };
}

/**
 * Returns the side of a square of a given scale: 2^scale cells.
 * @param {number} scale
 * @returns {bigint}
 */
export function sideOf(scale) {
    return 1n << BigInt(scale);
}

/**
 * Returns the squares that cover a box. Each square is 2^scale cells wide and high.
 * @param {Box} box
 * @param {number} scale
 * @returns {Look}
 */
export function squaresOver(box, scale) {
    const side = sideOf(scale);
    const [x, y] = [quotient(box.x, side), quotient(box.y, side)];
    const right = quotient(box.x + box.width + side - 1n, side);
    const bottom = quotient(box.y + box.height + side - 1n, side);
    return {
        x: x * side, y: y * side, scale, width: apart(right, x), height: apart(bottom, y),
    };
}

// ---- in messages --------------------------------------------------------------------------------

/**
 * Converts an integer to JSON. Integers beyond 2^53 become strings of digits, as in the protocol.
 * @param {bigint} value
 * @returns {number | string}
 */
function spoken(value) {
    const number = Number(value);
    return Number.isSafeInteger(number) ? number : String(value);
}

/**
 * Converts a message to JSON. The message may contain BigInts, also in arrays.
 * @param {{[member: string]: unknown}} message
 * @returns {string}
 */
export function toJson(message) {
    /** @param {unknown} value */
    const plain = (value) => typeof value === 'bigint' ? spoken(value) : value;
    /** @type {{[member: string]: unknown}} */
    const said = {};
    for (const [name, value] of Object.entries(message)) {
        const mixed = Array.isArray(value) && value.some((each) => typeof each === 'bigint');
        said[name] = mixed ? value.map(plain) : plain(value);
    }
    return JSON.stringify(said);
}

/**
 * Converts `box`, and in a `universe` message also `width` and `height`, to BigInts.
 * @param {any} message
 */
export function readPlaces(message) {
    const { box } = message;
    if (box) {
        message.box = {
            x: BigInt(box.x), y: BigInt(box.y), width: BigInt(box.width),
            height: BigInt(box.height),
        };
    }
    if (message.is !== 'universe') return;
    message.width = BigInt(message.width);
    message.height = BigInt(message.height);
}

/**
 * Converts runs of cells to absolute coordinates.
 * @param {Cell} at the runs are relative to this cell
 * @param {number[]} runs x, y, n, ...
 * @returns {(number | bigint)[]}
 */
export function runsFrom({ x, y }, runs) {
    const bound = 2n ** 52n;
    const near = most(most(x, -x), most(y, -y)) < bound;
    if (!near) return runs.map((n, i) => [x, y, 0n][i % 3] + BigInt(n));
    const [left, top] = [Number(x), Number(y)];
    return runs.map((n, i) => i % 3 === 0 ? n + left : i % 3 === 1 ? n + top : n);
}

// ---- as text ------------------------------------------------------------------------------------

/**
 * Writes the sum of `whole` and `part` as a decimal number.
 * @param {bigint} whole
 * @param {number} part at least 0 and below 1
 * @returns {string}
 */
export function decimalText(whole, part) {
    const [digits, more] = whole < 0n && part > 0 ? [-whole - 1n, 1 - part] : [whole, part];
    const fraction = more.toFixed(9).replace(/\.?0+$/, '');
    if (fraction.startsWith('1')) return String(whole + 1n);
    return (whole < 0n && part > 0 ? '-' : '') + digits + fraction.replace(/^0/, '');
}

/**
 * Reads a decimal number.
 * @param {string} text
 * @returns {{whole: bigint, part: number} | null} null if the text is not a decimal number
 */
export function readDecimal(text) {
    const found = /^(-?)(\d+)(\.\d*)?$/.exec(text);
    if (found === null) return null;
    const [, minus, digits, fraction = ''] = found;
    const part = Number(`0${fraction}`);
    if (minus === '') return { whole: BigInt(digits), part };
    return part === 0 ? { whole: -BigInt(digits), part } :
        { whole: -BigInt(digits) - 1n, part: 1 - part };
}
