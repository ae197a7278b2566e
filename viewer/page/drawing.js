// The drawing tools: pencil, eraser, line, rectangle, ellipse and flood fill, with a brush size and
// a symmetry.

/** @import { Area, Box, Cell, ToolCallbacks } from './types.js' */
/** @import { Camera } from './camera.js' */
/** @import { Marks } from './marks.js' */
/** @import { Selection } from './selection.js' */
/** @import { Session } from './session.js' */
/** @import { Symmetry, Symmetric } from './shapes.js' */
import { announce } from './announce.js';
import { byId, element, returnFocus, setText } from './dom.js';
import { areaFrom, boxBetween, boxFrom, decimalText, most, remainder } from './exact.js';
import { counted } from './format.js';
import {
    areasOf, brushed, footprint, isSquare, shapeAreas, symmetries, withImages,
} from './shapes.js';
import { recall, remember } from './storage.js';
import { lineRuns, runsWithin, Strokes } from './strokes.js';

const eraserOfPen = 32;
const largestBrush = 64;

/** Returns whether a box contains a cell. @param {Box} box @param {Cell} cell */
function holds(box, { x, y }) {
    return x >= box.x && y >= box.y && x < box.x + box.width && y < box.y + box.height;
}

export class Drawing {
    #size = 1;
    /** @type {Symmetric} */
    #symmetric = { symmetry: 'none', about: [1n, 1n] };
    #brush = byId('brush', HTMLInputElement);
    #filled = byId('filled', HTMLInputElement);
    #symmetry = byId('symmetry', HTMLSelectElement);

    /**
     * @param {object} parts
     * @param {Session} parts.session
     * @param {Camera} parts.camera
     * @param {Marks} parts.marks
     * @param {Selection} parts.selection
     */
    constructor({ session, camera, marks, selection }) {
        this.session = session;
        this.camera = camera;
        this.marks = marks;
        this.selection = selection;
        this.strokes = new Strokes((message) => session.connection.send(message));
        for (const [value, text] of symmetries) {
            this.#symmetry.append(element('option', { value }, text));
        }
        this.#brush.max = String(largestBrush);
        this.#brush.addEventListener('input', () => this.#setSize(this.#brush.valueAsNumber));
        this.#symmetry.addEventListener('change', () =>
            this.#setSymmetry(/** @type {Symmetry} */ (this.#symmetry.value)));
        this.#filled.checked = recall('filled') === 'on';
        this.#filled.addEventListener('change', () =>
            remember('filled', this.#filled.checked ? 'on' : 'off'));
        for (const control of [this.#brush, this.#symmetry]) returnFocus(control);
        this.#setSize(Number(recall('brush') ?? 1));
        session.addEventListener('universe', () => this.#setSymmetry('none'));
    }

    /** @param {number} size */
    #setSize(size) {
        this.#size = Math.min(largestBrush, Math.max(1, Math.round(size) || 1));
        this.#brush.value = String(this.#size);
        const text = counted(this.#size, 'cell');
        setText(byId('brush-text', HTMLOutputElement), text);
        this.#brush.setAttribute('aria-valuetext', text);
        remember('brush', String(this.#size));
    }

    /** Changes the size of the brush. @param {number} way 1: larger, -1: smaller */
    changeSize(way) {
        this.#setSize(this.#size + way);
        announce(`Brush: ${counted(this.#size, 'cell')}.`);
    }

    /**
     * Returns the box of cells that the brush covers when its centre is at a cell.
     * @param {Cell} cell
     * @returns {Box}
     */
    under(cell) {
        return boxFrom(footprint(this.#size), cell);
    }

    // ---- symmetry ------------------------------------------------------------------------------

    /** @param {Symmetry} symmetry */
    #setSymmetry(symmetry) {
        const was = this.#symmetric.symmetry;
        this.#symmetry.value = symmetry;
        this.#symmetric = { ...this.#symmetric, symmetry };
        if (was === 'none') this.#setCentre(null);
        else this.#setAbout(this.#symmetric.about);
    }

    nextSymmetry() {
        const at = symmetries.findIndex(([name]) => name === this.#symmetric.symmetry);
        const [name, text] = symmetries[(at + 1) % symmetries.length];
        this.#setSymmetry(name);
        announce(`Symmetry: ${text}.`);
    }

    /**
     * Sets the centre of symmetry. The centre of the selection has priority, then `cell`, then the
     * centre of a bounded universe, then the centre of the view.
     * @param {Cell | null} cell
     */
    #setCentre(cell) {
        const { x, y } = cell ?? this.camera.view;
        const box = this.selection.box ?? (cell === null ? this.session.whole : null) ??
            { x, y, width: 1n, height: 1n };
        this.#setAbout([2n * box.x + box.width, 2n * box.y + box.height]);
    }

    /** @param {[bigint, bigint]} about */
    #setAbout([x, y]) {
        const { symmetry } = this.#symmetric;
        const off = isSquare(symmetry) && (x - y) % 2n !== 0n;
        this.#symmetric = { symmetry, about: [x, off ? y - 1n : y] };
        this.marks.set({ axes: symmetry === 'none' ? null : this.#symmetric });
    }

    /**
     * Handles the command that sets the centre of symmetry.
     * @param {Cell | null} cell under the pointer
     */
    centre(cell) {
        if (this.#symmetric.symmetry === 'none') {
            this.session.complain('Choose a symmetry first.');
            return;
        }
        this.#setCentre(cell);
        const [x, y] = this.#symmetric.about.map((halves) =>
            decimalText((halves - remainder(halves, 2n)) / 2n, halves % 2n === 0n ? 0 : 0.5));
        announce(`The centre is at ${x}, ${y}.`);
    }

    /**
     * Returns further members of a drawing message: the symmetry, and whether the drawing wraps
     * around at joined edges.
     */
    #members() {
        const { symmetry, about } = this.#symmetric;
        const plain = symmetry === 'none';
        return { ...plain ? {} : { symmetry, about }, ...plain && this.#size === 1 ? {} :
            { wrap: true } };
    }

    /**
     * Shows a preview of a shape.
     * @param {Cell} at
     * @param {Area[] | null} areas relative to `at`; null hides the preview
     * @param {boolean} alive whether the shape is drawn with live cells
     */
    #sketch(at, areas, alive) {
        this.marks.set({ sketch: areas === null ? null :
            { at, areas: withImages(areas, this.#symmetric, at), alive } });
    }

    // ---- tools ---------------------------------------------------------------------------------

    /**
     * Makes the pencil or the eraser. The pencil gives all cells of a stroke the inverse of the
     * first cell's state.
     * @param {'pencil' | false} draws 'pencil', or false for the eraser
     * @returns {ToolCallbacks}
     */
    pen(draws) {
        /** @type {Cell | null} */
        let last = null;
        /** @param {Cell} cell */
        const draw = (cell) => {
            // A stroke changes only visible cells of the universe, not cells under the panel. If
            // the pointer leaves the visible cells, the stroke continues where the pointer comes
            // back.
            const { whole } = this.session;
            const first = last === null;
            const at = last ?? cell;
            let runs = runsWithin(lineRuns(at, cell) ?? [], this.camera.visible, at);
            if (whole !== null) runs = runsWithin(runs, whole, at);
            last = cell;
            if (runs.length === 0) return;
            // The first cell of a stroke determines the state that the pencil draws.
            if (first && this.#size > 1) this.strokes.add(cell, [0, 0, 1]);
            this.strokes.add(at, brushed(runs, this.#size));
        };
        const end = () => {
            this.strokes.flush();
            last = null;
        };
        return {
            begin: (cell, event) => {
                if (!this.session.maySteer()) return false;
                const other = event.shiftKey || (event.buttons & eraserOfPen) !== 0;
                const alive = draws === 'pencil' ? (other ? false : 'pencil') : other;
                this.strokes.begin(alive, this.#members());
                draw(cell);
            },
            move: draw,
            end,
            // Undo a stroke that has turned into a pinch, because the user did not intend the
            // stroke.
            cancel: () => {
                end();
                // Ignore the error that comes if the stroke has changed no cells.
                this.session.connection.request({ do: 'undo', stroke: this.strokes.stroke })
                    .catch(() => {});
            },
        };
    }

    /** @returns {ToolCallbacks} */
    line() {
        /** @type {Cell | null} */
        let from = null;
        let alive = true;
        /** @param {Cell} cell */
        const show = (cell) => {
            const line = from === null ? null : lineRuns(from, cell);
            const runs = line === null ? null : brushed(line, this.#size);
            this.#sketch(from ?? cell, runs === null ? null : areasOf(runs), alive);
            return runs;
        };
        const clear = () => {
            from = null;
            this.marks.set({ sketch: null });
        };
        return {
            begin: (cell, event) => {
                if (!this.session.maySteer()) return false;
                alive = !event.shiftKey;
                from = cell;
                show(cell);
            },
            move: (cell) => void show(cell),
            end: (cell) => {
                const at = from ?? cell;
                const runs = show(cell);
                clear();
                if (runs === null) {
                    this.session.complain('The line is too long; at most 2²⁰ cells are possible.');
                    return;
                }
                this.strokes.begin(alive, this.#members());
                this.strokes.add(at, runs);
                this.strokes.flush();
            },
            cancel: clear,
        };
    }

    /**
     * Makes the tool that draws rectangles or ellipses.
     * @param {'rectangle' | 'ellipse'} shape
     * @returns {ToolCallbacks}
     */
    shape(shape) {
        /** @type {Cell | null} */
        let from = null;
        let alive = true;
        let square = false;
        const thickness = () => this.#filled.checked ? 0 : this.#size;
        /** @param {Cell} cell */
        const boxTo = (cell) => {
            if (from === null) return null;
            if (!square) return boxBetween(from, cell);
            const { width, height } = boxBetween(from, cell);
            const side = most(width, height) - 1n;
            return boxBetween(from, {
                x: from.x + (cell.x < from.x ? -side : side),
                y: from.y + (cell.y < from.y ? -side : side),
            });
        };
        /** @param {Cell} cell */
        const show = (cell) => {
            const box = boxTo(cell);
            this.#sketch(cell, box && shapeAreas(shape, areaFrom(box, cell), thickness()), alive);
        };
        const clear = () => {
            from = null;
            this.marks.set({ sketch: null });
        };
        return {
            begin: (cell, event) => {
                if (!this.session.maySteer()) return false;
                alive = !event.shiftKey;
                square = event.ctrlKey || event.metaKey;
                from = cell;
                show(cell);
            },
            move: (cell, event) => {
                square = event.ctrlKey || event.metaKey;
                show(cell);
            },
            end: (cell) => {
                const box = boxTo(cell);
                clear();
                if (box === null) return;
                void this.session.steer({
                    do: 'shape', shape, ...box, thickness: thickness(), alive,
                    ...this.#members(), wrap: true,
                });
            },
            cancel: clear,
        };
    }

    /** Makes the flood fill tool. @returns {ToolCallbacks} */
    flood() {
        return {
            begin: () => this.session.maySteer(),
            end: (cell) => void this.#flood(cell),
            cancel: () => {},
        };
    }

    /** @param {Cell} cell */
    async #flood(cell) {
        const { box } = this.selection;
        const within = box !== null && holds(box, cell) ? box : {};
        const answer = await this.session.steer({
            do: 'flood', at_x: cell.x, at_y: cell.y, ...within,
        });
        if (answer !== null) announce(`Inverted ${counted(Number(answer.cells ?? 0), 'cell')}.`);
    }
}
