// Draws thumbnails of patterns and clips. Live cells in thumbnails have the same colour as
// elsewhere on the page.

/** @import { Thumbnail } from './types.js' */
import { grouped } from './format.js';

const side = 128;

const probe = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });

/**
 * Returns the colour of live cells on the page, also if the system forces its colours.
 * @returns {Uint8ClampedArray}
 */
function cellColour() {
    if (probe === null) return new Uint8ClampedArray(4);
    probe.fillStyle = getComputedStyle(document.documentElement).getPropertyValue('--cell');
    probe.fillRect(0, 0, 1, 1);
    return probe.getImageData(0, 0, 1, 1).data;
}

/**
 * Draws a picture with a level from 0 to 1 for each pixel. The canvas gets one pixel per level, and
 * CSS enlarges the canvas.
 * @param {HTMLCanvasElement} canvas
 * @param {number} width
 * @param {number} height
 * @param {(x: number, y: number) => number} level
 */
function drawLevels(canvas, width, height, level) {
    canvas.width = width;
    canvas.height = height;
    const context = canvas.getContext('2d');
    if (context === null) return;
    const image = context.createImageData(width, height);
    const [red, green, blue] = cellColour();
    for (let y = 0, at = 0; y < height; ++y) {
        for (let x = 0; x < width; ++x, at += 4) {
            const value = level(x, y);
            image.data[at] = red;
            image.data[at + 1] = green;
            image.data[at + 2] = blue;
            // The fourth root of the level keeps a single live cell among thousands of dead cells
            // visible.
            image.data[at + 3] = value === 0 ? 0 : 255 * Math.max(0.35, value ** 0.25);
        }
    }
    context.putImageData(image, 0, 0);
}

/**
 * Draws a clip as large as possible.
 * @param {HTMLCanvasElement} canvas
 * @param {number} width
 * @param {number} height
 * @param {Uint8Array} cells a byte per cell
 */
export function drawBits(canvas, width, height, cells) {
    const square = Math.ceil(Math.max(width, height) / (2 * side));
    const columns = Math.ceil(width / square);
    const rows = Math.ceil(height / square);
    const counts = new Float64Array(columns * rows);
    for (let y = 0, at = 0; y < height; ++y) {
        const row = Math.floor(y / square) * columns;
        for (let x = 0; x < width; ++x, ++at) counts[row + Math.floor(x / square)] += cells[at];
    }
    drawLevels(canvas, columns, rows, (x, y) => counts[y * columns + x] / (square * square));
    canvas.style.aspectRatio = `${columns} / ${rows}`;
}

/**
 * Sizes in CSS pixels: the largest side of a thumbnail, and the side of a cell if the pattern fits.
 */
const room = 92;
const cell = 4;

/**
 * Draws the thumbnail of a pattern. All patterns that fit into a thumbnail are drawn with cells of
 * one size. If a pattern does not fit, the pattern is drawn smaller, and a mark shows the factor.
 * @param {HTMLElement} frame
 * @param {Thumbnail} thumbnail
 */
export function drawThumbnail(frame, thumbnail) {
    const { width, height, bits, pixels, scale } = thumbnail;
    const canvas = frame.querySelector('canvas');
    const mark = frame.querySelector('span');
    if (canvas === null || mark === null) return;
    const row = bits === 1 ? Math.ceil(width / 8) : width;
    drawLevels(canvas, width, height, bits === 1 ?
        (x, y) => pixels[y * row + (x >> 3)] >> (x & 7) & 1 :
        (x, y) => pixels[y * row + x] / 255);
    const cells = Math.max(width, height) * 2 ** scale;
    let shrunk = 1;
    while (cells * cell > room * shrunk) shrunk *= 2;
    const pixel = 2 ** scale * cell / shrunk;
    canvas.style.width = `${width * pixel}px`;
    canvas.style.height = `${height * pixel}px`;
    canvas.style.imageRendering = pixel < 1 ? 'auto' : 'pixelated';
    mark.textContent = shrunk === 1 ? '' : `1:${grouped(shrunk)}`;
    mark.title = shrunk === 1 ? '' :
        `Shown ${grouped(shrunk)} times smaller than the others.`;
}
