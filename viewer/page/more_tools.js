// The More menu has further commands and the drawing settings. If the selected tool is in the More
// menu, the button of the menu shows the icon of the tool.

/** @import { Tool } from './types.js' */
import { buttonsOf, byId, setPressed } from './dom.js';
import { setIcon } from './icons.js';
import { commandOf } from './keys.js';

const gap_px = 6;
/** @type {Tool[]} */
const here = ['line', 'rectangle', 'ellipse', 'flood', 'stamp', 'move'];

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
            // Close the menu only if the focus was moved with the keyboard. If a mouse click moves
            // the focus to the picture, the menu stays open.
            if (!stays && document.activeElement?.matches(':focus-visible')) this.close();
        });
        this.#sheet.addEventListener('keydown', (event) => this.#key(event));
        window.addEventListener('resize', () => this.close());
    }

    /**
     * Escape closes the menu. The arrow keys up and down move between buttons, except in input
     * fields.
     * @param {KeyboardEvent} event
     */
    #key(event) {
        if (event.key === 'Escape') {
            event.preventDefault();
            this.close();
        }
        const way = { ArrowDown: 1, ArrowUp: -1 }[event.key];
        if (way === undefined || !(event.target instanceof HTMLButtonElement)) return;
        event.preventDefault();
        const buttons = [...this.#sheet.querySelectorAll('button')].filter((each) =>
            each.checkVisibility() && !each.disabled);
        const to = buttons.indexOf(event.target) + way + buttons.length;
        buttons[to % buttons.length].focus();
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
        // Open the menu on the side of the button, above or below, that has more room.
        const below = bottom + gap_px;
        const room_below = window.innerHeight - below - gap_px;
        const room_above = top - 2 * gap_px;
        this.#sheet.style.maxHeight = `${Math.round(Math.max(room_below, room_above))}px`;
        const { offsetWidth, offsetHeight } = this.#sheet;
        const x = Math.max(gap_px, Math.min(left, window.innerWidth - offsetWidth - gap_px));
        const y = room_below >= room_above ? below : top - gap_px - offsetHeight;
        this.#sheet.style.left = `${Math.round(x)}px`;
        this.#sheet.style.top = `${Math.round(y)}px`;
        this.#sheet.querySelector('button')?.focus();
    }

    /** @param {boolean} shown */
    #show(shown) {
        this.#sheet.hidden = !shown;
        this.#button.setAttribute('aria-expanded', String(shown));
    }

    /** Closes the menu. @returns {boolean} whether the menu was open */
    close() {
        if (this.#sheet.hidden) return false;
        const had_focus = this.#sheet.contains(document.activeElement);
        this.#show(false);
        if (had_focus) this.#button.focus();
        return true;
    }

    /**
     * Shows the icon of the selected tool on the button of the menu.
     * @param {Tool} name of the tool that was selected
     */
    chosen(name) {
        const mine = here.includes(name);
        const text = commandOf.get('more-tools')?.text ?? '';
        setIcon(this.#button, mine ? name : 'more-tools');
        setPressed('more-tools', mine);
        this.#button.setAttribute('aria-label',
            mine ? `More: ${commandOf.get(name)?.text ?? name} is in use` : text);
        this.close();
        if (mine) byId('stage', HTMLElement).focus({ preventScroll: true });
    }
}
