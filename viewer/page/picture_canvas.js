// Draws the picture with a 2D canvas, for browsers where WebGL2 is missing or slow. The frame is
// painted into a second canvas with one pixel per square, and the browser scales this canvas. If
// squares are smaller than pixels, this module computes each pixel from the squares that the pixel
// covers. If the browser made the squares smaller, single cells would fade.

/** @import { Colour, Frame, Palette, UniverseInfo } from './types.js' */
/** @import { Placement } from './geometry.js' */
import { apart } from './exact.js';
import { universeEdges } from './geometry.js';
import { rowBytes } from './protocol.js';
import { sampleAt } from './sample.js';

const LARGEST_SIDE = 8192;

/** @typedef {{x0: number, y0: number, x1: number, y1: number}} PixelBox x1 and y1 are exclusive */

/** Converts a colour to CSS. @param {Colour} colour */
export function cssColour([red, green, blue, alpha]) {
    return `rgb(${red} ${green} ${blue} / ${alpha / 255})`;
}

/**
 * Paints the live cells of a row. All squares of the row must already be painted as dead. The code
 * has no branch per cell, because the CPU would mispredict branches in a random pattern.
 * @param {Uint8Array} bits a bit per cell
 * @param {number} width
 * @param {Uint32Array} colours 256 colours
 * @param {Uint32Array} out a colour per square
 * @param {number} start of the row in `out`
 */
function paintBits(bits, width, colours, out, start) {
    const dead = colours[0];
    const differs = dead ^ colours[255];
    const whole = width >> 3;
    for (let i = 0, at = start; i < whole; i++, at += 8) {
        const byte = bits[i];
        if (byte === 0) continue;
        out[at] = dead ^ (-(byte & 1) & differs);
        out[at + 1] = dead ^ (-(byte >> 1 & 1) & differs);
        out[at + 2] = dead ^ (-(byte >> 2 & 1) & differs);
        out[at + 3] = dead ^ (-(byte >> 3 & 1) & differs);
        out[at + 4] = dead ^ (-(byte >> 4 & 1) & differs);
        out[at + 5] = dead ^ (-(byte >> 5 & 1) & differs);
        out[at + 6] = dead ^ (-(byte >> 6 & 1) & differs);
        out[at + 7] = dead ^ (-(byte >> 7) & differs);
    }
    for (let x = 8 * whole; x < width; x++) {
        out[start + x] = dead ^ (-(bits[whole] >> (x & 7) & 1) & differs);
    }
}

/**
 * Paints a frame.
 * @param {Pick<Frame, 'width' | 'height' | 'bits' | 'pixels'>} frame
 * @param {Uint32Array} colours 256 colours
 * @param {Uint32Array} out a colour per square
 */
function paint(frame, colours, out) {
    const { width, height, bits, pixels } = frame;
    if (bits === 8) {
        for (let i = 0; i < out.length; i++) out[i] = colours[pixels[i]];
        return;
    }
    out.fill(colours[0]);
    const pitch = rowBytes(width, 1);
    for (let y = 0; y < height; y++) {
        paintBits(pixels.subarray(y * pitch, (y + 1) * pitch), width, colours, out, y * width);
    }
}

export class PictureCanvas {
    #context;
    #squares = document.createElement('canvas');
    /** @type {ImageData | null} */
    #image = null;
    /** @type {Frame | null} */
    #frame = null;
    /** @type {Palette | null} */
    #palette = null;
    #painted = false;
    /** Buffer for pixels that cover several squares; reused for each picture. */
    #levels = new Uint8Array(0);

    /**
     * @param {HTMLCanvasElement} canvas
     * @throws {Error} if the browser has no 2D canvas
     */
    constructor(canvas) {
        const context = canvas.getContext('2d', { alpha: false });
        if (!context) throw new Error('This browser does not support 2D canvas.');
        this.#context = context;
    }

    /** Largest width or height of a frame, in squares. */
    get largestSide() {
        return LARGEST_SIDE;
    }

    /** @param {Palette} palette */
    setPalette(palette) {
        this.#palette = palette;
        this.#painted = false;
    }

    /** @param {Frame | null} frame */
    setFrame(frame) {
        this.#frame = frame;
        this.#painted = false;
    }

    /**
     * Draws the picture.
     * @param {Placement} placement
     * @param {UniverseInfo | null} universe
     * @param {number} grid opacity of the grid lines, 0 to 1
     */
    draw(placement, universe, grid) {
        const palette = this.#palette;
        if (!palette) return;
        const context = this.#context;
        const { width, height, line_px } = placement;
        const edges = universeEdges(placement, universe);
        const x0 = Math.max(0, edges.x0);
        const y0 = Math.max(0, edges.y0);
        const x1 = Math.min(width, edges.x1);
        const y1 = Math.min(height, edges.y1);
        context.fillStyle = cssColour(palette.outside);
        context.fillRect(0, 0, width, height);
        context.fillStyle = cssColour(palette.edge);
        const [left, top] = [Math.max(-1, edges.x0 - line_px), Math.max(-1, edges.y0 - line_px)];
        context.fillRect(left, top, Math.min(width + 1, edges.x1 + line_px) - left,
            Math.min(height + 1, edges.y1 + line_px) - top);
        if (x1 <= x0 || y1 <= y0) return;
        const [red, green, blue, alpha] = palette.levels;
        context.fillStyle = cssColour([red, green, blue, alpha]);
        context.fillRect(x0, y0, x1 - x0, y1 - y0);
        context.save();
        context.beginPath();
        context.rect(x0, y0, x1 - x0, y1 - y0);
        context.clip();
        this.#drawFrame(placement, { x0, y0, x1, y1 });
        if (grid > 0) this.#drawGrid(placement, palette, grid);
        context.restore();
    }

    /**
     * Draws the frame.
     * @param {Placement} placement
     * @param {PixelBox} box area to draw in
     */
    #drawFrame(placement, box) {
        const frame = this.#frame;
        if (!frame) return;
        const { at, left, top, cell_px } = placement;
        const size = cell_px * 2 ** frame.scale;
        const x = (apart(frame.x, at.x) - left) * cell_px;
        const y = (apart(frame.y, at.y) - top) * cell_px;
        const [width, height] = [frame.width * size, frame.height * size];
        if (size < 1 - 1e-9) {
            const x0 = Math.max(box.x0, Math.floor(x));
            const y0 = Math.max(box.y0, Math.floor(y));
            this.#drawSampled(frame, placement, {
                x0, y0, x1: Math.min(box.x1, Math.ceil(x + width)),
                y1: Math.min(box.y1, Math.ceil(y + height)),
            });
            return;
        }
        this.#paintSquares(frame);
        const context = this.#context;
        context.imageSmoothingEnabled = false;
        context.drawImage(this.#squares, x, y, width, height);
    }

    /**
     * Draws a frame whose squares are smaller than the pixels of the canvas.
     * @param {Frame} frame
     * @param {Placement} placement
     * @param {PixelBox} box of the frame on the canvas
     */
    #drawSampled(frame, placement, { x0, y0, x1, y1 }) {
        const [width, height] = [x1 - x0, y1 - y0];
        if (width <= 0 || height <= 0) return;
        const pixels = this.#levelsFor(width * height);
        const { left, top, cell_px } = placement;
        sampleAt(frame, {
            ...placement, left: left + x0 / cell_px, top: top + y0 / cell_px, width, height,
        }, pixels);
        this.#painted = false; // the second canvas no longer contains the frame
        this.#paintSquares({ width, height, bits: 8, ages: frame.ages, pixels });
        this.#painted = false;
        this.#context.drawImage(this.#squares, x0, y0);
    }

    /**
     * Returns bytes of the reused buffer. The bytes are not cleared.
     * @param {number} count of bytes
     * @returns {Uint8Array}
     */
    #levelsFor(count) {
        if (this.#levels.length < count) this.#levels = new Uint8Array(count);
        return this.#levels.subarray(0, count);
    }

    /**
     * Paints a frame into the second canvas, with one pixel per square.
     * @param {Pick<Frame, 'width' | 'height' | 'bits' | 'ages' | 'pixels'>} frame
     */
    #paintSquares(frame) {
        if (this.#painted || !this.#palette) return;
        const context = this.#squares.getContext('2d', { alpha: false });
        if (!context) return;
        const { width, height } = frame;
        if (!this.#image || this.#image.width !== width || this.#image.height !== height) {
            this.#squares.width = width;
            this.#squares.height = height;
            this.#image = context.createImageData(width, height);
        }
        const levels = frame.ages ? this.#palette.ages : this.#palette.levels;
        paint(frame, new Uint32Array(levels.buffer, levels.byteOffset, 256),
            new Uint32Array(this.#image.data.buffer));
        context.putImageData(this.#image, 0, 0);
        this.#painted = true;
    }

    /**
     * Draws the grid lines.
     * @param {Placement} placement
     * @param {Palette} palette
     * @param {number} strength opacity of the grid lines, 0 to 1
     */
    #drawGrid({ at, left, top, width, height, cell_px, line_px }, palette, strength) {
        const context = this.#context;
        const isTenth = (/** @type {bigint} */ cell, /** @type {number} */ more) =>
            (Number(cell % 10n) + more) % 10 === 0;
        context.globalAlpha = strength;
        for (const strong of [false, true]) {
            context.fillStyle = cssColour(strong ? palette.gridStrong : palette.grid);
            context.beginPath();
            for (let x = Math.floor(left); (x - left) * cell_px < width; x++) {
                if (isTenth(at.x, x) !== strong) continue;
                context.rect(Math.round((x - left) * cell_px), 0, line_px, height);
            }
            for (let y = Math.floor(top); (y - top) * cell_px < height; y++) {
                if (isTenth(at.y, y) !== strong) continue;
                context.rect(0, Math.round((y - top) * cell_px), width, line_px);
            }
            context.fill();
        }
        context.globalAlpha = 1;
    }
}
