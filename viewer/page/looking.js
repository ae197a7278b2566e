// Decides which pictures to request from the server. The requested area (a Look) is larger than the
// visible area, so that panning shows cells at once, before the next picture arrives.

/** @import { Box, Look, UniverseInfo } from './types.js' */
/** @import { Camera } from './camera.js' */
/** @import { Connection } from './connection.js' */

import { least, most, REACH, sideOf, squaresOver } from './exact.js';
import { LARGEST_NEAR_SCALE, toPlace } from './protocol.js';

const LARGEST_SCALE = 252;
const LARGEST_SIDE = 8192;
const LARGEST_AREA = 2 ** 24;
const MARGIN = 1 / 8;
const MARGIN_LEFT = 1 / 32;
const WASTE = 1.5;
const REST_MS = 200;

/**
 * Widens a box on all sides.
 * @param {Box} box
 * @param {number} share of the box's width and height to add on each side
 * @returns {Box}
 */
function widened(box, share) {
    const part = (/** @type {bigint} */ length) => BigInt(Math.round(Number(length) * share));
    const [across, down] = [part(box.width), part(box.height)];
    return {
        x: box.x - across, y: box.y - down, width: box.width + 2n * across,
        height: box.height + 2n * down,
    };
}

/**
 * Clamps a range of coordinates to the universe and to the coordinates that pictures of the given
 * scale can show. The result has at least one cell.
 * @param {bigint} start first cell of the range
 * @param {bigint} length of the range in cells
 * @param {bigint} bound size of the universe in this direction; 0 if it is unbounded
 * @param {number} scale
 */
function span(start, length, bound, scale) {
    const end = start + length;
    // Squares must lie inside the range of cells that the server shows, and must not touch the ends
    // of this range.
    const far = scale > LARGEST_NEAR_SCALE ? null : REACH - sideOf(scale);
    const [first, last] = bound ? [0n, bound] : far === null ? [start, end] : [-far, far];
    const low = least(last - 1n, most(first, start));
    return { start: low, length: most(1n, least(last, end) - low) };
}

/**
 * Returns the squares that cover a box. Parts of the box outside the universe are left out. Each
 * square is 2^scale cells wide and high.
 * @param {Box} box
 * @param {number} scale
 * @param {UniverseInfo | null} universe
 * @returns {Look}
 */
function cover(box, scale, universe) {
    const across = span(box.x, box.width, universe?.width ?? 0n, scale);
    const down = span(box.y, box.height, universe?.height ?? 0n, scale);
    return squaresOver({
        x: across.start, y: down.start, width: across.length, height: down.length,
    }, scale);
}

/**
 * Returns whether an area is small enough for a request.
 * @param {Look} look
 * @param {number} largest_side of a picture
 */
function allowed({ width, height }, largest_side) {
    return width <= largest_side && height <= largest_side && width * height <= LARGEST_AREA;
}

/**
 * Returns the central part of a box, as large as one request at the largest scale can cover. A box
 * is larger than one request only on a very large screen with the browser zoomed out to 25 %.
 * @param {Box} box
 * @param {number} largest_side
 * @returns {Box}
 */
function middle({ x, y, width, height }, largest_side) {
    const squares = Math.min(largest_side, Math.sqrt(LARGEST_AREA)) - 1;
    const largest = BigInt(squares) * sideOf(LARGEST_SCALE);
    const across = least(width, largest);
    const down = least(height, largest);
    return {
        x: x + (width - across) / 2n, y: y + (height - down) / 2n, width: across, height: down,
    };
}

/**
 * Returns the scale at which a square is at most one device pixel wide, but more than half a pixel.
 * @param {number} zoom
 * @param {number} device_pixels per CSS pixel
 */
export function scaleFor(zoom, device_pixels) {
    const level = Math.floor(Math.log2(1 / (zoom * device_pixels)) + 1e-6);
    return Math.min(LARGEST_SCALE, Math.max(0, level));
}

/**
 * Chooses the area to request for a visible box. The area has a margin around the box if the limits
 * allow a margin.
 * @param {Box} visible
 * @param {number} scale
 * @param {UniverseInfo | null} universe
 * @param {number} largest_side of a picture
 * @returns {Look}
 */
export function chooseLook(visible, scale, universe, largest_side) {
    for (let coarser = scale; ; coarser++) {
        for (const share of [MARGIN, 0]) {
            const look = cover(widened(visible, share), coarser, universe);
            if (allowed(look, largest_side)) return look;
        }
        if (coarser < LARGEST_SCALE) continue;
        return cover(middle(visible, largest_side), coarser, universe);
    }
}

/**
 * Returns whether one area contains another area.
 * @param {Look} outer
 * @param {Look} inner
 */
function holds(outer, inner) {
    const side = sideOf(outer.scale);
    const other = sideOf(inner.scale);
    return outer.x <= inner.x && outer.y <= inner.y &&
        outer.x + BigInt(outer.width) * side >= inner.x + BigInt(inner.width) * other &&
        outer.y + BigInt(outer.height) * side >= inner.y + BigInt(inner.height) * other;
}

/** Requests a new area when the camera moves out of the requested area. */
export class Looking {
    #camera;
    #connection;
    /** @type {UniverseInfo | null} */
    #universe = null;
    #largest_side;
    /** @type {Look | null} */
    #look = null;
    #wanted_scale = 0;
    #number = 0;
    #rest = 0;
    #ages = false;

    /**
     * @param {Camera} camera
     * @param {Connection} connection
     * @param {number} largest_side of a picture that the renderer can draw
     */
    constructor(camera, connection, largest_side) {
        this.#largest_side = Math.min(LARGEST_SIDE, largest_side);
        this.#camera = camera;
        this.#connection = connection;
        camera.addEventListener('changed', () => this.update());
    }

    /** @param {UniverseInfo} universe */
    setUniverse(universe) {
        this.#universe = universe;
        this.#look = null;
        this.update();
    }

    /** Sets whether pictures include the ages of cells. @param {boolean} on */
    setAges(on) {
        if (this.#ages === on) return;
        this.#ages = on;
        this.#look = null;
        this.update();
    }

    /** Requests a new area if the last requested area does not cover the view. */
    update() {
        if (!this.#universe) return;
        const scale = this.#ask();
        clearTimeout(this.#rest);
        this.#rest = window.setTimeout(() => this.#trim(scale), REST_MS);
    }

    /**
     * Requests a new area if the last requested area does not cover the view.
     * @returns {number} the scale for the current zoom
     */
    #ask() {
        // While the view zooms out, the last view of the animation covers all earlier views. While
        // the view zooms in, the current view covers all later views.
        const { view, target } = this.#camera;
        const plan = target.zoom < view.zoom ? target : view;
        const visible = this.#camera.visibleFrom(plan);
        const scale = scaleFor(plan.zoom, devicePixelRatio);
        const needed = cover(widened(visible, MARGIN_LEFT), scale, this.#universe);
        if (this.#look && scale === this.#wanted_scale &&
            (holds(this.#look, needed) || this.#isBest(visible, scale))) {
            return scale;
        }
        this.#send(visible, scale);
        return scale;
    }

    /**
     * Returns whether `chooseLook` would choose the last requested area again, for example because
     * the limits leave no room for a margin.
     * @param {Box} visible
     * @param {number} scale
     */
    #isBest(visible, scale) {
        const best = this.#choose(visible, scale);
        return this.#look !== null && best.scale === this.#look.scale && holds(this.#look, best);
    }

    /**
     * Replaces the requested area if it is much larger than the view. While the view still moves,
     * the requested area is kept.
     * @param {number} scale
     */
    #trim(scale) {
        const look = this.#look;
        if (!look || this.#camera.moving) return;
        const best = this.#choose(this.#camera.visible, scale);
        if (look.width * look.height > WASTE * best.width * best.height) {
            this.#send(this.#camera.visible, scale);
        }
    }

    /**
     * Chooses the area to request for a visible box.
     * @param {Box} visible
     * @param {number} scale
     */
    #choose(visible, scale) {
        return chooseLook(visible, scale, this.#universe, this.#largest_side);
    }

    /**
     * Requests an area from the server.
     * @param {Box} visible
     * @param {number} scale
     */
    #send(visible, scale) {
        this.#look = this.#choose(visible, scale);
        this.#wanted_scale = scale;
        this.#number = (this.#number + 1) >>> 0;
        const { x, y } = this.#look;
        this.#connection.send({
            do: 'look', look: this.#number, ...this.#look,
            x: toPlace(x, this.#look.scale), y: toPlace(y, this.#look.scale), ages: this.#ages,
        });
    }
}
