// Draws the overlay above the picture: the selection, previews of pasting and drawing, the axes of
// symmetry, and the cell under the pointer.

/** @import { Area, Box, Cell, Clip, Label, Overlay, Palette, Paste } from './types.js' */
/** @import { Placement } from './geometry.js' */
/** @import { Symmetric } from './shapes.js' */
import { apart, areaFrom } from './exact.js';
import { universeEdges } from './geometry.js';
import { LabelPlaces } from './label_places.js';
import { cssColour } from './picture_canvas.js';

const LARGEST_PREVIEW_CELLS = 2 ** 22;
const HOVER_FROM_PX = 4;
const DASH_PX = 6;
const LABEL_PX = 12;
const LABEL_GAP_PX = 3;

/**
 * Paints a clip. A pixel stands for `step` x `step` cells. The pixel is set if any cell in its
 * square is alive.
 * @param {Clip} clip
 * @param {number} colour as the four bytes of a pixel
 * @returns {{canvas: HTMLCanvasElement, step: number} | null}
 */
function paintClip({ width, height, pixels }, colour) {
    if (!pixels || width === 0 || height === 0) return null;
    const step = Math.max(1, Math.ceil(Math.sqrt((width * height) / LARGEST_PREVIEW_CELLS)));
    const canvas = document.createElement('canvas');
    canvas.width = Math.ceil(width / step);
    canvas.height = Math.ceil(height / step);
    const context = canvas.getContext('2d');
    if (!context) return null;
    const image = context.createImageData(canvas.width, canvas.height);
    const out = new Uint32Array(image.data.buffer);
    for (let y = 0; y < height; y++) {
        const row = Math.floor(y / step) * canvas.width;
        for (let x = 0; x < width; x++) {
            if (pixels[y * width + x]) out[row + Math.floor(x / step)] = colour;
        }
    }
    context.putImageData(image, 0, 0);
    return { canvas, step };
}

export class OverlayPainter {
    #canvas;
    #context;
    /**
     * The painted preview of the clip, kept while the clip and the colours stay the same.
     * @type {{clip: Clip, palette: Palette, picture: ReturnType<typeof paintClip>} | null}
     */
    #preview = null;

    /** @param {HTMLCanvasElement} canvas */
    constructor(canvas) {
        const context = canvas.getContext('2d');
        if (!context) throw new Error('This browser does not support 2D canvas.');
        this.#canvas = canvas;
        this.#context = context;
    }

    /**
     * Draws the whole overlay.
     * @param {Placement} placement
     * @param {Overlay} overlay
     * @param {Palette} palette
     */
    draw(placement, overlay, palette) {
        this.#context.clearRect(0, 0, this.#canvas.width, this.#canvas.height);
        if (overlay.selection) this.#drawSelection(placement, overlay.selection, palette);
        if (overlay.paste) this.#drawPaste(placement, overlay.paste, palette);
        else this.#preview = null;
        if (overlay.sketch) this.#drawSketch(placement, overlay.sketch, palette);
        if (overlay.axes) this.#drawAxes(placement, overlay.axes, palette);
        if (overlay.labels) this.#drawLabels(placement, overlay.labels, palette);
        const { hover } = overlay;
        if (hover && placement.cell_px * Number(hover.width) >= HOVER_FROM_PX * placement.line_px) {
            this.#strokeBox(placement, hover, palette, []);
        }
    }

    /**
     * Returns the position and size of an area on the canvas.
     * @param {Placement} placement
     * @param {Area} area relative to the cell of the placement
     * @returns {[x: number, y: number, width: number, height: number]} in whole device pixels
     */
    #pixels({ left, top, cell_px, width, height }, area) {
        const cut = (/** @type {number} */ value, /** @type {number} */ most) =>
            Math.min(most + 64, Math.max(-64, Math.round(value)));
        const x0 = cut((area.x - left) * cell_px, width);
        const y0 = cut((area.y - top) * cell_px, height);
        const x1 = cut((area.x + area.width - left) * cell_px, width);
        const y1 = cut((area.y + area.height - top) * cell_px, height);
        return [x0, y0, x1 - x0, y1 - y0];
    }

    /**
     * Draws the outline of a box.
     * @param {Placement} placement
     * @param {Box} box
     * @param {Palette} palette
     * @param {number[]} dash
     */
    #strokeBox(placement, box, palette, dash) {
        const context = this.#context;
        const [x, y, width, height] = this.#pixels(placement, areaFrom(box, placement.at));
        const line = placement.line_px;
        context.lineWidth = line;
        context.strokeStyle = cssColour(palette.accent);
        context.setLineDash(dash.map((length) => length * line));
        context.strokeRect(x - line / 2, y - line / 2, width + line, height + line);
        context.setLineDash([]);
    }

    /**
     * Draws the selected rectangle.
     * @param {Placement} placement
     * @param {Box} box
     * @param {Palette} palette
     */
    #drawSelection(placement, box, palette) {
        const [red, green, blue] = palette.accent;
        this.#context.fillStyle = cssColour([red, green, blue, 36]);
        this.#context.fillRect(...this.#pixels(placement, areaFrom(box, placement.at)));
        this.#strokeBox(placement, box, palette, []);
    }

    /**
     * Draws texts beside boxes, each on a ground of its own.
     * @param {Placement} placement
     * @param {Label[]} labels
     * @param {Palette} palette
     */
    #drawLabels(placement, labels, palette) {
        const context = this.#context;
        const pixel = placement.line_px;
        const places = new LabelPlaces();
        const height = Math.round((LABEL_PX + 4) * pixel);
        context.font = `${LABEL_PX * pixel}px system-ui, sans-serif`;
        context.textBaseline = 'middle';
        context.textAlign = 'center';
        const boxes = labels.map(({ box }) => {
            const [x, y, width, height] = this.#pixels(placement, areaFrom(box, placement.at));
            return { x, y, width, height };
        });
        for (const box of boxes) places.add(box);
        for (const [i, { text }] of labels.entries()) {
            const width = Math.round(context.measureText(text).width + 8 * pixel);
            const place = places.take(boxes[i], width, height, LABEL_GAP_PX * pixel);
            if (place === null) continue;
            context.fillStyle = palette.name === 'dark' ? 'rgb(22 27 34 / 0.85)' :
                'rgb(255 255 255 / 0.85)';
            context.beginPath();
            context.roundRect(place.x, place.y, width, height, 3 * pixel);
            context.fill();
            context.fillStyle = palette.name === 'dark' ? '#e6edf3' : '#1f2328';
            context.fillText(text, place.x + width / 2, place.y + height / 2 + pixel / 2);
        }
    }

    /**
     * Draws the preview of a clip.
     * @param {Placement} placement
     * @param {Paste} paste
     * @param {Palette} palette
     */
    #drawPaste(placement, { clip, places, within }, palette) {
        if (this.#preview?.clip !== clip || this.#preview.palette !== palette) {
            const colour = new Uint32Array(new Uint8Array(palette.accent).buffer)[0];
            this.#preview = { clip, palette, picture: paintClip(clip, colour) };
        }
        const { picture } = this.#preview;
        const context = this.#context;
        context.save();
        if (picture) {
            this.#clipTo(placement, within);
            const size = picture.step * placement.cell_px;
            context.globalAlpha = 0.75;
            context.imageSmoothingEnabled = size < 1;
            const { at, left, top, cell_px } = placement;
            for (const { x, y } of places) {
                context.drawImage(picture.canvas, (apart(x, at.x) - left) * cell_px,
                    (apart(y, at.y) - top) * cell_px, picture.canvas.width * size,
                    picture.canvas.height * size);
            }
        }
        // If the clip is shown at one place, draw its whole outline, also beyond the edges of the
        // universe. If the clip is shown at several places, cut the outlines off at the edges.
        if (places.length === 1) context.restore();
        for (const { x, y } of places) {
            const box = { x, y, width: BigInt(clip.width), height: BigInt(clip.height) };
            this.#strokeBox(placement, box, palette, [DASH_PX, DASH_PX]);
        }
        if (places.length > 1) context.restore();
    }

    /**
     * Restricts drawing to the inside of the universe until the context is restored.
     * @param {Placement} placement
     * @param {{width: bigint, height: bigint}} within size of the universe; 0: unbounded
     */
    #clipTo(placement, within) {
        const { x0, y0, x1, y1 } = universeEdges(placement, within);
        this.#context.beginPath();
        this.#context.rect(x0, y0, x1 - x0, y1 - y0);
        this.#context.clip();
    }

    /**
     * Draws the preview of a shape.
     * @param {Placement} placement
     * @param {{at: Cell, areas: Area[], alive: boolean}} sketch
     * @param {Palette} palette
     */
    #drawSketch(placement, { at, areas, alive }, palette) {
        const context = this.#context;
        const [red, green, blue] = alive ? palette.accent : palette.outside;
        context.fillStyle = cssColour([red, green, blue, 215]);
        const seen = {
            ...placement, left: placement.left - apart(at.x, placement.at.x),
            top: placement.top - apart(at.y, placement.at.y),
        };
        for (const area of areas) {
            const [x, y, width, height] = this.#pixels(seen, area);
            context.fillRect(x, y, Math.max(1, width), Math.max(1, height));
        }
    }

    /**
     * Draws the mirror axes of a symmetry, or a ring at the centre of a rotation.
     * @param {Placement} placement
     * @param {Symmetric} axes
     * @param {Palette} palette
     */
    #drawAxes(placement, { symmetry, about }, palette) {
        const { at, left, top, cell_px, line_px, width, height } = placement;
        const context = this.#context;
        const x = Math.round((apart(about[0], 2n * at.x) / 2 - left) * cell_px);
        const y = Math.round((apart(about[1], 2n * at.y) / 2 - top) * cell_px);
        const far = width + height + Math.abs(x) + Math.abs(y);
        context.beginPath();
        /** Draws an axis in a direction. @param {number} dx @param {number} dy */
        const line = (dx, dy) => {
            context.moveTo(x - dx * far, y - dy * far);
            context.lineTo(x + dx * far, y + dy * far);
        };
        const all = symmetry === 'all';
        if (all || symmetry === 'x' || symmetry === 'both') line(0, 1);
        if (all || symmetry === 'y' || symmetry === 'both') line(1, 0);
        if (all || symmetry === 'diagonal') line(1, 1);
        if (all) line(1, -1);
        if (symmetry.startsWith('turn')) {
            context.moveTo(x + 6 * line_px, y);
            context.arc(x, y, 6 * line_px, 0, 2 * Math.PI);
            for (const [dx, dy] of symmetry === 'turn-4' ? [[1, 0], [0, 1]] : [[1, 0]]) {
                context.moveTo(x - 12 * dx * line_px, y - 12 * dy * line_px);
                context.lineTo(x + 12 * dx * line_px, y + 12 * dy * line_px);
            }
        }
        const [red, green, blue] = palette.accent;
        context.strokeStyle = cssColour([red, green, blue, 150]);
        context.lineWidth = line_px;
        context.setLineDash([DASH_PX * line_px, DASH_PX * line_px]);
        context.stroke();
        context.setLineDash([]);
    }
}
