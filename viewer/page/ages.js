// Decodes the bytes of pictures with ages (docs/viewer-protocol.md) and makes palettes for these
// pictures.
// Byte 0 stands for dead cells. Bytes 1 to 63 stand for trails of dead cells: 1 for cells that died
// long ago, 63 for cells that have just died. Bytes 64 to 255 stand for live cells of 48 ages,
// youngest first, with 4 densities for each age.

/** @import { Colour, UniverseInfo } from './types.js' */

export const TRAILS = 64;
export const AGES = 48;
export const DENSITIES = 4;

/**
 * Largest pattern or board, in cells, that the page shows with ages by default. For a board of
 * MOST_CELLS cells the server knows the ages of all cells. At full speed and with 2^22 cells in
 * each picture, the page shows 40 pictures per second with ages, and 59 without ages. With 2^24
 * cells in each picture, the page shows 15 pictures per second with ages, and 51 without ages.
 */
const MOST_CELLS = 2 ** 22;

const AGE_STEPS = 8; // steps by which a doubled age moves on the age scale, which has 127 steps
const TRAIL_STEPS = 12;
const LAST_STEP = 127;

/**
 * The share of the live colour in the colour of a square, for each of the 4 densities. The colour
 * of dead cells has the remaining share.
 */
const STRENGTHS = [0.76, 0.84, 0.92, 1];

/**
 * Returns whether a universe is small enough to be shown with ages by default.
 * @param {UniverseInfo} universe
 * @returns {boolean | null} null if the size of the pattern is unknown; true for a pattern without
 *     live cells
 */
export function suitsAges({ width, height, box }) {
    if (width > 0 && height > 0) return width * height <= MOST_CELLS;
    return box === null ? null : box.width * box.height <= MOST_CELLS;
}

/**
 * Makes the palette for pictures with ages.
 * @param {Colour} dead
 * @param {(part: number) => Colour} live returns the colour of a live cell; `part` is 0 for a cell
 *     that was just born, and 1 for an old cell
 * @param {(part: number) => Colour} trail returns the colour of a dead cell; `part` is 0 for a cell
 *     that has just died, and 1 for a cell that died long ago
 * @returns {Uint8Array} 256 colours of 4 bytes
 */
export function agesPalette(dead, live, trail) {
    const colours = new Uint8Array(256 * 4);
    colours.set(dead);
    for (let i = 1; i < TRAILS; i++) {
        colours.set(trail((TRAILS - 1 - i) / (TRAILS - 2)), i * 4);
    }
    for (let age = 0, at = TRAILS * 4; age < AGES; age++) {
        const colour = live(age / (AGES - 1));
        for (const strength of STRENGTHS) {
            for (let i = 0; i < 4; i++, at++) {
                colours[at] = Math.round(dead[i] + (colour[i] - dead[i]) * strength);
            }
        }
    }
    return colours;
}

/**
 * Makes a palette for a theme without ages. The palette shows pictures with ages as live and dead
 * cells only. Pictures with ages can still arrive after the page has stopped requesting them.
 * @param {Uint8Array} levels 256 colours of 4 bytes, for pictures without ages
 */
export function agelessPalette(levels) {
    const colours = new Uint8Array(256 * 4);
    for (let i = 0; i < 256; i++) {
        const level = levelOf(i);
        colours.set(levels.subarray(level * 4, level * 4 + 4), i * 4);
    }
    return colours;
}

/**
 * Converts a byte of a picture with ages to an approximate level of a picture without ages.
 * @param {number} byte
 */
export function levelOf(byte) {
    if (byte < TRAILS) return 0;
    return Math.round(((byte - TRAILS) % DENSITIES + 1) / DENSITIES * 255);
}

/**
 * Converts a level of a picture without ages to a byte of a picture with ages. The result stands
 * for newborn cells with the density that the level gives.
 * @param {number} level
 */
export function newbornOf(level) {
    return level === 0 ? 0 : TRAILS + Math.floor(level * DENSITIES / 256);
}

/**
 * Returns the position of an age on the age scale, 0 to 1.
 * @param {number} generations
 */
export function placeOfAge(generations) {
    return Math.min(1, AGE_STEPS * Math.log2(1 + generations) / LAST_STEP);
}

/**
 * Returns the position of a dead cell on the trail scale, 0 to 1.
 * @param {number} generations
 */
export function placeOfTrail(generations) {
    return Math.min(1, TRAIL_STEPS * Math.log2(1 + generations) / LAST_STEP);
}
