// The camera decides which part of the universe the canvas shows. The camera also animates changes
// of the view.
//
// The coordinates of the cell at the centre are exact at any distance from 0. Beyond REACH (2^62
// cells from 0) the server sends only downsampled pictures, so the camera limits the zoom there.

/** @import { Area, Box, Cell, Size, Spot, View } from './types.js' */
import { apart, areaFrom, least, middleOf, most, movedBy, REACH } from './exact.js';

export const LARGEST_ZOOM = 64;
// The usual smallest zoom. After `fit` has shown a very large box, the smallest zoom is the zoom
// that `fit` has chosen, divided by BEYOND_FIT.
const USUAL_SMALLEST_ZOOM = 2 ** -15;

const SMALLEST_ZOOM = 2 ** -248;
const BEYOND_FIT = 8;

// Largest zoom beyond REACH. At LARGEST_FAR_ZOOM, screens of any resolution get downsampled
// pictures.
const LARGEST_FAR_ZOOM = 2 ** -20;
const FARTHEST_PX = 2 ** 56;
const FARTHEST = 2n ** 300n;

const LARGEST_FIT_ZOOM = 32;
const FIT_ROOM = 0.94;
const STEP_MS = 160;
const FIT_MS = 260;

/**
 * Limits a value to the range from `low` to `high`.
 * @param {number} value
 * @param {number} low
 * @param {number} high
 */
function clamp(value, low, high) {
    return Math.min(high, Math.max(low, value));
}

/**
 * Returns the largest zoom that is allowed with a cell at the centre of the view.
 * @param {Cell} cell
 * @returns {number}
 */
function largestZoom({ x, y }) {
    const away = most(most(x, -x), most(y, -y));
    return away <= REACH ? LARGEST_ZOOM : Math.min(LARGEST_FAR_ZOOM, FARTHEST_PX / Number(away));
}

/**
 * Clamps the coordinates of a cell or point to the range from -far to far.
 * @template {Cell} C
 * @param {C} spot
 * @param {bigint} far
 * @returns {C}
 */
function within(spot, far) {
    return {
        ...spot, x: least(far, most(-far, spot.x)), y: least(far, most(-far, spot.y)),
    };
}

/**
 * The camera. The event 'changed' reports a change of the visible area or of the canvas size. The
 * event 'resized' reports only a change of the canvas size. The event 'moved' reports a change of
 * the view by anything but `fit`. The event 'far' reports that the distance from 0 limits the zoom.
 */
export class Camera extends EventTarget {
    /** @type {View} */
    #view = { x: 0n, y: 0n, fx: 0, fy: 0, zoom: 1 };
    /** @type {Size} */
    #size = { width: 1, height: 1 };
    #smallest_zoom = USUAL_SMALLEST_ZOOM;
    /**
     * The running animation.
     * @type {{from: View, to: View, start: number | null, length_ms: number} | null}
     */
    #flight = null;
    #still = matchMedia('(prefers-reduced-motion: reduce)');

    /** The current view, also during an animation. */
    get view() {
        return this.#view;
    }

    /** The view at the end of the animation, or the current view if no animation is running. */
    get target() {
        return this.#flight?.to ?? this.#view;
    }

    /** The size of the canvas in CSS pixels. */
    get size() {
        return this.#size;
    }

    get moving() {
        return this.#flight !== null;
    }

    /** The box of cells that are at least partly visible. */
    get visible() {
        return this.visibleFrom(this.#view);
    }

    /**
     * Returns the box of cells that would be at least partly visible from another view.
     * @param {View} view
     * @returns {Box}
     */
    visibleFrom(view) {
        const area = this.#areaOf(view);
        const [x, y] = [Math.floor(area.x), Math.floor(area.y)];
        return {
            x: view.x + BigInt(x), y: view.y + BigInt(y),
            width: BigInt(Math.ceil(area.x + area.width) - x),
            height: BigInt(Math.ceil(area.y + area.height) - y),
        };
    }

    /**
     * Returns whether a whole box is visible.
     * @param {Box} box
     * @param {View} [view]
     */
    holds(box, view = this.#view) {
        const area = this.#areaOf(view);
        const inner = areaFrom(box, view);
        return area.x <= inner.x && area.y <= inner.y &&
            area.x + area.width >= inner.x + inner.width &&
            area.y + area.height >= inner.y + inner.height;
    }

    /**
     * Returns the area that is visible in a view, relative to the cell at the centre of the view.
     * @param {View} view
     * @returns {Area}
     */
    #areaOf(view) {
        const width = this.#size.width / view.zoom;
        const height = this.#size.height / view.zoom;
        return { x: view.fx - width / 2, y: view.fy - height / 2, width, height };
    }

    /** @param {Size} size */
    setSize({ width, height }) {
        if (width === this.#size.width && height === this.#size.height) return;
        this.#size = { width: Math.max(1, width), height: Math.max(1, height) };
        this.dispatchEvent(new Event('resized'));
        this.#changed();
    }

    /**
     * Sets the view without an animation.
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
     * Zooms by `factor` around (px, py) with a short animation. The factors of consecutive
     * calls multiply. If the factor is a power of two, the zoom ends at a power of two.
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
     * Zooms by exactly `factor` around (px, py), without an animation. Pinch gestures use `zoomBy`.
     * @param {number} px
     * @param {number} py
     * @param {number} factor
     */
    zoomBy(px, py, factor) {
        this.setView(this.#around(this.#view, px, py, this.#view.zoom * factor));
    }

    /**
     * Moves the picture by CSS pixels. For example, (10, 0) moves the picture to the right.
     * @param {number} dx
     * @param {number} dy
     */
    panBy(dx, dy) {
        const { zoom } = this.#view;
        if (!Number.isFinite(dx / zoom) || !Number.isFinite(dy / zoom)) return;
        this.#move((view) => movedBy(view, -dx / zoom, -dy / zoom));
    }

    /**
     * Moves the current view, and both ends of a running animation.
     * @param {(view: View) => View} how returns the moved view, with the same zoom
     */
    #move(how) {
        const moved = (/** @type {View} */ old) => {
            const view = within(how(old), old.zoom > LARGEST_FAR_ZOOM ? REACH : FARTHEST);
            return this.#limited(view);
        };
        if (this.#flight) {
            this.#flight.from = moved(this.#flight.from);
            this.#flight.to = moved(this.#flight.to);
        }
        this.#view = moved(this.#view);
        this.#changed();
        this.#moved();
    }

    /**
     * Centres the view on a point, without an animation and without changing the zoom.
     * @param {Spot} spot
     */
    centreOn({ x, y, fx, fy }) {
        const old = this.#view;
        this.#move((view) => movedBy({ ...view, x: view.x + x - old.x, y: view.y + y - old.y },
            fx - old.fx, fy - old.fy));
    }

    /**
     * Shows a whole box, as large as possible. If a cell is at least one device pixel wide, its
     * width is a whole number of device pixels.
     * @param {Box} box
     * @param {boolean} [at_once] whether to omit the animation
     * @param {number} [room] the largest part of the canvas that the box may fill, at most 1
     */
    fit(box, at_once = false, room = FIT_ROOM) {
        const wide = (this.#size.width * room) / Math.max(1, Number(box.width));
        const high = (this.#size.height * room) / Math.max(1, Number(box.height));
        const free = Math.min(LARGEST_FIT_ZOOM, wide, high);
        const pixels = Math.floor(free * devicePixelRatio + 1e-9);
        const zoom = pixels > 0 ? pixels / devicePixelRatio : free;
        const view = { ...middleOf(box), zoom };
        this.#smallest_zoom =
            Math.max(SMALLEST_ZOOM, Math.min(USUAL_SMALLEST_ZOOM, zoom / BEYOND_FIT));
        if (at_once) this.#go(view);
        else this.#fly(view, FIT_MS);
    }

    /**
     * Sets the zoom, with a short animation.
     * @param {number} pixels_per_cell CSS pixels per cell
     */
    setScale(pixels_per_cell) {
        const { width, height } = this.#size;
        this.#fly(this.#around(this.target, width / 2, height / 2, pixels_per_cell), STEP_MS);
        this.#moved();
    }

    /**
     * Returns the cell at the position (px, py) on the canvas, in CSS pixels.
     * @param {number} px
     * @param {number} py
     * @returns {Cell}
     */
    toCell(px, py) {
        const { width, height } = this.#size;
        const { zoom } = this.#view;
        const { x, y } = movedBy(this.#view, (px - width / 2) / zoom, (py - height / 2) / zoom);
        return { x, y };
    }

    /**
     * Returns the position of a cell's top left corner on the canvas, in CSS pixels.
     * @param {Cell} cell
     * @returns {{x: number, y: number}}
     */
    toPixel(cell) {
        const { x, y, fx, fy, zoom } = this.#view;
        return {
            x: (apart(cell.x, x) - fx) * zoom + this.#size.width / 2,
            y: (apart(cell.y, y) - fy) * zoom + this.#size.height / 2,
        };
    }

    /**
     * Returns the view, moved and zoomed so that it is within the camera's limits.
     * @param {View} view
     * @returns {View}
     */
    #limited(view) {
        // Reject a zoom of NaN, which would stay in the view and leave the page blank.
        if (!(view.zoom > 0)) return this.#view;
        const spot = within(view, FARTHEST);
        const zoom = clamp(view.zoom, this.#smallest_zoom, LARGEST_ZOOM);
        return { ...spot, zoom: this.#nearEnough(spot, zoom) };
    }

    /**
     * Limits a zoom to the largest zoom that is allowed with a cell at the centre of the view.
     * @param {Cell} cell
     * @param {number} zoom
     * @returns {number}
     */
    #nearEnough(cell, zoom) {
        const largest = largestZoom(cell);
        if (zoom > largest) this.dispatchEvent(new Event('far'));
        return Math.min(zoom, largest);
    }

    /**
     * Returns a view with another zoom, in which the cell at (px, py) stays at its place.
     * @param {View} view
     * @param {number} px
     * @param {number} py
     * @param {number} zoom
     * @returns {View}
     */
    #around(view, px, py, zoom) {
        const next = this.#nearEnough(view, clamp(zoom, this.#smallest_zoom, LARGEST_ZOOM));
        const change = 1 / view.zoom - 1 / next;
        if (!Number.isFinite(change * px) || !Number.isFinite(change * py)) return view;
        const { width, height } = this.#size;
        const to = movedBy(view, (px - width / 2) * change, (py - height / 2) * change);
        return { ...to, zoom: next };
    }

    /**
     * Starts an animation to a view.
     * @param {View} view
     * @param {number} length_ms duration of the animation
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
 * Interpolates between two views. The zoom changes exponentially. The centre moves so that one cell
 * stays at one point of the canvas during the whole animation.
 * @param {View} from
 * @param {View} to
 * @param {number} part of the animation that is done, 0 to 1
 * @returns {View}
 */
function between(from, to, part) {
    const zoom = from.zoom * (to.zoom / from.zoom) ** part;
    const whole = 1 / to.zoom - 1 / from.zoom;
    const way = Math.abs(whole * from.zoom) < 1e-6 ? part : (1 / zoom - 1 / from.zoom) / whole;
    const right = apart(to.x, from.x) + to.fx - from.fx;
    const down = apart(to.y, from.y) + to.fy - from.fy;
    return { ...movedBy(from, right * way, down * way), zoom };
}
