// The library of patterns: a list whose thumbnails are requested when they come into view.

/** @import { Session } from './session.js' */
/** @import { Clips } from './clips.js' */
import { byId, element, setText } from './dom.js';
import { counted } from './format.js';
import { confirmLoss } from './dialogs.js';
import { sizeText } from './selection.js';
import { drawThumbnail } from './thumbnails.js';

/**
 * @typedef {object} Pattern
 * @property {number} id
 * @property {string} name
 * @property {string} title
 * @property {string} comments
 * @property {string} rule
 * @property {number} width
 * @property {number} height
 * @property {boolean} yours
 */

/**
 * Asks before closing a universe that was changed by hand.
 * @param {Session} session
 * @returns {Promise<boolean>}
 */
export async function mayClose(session) {
    if (!session.maySteer()) return false;
    return !session.unsaved || confirmLoss('Close this universe?',
        'It has cells that were drawn and have not been saved.', 'Close it');
}

/**
 * A pattern was opened and brought its own rule: says so, and offers the one from before.
 * @param {Session} session
 * @param {string | undefined} before
 */
export function saidRule(session, before) {
    const rule = session.universe?.rule;
    if (before === undefined || rule === undefined || rule === before) return;
    session.offer(`The rule is ${rule} now, as the pattern says.`, {
        label: `Use ${before}`, run: () => void session.steer({ do: 'rule', rule: before }),
    });
}

export class Library {
    /** @type {Pattern[] | null} */
    #patterns = null;
    /** @type {Map<Element, Pattern>} rows and what they show */
    #rows = new Map();
    #filter = byId('pattern-filter', HTMLInputElement);
    #sight = new IntersectionObserver((entries) => {
        for (const entry of entries) if (entry.isIntersecting) void this.#picture(entry.target);
    });

    /**
     * @param {Session} session
     * @param {Clips} clips
     */
    constructor(session, clips) {
        this.session = session;
        this.clips = clips;
        this.#filter.addEventListener('input', () => this.#showFound());
        // The list may have changed if the server was restarted.
        session.addEventListener('link', () => {
            this.#patterns = null;
            if (!byId('page-patterns', HTMLElement).hidden) void this.load();
        });
    }

    focus() {
        this.#filter.focus();
    }

    /** Called when the list is shown. */
    async load() {
        if (this.#patterns !== null || this.session.link !== 'open') return;
        const answer = await this.session.ask({ do: 'patterns' });
        if (answer === null) return;
        const patterns = /** @type {Pattern[]} */ (answer.list);
        this.#patterns = patterns;
        this.#sight.disconnect();
        this.#rows = new Map(patterns.map((pattern) => [this.#row(pattern), pattern]));
        byId('patterns', HTMLElement).replaceChildren(...this.#rows.keys());
        for (const row of this.#rows.keys()) this.#sight.observe(row);
        this.#showFound();
    }

    #showFound() {
        const words = this.#filter.value.toLowerCase().split(/\s+/);
        let found = 0;
        for (const [row, pattern] of this.#rows) {
            const { name, title, rule, comments } = pattern;
            const text = `${name} ${title} ${rule} ${comments}`.toLowerCase();
            const fits = words.every((word) => text.includes(word));
            found += fits ? 1 : 0;
            if (row instanceof HTMLElement) row.hidden = !fits;
        }
        setText(byId('pattern-count', HTMLElement), counted(found, 'pattern'));
    }

    /** @param {Pattern} pattern */
    #row(pattern) {
        const title = pattern.title || pattern.name;
        return element('li', { class: 'pattern' },
            element('canvas', { width: 1, height: 1, 'aria-hidden': 'true' }),
            element('div', { class: 'grow' },
                element('h2', { title: pattern.comments || title }, title),
                element('p', { class: 'quiet number' },
                    `${sizeText(pattern)}${pattern.rule === 'B3/S23' ? '' : `, ${pattern.rule}`}` +
                    `${pattern.yours ? ', yours' : ''}`),
                element('p', { class: 'buttons' },
                    element('button', {
                        type: 'button', class: 'named', 'aria-label': `Open ${title}`,
                        click: () => void this.#open(pattern),
                    }, 'Open'),
                    element('button', {
                        type: 'button', class: 'named', 'aria-label': `Paste ${title}`,
                        click: () => void this.clips.fromLibrary(pattern.id),
                    }, 'Paste'))));
    }

    /** @param {Element} row */
    async #picture(row) {
        this.#sight.unobserve(row);
        const pattern = this.#rows.get(row);
        const canvas = row.querySelector('canvas');
        if (pattern === undefined || canvas === null) return;
        try {
            const { connection } = this.session;
            const answer = await connection.request({ do: 'thumbnail', pattern: pattern.id });
            drawThumbnail(canvas, answer);
        } catch {
            // A row without a picture will do; the next list will ask again.
        }
    }

    /** @param {Pattern} pattern */
    async #open(pattern) {
        if (!await mayClose(this.session)) return;
        const rule = this.session.universe?.rule;
        const answer = await this.session.steer({ do: 'open', pattern: pattern.id });
        if (answer !== null) saidRule(this.session, rule);
    }
}
