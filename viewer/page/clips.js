// The clip, which contains the cells that were copied last. Shows the thumbnail of the clip in the
// panel, and rotates and pastes the clip.

/** @import { Cell, Clip, ToolCallbacks } from './types.js' */
/** @import { Session } from './session.js' */
/** @import { Marks } from './marks.js' */
import { announce } from './announce.js';
import { readClipboard } from './clipboard.js';
import { askForText } from './dialogs.js';
import { byId, setEnabled, setText } from './dom.js';
import { apart } from './exact.js';
import { counted } from './format.js';
import { pasteAt } from './paste_at.js';
import { sizeText } from './selection.js';
import { drawBits } from './thumbnails.js';

const turns = ['turn-left', 'turn-right', 'flip-x', 'flip-y'];

export class Clips {
    /**
     * Called with the tool to select, as soon as the server has the clip.
     * @type {((tool: 'paste' | 'stamp') => void) | null}
     */
    onReady = null;
    /** @type {'paste' | 'stamp'} tool to select when the server has the clip */
    #for = 'paste';
    /** Called after a paste if the tool does not stay selected. @type {(() => void) | null} */
    onPasted = null;
    /** @type {Cell | null} cell under the pointer while a tool that pastes is in use */
    #at = null;
    #holding = false;

    /**
     * @param {Session} session
     * @param {Marks} marks
     * @param {() => Cell} middle returns the cell at the middle of the view
     */
    constructor(session, marks, middle) {
        this.session = session;
        this.marks = marks;
        this.middle = middle;
        session.addEventListener('clip', () => this.#changed());
        session.addEventListener('link', () => {
            if (session.link === 'open') this.#sendAgain();
        });
        this.#show();
    }

    /**
     * Sends the clip again after a reconnection, because the server treats the page as a new
     * client.
     */
    #sendAgain() {
        const { clip } = this.session;
        if (clip === null) return;
        this.session.clip = null;
        if (clip.rle !== undefined) void this.session.ask({ do: 'clip', rle: clip.rle });
        this.#changed();
    }

    #changed() {
        this.#show();
        if (this.#holding) this.#preview();
    }

    #show() {
        const { clip } = this.session;
        setText(byId('clip-text', HTMLElement), clip === null ? 'The clip is empty.' :
            `${sizeText(clip)}, ${counted(Number(clip.population), 'live cell')}`);
        for (const id of turns) setEnabled(id, clip !== null);
        const canvas = byId('clip-picture', HTMLCanvasElement);
        canvas.hidden = clip?.pixels === undefined;
        if (clip?.pixels !== undefined) drawBits(canvas, clip.width, clip.height, clip.pixels);
    }

    #preview() {
        const { clip } = this.session;
        const at = this.#at;
        const paste = clip === null || at === null ? null :
            pasteAt(clip, this.#corner(at, clip), this.session.universe);
        this.marks.set({ paste });
    }

    /**
     * Returns the top left cell of a clip whose centre is at the pointer.
     * @param {Cell} cell under the pointer
     * @param {Clip} clip
     * @returns {Cell}
     */
    #corner(cell, clip) {
        const [across, down] = [clip.width, clip.height].map((side) => BigInt(side) / 2n);
        return { x: cell.x - across, y: cell.y - down };
    }

    /**
     * Shows or hides the preview.
     * @param {boolean} holding whether a tool that pastes is selected
     */
    hold(holding) {
        this.#holding = holding;
        this.#at = holding ? this.#at ?? this.middle() : null;
        this.#preview();
    }

    /**
     * Makes a tool that pastes.
     * @param {boolean} stamps whether the tool can paste several times, also during a drag
     * @returns {ToolCallbacks}
     */
    tool(stamps) {
        let again = false;
        /** @type {Cell | null} cell at which the tool pasted last */
        let stamped = null;
        /** @param {Cell} cell */
        const stamp = (cell) => {
            const { clip } = this.session;
            const near = stamped !== null && clip !== null &&
                Math.abs(apart(cell.x, stamped.x)) < clip.width &&
                Math.abs(apart(cell.y, stamped.y)) < clip.height;
            if (near) return;
            stamped = cell;
            void this.#put(cell, true);
        };
        /** Moves the preview to a cell. @param {Cell | null} cell */
        const move = (cell) => {
            if (cell === null) return;
            this.#at = cell;
            this.#preview();
        };
        return {
            begin: (cell, event) => {
                if (!this.session.maySteer()) return false;
                again = event.shiftKey;
                move(cell);
                if (stamps) stamp(cell);
            },
            move: (cell) => {
                move(cell);
                if (stamps) stamp(cell);
            },
            end: (cell) => {
                stamped = null;
                if (!stamps) void this.#put(cell, again);
            },
            cancel: () => {
                stamped = null;
            },
            hover: move,
        };
    }

    /**
     * Pastes the clip with its centre at a cell.
     * @param {Cell} cell
     * @param {boolean} again whether the tool stays selected
     */
    async #put(cell, again) {
        const { clip } = this.session;
        if (clip === null) return;
        const mode = byId('paste-mode', HTMLSelectElement).value;
        const answer = await this.session.steer({ do: 'paste', ...this.#corner(cell, clip), mode });
        if (answer === null) return;
        announce('Pasted.');
        if (answer.lost !== undefined) {
            const lost = Number(answer.lost);
            const were = lost === 1 ? 'was' : 'were';
            this.session.offer(
                `${counted(lost, 'live cell')} of the clip ${were} beyond the edge and left out.`,
                { label: 'Undo', run: () => void this.session.steer({ do: 'undo' }) });
        }
        if (!again) this.onPasted?.();
    }

    #ready() {
        this.onReady?.(this.#for);
        this.#for = 'paste';
    }

    /**
     * Selects a tool that pastes. If nothing has been copied yet, makes a clip from the text in the
     * system clipboard.
     * @param {'paste' | 'stamp'} tool
     */
    async begin(tool) {
        this.#for = tool;
        if (this.session.clip !== null) {
            this.#ready();
            return;
        }
        const text = await readClipboard();
        if (text === null || text.trim() === '') await this.fromDialog();
        else await this.fromText(text);
    }

    /** Makes a clip from the text of a pattern. @param {string} text a pattern in any format */
    async fromText(text) {
        if (text.trim() === '') {
            if (this.session.clip !== null) this.#ready();
            else this.session.complain('The clipboard contains no text.');
            return;
        }
        // If the clip was copied on this page, the server already has the clip.
        if (this.session.clip?.rle === text) this.#ready();
        else await this.#take({ do: 'clip', rle: text });
    }

    /**
     * Uses a pattern as the clip. If the pattern's rule is not the rule of the universe, offers to
     * change the rule.
     * @param {{do: string} & Record<string, unknown>} message
     */
    async #take(message) {
        const clip = await this.session.ask(message);
        if (clip === null) return;
        this.#ready();
        const rule = this.session.universe?.rule;
        if (clip.rule === undefined || clip.rule === rule || !this.session.steers) return;
        this.session.offer(`This pattern uses the rule ${clip.rule}; the universe uses ${rule}.`, {
            label: `Use ${clip.rule}`,
            run: () => void this.session.steer({ do: 'rule', rule: clip.rule }),
        });
    }

    async fromDialog() {
        const text = await askForText();
        if (text !== null) await this.fromText(text);
    }

    /**
     * Makes a clip from a pattern in the library.
     * @param {number} pattern number of a pattern in the library
     */
    async fromLibrary(pattern) {
        await this.#take({ do: 'clip', pattern });
    }

    /** Rotates or flips the clip. @param {'right' | 'left' | 'flip-x' | 'flip-y'} how */
    async turn(how) {
        if (this.session.clip === null) {
            this.session.complain('The clip is empty. Copy something first.');
            return;
        }
        const clip = await this.session.ask({ do: 'turn', how });
        if (clip !== null) announce(`The clip is now ${sizeText(clip)}.`);
    }
}
