// Ages: what the bytes of such pictures mean (docs/viewer-protocol.md), and their palettes.
//
//     0   1 .. 63   64 .. 255
//     dead  trail   alive: 48 ages, youngest first, of 4 densities each

/** @import { Colour, UniverseInfo } from './types.js' */

export const TRAILS = 64;
export const AGES = 48;
export const DENSITIES = 4;

/**
 * The cells of the largest pattern or board that begins with colours of ages: the server knows the
 * ages of all cells of such a board. At full speed 2^22 cells still make 40 pictures a second (59
 * without ages), 2^24 cells only 15 (51).
 */
const MOST_CELLS = 2 ** 22;

const AGE_STEPS = 8; // a doubling, of 127
const TRAIL_STEPS = 12;
const LAST_STEP = 127;

/** How much of a colour what is sparse in its square has; the rest is that of dead cells. */
const STRENGTHS = [0.76, 0.84, 0.92, 1];

/**
 * Whether a universe is small enough to begin with colours of ages.
 * @param {UniverseInfo} universe
 * @returns {boolean | null} null: the universe does not say how large the pattern is; it is small
 *     if nothing lives
 */
export function suitsAges({ width, height, box }) {
    if (width > 0 && height > 0) return width * height <= MOST_CELLS;
    return box === null ? null : box.width * box.height <= MOST_CELLS;
}

/**
 * @param {Colour} dead
 * @param {(part: number) => Colour} live of 0, just born, to 1, old
 * @param {(part: number) => Colour} trail of 0, just died, to 1, long ago
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
 * A palette for pictures of ages that shows cells only: for those that are on the way when ages are
 * no longer asked for.
 * @param {Uint8Array} levels 256 colours of 4 bytes, as of pictures without ages
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
 * About how much of a square is alive, as pictures without ages say it.
 * @param {number} byte
 */
export function levelOf(byte) {
    if (byte < TRAILS) return 0;
    return Math.round(((byte - TRAILS) % DENSITIES + 1) / DENSITIES * 255);
}

/**
 * The byte of cells that were just born, as many as a level says.
 * @param {number} level
 */
export function newbornOf(level) {
    return level === 0 ? 0 : TRAILS + Math.floor(level * DENSITIES / 256);
}

/**
 * Where on a scale of ages a number of generations is, 0 to 1.
 * @param {number} generations
 */
export function placeOfAge(generations) {
    return Math.min(1, AGE_STEPS * Math.log2(1 + generations) / LAST_STEP);
}

/**
 * The same on a scale of trails.
 * @param {number} generations
 */
export function placeOfTrail(generations) {
    return Math.min(1, TRAIL_STEPS * Math.log2(1 + generations) / LAST_STEP);
}
