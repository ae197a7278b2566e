// The selected rectangle, and what can be done with its cells. Fires 'changed'.

/** @import { Box, Cell } from './types.js' */
/** @import { Session } from './session.js' */
/** @import { Marks } from './marks.js' */
import { announce } from './announce.js';
import { writeClipboard } from './clipboard.js';
import { byId, returnFocus, setEnabled, setText } from './dom.js';
import { coordinate, counted, grouped } from './format.js';

/** @returns {string} a seed of 64 bits */
export function randomSeed() {
    return String(crypto.getRandomValues(new BigUint64Array(1))[0]);
}

/**
 * @param {Cell} a one corner
 * @param {Cell} b the other one
 * @returns {Box}
 */
export function boxBetween(a, b) {
    const x = Math.min(a.x, b.x);
    const y = Math.min(a.y, b.y);
    return { x, y, width: Math.abs(a.x - b.x) + 1, height: Math.abs(a.y - b.y) + 1 };
}

/** @param {{width: number, height: number}} size */
export function sizeText(size) {
    return `${grouped(size.width)} × ${grouped(size.height)}`;
}

export class Selection extends EventTarget {
    /** @type {Box | null} */
    box = null;

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
        density.addEventListener('input', () => setText(text, `${density.value} %`));
        this.#show();
    }

    /** @param {Box | null} box */
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
        for (const id of ['copy', 'cut', 'clear', 'clear-outside']) setEnabled(id, box !== null);
    }

    /** @returns {Box | null} what is selected; says so if nothing is */
    #chosen() {
        if (this.box === null) this.session.complain('Select a rectangle first (key S).');
        return this.box;
    }

    async selectAll() {
        const box = this.session.whole ?? await this.session.box();
        if (box === null) {
            this.session.complain('There is no live cell to select.');
            return;
        }
        this.set(box);
        announce(`Selected ${sizeText(box)} cells.`);
    }

    /** @param {'copy' | 'cut'} how */
    async take(how) {
        const box = this.#chosen();
        if (box === null) return;
        const clip = how === 'cut' ? await this.session.steer({ do: 'cut', ...box }) :
            await this.session.ask({ do: 'copy', ...box });
        if (clip === null) return;
        const word = how === 'cut' ? 'Cut' : 'Copied';
        announce(`${word} ${counted(clip.population, 'live cell')}, ${sizeText(clip)}.`);
        if (clip.rle !== undefined && !await writeClipboard(clip.rle)) {
            this.session.complain('The browser does not let the page write to the clipboard; ' +
                'pasting within the page works.');
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
        const answer = await this.session.steer({ do: 'fill', ...box, density, seed });
        if (answer !== null) announce('Filled at random.');
    }
}
