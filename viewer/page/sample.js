// Samples a frame at the pixels of a view. The result has a byte per pixel, which is an index into
// the palette.

/** @import { Frame, Size, View } from './types.js' */
/** @import { Placement } from './geometry.js' */
import { apart } from './exact.js';
import { place } from './geometry.js';
import { rowBytes } from './protocol.js';

const SLIVER = 1e-3;

/** Density of each level, in units of 1 / (255 x 255). */
const shares = Uint32Array.from({ length: 256 }, (_, level) => level * level);

/**
 * Level of each density, in units of 1 / (4 x 255 x 255). In units of 1 / (255 x 255), the limit
 * between two levels is (level + 1/2)^2, so in quarters of that unit the limits are whole numbers.
 * A pixel that shows any live cell has at least level 1.
 */
const levels_of = Uint8Array.from({ length: 4 * 255 * 255 + 1 }, (_, quarters) =>
    Math.max(1, Math.round(Math.sqrt(quarters / 4))));

/**
 * Returns the range of squares that each pixel shows in one direction, from `first` to `end`
 * (exclusive). If squares are larger than pixels, a pixel shows one square. If squares are smaller
 * than pixels, a pixel shows all squares whose centres are in the pixel, so that each square counts
 * for one pixel only.
 * @param {number} start position of the first pixel in squares
 * @param {number} step squares per pixel
 * @param {number} count of pixels
 * @param {number} squares of the frame
 */
function spans(start, step, count, squares) {
    const first = new Int32Array(count);
    const end = new Int32Array(count);
    for (let i = 0; i < count; i++) {
        const low = start + i * step;
        const from = step <= 1 ? Math.floor(low + step / 2) : Math.ceil(low - 0.5 - SLIVER);
        const to = step <= 1 ? from + 1 : Math.ceil(low + step - 0.5 - SLIVER);
        first[i] = Math.min(squares, Math.max(0, from));
        end[i] = Math.min(squares, Math.max(0, to));
    }
    return { first, end };
}

/**
 * Returns a row of a frame as one byte per square.
 * @param {Frame} frame
 * @param {number} y
 * @param {Uint8Array} row buffer for frames with 1 bit per square: a byte per square, rounded up to
 *     a multiple of 8 bytes
 */
function unpackRow({ width, bits, pixels }, y, row) {
    if (bits === 8) return pixels.subarray(y * width, (y + 1) * width);
    const pitch = rowBytes(width, 1);
    for (let x = 0, at = y * pitch; x < width; x += 8, at++) {
        const byte = pixels[at];
        row[x] = -(byte & 1);
        row[x + 1] = -(byte >> 1 & 1);
        row[x + 2] = -(byte >> 2 & 1);
        row[x + 3] = -(byte >> 3 & 1);
        row[x + 4] = -(byte >> 4 & 1);
        row[x + 5] = -(byte >> 5 & 1);
        row[x + 6] = -(byte >> 6 & 1);
        row[x + 7] = -(byte >> 7);
    }
    return row;
}

/**
 * Adds up the densities of several rows of a frame, separately for each column.
 * @param {Frame} frame
 * @param {number} first of the rows
 * @param {number} end of the rows (exclusive)
 * @param {Uint8Array} unpacked buffer for unpackRow
 * @param {Uint32Array} sums the result, one sum for each column
 */
function addRows(frame, first, end, unpacked, sums) {
    const { width } = frame;
    const top = unpackRow(frame, first, unpacked);
    for (let x = 0; x < width; x++) sums[x] = shares[top[x]];
    for (let y = first + 1; y < end; y++) {
        const row = unpackRow(frame, y, unpacked);
        for (let x = 0; x < width; x++) sums[x] += shares[row[x]];
    }
}

/**
 * Computes a row of pixels. Each pixel is the mean of the squares that it shows.
 * @param {Uint32Array} sums sum of the densities in each column of squares
 * @param {{first: Int32Array, end: Int32Array}} across columns that each pixel shows
 * @param {number} rows number of rows in the sums
 * @param {number} begin of the pixels
 * @param {number} stop end of the pixels (exclusive)
 * @param {Uint8Array} levels the result
 * @param {number} out start of the row in `levels`
 */
function average(sums, { first, end }, rows, begin, stop, levels, out) {
    for (let i = begin; i < stop; i++) {
        const from = first[i];
        const to = end[i];
        let sum = sums[from];
        for (let x = from + 1; x < to; x++) sum += sums[x];
        levels[out + i] = sum === 0 ? 0 : levels_of[(4 * sum / ((to - from) * rows)) | 0];
    }
}

/**
 * Returns the highest byte of a rectangle of squares with ages. If there are live cells, the
 * highest byte is that of the oldest live cell.
 * @param {Frame} frame
 * @param {number} x0
 * @param {number} x1
 * @param {number} y0
 * @param {number} y1
 */
function highest({ width, pixels }, x0, x1, y0, y1) {
    let most = 0;
    for (let y = y0; y < y1; y++) {
        for (let at = y * width + x0; at < y * width + x1; at++) most = Math.max(most, pixels[at]);
    }
    return most;
}

/**
 * Samples a frame for the pixels of a canvas.
 * @param {Frame} frame
 * @param {Placement} placement which cells the canvas shows
 * @param {Uint8Array} levels the result, width * height bytes
 */
export function sampleAt(frame, { at, left, top, width, height, cell_px }, levels) {
    const side = 2 ** frame.scale;
    const step = 1 / (cell_px * side);
    const across = spans((left - apart(frame.x, at.x)) / side, step, width, frame.width);
    const down = spans((top - apart(frame.y, at.y)) / side, step, height, frame.height);
    const unpacked = new Uint8Array(8 * rowBytes(frame.width, 1));
    const sums = new Uint32Array(frame.width);
    // The columns of pixels from `begin` to `stop` (exclusive) show a part of the frame.
    let begin = 0;
    while (begin < width && across.first[begin] >= across.end[begin]) begin++;
    let stop = width;
    while (stop > begin && across.first[stop - 1] >= across.end[stop - 1]) stop--;
    for (let j = 0, out = 0; j < height; j++, out += width) {
        const [first, end] = [down.first[j], down.end[j]];
        if (first >= end || begin === stop) {
            levels.fill(0, out, out + width);
            continue;
        }
        levels.fill(0, out, out + begin);
        levels.fill(0, out + stop, out + width);
        if (step <= 1) {
            const row = unpackRow(frame, first, unpacked);
            for (let i = begin; i < stop; i++) levels[out + i] = row[across.first[i]];
        } else if (frame.ages) {
            for (let i = begin; i < stop; i++) {
                levels[out + i] = highest(frame, across.first[i], across.end[i], first, end);
            }
        } else {
            addRows(frame, first, end, unpacked, sums);
            average(sums, across, end - first, begin, stop, levels, out);
        }
    }
}

/**
 * Samples a frame for a view.
 * @param {Frame} frame
 * @param {View} view
 * @param {Size} size of the result, in pixels
 * @param {number} pixels per CSS pixel of the view
 * @param {Uint8Array} levels the result, width * height bytes
 */
export function sampleFrame(frame, view, size, pixels, levels) {
    sampleAt(frame, place(view, size, pixels), levels);
}
