// Handles mouse, pen, touch and wheel input on the canvas. The input moves the camera or controls
// the selected tool.

/** @import { Cell, ToolCallbacks } from './types.js' */
/** @import { Camera } from './camera.js' */
import { WheelReader } from './wheel.js';

const MAIN_BUTTON = 0;
const MIDDLE_BUTTON = 1;

/** Returns whether an element uses the space bar itself. @param {EventTarget | null} target */
function isForText(target) {
    return target instanceof Element && target.closest('input, textarea, select, dialog') !== null;
}

/**
 * The input on the canvas. The detail of the event 'hover' is the cell under the pointer, or null
 * when the pointer has left the canvas. The event 'pan' reports that the user has moved the view.
 * The event 'busy' reports that a drag begins or ends.
 */
export class Pointer extends EventTarget {
    #element;
    #camera;
    /** @type {ToolCallbacks | null} */
    #tool = null;
    /** @type {'idle' | 'pan' | 'tool' | 'pinch'} */
    #mode = 'idle';
    /** @type {Map<number, {x: number, y: number}>} positions of pressed pointers */
    #down = new Map();
    /** @type {Cell | null} */
    #hovered = null;
    /** @type {{clientX: number, clientY: number} | null} position of the hovering pointer */
    #above = null;
    #space = false;
    #wheel_reader = new WheelReader();
    /** Last scale that Safari has reported for the current pinch. */
    #gesture_scale = 1;

    /**
     * @param {HTMLElement} element
     * @param {Camera} camera
     */
    constructor(element, camera) {
        super();
        this.#element = element;
        this.#camera = camera;
        element.style.touchAction = 'none';
        element.addEventListener('pointerdown', (event) => this.#press(event));
        element.addEventListener('pointermove', (event) => this.#move(event));
        element.addEventListener('pointerup', (event) => this.#release(event, false));
        element.addEventListener('pointercancel', (event) => this.#release(event, true));
        element.addEventListener('pointerleave', () => this.#hover(null));
        camera.addEventListener('changed', () => this.#hover(this.#above));
        element.addEventListener('wheel', (event) => this.#wheel(event), { passive: false });
        for (const name of ['gesturestart', 'gesturechange', 'gestureend']) {
            element.addEventListener(name, (event) => this.#gesture(event));
        }
        element.addEventListener('contextmenu', (event) => event.preventDefault());
        // By default the middle button would scroll or paste.
        element.addEventListener('mousedown', (event) => {
            if (event.button === MIDDLE_BUTTON) event.preventDefault();
        });
        element.addEventListener('auxclick', (event) => event.preventDefault());
        window.addEventListener('keydown', (event) => {
            if (event.key === ' ' && !isForText(event.target)) this.#holdSpace(true);
        });
        window.addEventListener('keyup', (event) => {
            if (event.key === ' ') this.#holdSpace(false);
        });
        window.addEventListener('blur', () => this.#holdSpace(false));
    }

    /**
     * Sets the tool that handles drags.
     * @param {ToolCallbacks | null} tool null: every drag pans the view
     */
    setTool(tool) {
        if (this.#mode === 'tool') {
            this.#tool?.cancel?.();
            this.#mode = 'idle';
        }
        this.#tool = tool;
        this.#showCursor();
    }

    /**
     * Sets whether the space bar is held. While the space bar is held, a drag pans the view with
     * any tool.
     * @param {boolean} held
     */
    #holdSpace(held) {
        if (this.#space === held) return;
        this.#space = held;
        this.#showCursor();
    }

    /** Whether a drag is in progress. */
    get busy() {
        return this.#mode !== 'idle';
    }

    /**
     * Returns the position of an event on the canvas.
     * @param {{clientX: number, clientY: number}} event
     */
    #place({ clientX, clientY }) {
        const { left, top } = this.#element.getBoundingClientRect();
        return { x: clientX - left, y: clientY - top };
    }

    /**
     * Returns the cell at the position of an event.
     * @param {{clientX: number, clientY: number}} event
     */
    #cell(event) {
        const { x, y } = this.#place(event);
        return this.#camera.toCell(x, y);
    }

    /** @param {PointerEvent} event */
    #press(event) {
        if (this.#down.size === 2) return;
        this.#element.setPointerCapture(event.pointerId);
        this.#down.set(event.pointerId, this.#place(event));
        if (this.#down.size === 2) {
            if (this.#mode === 'tool') this.#tool?.cancel?.();
            this.#mode = 'pinch';
        } else {
            this.#begin(event);
        }
        this.#showCursor();
        this.dispatchEvent(new Event('busy'));
    }

    /** @param {PointerEvent} event */
    #begin(event) {
        const panning = this.#space || event.button !== MAIN_BUTTON;
        const begin = panning ? undefined : this.#tool?.begin;
        const cell = this.#cell(event);
        const taken = begin !== undefined && begin(cell, event) !== false;
        this.#mode = taken ? 'tool' : 'pan';
        if (event.pointerType === 'touch') this.#hover(event);
    }

    /** @param {PointerEvent} event */
    #move(event) {
        const before = this.#down.get(event.pointerId);
        if (!before) {
            if (this.#mode === 'idle') this.#hover(event);
            return;
        }
        const now = this.#place(event);
        if (this.#mode === 'pinch') this.#pinch(event.pointerId, before, now);
        this.#down.set(event.pointerId, now);
        if (this.#mode === 'pan') {
            this.#pan(now.x - before.x, now.y - before.y);
        } else if (this.#mode === 'tool') {
            const parts = event.getCoalescedEvents?.() ?? [];
            for (const part of parts.length > 0 ? parts : [event]) {
                this.#tool?.move?.(this.#cell(part), event);
            }
        }
        if (this.#mode !== 'pinch') this.#hover(event);
    }

    /**
     * Pans and zooms after one of the two pointers of a pinch has moved.
     * @param {number} id of the pointer that moved
     * @param {{x: number, y: number}} before old position of this pointer
     * @param {{x: number, y: number}} now new position of this pointer
     */
    #pinch(id, before, now) {
        const other = [...this.#down].find(([key]) => key !== id)?.[1];
        if (!other) return;
        const old_length = Math.hypot(before.x - other.x, before.y - other.y);
        const length = Math.hypot(now.x - other.x, now.y - other.y);
        this.#camera.panBy((now.x - before.x) / 2, (now.y - before.y) / 2);
        if (old_length < 1 || length < 1) return;
        this.#camera.zoomBy((now.x + other.x) / 2, (now.y + other.y) / 2, length / old_length);
    }

    /**
     * Handles the release of a pointer.
     * @param {PointerEvent} event
     * @param {boolean} cancelled whether the system has interrupted the drag
     */
    #release(event, cancelled) {
        if (!this.#down.delete(event.pointerId)) return;
        if (this.#mode === 'tool') {
            if (cancelled) this.#tool?.cancel?.();
            else this.#tool?.end?.(this.#cell(event));
        }
        // After a pinch, the finger that is still down pans the view.
        this.#mode = this.#mode === 'pinch' && this.#down.size > 0 ? 'pan' : 'idle';
        if (event.pointerType === 'touch' && this.#down.size === 0) this.#hover(null);
        this.#showCursor();
        this.dispatchEvent(new Event('busy'));
    }

    /**
     * Handles a pointer over the canvas.
     * @param {{clientX: number, clientY: number} | null} event null: the pointer has left the
     *     canvas
     */
    #hover(event) {
        this.#above = event && { clientX: event.clientX, clientY: event.clientY };
        const cell = event && this.#cell(event);
        const old = this.#hovered;
        if (cell?.x === old?.x && cell?.y === old?.y) return;
        this.#hovered = cell;
        this.#tool?.hover?.(cell);
        this.dispatchEvent(new CustomEvent('hover', { detail: cell }));
    }

    /** @param {WheelEvent} event */
    #wheel(event) {
        event.preventDefault();
        const { x, y } = this.#place(event);
        const turn = this.#wheel_reader.read(event, event.timeStamp);
        if (turn === null) return;
        if ('doublings' in turn) this.#camera.zoomAt(x, y, 2 ** turn.doublings);
        else if ('factor' in turn) this.#camera.zoomBy(x, y, turn.factor);
        else this.#pan(turn.dx, turn.dy);
    }

    /**
     * Pans the view.
     * @param {number} dx CSS pixels
     * @param {number} dy
     */
    #pan(dx, dy) {
        this.#camera.panBy(dx, dy);
        this.dispatchEvent(new Event('pan'));
    }

    /**
     * Handles the gesture events that Safari sends for a pinch on a touch pad. Ignores gesture
     * events on a touch screen, where Safari also sends pointer events.
     * @param {Event & {scale?: number, clientX?: number, clientY?: number}} event
     */
    #gesture(event) {
        event.preventDefault();
        const { type, scale = 1, clientX = 0, clientY = 0 } = event;
        if (type === 'gesturechange' && this.#down.size === 0) {
            const { x, y } = this.#place({ clientX, clientY });
            this.#camera.zoomBy(x, y, scale / this.#gesture_scale);
        }
        this.#gesture_scale = scale;
    }

    #showCursor() {
        const { style } = this.#element;
        if (this.#mode === 'pan' || this.#mode === 'pinch') style.cursor = 'grabbing';
        else style.cursor = this.#space || !this.#tool?.begin ? 'grab' : 'crosshair';
    }
}
