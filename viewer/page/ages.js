// Decodes the bytes of pictures with ages (docs/viewer-protocol.md) and makes palettes for them.
//
//     0   1 .. 63   64 .. 255
//     dead  trail   alive: 48 ages, youngest first, of 4 densities each

/** @import { Colour, UniverseInfo } from './types.js' */

export const TRAILS = 64;
export const AGES = 48;
export const DENSITIES = 4;

/**
 * Largest pattern or board, in cells, that is first shown with colours of ages. For a board of this
 * size the server knows the ages of all cells. At full speed, the page shows 40 pictures per second
 * of 2^22 cells (59 without ages), but only 15 of 2^24 cells (51 without ages).
 */
const MOST_CELLS = 2 ** 22;

const AGE_STEPS = 8; // per doubling of the age; 127 steps in all
const TRAIL_STEPS = 12;
const LAST_STEP = 127;

/** Share of the live colour at each of the 4 densities; the rest is the colour of dead cells. */
const STRENGTHS = [0.76, 0.84, 0.92, 1];

/**
 * Returns whether a universe is small enough to be first shown with colours of ages.
 * @param {UniverseInfo} universe
 * @returns {boolean | null} null: the size of the pattern is unknown; a pattern without live cells
 *     counts as small
 */
export function suitsAges({ width, height, box }) {
    if (width > 0 && height > 0) return width * height <= MOST_CELLS;
    return box === null ? null : box.width * box.height <= MOST_CELLS;
}

/**
 * Makes the palette for pictures with ages.
 * @param {Colour} dead
 * @param {(part: number) => Colour} live from 0, just born, to 1, old
 * @param {(part: number) => Colour} trail from 0, just died, to 1, died long ago
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
 * Makes a palette that shows pictures with ages as live and dead cells only. Such pictures can
 * still arrive after the page has stopped requesting ages.
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
 * Converts a byte of a picture with ages to the approximate level of a picture without.
 * @param {number} byte
 */
export function levelOf(byte) {
    if (byte < TRAILS) return 0;
    return Math.round(((byte - TRAILS) % DENSITIES + 1) / DENSITIES * 255);
}

/**
 * Converts a level of a picture without ages to the byte for newborn cells of that density.
 * @param {number} level
 */
export function newbornOf(level) {
    return level === 0 ? 0 : TRAILS + Math.floor(level * DENSITIES / 256);
}

/**
 * Returns the position of an age in generations on the age scale, 0 to 1.
 * @param {number} generations
 */
export function placeOfAge(generations) {
    return Math.min(1, AGE_STEPS * Math.log2(1 + generations) / LAST_STEP);
}

/**
 * Returns the position of a time since death, in generations, on the trail scale, 0 to 1.
 * @param {number} generations
 */
export function placeOfTrail(generations) {
    return Math.min(1, TRAIL_STEPS * Math.log2(1 + generations) / LAST_STEP);
}
