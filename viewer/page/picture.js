// The picture on the screen. Chooses the renderer. Draws only after a change, and at most once per
// screen refresh.

/** @import { Frame, Overlay, Palette, Size, UniverseInfo, View } from './types.js' */
/** @import { Placement } from './geometry.js' */
import { gridStrength, place } from './geometry.js';
import { OverlayPainter } from './overlay.js';
import { PictureCanvas } from './picture_canvas.js';
import { isSoftware, Trial } from './picture_choice.js';
import { PictureWebgl } from './picture_webgl.js';

/** @typedef {'auto' | 'webgl2' | 'canvas'} Wanted auto: the faster renderer */

/**
 * Creates a renderer.
 * @param {HTMLCanvasElement} canvas
 * @param {Wanted} wanted
 * @param {() => void} restored called after a lost WebGL context was restored
 */
function makeRenderer(canvas, wanted, restored) {
    if (wanted === 'canvas') return { canvas, renderer: new PictureCanvas(canvas) };
    try {
        const refused = wanted === 'auto' ? isSoftware : () => false;
        return { canvas, renderer: new PictureWebgl(canvas, restored, refused) };
    } catch (error) {
        console.info(`The picture is drawn without WebGL2. ${error}`);
    }
    return withoutWebgl(canvas);
}

/**
 * Replaces a canvas by a new one, because a canvas with a WebGL context cannot get a 2D context.
 * @param {HTMLCanvasElement} canvas
 */
function withoutWebgl(canvas) {
    const fresh = /** @type {HTMLCanvasElement} */ (canvas.cloneNode());
    const renderer = new PictureCanvas(fresh);
    canvas.replaceWith(fresh);
    return { canvas: fresh, renderer };
}

/**
 * The picture on the screen. The detail of the event 'drawn' is a list of frame numbers. The list
 * has the frames that were drawn, and the frames that were replaced by a newer frame before they
 * could be drawn.
 */
export class Picture extends EventTarget {
    #canvas;
    #overlay_canvas;
    /** @type {PictureCanvas | PictureWebgl} */
    #renderer;
    /** @type {Trial | null} trial of WebGL; null if the renderer is fixed */
    #trial;
    #painter;
    /** @type {Frame | null} */
    #frame = null;
    /** @type {number[]} numbers of the frames not yet reported as drawn */
    #undrawn = [];
    /** @type {UniverseInfo | null} */
    #universe = null;
    /** @type {View} */
    #view = { x: 0n, y: 0n, fx: 0, fy: 0, zoom: 1 };
    /** @type {Palette | null} */
    #palette = null;
    /** @type {Overlay} */
    #overlay = {};
    /** @type {Size} */
    #device = { width: 1, height: 1 };
    #device_pixels = 1;
    #grid = true;
    #scheduled = 0;
    #frame_is_new = false;
    #picture_changed = true;
    #overlay_changed = true;

    /**
     * @param {HTMLCanvasElement} canvas
     * @param {HTMLCanvasElement} overlay_canvas
     * @param {Wanted} [wanted]
     */
    constructor(canvas, overlay_canvas, wanted = 'auto') {
        super();
        const made = makeRenderer(canvas, wanted, () => this.#invalidate(true, false));
        this.#canvas = made.canvas;
        this.#renderer = made.renderer;
        this.#trial = wanted === 'auto' ? new Trial() : null;
        this.#overlay_canvas = overlay_canvas;
        this.#painter = new OverlayPainter(overlay_canvas);
    }

    /** @returns {'webgl2' | 'canvas'} */
    get renderer() {
        return this.#renderer instanceof PictureWebgl ? 'webgl2' : 'canvas';
    }

    get frame() {
        return this.#frame;
    }

    get palette() {
        return this.#palette;
    }

    /** Largest width or height of a frame, in squares. */
    get largestSide() {
        return this.#renderer.largestSide;
    }

    /** @param {Frame} frame */
    setFrame(frame) {
        this.#frame = frame;
        this.#frame_is_new = true;
        this.#undrawn.push(frame.number);
        this.#invalidate(true, false);
    }

    /** Removes the picture of a universe that was closed. */
    clearFrame() {
        this.#frame = null;
        this.#frame_is_new = true;
        this.#invalidate(true, false);
    }

    /** Forgets frames that cannot be reported as drawn, because their connection has closed. */
    forgetUndrawn() {
        this.#undrawn = [];
    }

    /** @param {UniverseInfo | null} universe */
    setUniverse(universe) {
        this.#universe = universe;
        this.#invalidate(true, false);
    }

    /** @param {View} view */
    setView(view) {
        this.#view = view;
        this.#invalidate(true, true);
    }

    /** @param {Palette} palette */
    setPalette(palette) {
        this.#palette = palette;
        this.#renderer.setPalette(palette);
        this.#invalidate(true, true);
    }

    get grid() {
        return this.#grid;
    }

    /** @param {boolean} on */
    setGrid(on) {
        this.#grid = on;
        this.#invalidate(true, false);
    }

    /** @param {Overlay} overlay the new overlay */
    setOverlay(overlay) {
        this.#overlay = overlay;
        this.#invalidate(false, true);
    }

    /**
     * @param {Size} device size of the canvas in device pixels
     * @param {number} device_pixels per CSS pixel
     */
    setSize(device, device_pixels) {
        this.#device = device;
        this.#device_pixels = device_pixels;
        this.#invalidate(true, true);
        this.draw(); // draw at once, because setting the size of a canvas clears the canvas
    }

    /**
     * Draws the changes. The browser calls `draw` once per screen refresh. If drawing is urgent,
     * `draw` is called directly.
     */
    draw() {
        cancelAnimationFrame(this.#scheduled);
        this.#scheduled = 0;
        const palette = this.#palette;
        if (!palette) return;
        const placement = place(this.#view, this.#device, this.#device_pixels);
        for (const canvas of [this.#canvas, this.#overlay_canvas]) {
            if (canvas.width === placement.width && canvas.height === placement.height) continue;
            canvas.width = placement.width;
            canvas.height = placement.height;
        }
        if (this.#frame_is_new) this.#renderer.setFrame(this.#frame);
        this.#frame_is_new = false;
        if (this.#picture_changed) {
            const grid = this.#grid ? gridStrength(this.#view.zoom) : 0;
            const begin_ms = performance.now();
            this.#renderer.draw(placement, this.#universe, grid);
            if (this.#isSlow(placement, begin_ms)) this.#giveUpWebgl(placement, grid);
        }
        if (this.#overlay_changed) this.#painter.draw(placement, this.#overlay, palette);
        this.#picture_changed = false;
        this.#overlay_changed = false;
        if (this.#undrawn.length === 0) return;
        const detail = this.#undrawn;
        this.#undrawn = [];
        this.dispatchEvent(new CustomEvent('drawn', { detail }));
    }

    /**
     * Returns whether the first pictures with WebGL take too long.
     * @param {Size} size
     * @param {number} begin_ms time at which drawing started
     */
    #isSlow(size, begin_ms) {
        const renderer = this.#renderer;
        if (!this.#trial || !(renderer instanceof PictureWebgl) || !this.#frame) return false;
        this.#trial.begin(size);
        if (!this.#trial.going) return false;
        renderer.finish();
        this.#trial.add(performance.now() - begin_ms);
        return this.#trial.failed;
    }

    /**
     * Replaces the WebGL renderer by one with a 2D canvas.
     * @param {Placement} placement
     * @param {number} grid opacity of the grid lines
     */
    #giveUpWebgl(placement, grid) {
        console.info('WebGL2 is slow here: the picture is drawn without it from now on.');
        if (this.#renderer instanceof PictureWebgl) this.#renderer.destroy();
        const { canvas, renderer } = withoutWebgl(this.#canvas);
        this.#canvas = canvas;
        this.#renderer = renderer;
        canvas.width = placement.width;
        canvas.height = placement.height;
        if (this.#palette) renderer.setPalette(this.#palette);
        renderer.setFrame(this.#frame);
        renderer.draw(placement, this.#universe, grid);
    }

    /**
     * Returns the canvas as a PNG file.
     * @returns {Promise<Blob>}
     */
    toBlob() {
        this.#picture_changed = true; // draw again, because WebGL does not keep its drawing buffer
        this.draw();
        return new Promise((resolve, reject) => {
            this.#canvas.toBlob((blob) => {
                if (blob) resolve(blob);
                else reject(new Error('The picture could not be saved as a file.'));
            }, 'image/png');
        });
    }

    /**
     * Requests that the picture or the overlay is drawn at the next screen refresh.
     * @param {boolean} picture whether the picture has changed
     * @param {boolean} overlay whether the overlay has changed
     */
    #invalidate(picture, overlay) {
        this.#picture_changed ||= picture;
        this.#overlay_changed ||= overlay;
        this.#scheduled ||= requestAnimationFrame(() => this.draw());
    }
}
