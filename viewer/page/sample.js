// What the picture shows, as levels in memory: a byte a pixel, an index into the palette.

/** @import { Frame, Size, View } from './types.js' */
import { place } from './geometry.js';
import { rowBytes } from './protocol.js';

const SLIVER = 1e-3;

/**
 * The squares of a frame in a direction that each pixel shows: from `first` to before `end`.
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
        const from = step <= 1 ? Math.floor(low + step / 2) : Math.floor(low + SLIVER);
        const to = step <= 1 ? from + 1 : Math.ceil(low + step - SLIVER);
        first[i] = Math.min(squares, Math.max(0, from));
        end[i] = Math.min(squares, Math.max(0, to));
    }
    return { first, end };
}

/**
 * @param {Frame} frame
 * @param {View} view
 * @param {Size} size of the result, in pixels
 * @param {number} pixels for each CSS pixel of the view
 * @param {Uint8Array} levels the result, width * height bytes
 */
export function sampleFrame(frame, view, size, pixels, levels) {
    const { left, top, cell_px } = place(view, size, pixels);
    const side = 2 ** frame.scale;
    const step = 1 / (cell_px * side);
    const across = spans((left - frame.x) / side, step, size.width, frame.width);
    const down = spans((top - frame.y) / side, step, size.height, frame.height);
    const pitch = rowBytes(frame.width, frame.bits);
    const packed = frame.bits === 1;
    const data = frame.pixels;
    for (let j = 0, at = 0; j < size.height; j++) {
        if (step <= 1 && down.first[j] < down.end[j]) { // a square a pixel at most
            const row = down.first[j] * pitch;
            for (let i = 0; i < size.width; i++, at++) {
                const x = across.first[i];
                if (x === across.end[i]) levels[at] = 0;
                else if (packed) levels[at] = (data[row + (x >> 3)] >> (x & 7)) & 1 ? 255 : 0;
                else levels[at] = data[row + x];
            }
            continue;
        }
        for (let i = 0; i < size.width; i++, at++) {
            let sum = 0;
            let count = 0;
            for (let y = down.first[j]; y < down.end[j]; y++) {
                for (let x = across.first[i]; x < across.end[i]; x++, count++) {
                    const value = packed ? ((data[y * pitch + (x >> 3)] >> (x & 7)) & 1) * 255
                        : data[y * pitch + x];
                    sum += value * value;
                }
            }
            levels[at] = sum === 0 ? 0 : Math.max(1, Math.round(Math.sqrt(sum / count)));
        }
    }
}
