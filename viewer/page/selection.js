// The selected rectangle and the commands for its cells. Event: 'changed'.

/** @import { Box, Clip } from './types.js' */
/** @import { Session } from './session.js' */
/** @import { Marks } from './marks.js' */
/** @import { Symmetry } from './shapes.js' */
import { announce } from './announce.js';
import { writeClipboard } from './clipboard.js';
import { byId, element, returnFocus, setEnabled, setText } from './dom.js';
import { squaresOver } from './exact.js';
import { coordinate, counted, grouped } from './format.js';
import { pasteAt } from './paste_at.js';
import { unpackBits } from './protocol.js';
import { symmetries } from './shapes.js';

/** Commands that need a selection. */
const needSelection = ['copy', 'cut', 'clear', 'clear-outside', 'invert', 'shrink', 'move',
    'advance-inside', 'advance-outside', 'cells-turn-left', 'cells-turn-right', 'cells-flip-x',
    'cells-flip-y', 'export-png', 'export-svg'];

const largestLifted = 2 ** 20;

/** Returns a random seed of 64 bits. @returns {string} */
export function randomSeed() {
    return String(crypto.getRandomValues(new BigUint64Array(1))[0]);
}

/** Writes a size as text. @param {{width: number | bigint, height: number | bigint}} size */
export function sizeText(size) {
    return `${grouped(size.width)} × ${grouped(size.height)}`;
}

export class Selection extends EventTarget {
    /** @type {Box | null} */
    box = null;
    #symmetry = byId('fill-symmetry', HTMLSelectElement);
    /**
     * The move in progress. `from` is the selection at the start of the move. `clip` has the
     * selected cells, or is null until the server has sent them. `right` and `down` are the
     * distance from `from`, in cells.
     * @type {{from: Box, clip: Clip | null, right: bigint, down: bigint} | null}
     */
    #lifted = null;
    /** Settles when the last rotation or flip is done. @type {Promise<void>} */
    #turned = Promise.resolve();

    /**
     * @param {Session} session
     * @param {Marks} marks
     */
    constructor(session, marks) {
        super();
        this.session = session;
        this.marks = marks;
        session.addEventListener('universe', () => this.set(null));
        const density = byId('density', HTMLInputElement);
        const text = byId('density-text', HTMLOutputElement);
        returnFocus(density);
        for (const [value, name] of symmetries) {
            this.#symmetry.append(element('option', { value }, name));
        }
        returnFocus(this.#symmetry);
        density.addEventListener('input', () => setText(text, `${density.value} %`));
        this.#show();
    }

    /** Sets the selection. @param {Box | null} box */
    set(box) {
        this.box = box;
        this.marks.set({ selection: box });
        this.#show();
        this.dispatchEvent(new Event('changed'));
    }

    #show() {
        const { box } = this;
        setText(byId('selection-text', HTMLElement), box === null ? 'Nothing is selected.' :
            `${sizeText(box)} cells at ${coordinate(box.x)}, ${coordinate(box.y)}`);
        for (const id of needSelection) setEnabled(id, box !== null);
    }

    /**
     * Returns the selection. If nothing is selected, tells the user and returns null.
     * @returns {Box | null}
     */
    #chosen() {
        if (this.box === null) this.session.complain('Select a rectangle first (key S).');
        return this.box;
    }

    /** Returns whether there is a selection. If nothing is selected, tells the user. */
    isChosen() {
        return this.#chosen() !== null;
    }

    async selectAll() {
        const old = this.box;
        const box = this.session.whole ?? await this.session.box();
        if (this.box !== old) return; // the user has changed the selection in the meantime
        if (box === null) {
            this.session.complain('There are no live cells to select.');
            return;
        }
        this.set(box);
        announce(`Selected ${sizeText(box)} cells.`);
    }

    /** Copies or cuts the selected cells. @param {'copy' | 'cut'} how */
    async take(how) {
        const box = this.#chosen();
        if (box === null) return;
        const clip = how === 'cut' ? await this.session.steer({ do: 'cut', ...box }) :
            await this.session.ask({ do: 'copy', ...box });
        if (clip === null) return;
        const word = how === 'cut' ? 'Cut' : 'Copied';
        announce(`${word} ${counted(clip.population, 'live cell')}, ${sizeText(clip)}.`);
        if (clip.rle !== undefined && !await writeClipboard(clip.rle)) {
            this.session.complain('The browser does not allow access to the clipboard. Pasting ' +
                'within this page works.');
        }
    }

    /** @param {boolean} outside */
    async clear(outside) {
        const box = this.#chosen();
        if (box === null) return;
        const answer = await this.session.steer({ do: 'clear', ...box, outside });
        if (answer !== null) announce(outside ? 'Cleared outside.' : 'Cleared.');
    }

    async fill() {
        const box = this.#chosen();
        if (box === null) return;
        const density = byId('density', HTMLInputElement).valueAsNumber / 100;
        const seed = randomSeed();
        const symmetry = /** @type {Symmetry} */ (this.#symmetry.value);
        const answer = await this.session.steer({
            do: 'fill', ...box, density, seed, ...symmetry === 'none' ? {} : { symmetry },
        });
        if (answer !== null) announce('Filled with random cells.');
    }

    async invert() {
        const box = this.#chosen();
        if (box === null) return;
        const answer = await this.session.steer({ do: 'invert', ...box });
        if (answer !== null) announce('Inverted.');
    }

    /** Shrinks the selection to the bounding box of its live cells. */
    async shrink() {
        const box = this.#chosen();
        if (box === null) return;
        const answer = await this.session.ask({ do: 'shrink', ...box });
        if (answer === null) return;
        if (answer.box === null) {
            this.session.complain('The selection has no live cells.');
            return;
        }
        if (this.box !== box) return;
        this.set(answer.box);
        announce(`Selected ${sizeText(answer.box)} cells.`);
    }

    /**
     * Advances the selected cells by one generation.
     * @param {boolean} outside whether to advance all other cells instead
     */
    async advance(outside) {
        const box = this.#chosen();
        if (box === null) return;
        const answer = await this.session.steer({ do: 'advance', ...box, outside });
        if (answer !== null) announce(outside ? 'Advanced outside.' : 'Advanced inside.');
    }

    /**
     * Rotates or flips the selected cells. If calls overlap, each call waits for the previous call
     * and works on its result.
     * @param {'right' | 'left' | 'flip-x' | 'flip-y'} how
     */
    turn(how) {
        this.#turned = this.#turned.then(() => this.#turn(how));
        return this.#turned;
    }

    /** Rotates or flips the selected cells. @param {'right' | 'left' | 'flip-x' | 'flip-y'} how */
    async #turn(how) {
        const box = this.#chosen();
        if (box === null) return;
        const answer = await this.session.steer({ do: 'turn-cells', ...box, how });
        if (answer === null) return;
        if (this.box === box) this.set(answer.box);
        this.#saidLost(answer.lost);
        announce(how.startsWith('flip') ? 'Flipped.' : 'Turned.');
    }

    /**
     * Tells the user that live cells were lost beyond an edge.
     * @param {string | undefined} lost number of these cells
     */
    #saidLost(lost) {
        if (lost === undefined) return;
        const cells = Number(lost);
        this.session.offer(`${counted(cells, 'live cell')} ${cells === 1 ? 'was' : 'were'} ` +
            'beyond the edge and left out.',
        { label: 'Undo', run: () => void this.session.steer({ do: 'undo' }) });
    }

    // ---- moving --------------------------------------------------------------------------------

    /** Starts a move. Requests the selected cells for the preview of the move. */
    lift() {
        const { box } = this;
        if (box === null) return;
        /** @type {{from: Box, clip: Clip | null, right: bigint, down: bigint}} */
        const lifted = { from: box, clip: null, right: 0n, down: 0n };
        this.#lifted = lifted;
        if (box.width * box.height > largestLifted || box.width > 8192 || box.height > 8192) return;
        this.session.still(squaresOver(box, 0)).then(({ pixels, width, height }) => {
            lifted.clip = {
                width, height, population: '', pixels: unpackBits(pixels, width, height),
            };
            if (this.#lifted === lifted) this.carry(lifted.right, lifted.down);
        }).catch(() => {}); // without the cells, the preview shows only the outline
    }

    /**
     * Moves the preview.
     * @param {bigint} right cells from the start of the move
     * @param {bigint} down
     */
    carry(right, down) {
        const lifted = this.#lifted;
        if (lifted === null) return;
        const { from, clip } = lifted;
        [lifted.right, lifted.down] = [right, down];
        const place = { x: from.x + right, y: from.y + down };
        this.set({ ...from, ...place });
        this.marks.set({ paste: clip && pasteAt(clip, place, this.session.universe) });
    }

    /** Ends a move. */
    drop() {
        this.#lifted = null;
        this.marks.set({ paste: null });
    }

    /**
     * Ends a move. At the end of the move the server moves or copies the selected cells.
     * @param {bigint} right
     * @param {bigint} down
     * @param {boolean} copies whether to copy the cells instead of moving them
     */
    async putDown(right, down, copies) {
        const from = this.#lifted?.from;
        this.drop();
        if (from === undefined || (right === 0n && down === 0n)) return;
        const mode = byId('paste-mode', HTMLSelectElement).value;
        const answer = await this.session.steer({ do: 'move', ...from, right, down, copies, mode });
        if (answer === null) {
            this.set(from);
            return;
        }
        this.set({ ...from, x: from.x + right, y: from.y + down });
        this.#saidLost(answer.lost);
        announce(copies ? 'Copied there.' : 'Moved.');
    }
}
