// The tools that the bar has no room for, and how they draw: a small sheet beside their button. The
// button shows the one that is in use.

/** @import { Tool } from './types.js' */
import { buttonsOf, byId, setPressed } from './dom.js';
import { setIcon } from './icons.js';
import { commandOf } from './keys.js';

const gap_px = 6;
/** @type {Tool[]} */
const here = ['rectangle', 'ellipse', 'flood', 'stamp', 'move'];

export class MoreTools {
    #sheet = byId('more', HTMLElement);

    constructor() {
        document.addEventListener('pointerdown', ({ target }) => {
            const inside = target instanceof Element &&
                target.closest('#more, [data-command="more-tools"]') !== null;
            if (!inside) this.close();
        }, { capture: true });
        this.#sheet.addEventListener('focusout', ({ relatedTarget }) => {
            const stays = relatedTarget === null || (relatedTarget instanceof Node &&
                (this.#sheet.contains(relatedTarget) || relatedTarget === this.#button));
            // A press with the mouse gives the focus to the picture, and the sheet stays.
            if (!stays && document.activeElement?.matches(':focus-visible')) this.close();
        });
        window.addEventListener('resize', () => this.close());
    }

    get #button() {
        return buttonsOf('more-tools')[0];
    }

    toggle() {
        if (!this.#sheet.hidden) {
            this.close();
            return;
        }
        this.#show(true);
        const { left, top, bottom } = this.#button.getBoundingClientRect();
        const { offsetWidth, offsetHeight } = this.#sheet;
        const x = Math.max(gap_px, Math.min(left, window.innerWidth - offsetWidth - gap_px));
        const below = bottom + gap_px;
        const y = below + offsetHeight <= window.innerHeight ? below :
            Math.max(gap_px, top - gap_px - offsetHeight);
        this.#sheet.style.left = `${Math.round(x)}px`;
        this.#sheet.style.top = `${Math.round(y)}px`;
        this.#sheet.querySelector('button')?.focus();
    }

    /** @param {boolean} shown */
    #show(shown) {
        this.#sheet.hidden = !shown;
        this.#button.setAttribute('aria-expanded', String(shown));
    }

    /** @returns {boolean} whether there was something to close */
    close() {
        if (this.#sheet.hidden) return false;
        const had_focus = this.#sheet.contains(document.activeElement);
        this.#show(false);
        if (had_focus) this.#button.focus();
        return true;
    }

    /** @param {Tool} name the tool now in use */
    chosen(name) {
        const mine = here.includes(name);
        const text = commandOf.get('more-tools')?.text ?? '';
        setIcon(this.#button, mine ? name : 'more-tools');
        setPressed('more-tools', mine);
        this.#button.setAttribute('aria-label',
            mine ? `${text}: ${commandOf.get(name)?.text ?? name}` : text);
        this.close();
        if (mine) byId('stage', HTMLElement).focus({ preventScroll: true });
    }
}
