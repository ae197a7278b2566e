// Decides which pictures to ask the server for. A look reaches beyond what is visible, so that the
// picture can be moved at once while the next one is on its way.

/** @import { Box, Look, UniverseInfo } from './types.js' */
/** @import { Camera } from './camera.js' */
/** @import { Connection } from './connection.js' */

import { toPlace } from './protocol.js';

const LARGEST_SCALE = 252;
const LARGEST_SIDE = 8192;
const LARGEST_AREA = 2 ** 24;
const MARGIN = 1 / 8;
const MARGIN_LEFT = 1 / 32;
const WASTE = 1.5;
const REST_MS = 200;

/**
 * @param {Box} box
 * @param {number} share of its width and height, to add at each side
 * @returns {Box}
 */
function widened(box, share) {
    return {
        x: box.x - box.width * share,
        y: box.y - box.height * share,
        width: box.width * (1 + 2 * share),
        height: box.height * (1 + 2 * share),
    };
}

/**
 * The part of start .. start + length that is in a direction of `bound` cells (0: no end), in whole
 * squares; at least one square.
 * @param {number} start
 * @param {number} length
 * @param {number} bound
 * @param {number} side
 */
function span(start, length, bound, side) {
    const low = bound ? Math.min(bound - 1, Math.max(0, start)) : start;
    const high = bound ? Math.min(bound, Math.max(0, start + length)) : start + length;
    const first = Math.floor(low / side);
    return { start: first * side, count: Math.max(1, Math.ceil(high / side) - first) };
}

/**
 * The squares of 2^scale cells that cover a box.
 * @param {Box} box
 * @param {number} scale
 * @param {UniverseInfo | null} universe
 * @returns {Look}
 */
function cover(box, scale, universe) {
    const side = 2 ** scale;
    const across = span(box.x, box.width, universe?.width ?? 0, side);
    const down = span(box.y, box.height, universe?.height ?? 0, side);
    return {
        x: across.start, y: down.start, scale, width: across.count, height: down.count,
    };
}

/**
 * @param {Look} look
 * @param {number} largest_side
 */
function allowed({ width, height }, largest_side) {
    return width <= largest_side && height <= largest_side && width * height <= LARGEST_AREA;
}

/**
 * The part of a box that one look can hold at the largest scale: only a browser zoomed out to a
 * quarter on a very large screen shows more.
 * @param {Box} box
 * @param {number} largest_side
 * @returns {Box}
 */
function middle({ x, y, width, height }, largest_side) {
    const most = (Math.min(largest_side, Math.sqrt(LARGEST_AREA)) - 1) * 2 ** LARGEST_SCALE;
    const across = Math.min(width, most);
    const down = Math.min(height, most);
    return {
        x: x + (width - across) / 2, y: y + (height - down) / 2, width: across, height: down,
    };
}

/**
 * The scale at which a square is at most one device pixel and more than half of one.
 * @param {number} zoom
 * @param {number} device_pixels a CSS pixel
 */
export function scaleFor(zoom, device_pixels) {
    const level = Math.floor(Math.log2(1 / (zoom * device_pixels)) + 1e-6);
    return Math.min(LARGEST_SCALE, Math.max(0, level));
}

/**
 * @param {Box} visible
 * @param {number} scale
 * @param {UniverseInfo | null} universe
 * @param {number} largest_side of a picture
 * @returns {Look} with the margin, if the limits leave room for it
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
 * @param {Look} outer
 * @param {Look} inner
 */
function holds(outer, inner) {
    const side = 2 ** outer.scale;
    const other = 2 ** inner.scale;
    return outer.x <= inner.x && outer.y <= inner.y &&
        outer.x + outer.width * side >= inner.x + inner.width * other &&
        outer.y + outer.height * side >= inner.y + inner.height * other;
}

/** Keeps the server's look in step with the camera. */
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
     * @param {number} largest_side of a picture, as far as the renderer knows
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

    /** Whether pictures say how old cells are. @param {boolean} on */
    setAges(on) {
        if (this.#ages === on) return;
        this.#ages = on;
        this.#look = null;
        this.update();
    }

    /** Asks for another look if the present one is not enough. */
    update() {
        if (!this.#universe) return;
        const scale = this.#ask();
        clearTimeout(this.#rest);
        this.#rest = window.setTimeout(() => this.#trim(scale), REST_MS);
    }

    /** @returns {number} the scale that fits */
    #ask() {
        // Zooming out, the picture of the end of the flight holds all that is seen on the way;
        // zooming in, the present one does.
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
     * Whether the same look would be chosen again, because the limits leave no room for a margin.
     * @param {Box} visible
     * @param {number} scale
     */
    #isBest(visible, scale) {
        const best = this.#choose(visible, scale);
        return this.#look !== null && best.scale === this.#look.scale && holds(this.#look, best);
    }

    /**
     * Once the view rests, a look much larger than what is visible is made smaller.
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
     * @param {Box} visible
     * @param {number} scale
     */
    #choose(visible, scale) {
        return chooseLook(visible, scale, this.#universe, this.#largest_side);
    }

    /**
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
