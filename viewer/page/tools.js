// The tools. Each tool has a small state machine that handles drags on the picture. With the
// keyboard, the user moves a cell pointer that drives the same state machines as the mouse.

/** @import { Cell, Tool, ToolCallbacks } from './types.js' */
/** @import { Camera } from './camera.js' */
/** @import { Clips } from './clips.js' */
/** @import { Drawing } from './drawing.js' */
/** @import { Marks } from './marks.js' */
/** @import { Pointer } from './pointer.js' */
/** @import { Selection } from './selection.js' */
/** @import { Session } from './session.js' */
import { announce } from './announce.js';
import { byId, setPressed, setText } from './dom.js';
import { boxBetween } from './exact.js';
import { coordinate } from './format.js';
import { commandOf } from './keys.js';
import { sizeText } from './selection.js';

/** @type {Tool[]} */
const names = ['hand', 'draw', 'erase', 'line', 'rectangle', 'ellipse', 'flood', 'select', 'move',
    'paste', 'stamp'];
/** Tools for which the keyboard sets both ends of a drag. @type {Tool[]} */
const drags = ['line', 'rectangle', 'ellipse', 'select', 'move'];
/** Returns whether a tool pastes the clip (the copied cells). @param {Tool} name */
const pastes = (name) => name === 'paste' || name === 'stamp';

/** The tools. The event 'chosen' reports that the user has chosen a tool. */
export class Tools extends EventTarget {
    /** @type {Tool} */
    name = 'hand';
    /** @type {Tool} tool to return to after pasting */
    #before = 'hand';
    /** @type {Cell | null} the keyboard's cell pointer */
    #cursor = null;
    /** Called when the user has chosen a tool. @type {(name: Tool) => void} */
    onChosen = () => {};
    /** Whether the keyboard has begun a drag. */
    #dragging = false;

    /**
     * @param {object} parts
     * @param {Session} parts.session
     * @param {Camera} parts.camera
     * @param {Marks} parts.marks
     * @param {Selection} parts.selection
     * @param {Clips} parts.clips
     * @param {Drawing} parts.drawing
     * @param {Pointer} parts.pointer
     */
    constructor({ session, camera, marks, selection, clips, drawing, pointer }) {
        super();
        this.session = session;
        this.camera = camera;
        this.marks = marks;
        this.selection = selection;
        this.clips = clips;
        this.pointer = pointer;
        this.drawing = drawing;
        /** @type {Record<Tool, ToolCallbacks>} */
        this.machines = {
            hand: {},
            draw: drawing.pen('pencil'),
            erase: drawing.pen(false),
            line: drawing.line(),
            rectangle: drawing.shape('rectangle'),
            ellipse: drawing.shape('ellipse'),
            flood: drawing.flood(),
            select: this.#frame(),
            move: this.#mover(),
            paste: clips.tool(false),
            stamp: clips.tool(true),
        };
        clips.onReady = (tool) => this.choose(tool);
        clips.onPasted = () => this.choose(this.#before);
        pointer.addEventListener('hover', (event) => {
            if (event instanceof CustomEvent) this.#point(event.detail);
        });
        this.choose('hand', true);
    }

    /**
     * Selects a tool.
     * @param {Tool} name
     * @param {boolean} [silently] whether to omit the event and the announcement
     */
    choose(name, silently = false) {
        this.#giveUp();
        if (!pastes(this.name)) this.#before = this.name;
        this.name = name;
        for (const each of names) setPressed(each, each === name);
        byId('stage', HTMLElement).dataset.tool = name;
        this.clips.hold(pastes(name));
        this.pointer.setTool(this.machines[name]);
        this.marks.set({ hover: null });
        if (silently) return;
        this.onChosen(name);
        this.dispatchEvent(new Event('chosen'));
        announce(commandOf.get(name)?.text ?? name);
    }

    /**
     * Selects a tool again after a reload of the page. Tools that paste are not selected again.
     * @param {string | null} before name of the tool that was selected before the reload
     */
    recall(before) {
        const name = names.find((each) => each === before);
        if (name !== undefined && name !== this.name && !pastes(name)) this.choose(name);
    }

    /**
     * Moves the keyboard's cell pointer to the cell under the mouse.
     * @param {Cell | null} cell
     */
    #point(cell) {
        if (cell !== null) this.#cursor = cell;
        this.#mark(this.name === 'hand' ? null : cell);
        this.#showCell(cell);
    }

    /**
     * Marks the cells that the tool would change if it were used at a cell.
     * @param {Cell | null} cell
     */
    #mark(cell) {
        const draws = ['draw', 'erase', 'line'].includes(this.name);
        this.marks.set({ hover: cell === null || pastes(this.name) ? null :
            draws ? this.drawing.under(cell) : { ...cell, width: 1n, height: 1n } });
    }

    /** Shows the coordinates of a cell. @param {Cell | null} cell */
    #showCell(cell) {
        setText(byId('pointer-cell', HTMLElement),
            cell === null ? '' : `${coordinate(cell.x)}, ${coordinate(cell.y)}`);
    }

    /** Makes the Select tool. @returns {ToolCallbacks} */
    #frame() {
        /** @type {Cell | null} */
        let from = null;
        let moved = false;
        let extends_old = false;
        return {
            begin: (cell, event) => {
                const old = this.selection.box;
                extends_old = event.shiftKey && old !== null;
                from = cell;
                moved = false;
                if (old !== null && extends_old) {
                    // Keep the corner of the selection that is farthest from the pointer.
                    from = {
                        x: 2n * (cell.x - old.x) < old.width ? old.x + old.width - 1n : old.x,
                        y: 2n * (cell.y - old.y) < old.height ? old.y + old.height - 1n : old.y,
                    };
                    this.selection.set(boxBetween(from, cell));
                }
            },
            move: (cell) => {
                if (from === null) return;
                moved ||= extends_old || cell.x !== from.x || cell.y !== from.y;
                if (!moved) return;
                this.selection.set(boxBetween(from, cell));
            },
            // A click without a drag clears the selection, as in most programs.
            end: (cell) => {
                if (from === null) return;
                const box = moved || extends_old || this.#dragging ? boxBetween(from, cell) : null;
                from = null;
                this.selection.set(box);
                announce(box === null ? 'Nothing is selected.' :
                    `Selected ${sizeText(box)} cells.`);
            },
            cancel: () => {
                from = null;
            },
        };
    }

    /** Makes the Move tool. @returns {ToolCallbacks} */
    #mover() {
        /** @type {Cell | null} */
        let from = null;
        let copies = false;
        return {
            begin: (cell, event) => {
                if (!this.session.maySteer() || !this.selection.isChosen()) return false;
                from = cell;
                copies = event.altKey;
                this.selection.lift();
            },
            move: (cell) => {
                if (from !== null) this.selection.carry(cell.x - from.x, cell.y - from.y);
            },
            end: (cell) => {
                const start = from;
                from = null;
                if (start === null) return;
                void this.selection.putDown(cell.x - start.x, cell.y - start.y, copies);
            },
            cancel: () => {
                from = null;
                this.selection.carry(0n, 0n);
                this.selection.drop();
            },
        };
    }

    /**
     * Moves the keyboard's cell pointer.
     * @param {number} dx
     * @param {number} dy
     */
    moveCursor(dx, dy) {
        const { view } = this.camera;
        const old = this.#cursor ?? this.middle();
        const step = Math.max(1, Math.round(1 / view.zoom));
        const cell = { x: old.x + BigInt(dx * step), y: old.y + BigInt(dy * step) };
        this.#cursor = cell;
        if (!this.camera.holds({ ...cell, width: 1n, height: 1n })) {
            this.camera.centreOn({ ...cell, fx: 0.5, fy: 0.5 });
        }
        const machine = this.machines[this.name];
        if (this.#dragging) machine.move?.(cell, new PointerEvent('pointermove'));
        else machine.hover?.(cell);
        this.#mark(cell);
        this.#showCell(cell);
        announce(`${coordinate(cell.x)}, ${coordinate(cell.y)}`);
    }

    /**
     * Uses the tool at the keyboard's cell pointer. One press of the key C begins a drag, and the
     * next press of the key ends the drag.
     */
    press() {
        const cell = this.#cursor ?? this.middle();
        this.#cursor = cell;
        const machine = this.machines[this.name];
        if (machine.begin === undefined) {
            this.session.complain('Choose a tool first (D draws, S selects).');
            return;
        }
        if (this.#dragging) {
            machine.end?.(cell);
            this.#dragging = false;
            return;
        }
        if (machine.begin(cell, new PointerEvent('pointerdown')) === false) return;
        if (drags.includes(this.name)) {
            this.#dragging = true;
            announce('Move the cell pointer to the other end and press C again.');
        } else machine.end?.(cell);
    }

    #giveUp() {
        if (this.#dragging) this.machines[this.name].cancel?.();
        this.#dragging = false;
    }

    /**
     * Handles Escape, which cancels one thing at a time: first a drag, then pasting, then the
     * selection, then the tool.
     */
    cancel() {
        if (this.#dragging) this.#giveUp();
        else if (pastes(this.name)) this.choose(this.#before);
        else if (this.selection.box !== null) this.selection.set(null);
        else this.choose('hand');
    }

    /** Whether the current tool pastes the clip. */
    get holdsClip() {
        return pastes(this.name);
    }

    /** The last position of the keyboard's cell pointer. @returns {Cell | null} */
    get cursor() {
        return this.#cursor;
    }

    /** Returns the cell at the middle of the view. @returns {Cell} */
    middle() {
        const { x, y } = this.camera.view;
        return { x, y };
    }
}
