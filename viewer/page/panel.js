// The side panel. The panel has four pages with tabs and can be folded. On a narrow screen (up to
// 66rem) the panel also has the buttons that do not fit into the toolbar. On a slim screen (up to
// 40rem) the panel is below the picture. The panel never covers the picture.

/** @import { Session } from './session.js' */
import { buttonsOf, byId, element } from './dom.js';
import { recall, remember } from './storage.js';

const pages = ['now', 'patterns', 'edit', 'files'];
const narrow = matchMedia('(max-width: 66rem)');
const slim = matchMedia('(max-width: 40rem)');

export class Panel {
    #open = true;
    /** Called when a page of the panel is shown. @type {(page: string) => void} */
    onShow = () => {};

    constructor() {
        for (const page of pages) {
            const tab = this.#tab(page);
            tab.addEventListener('click', () => this.show(page));
            tab.addEventListener('keydown', (event) => this.#move(event, page));
        }
        this.show(recall('page') ?? 'now');
        this.#setOpen(!narrow.matches && recall('panel') !== 'folded');
        narrow.addEventListener('change', () => this.#place());
        this.#place();
    }

    /** @param {string} page */
    #tab(page) {
        return byId(`tab-${page}`, HTMLButtonElement);
    }

    /** @param {string} chosen */
    show(chosen) {
        const known = pages.includes(chosen) ? chosen : 'now';
        for (const page of pages) {
            const here = page === known;
            const tab = this.#tab(page);
            tab.setAttribute('aria-selected', String(here));
            tab.tabIndex = here ? 0 : -1;
            byId(`page-${page}`, HTMLElement).hidden = !here;
        }
        remember('page', known);
        this.onShow(known);
    }

    /**
     * Moves between the tabs with the arrow keys.
     * @param {KeyboardEvent} event
     * @param {string} page
     */
    #move(event, page) {
        const index = pages.indexOf(page);
        const to = {
            ArrowRight: index + 1, ArrowLeft: index - 1, Home: 0, End: pages.length - 1,
        }[event.key];
        if (to === undefined) return;
        event.preventDefault();
        const next = pages[(to + pages.length) % pages.length];
        this.show(next);
        this.#tab(next).focus();
    }

    /** @param {boolean} open */
    #setOpen(open) {
        this.#open = open;
        document.body.dataset.panel = open ? 'open' : 'folded';
        byId('panel', HTMLElement).hidden = !open;
        for (const button of buttonsOf('panel')) button.setAttribute('aria-expanded', String(open));
    }

    toggle() {
        this.#setOpen(!this.#open);
        if (!narrow.matches) remember('panel', this.#open ? 'open' : 'folded');
    }

    /** @param {string} page */
    openAt(page) {
        if (!this.#open) this.#setOpen(true);
        this.show(page);
    }

    /**
     * Shows a page of the panel if the panel is open beside the picture. If the panel is folded, it
     * stays folded.
     * @param {string} page
     */
    suggest(page) {
        if (this.#open && !slim.matches) this.show(page);
    }

    /** Folds the panel on a slim screen, to leave more room for drawing in the picture. */
    makeRoom() {
        if (slim.matches && this.#open) this.#setOpen(false);
    }

    /**
     * Folds the panel on a slim screen.
     * @returns {boolean} whether this call has folded the panel
     */
    close() {
        const was = slim.matches && this.#open;
        if (was) this.#setOpen(false);
        return was;
    }

    /**
     * On a narrow screen, moves some groups of buttons into the panel. On a wider screen, moves the
     * groups of buttons back into the toolbar.
     */
    #place() {
        const folded = byId('folded', HTMLElement);
        const bar = byId('bar', HTMLElement);
        const last = bar.querySelector(':scope > button[data-command="panel"]');
        for (const group of document.querySelectorAll('[data-folds]')) {
            if (narrow.matches) folded.append(group);
            else bar.insertBefore(group, last);
        }
        folded.hidden = !narrow.matches;
        if (narrow.matches) this.#setOpen(false);
        else if (recall('panel') !== 'folded') this.#setOpen(true);
    }
}

/** Shows the name of the universe and facts about it. @param {Session} session */
export function showUniverse(session) {
    session.addEventListener('universe', () => {
        const { universe } = session;
        if (universe === null) return;
        byId('universe-name', HTMLElement).textContent = session.name || 'Unnamed';
        document.title = session.name === '' ? 'lightcone' : `${session.name} – lightcone`;
        const facts = [['Rule', universe.rule], ['Topology', universe.topology],
            ['Engine', `${universe.engine}, ${universe.settings}`]];
        byId('universe-facts', HTMLElement).replaceChildren(...facts.map(([name, value]) =>
            element('div', {}, element('dt', {}, name), element('dd', {}, value))));
        const comments = byId('universe-comments', HTMLElement);
        comments.hidden = universe.comments === '';
        const text = comments.querySelector('p');
        if (text !== null) text.textContent = universe.comments;
    });
}
