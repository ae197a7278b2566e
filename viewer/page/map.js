// The overview map in the corner of the picture. The map shows the whole universe, or all live
// cells if the universe is unbounded, and marks the view. A click on the map moves the view to the
// clicked cell. The map appears only if the view shows a small part of the map's area or is outside
// the map's area.

/** @import { Box, Cell, Frame } from './types.js' */
/** @import { Camera } from './camera.js' */
/** @import { Colours } from './colours.js' */
/** @import { Session } from './session.js' */
import { announce } from './announce.js';
import { byId, setPressed } from './dom.js';
import { areaFrom, least, most, movedBy, sideOf, squaresOver } from './exact.js';
import { cssColour } from './picture_canvas.js';
import { recall, remember } from './storage.js';

const side = 120; // largest side of the map in CSS pixels
const leastStage = 300; // smallest width and height, in CSS pixels, of a picture with a map
// Part of the map's area; the map appears if the view shows less than this part.
const nearPart = 1 / 6;
const leastWait_ms = 1000;
const share = 20; // at most 1/20 of the time is spent on pictures for the map

/**
 * Returns the smallest box that contains two boxes.
 * @param {Box} a
 * @param {Box} b
 * @returns {Box}
 */
function united(a, b) {
    const x = least(a.x, b.x);
    const y = least(a.y, b.y);
    return {
        x, y, width: most(a.x + a.width, b.x + b.width) - x,
        height: most(a.y + a.height, b.y + b.height) - y,
    };
}

export class OverviewMap {
    #canvas = byId('map', HTMLCanvasElement);
    #on = recall('map') !== 'off';
    /** @type {Box | null} bounding box of the live cells, as last requested */
    #whole = null;
    /** @type {Frame | null} */
    #frame = null;
    /** Describes the universe in the last requested picture, to detect changes. */
    #shown = '';
    #asking = false;
    #next_ms = 0;
    #timer = 0;
    #pressed = false;

    /**
     * @param {Session} session
     * @param {Camera} camera
     * @param {Colours} colours
     * @param {(cell: Cell) => void} go
     */
    constructor(session, camera, colours, go) {
        this.session = session;
        this.camera = camera;
        this.colours = colours;
        this.go = go;
        setPressed('map', this.#on);
        session.addEventListener('universe', () => {
            this.#whole = this.#frame = null;
            this.#shown = '';
            this.#next_ms = 0;
            this.#update();
        });
        session.addEventListener('state', () => this.#update());
        for (const source of [camera, colours]) {
            source.addEventListener('changed', () => this.#update());
        }
        this.#canvas.addEventListener('pointerdown', (event) => {
            this.#pressed = true;
            this.#canvas.setPointerCapture(event.pointerId);
            this.#goTo(event);
            event.stopPropagation();
        });
        this.#canvas.addEventListener('pointermove', (event) => {
            if (this.#pressed) this.#goTo(event);
        });
        for (const name of ['pointerup', 'pointercancel']) {
            this.#canvas.addEventListener(name, () => {
                this.#pressed = false;
            });
        }
    }

    toggle() {
        this.#on = !this.#on;
        remember('map', this.#on ? 'on' : 'off');
        setPressed('map', this.#on);
        announce(this.#on ? 'Map on; it appears when you zoom in.' : 'Map off.');
        this.#update();
    }

    /** @param {PointerEvent} event */
    #goTo(event) {
        const frame = this.#frame;
        if (frame === null) return;
        const { left, top, width, height } = this.#canvas.getBoundingClientRect();
        const cells = 2 ** frame.scale;
        const { x, y } = movedBy({ x: frame.x, y: frame.y, fx: 0, fy: 0 },
            (event.clientX - left) / width * frame.width * cells,
            (event.clientY - top) / height * frame.height * cells);
        this.go({ x, y });
    }

    /**
     * Returns the box that the map should show, or null if no map is needed.
     * @returns {Box | null}
     */
    #wanted() {
        const { size, visible } = this.camera;
        const whole = this.session.whole ?? this.#whole;
        if (!this.#on || size.width < leastStage || size.height < leastStage) return null;
        if (whole === null) return this.session.whole === null ? visible : null;
        const near = Number(visible.width * visible.height) <
            Number(whole.width * whole.height) * nearPart;
        const away = this.session.whole === null && (visible.x > whole.x + whole.width ||
            visible.y > whole.y + whole.height || visible.x + visible.width < whole.x ||
            visible.y + visible.height < whole.y);
        if (!near && !away) return null;
        return this.session.whole ?? united(whole, visible);
    }

    #update() {
        const wanted = this.#wanted();
        const shown = wanted !== null && this.#frame !== null && this.#whole !== null;
        this.#canvas.hidden = !shown;
        // A map that was hidden during a drag still gets pointer events.
        if (!shown) this.#pressed = false;
        if (shown) this.#draw();
        if (wanted !== null && !document.hidden && this.session.link === 'open') this.#askSoon();
    }

    #askSoon() {
        if (this.#asking || this.#timer !== 0) return;
        const wait_ms = Math.max(0, this.#next_ms - performance.now());
        this.#timer = window.setTimeout(() => {
            this.#timer = 0;
            void this.#ask();
        }, wait_ms);
    }

    /** Requests a new picture if the universe has changed since the last picture. */
    async #ask() {
        const { state } = this.session;
        const { visible } = this.camera;
        const away = this.session.whole === null && this.#whole !== null &&
            this.#wanted() !== null ? ` ${this.#covers(visible)}` : '';
        const now = `${state?.generation} ${state?.population} ${state?.can_undo} ` +
            `${state?.can_redo}${away}`;
        if (now === this.#shown || this.#asking) return;
        this.#asking = true;
        const begin_ms = performance.now();
        try {
            const box = this.session.whole ??
                (await this.session.connection.request({ do: 'box' })).box;
            this.#whole = box;
            const wanted = this.#wanted();
            this.#shown = now;
            if (box !== null && wanted !== null) {
                this.#frame = await this.session.still(this.#look(wanted));
            }
        } catch {
            // Show no error message, because the next request may succeed.
        }
        this.#asking = false;
        const end_ms = performance.now();
        this.#next_ms = end_ms + Math.max(leastWait_ms, (end_ms - begin_ms) * share);
        this.#update();
    }

    /** Returns whether the map's current picture covers the visible box. @param {Box} visible */
    #covers(visible) {
        const frame = this.#frame;
        if (frame === null) return false;
        const cells = sideOf(frame.scale);
        return visible.x >= frame.x && visible.y >= frame.y &&
            visible.x + visible.width <= frame.x + BigInt(frame.width) * cells &&
            visible.y + visible.height <= frame.y + BigInt(frame.height) * cells;
    }

    /**
     * Returns the squares to request for the picture of the map.
     * @param {Box} box
     * @returns {import('./types.js').Look}
     */
    #look(box) {
        const pixels = side * Math.min(2, devicePixelRatio);
        const times = Number(most(box.width, box.height)) / pixels;
        return squaresOver(box, Math.max(0, Math.ceil(Math.log2(times))));
    }

    #draw() {
        const frame = this.#frame;
        const context = this.#canvas.getContext('2d');
        if (frame === null || context === null) return;
        const { palette } = this.colours;
        const longest = Math.max(frame.width, frame.height);
        const ratio = devicePixelRatio;
        const pixel = side * ratio / longest;
        const canvas = this.#canvas;
        const size = [frame.width, frame.height].map((each) =>
            Math.max(8 * ratio, Math.round(each * pixel)));
        [canvas.width, canvas.height] = size;
        canvas.style.width = `${size[0] / ratio}px`;
        canvas.style.height = `${size[1] / ratio}px`;
        const squares = new OffscreenCanvas(frame.width, frame.height);
        const image = new ImageData(frame.width, frame.height);
        const out = new Uint32Array(image.data.buffer);
        const colours = new Uint32Array(palette.levels.slice().buffer);
        const pitch = Math.ceil(frame.width / 8);
        for (let i = 0; i < out.length; i++) {
            const [x, y] = [i % frame.width, Math.floor(i / frame.width)];
            out[i] = colours[frame.bits === 8 ? frame.pixels[i] :
                (frame.pixels[y * pitch + (x >> 3)] >> (x & 7)) & 1 ? 255 : 0];
        }
        squares.getContext('2d')?.putImageData(image, 0, 0);
        context.imageSmoothingEnabled = false;
        context.drawImage(squares, 0, 0, canvas.width, canvas.height);
        const visible = areaFrom(this.camera.visible, frame);
        const cells = 2 ** frame.scale;
        const width = Math.max(4 * ratio, visible.width / cells * pixel);
        const height = Math.max(4 * ratio, visible.height / cells * pixel);
        context.strokeStyle = cssColour(palette.accent);
        context.lineWidth = 1.5 * ratio;
        context.strokeRect((visible.x + visible.width / 2) / cells * pixel - width / 2,
            (visible.y + visible.height / 2) / cells * pixel - height / 2, width, height);
    }
}
