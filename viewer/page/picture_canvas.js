// Draws the picture on a 2D canvas if there is no WebGL2: the frame is painted into a canvas of its
// own, a pixel a square, which is then drawn at the size needed. Where squares are smaller than
// pixels, each pixel is made of those that it covers: the browser's own way of making an image
// smaller would let a single cell fade.

/** @import { Colour, Frame, Palette, UniverseInfo } from './types.js' */
/** @import { Placement } from './geometry.js' */
import { universeEdges } from './geometry.js';
import { rowBytes } from './protocol.js';
import { sampleAt } from './sample.js';

const LARGEST_SIDE = 8192;

/** @param {Colour} colour */
export function cssColour([red, green, blue, alpha]) {
    return `rgb(${red} ${green} ${blue} / ${alpha / 255})`;
}

/**
 * @param {Pick<Frame, 'width' | 'height' | 'bits' | 'pixels'>} frame
 * @param {Uint32Array} colours 256 of them
 * @param {Uint32Array} out a colour a square
 */
function paint(frame, colours, out) {
    const { width, height, bits, pixels } = frame;
    if (bits === 8) {
        for (let i = 0; i < out.length; i++) out[i] = colours[pixels[i]];
        return;
    }
    const pitch = rowBytes(width, 1);
    const alive = colours[255];
    out.fill(colours[0]);
    for (let y = 0, byte = 0; y < height; y++) {
        for (let column = 0; column < pitch; column++, byte++) {
            let rest = pixels[byte];
            for (let x = column * 8; rest !== 0 && x < width; x++, rest >>= 1) {
                if (rest & 1) out[y * width + x] = alive;
            }
        }
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

    /**
     * @param {HTMLCanvasElement} canvas
     * @throws {Error} where it cannot be drawn on
     */
    constructor(canvas) {
        const context = canvas.getContext('2d', { alpha: false });
        if (!context) throw new Error('The picture cannot be drawn in this browser.');
        this.#context = context;
    }

    /** The most squares that a frame may have in a direction. */
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
     * @param {Placement} placement
     * @param {UniverseInfo | null} universe
     * @param {number} grid how visible its lines are, 0 to 1
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
        this.#drawFrame(placement);
        if (grid > 0) this.#drawGrid(placement, palette, grid);
        context.restore();
    }

    /** @param {Placement} placement */
    #drawFrame(placement) {
        const frame = this.#frame;
        if (!frame) return;
        const { left, top, width, height, cell_px } = placement;
        const size = cell_px * 2 ** frame.scale;
        if (size < 1 - 1e-9) {
            const pixels = new Uint8Array(width * height);
            sampleAt(frame, placement, pixels);
            this.#painted = false; // but with something else
            this.#paintSquares({ width, height, bits: 8, ages: frame.ages, pixels });
            this.#painted = false;
            this.#context.drawImage(this.#squares, 0, 0);
            return;
        }
        this.#paintSquares(frame);
        this.#context.imageSmoothingEnabled = false;
        this.#context.drawImage(this.#squares, (frame.x - left) * cell_px,
            (frame.y - top) * cell_px, frame.width * size, frame.height * size);
    }

    /** @param {Pick<Frame, 'width' | 'height' | 'bits' | 'ages' | 'pixels'>} frame */
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
     * @param {Placement} placement
     * @param {Palette} palette
     * @param {number} strength
     */
    #drawGrid({ left, top, width, height, cell_px, line_px }, palette, strength) {
        const context = this.#context;
        context.globalAlpha = strength;
        for (const strong of [false, true]) {
            context.fillStyle = cssColour(strong ? palette.gridStrong : palette.grid);
            context.beginPath();
            for (let x = Math.floor(left); (x - left) * cell_px < width; x++) {
                if ((x % 10 === 0) !== strong) continue;
                context.rect(Math.round((x - left) * cell_px), 0, line_px, height);
            }
            for (let y = Math.floor(top); (y - top) * cell_px < height; y++) {
                if ((y % 10 === 0) !== strong) continue;
                context.rect(0, Math.round((y - top) * cell_px), width, line_px);
            }
            context.fill();
        }
        context.globalAlpha = 1;
    }
}
