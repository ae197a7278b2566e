// What part of the universe the canvas shows, and the way from one view to the next.
//
// Numbers are doubles: up to 2^52 from 0, neighbours can still be told apart. Those are cells, or
// where a pixel has several, squares of cells: what is farther away can be seen from farther away.

/** @import { Box, Cell, Size, View } from './types.js' */

export const LARGEST_COORDINATE = 2 ** 52;
export const LARGEST_ZOOM = 64;
// What is larger than this shows has to be fitted; then it goes somewhat further.
const USUAL_SMALLEST_ZOOM = 2 ** -15;

const SMALLEST_ZOOM = 2 ** -248;
const BEYOND_FIT = 8;

const LARGEST_FIT_ZOOM = 32;
const FIT_ROOM = 0.94;
const STEP_MS = 160;
const FIT_MS = 260;

/**
 * @param {number} value
 * @param {number} low
 * @param {number} high
 */
function clamp(value, low, high) {
    return Math.min(high, Math.max(low, value));
}

/**
 * @param {View} view
 * @param {number} smallest_zoom
 */
function limited({ x, y, zoom }, smallest_zoom) {
    const far = LARGEST_COORDINATE / SMALLEST_ZOOM;
    const away = Math.max(Math.abs(x), Math.abs(y));
    const nearest = away > LARGEST_COORDINATE ? LARGEST_COORDINATE / away : LARGEST_ZOOM;
    return {
        x: clamp(x, -far, far),
        y: clamp(y, -far, far),
        zoom: clamp(zoom, smallest_zoom, nearest),
    };
}

/**
 * Events: 'changed', whenever the visible part or its size changes; 'moved', when that is not by
 * `fit`; 'resized'.
 */
export class Camera extends EventTarget {
    /** @type {View} */
    #view = { x: 0, y: 0, zoom: 1 };
    /** @type {Size} */
    #size = { width: 1, height: 1 };
    #smallest_zoom = USUAL_SMALLEST_ZOOM;
    /** @type {{from: View, to: View, start: number | null, length_ms: number} | null} */
    #flight = null;
    #still = matchMedia('(prefers-reduced-motion: reduce)');

    /** What is seen now. */
    get view() {
        return this.#view;
    }

    /** Where the view is going: `view` itself when nothing moves. */
    get target() {
        return this.#flight?.to ?? this.#view;
    }

    /** The canvas in CSS pixels. */
    get size() {
        return this.#size;
    }

    get moving() {
        return this.#flight !== null;
    }

    /** What is seen now, in cells. */
    get visible() {
        return this.visibleFrom(this.#view);
    }

    /**
     * What would be visible from another view.
     * @param {View} view
     * @returns {Box}
     */
    visibleFrom(view) {
        const width = this.#size.width / view.zoom;
        const height = this.#size.height / view.zoom;
        return { x: view.x - width / 2, y: view.y - height / 2, width, height };
    }

    /** @param {Size} size */
    setSize({ width, height }) {
        if (width === this.#size.width && height === this.#size.height) return;
        this.#size = { width: Math.max(1, width), height: Math.max(1, height) };
        this.dispatchEvent(new Event('resized'));
        this.#changed();
    }

    /**
     * Goes to a view at once.
     * @param {View} view
     */
    setView(view) {
        this.#go(view);
        this.#moved();
    }

    /** @param {View} view */
    #go(view) {
        this.#flight = null;
        this.#view = this.#limited(view);
        this.#changed();
    }

    /**
     * Zooms by `factor` so that the cell under (px, py) stays there, in a short flight. Consecutive
     * calls add up. With a factor that is a power of two, the zoom ends at a power of two.
     * @param {number} px CSS pixels from the left of the canvas
     * @param {number} py
     * @param {number} factor
     */
    zoomAt(px, py, factor) {
        const steps = Math.log2(factor);
        const { zoom } = this.target;
        const level = Math.log2(zoom);
        const whole = steps > 0 ? Math.floor(level + 1e-6) : Math.ceil(level - 1e-6);
        const next = Number.isInteger(steps) ? 2 ** (whole + steps) : zoom * factor;
        this.#fly(this.#around(this.target, px, py, next), STEP_MS);
        this.#moved();
    }

    /**
     * Zooms at once, by exactly this factor: for two fingers.
     * @param {number} px
     * @param {number} py
     * @param {number} factor
     */
    zoomBy(px, py, factor) {
        this.setView(this.#around(this.#view, px, py, this.#view.zoom * factor));
    }

    /**
     * Moves what is visible by that many CSS pixels: 10, 0 moves it to the right.
     * @param {number} dx
     * @param {number} dy
     */
    panBy(dx, dy) {
        const { zoom } = this.#view;
        const moved = (/** @type {View} */ view) =>
            this.#limited({ x: view.x - dx / zoom, y: view.y - dy / zoom, zoom: view.zoom });
        if (this.#flight) {
            this.#flight.from = moved(this.#flight.from);
            this.#flight.to = moved(this.#flight.to);
        }
        this.#view = moved(this.#view);
        this.#changed();
        this.#moved();
    }

    /**
     * Moves a cell to the middle, at once and at the same scale.
     * @param {number} x
     * @param {number} y
     */
    centreOn(x, y) {
        this.panBy((this.#view.x - x) * this.#view.zoom, (this.#view.y - y) * this.#view.zoom);
    }

    /**
     * Shows a whole box, as large as it fits: with whole pixels a cell if there is one for each.
     * @param {Box} box
     * @param {boolean} [at_once]
     * @param {number} [room] the part of the canvas that it may take
     */
    fit(box, at_once = false, room = FIT_ROOM) {
        const wide = (this.#size.width * room) / Math.max(1, box.width);
        const high = (this.#size.height * room) / Math.max(1, box.height);
        const free = Math.min(LARGEST_FIT_ZOOM, wide, high);
        const pixels = Math.floor(free * devicePixelRatio + 1e-9);
        const zoom = pixels > 0 ? pixels / devicePixelRatio : free;
        const view = { x: box.x + box.width / 2, y: box.y + box.height / 2, zoom };
        this.#smallest_zoom =
            Math.max(SMALLEST_ZOOM, Math.min(USUAL_SMALLEST_ZOOM, zoom / BEYOND_FIT));
        if (at_once) this.#go(view);
        else this.#fly(view, FIT_MS);
    }

    /**
     * @param {number} pixels_per_cell CSS pixels
     */
    setScale(pixels_per_cell) {
        const { width, height } = this.#size;
        this.#fly(this.#around(this.target, width / 2, height / 2, pixels_per_cell), STEP_MS);
        this.#moved();
    }

    /**
     * The cell at a place of the canvas, with its fraction.
     * @param {number} px
     * @param {number} py
     * @returns {Cell}
     */
    toCell(px, py) {
        const { x, y, zoom } = this.#view;
        return {
            x: x + (px - this.#size.width / 2) / zoom,
            y: y + (py - this.#size.height / 2) / zoom,
        };
    }

    /**
     * Where the top left of a cell is on the canvas.
     * @param {number} x
     * @param {number} y
     * @returns {{x: number, y: number}}
     */
    toPixel(x, y) {
        const { zoom } = this.#view;
        return {
            x: (x - this.#view.x) * zoom + this.#size.width / 2,
            y: (y - this.#view.y) * zoom + this.#size.height / 2,
        };
    }

    /** @param {View} view */
    #limited(view) {
        // One number that is none would stay for good, and the page would show nothing.
        const { x, y, zoom } = view;
        if (!Number.isFinite(x) || !Number.isFinite(y) || !(zoom > 0)) return this.#view;
        return limited(view, this.#smallest_zoom);
    }

    /**
     * @param {View} view
     * @param {number} px
     * @param {number} py
     * @param {number} zoom
     * @returns {View}
     */
    #around(view, px, py, zoom) {
        const next = clamp(zoom, this.#smallest_zoom, LARGEST_ZOOM);
        const change = 1 / view.zoom - 1 / next;
        return {
            x: view.x + (px - this.#size.width / 2) * change,
            y: view.y + (py - this.#size.height / 2) * change,
            zoom: next,
        };
    }

    /**
     * @param {View} view
     * @param {number} length_ms
     */
    #fly(view, length_ms) {
        const to = this.#limited(view);
        if (this.#still.matches) {
            this.#go(to);
            return;
        }
        const idle = this.#flight === null;
        this.#flight = { from: this.#view, to, start: null, length_ms };
        if (idle) requestAnimationFrame((now) => this.#tick(now));
    }

    /** @param {number} now */
    #tick(now) {
        const flight = this.#flight;
        if (!flight) return;
        flight.start ??= now;
        const part = clamp((now - flight.start) / flight.length_ms, 0, 1);
        if (part === 1) {
            this.#flight = null;
            this.#view = flight.to;
        } else {
            this.#view = between(flight.from, flight.to, 1 - (1 - part) ** 3);
            requestAnimationFrame((next) => this.#tick(next));
        }
        this.#changed();
    }

    #moved() {
        this.dispatchEvent(new Event('moved'));
    }

    #changed() {
        this.dispatchEvent(new Event('changed'));
    }
}

/**
 * A view on the way from one to the other. The scale changes by equal factors, and the middle so
 * that the place on the canvas where both views show the same cell shows it all the way.
 * @param {View} from
 * @param {View} to
 * @param {number} part 0 to 1
 * @returns {View}
 */
function between(from, to, part) {
    const zoom = from.zoom * (to.zoom / from.zoom) ** part;
    const whole = 1 / to.zoom - 1 / from.zoom;
    const way = Math.abs(whole * from.zoom) < 1e-6 ? part : (1 / zoom - 1 / from.zoom) / whole;
    return { x: from.x + (to.x - from.x) * way, y: from.y + (to.y - from.y) * way, zoom };
}
