// The pattern library. The page loads the list of patterns when the list is first shown. The page
// loads a thumbnail when the row of the pattern scrolls into view.

/** @import { Session } from './session.js' */
/** @import { Clips } from './clips.js' */
/** @import { Pattern } from './library_search.js' */
import { byId, element, setText } from './dom.js';
import { counted } from './format.js';
import { confirmLoss } from './dialogs.js';
import {
    categoriesOf, categoryOf, factsOf, fits, inCategory, originOf, rank, titleOf, wordsOf,
} from './library_search.js';
import { drawThumbnail } from './thumbnails.js';

/**
 * Asks the user before a universe with unsaved edits is closed.
 * @param {Session} session
 * @returns {Promise<boolean>} whether the universe may be closed
 */
export async function mayClose(session) {
    if (!session.maySteer()) return false;
    return !session.unsaved || confirmLoss('Close this universe?',
        'It has unsaved changes.', 'Close it');
}

/**
 * If an opened pattern has changed the rule, tells the user and offers to restore the old rule.
 * @param {Session} session
 * @param {string | undefined} before the rule before the pattern was opened
 */
export function saidRule(session, before) {
    const rule = session.universe?.rule;
    if (before === undefined || rule === undefined || rule === before) return;
    session.offer(`The pattern changed the rule to ${rule}.`, {
        label: `Use ${before}`, run: () => void session.steer({ do: 'rule', rule: before }),
    });
}

export class Library {
    /** @type {Pattern[] | null} */
    #patterns = null;
    /** The rows of the list and their patterns. @type {Map<HTMLElement, Pattern>} */
    #rows = new Map();
    /** Listed rows in order. @type {HTMLElement[]} */
    #listed = [];
    #list = byId('patterns', HTMLElement);
    #filter = byId('pattern-filter', HTMLInputElement);
    #category = byId('pattern-category', HTMLSelectElement);
    #sight = new IntersectionObserver((entries) => {
        for (const { isIntersecting, target } of entries) {
            if (isIntersecting && target instanceof HTMLElement) void this.#picture(target);
        }
    });

    /**
     * @param {Session} session
     * @param {Clips} clips
     */
    constructor(session, clips) {
        this.session = session;
        this.clips = clips;
        this.#filter.addEventListener('input', () => this.#show());
        this.#category.addEventListener('change', () => this.#show());
        this.#filter.addEventListener('keydown', (event) => {
            if (event.key !== 'ArrowDown' || this.#listed.length === 0) return;
            event.preventDefault();
            this.#focusRow(this.#listed[0], 'open');
        });
        this.#list.addEventListener('keydown', (event) => this.#move(event));
        this.#list.addEventListener('focusin', (event) => {
            const row = event.target instanceof Element ? event.target.closest('li') : null;
            if (row !== null) this.#setReachable(row);
        });
        // The server may have been restarted with other patterns.
        session.addEventListener('link', () => {
            this.#patterns = null;
            if (!byId('page-patterns', HTMLElement).hidden) void this.load();
        });
    }

    focus() {
        this.#filter.focus();
    }

    /**
     * Loads the list of patterns if it is not loaded yet. The panel calls `load` when the panel
     * shows the library.
     */
    async load() {
        if (this.#patterns !== null || this.session.link !== 'open') return;
        const answer = await this.session.ask({ do: 'patterns' });
        if (answer === null) return;
        const patterns = /** @type {Pattern[]} */ (answer.list);
        this.#patterns = patterns;
        this.#sight.disconnect();
        this.#rows = new Map(patterns.map((pattern) => [this.#row(pattern), pattern]));
        for (const row of this.#rows.keys()) this.#sight.observe(row);
        const chosen = this.#category.value;
        this.#category.replaceChildren(
            element('option', { value: '' }, `All categories (${patterns.length})`),
            ...categoriesOf(patterns).map(({ id, title, count }) =>
                element('option', { value: id, selected: id === chosen }, `${title} (${count})`)));
        this.#show();
    }

    /**
     * Lists the matching patterns. The patterns are sorted by category, or by rank if the user has
     * typed search words.
     */
    #show() {
        const words = wordsOf(this.#filter.value);
        const chosen = this.#category.value;
        const found = [...this.#rows].filter(([, pattern]) =>
            (chosen === '' || categoryOf(pattern) === chosen) && fits(pattern, words));
        const groups = words.length > 0 ?
            [{ title: 'Found', rows: found.sort(([, one], [, other]) =>
                rank(one, words) - rank(other, words)) }] :
            categoriesOf(found.map(([, pattern]) => pattern)).map(({ id, title }) => ({
                title, rows: found.filter(([, pattern]) => categoryOf(pattern) === id)
                    .sort(([, one], [, other]) => inCategory(one, other)),
            }));
        this.#listed = groups.flatMap(({ rows }) => rows.map(([row]) => row));
        this.#list.replaceChildren(...groups.filter(({ rows }) => rows.length > 0)
            .flatMap(({ title, rows }) => [
                element('h2', {}, title, ' ', element('span', { class: 'number' },
                    String(rows.length))),
                element('ul', { class: 'list', 'aria-label': title },
                    ...rows.map(([row]) => row)),
            ]));
        if (this.#listed.length > 0) this.#setReachable(this.#listed[0]);
        setText(byId('pattern-count', HTMLElement), counted(found.length, 'pattern'));
    }

    /**
     * Makes the Tab key reach only the buttons of one row. Arrow keys move between rows.
     * @param {HTMLElement} reachable
     */
    #setReachable(reachable) {
        for (const row of this.#listed) {
            for (const button of row.querySelectorAll('button')) {
                button.tabIndex = row === reachable ? 0 : -1;
            }
        }
    }

    /**
     * Moves the focus to a row.
     * @param {HTMLElement} row
     * @param {string | undefined} action of the button that gets the focus
     */
    #focusRow(row, action) {
        const button = row.querySelector(`button[data-action="${action ?? 'open'}"]`);
        if (button instanceof HTMLElement) button.focus();
    }

    /** @param {KeyboardEvent} event */
    #move(event) {
        const button = event.target;
        if (!(button instanceof HTMLButtonElement)) return;
        const row = button.closest('li');
        const at = row === null ? -1 : this.#listed.indexOf(row);
        const last = this.#listed.length - 1;
        const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: last }[event.key];
        if (at < 0 || (to === undefined && event.key !== 'Escape')) return;
        event.preventDefault();
        if (to === undefined || to < 0) this.#filter.focus();
        else this.#focusRow(this.#listed[Math.min(to, last)], button.dataset.action);
    }

    /** @param {Pattern} pattern */
    #row(pattern) {
        const title = titleOf(pattern);
        const origin = originOf(pattern);
        const about = pattern.comments.replaceAll('\n', ' ');
        return element('li', { class: 'pattern' },
            element('div', { class: 'picture', 'aria-hidden': 'true' },
                element('canvas', { width: 1, height: 1 }), element('span')),
            element('div', { class: 'grow' },
                element('h3', {}, title),
                element('p', { class: 'quiet number' }, factsOf(pattern)),
                origin === '' ? null : element('p', { class: 'quiet' }, origin),
                about === '' ? null : element('p', { class: 'about', title: about }, about),
                element('p', { class: 'buttons' },
                    element('button', {
                        type: 'button', class: 'named', 'data-action': 'open',
                        'aria-label': `Open ${title}`,
                        click: () => void this.#open(pattern),
                    }, 'Open'),
                    element('button', {
                        type: 'button', class: 'named', 'data-action': 'paste',
                        'aria-label': `Paste ${title}`,
                        click: () => void this.clips.fromLibrary(pattern.id),
                    }, 'Paste'))));
    }

    /** @param {HTMLElement} row */
    async #picture(row) {
        this.#sight.unobserve(row);
        const pattern = this.#rows.get(row);
        const picture = row.querySelector('.picture');
        if (pattern === undefined || !(picture instanceof HTMLElement)) return;
        try {
            const { connection } = this.session;
            const answer = await connection.request({ do: 'thumbnail', pattern: pattern.id });
            drawThumbnail(picture, answer);
        } catch {
            // Leave the row without a thumbnail. The thumbnail is requested again when the list is
            // loaded again.
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
