// Interprets wheel events of mouse wheels and touch pads. The events of a mouse wheel and of a
// touch pad differ only in their numbers. A wheel with notches sends one large step for each notch.
// The step of a notch is given in lines, or is about a hundred pixels. A touch pad, or a wheel
// without notches, sends a stream of small steps. The stream of a touch pad continues for a while
// after the fingers have left the touch pad. A pinch on a touch pad looks like a wheel with Ctrl.
//
// If the first event after a pause is small, all events up to the next pause count as a stream,
// even if some of them are large. A stream that goes sideways pans the view until the stream ends,
// so that the action does not change during the gesture.

const LINE_PX = 16;
const PAGE_PX = 400;
const NOTCH_PX = 40;
const PAUSE_MS = 180;
const DOUBLING_PX = 240;
const PINCH_PER_PX = 0.01;
const SIDEWAYS = 0.6;

/**
 * An action on the view. `doublings` is 1 to double the zoom and -1 to halve the zoom, for wheels
 * with notches. `factor` multiplies the zoom. `dx` and `dy` pan the view by CSS pixels.
 * @typedef {{doublings: number} | {factor: number} | {dx: number, dy: number} | null} Turn
 */

/** @typedef {Pick<WheelEvent, 'deltaMode' | 'deltaX' | 'deltaY' | 'ctrlKey' | 'shiftKey'>} Wheel */

export class WheelReader {
    #last_ms = -Infinity;
    #flows = false;
    #pans = false;
    #across = 0;
    #down = 0;
    /**
     * Number of pixels received for the current notch. Some wheels send a notch in parts.
     */
    #rest_px = 0;

    /**
     * Returns the action for a wheel event.
     * @param {Wheel} event
     * @param {number} now_ms
     * @returns {Turn}
     */
    read({ deltaMode, deltaX, deltaY, ctrlKey, shiftKey }, now_ms) {
        // Read deltaMode first. If a page reads deltaX or deltaY before deltaMode, browsers convert
        // lines to pixels.
        const unit = deltaMode === 1 ? LINE_PX : deltaMode === 2 ? PAGE_PX : 1;
        const dx = deltaX * unit;
        const dy = deltaY * unit;
        if (now_ms - this.#last_ms > PAUSE_MS) this.#begin(deltaMode === 0 && isSmall(dx, dy));
        this.#last_ms = now_ms;
        // A stream with Ctrl is a pinch. For a wheel with notches, Ctrl has no effect.
        if (ctrlKey && this.#flows) return { factor: Math.exp(-dy * PINCH_PER_PX) };
        if (shiftKey || this.#goesSideways(dx, dy)) return this.#pan(dx, dy, shiftKey);
        if (this.#flows) return { factor: 2 ** (-dy / DOUBLING_PX) };
        return this.#notch(dy);
    }

    /** @param {boolean} flows */
    #begin(flows) {
        this.#flows = flows;
        this.#pans = false;
        this.#across = 0;
        this.#down = 0;
        this.#rest_px = 0;
    }

    /**
     * Returns whether the stream has gone sideways since its beginning.
     * @param {number} dx
     * @param {number} dy
     */
    #goesSideways(dx, dy) {
        this.#across += Math.abs(dx);
        this.#down += Math.abs(dy);
        this.#pans ||= this.#across > SIDEWAYS * this.#down;
        return this.#pans;
    }

    /**
     * Pans. With Shift, a wheel pans sideways. If the browser has already swapped the axes, `#pan`
     * does not swap them again.
     * @param {number} dx
     * @param {number} dy
     * @param {boolean} turned whether Shift is held
     */
    #pan(dx, dy, turned) {
        return turned && !this.#flows && dx === 0 ? { dx: -dy, dy: 0 } : { dx: -dx, dy: -dy };
    }

    /** @param {number} dy */
    #notch(dy) {
        if (Math.sign(dy) !== Math.sign(this.#rest_px)) this.#rest_px = 0;
        this.#rest_px += dy;
        if (Math.abs(this.#rest_px) < NOTCH_PX) return null;
        this.#rest_px = 0;
        return { doublings: dy < 0 ? 1 : -1 };
    }
}

/**
 * Returns whether a step is smaller than a notch.
 * @param {number} dx
 * @param {number} dy
 */
function isSmall(dx, dy) {
    return Math.max(Math.abs(dx), Math.abs(dy)) < NOTCH_PX;
}
