// What the picture shows, as levels in memory: a byte a pixel, an index into the palette.

/** @import { Frame, Size, View } from './types.js' */
/** @import { Placement } from './geometry.js' */
import { place } from './geometry.js';
import { rowBytes } from './protocol.js';

const SLIVER = 1e-3;

/** Shares alive that levels stand for, in parts of 255 x 255. */
const shares = Uint32Array.from({ length: 256 }, (_, level) => level * level);

/**
 * The squares of a frame in a direction that each pixel shows: from `first` to before `end`. If
 * they are larger than pixels it is one; else those whose middle is in the pixel, so that each is
 * shown by one.
 * @param {number} start the square, with its fraction, at the first pixel
 * @param {number} step squares a pixel
 * @param {number} count of pixels
 * @param {number} squares that there are
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
 * A row of a frame with a byte a square.
 * @param {Frame} frame
 * @param {number} y
 * @param {Uint8Array} row of the frame's width; it is used if the frame has bits
 */
function unpackRow({ width, bits, pixels }, y, row) {
    if (bits === 8) return pixels.subarray(y * width, (y + 1) * width);
    const pitch = rowBytes(width, 1);
    for (let x = 0; x < width; x++) {
        row[x] = (pixels[y * pitch + (x >> 3)] >> (x & 7)) & 1 ? 255 : 0;
    }
    return row;
}

/**
 * The highest byte of some squares: of ages, what lives, and of that the oldest.
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
 * @param {Frame} frame
 * @param {Placement} placement of the result, in pixels
 * @param {Uint8Array} levels the result, width * height bytes
 */
export function sampleAt(frame, { left, top, width, height, cell_px }, levels) {
    const side = 2 ** frame.scale;
    const step = 1 / (cell_px * side);
    const across = spans((left - frame.x) / side, step, width, frame.width);
    const down = spans((top - frame.y) / side, step, height, frame.height);
    const unpacked = new Uint8Array(frame.width);
    const sums = new Uint32Array(frame.width);
    for (let j = 0, out = 0; j < height; j++, out += width) {
        const [first, end] = [down.first[j], down.end[j]];
        if (first >= end) {
            levels.fill(0, out, out + width);
            continue;
        }
        if (step <= 1) {
            const row = unpackRow(frame, first, unpacked);
            for (let i = 0; i < width; i++) {
                const x = across.first[i];
                levels[out + i] = x === across.end[i] ? 0 : row[x];
            }
            continue;
        }
        if (frame.ages) {
            for (let i = 0; i < width; i++) {
                levels[out + i] = highest(frame, across.first[i], across.end[i], first, end);
            }
            continue;
        }
        sums.fill(0);
        for (let y = first; y < end; y++) {
            const row = unpackRow(frame, y, unpacked);
            for (let x = 0; x < row.length; x++) sums[x] += shares[row[x]];
        }
        for (let i = 0; i < width; i++) {
            const [from, to] = [across.first[i], across.end[i]];
            let sum = 0;
            for (let x = from; x < to; x++) sum += sums[x];
            // Whatever is alive is seen, however little of the pixel it is.
            levels[out + i] = sum === 0 ? 0 :
                Math.max(1, Math.round(Math.sqrt(sum / ((to - from) * (end - first)))));
        }
    }
}

/**
 * @param {Frame} frame
 * @param {View} view
 * @param {Size} size of the result, in pixels
 * @param {number} pixels for each CSS pixel of the view
 * @param {Uint8Array} levels the result, width * height bytes
 */
export function sampleFrame(frame, view, size, pixels, levels) {
    sampleAt(frame, place(view, size, pixels), levels);
}
