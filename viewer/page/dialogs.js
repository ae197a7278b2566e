// What appears in front of the page: short messages at its foot, questions, and a sheet for text.

import { byId, element } from './dom.js';
import { icon } from './icons.js';
import { asSentence } from './sentences.js';

const toastTime = 8000;

/**
 * Shows a sentence for a while.
 * @param {string} said
 * @param {{label: string, run: () => void} | null} [action] a button behind it
 */
export function toast(said, action = null) {
    const text = asSentence(said);
    const area = byId('toasts', HTMLElement);
    for (const old of area.children) if (old.firstChild?.textContent === text) old.remove();
    while (area.children.length > 2) area.firstChild?.remove();
    const remove = () => {
        clearTimeout(timer);
        made.remove();
    };
    const timer = setTimeout(() => made.remove(), toastTime);
    const close = element('button', { type: 'button', 'aria-label': 'Close', click: remove });
    close.append(icon('close'));
    const made = element('div', { class: 'toast' }, element('p', {}, text), action === null ? null :
        element('button', {
            type: 'button', class: 'named', click: () => {
                remove();
                action.run();
            },
        }, action.label), close);
    area.append(made);
}

/**
 * A dialog with a heading and a form; it is removed when it is closed.
 * @param {string} heading
 * @param {...Node} content
 * @returns {HTMLDialogElement}
 */
export function makeDialog(heading, ...content) {
    const close = element('button', {
        type: 'button', class: 'close', 'aria-label': 'Close', click: () => dialog.close(),
    });
    close.append(icon('close'));
    const dialog = element('dialog', { 'aria-label': heading },
        element('header', {}, element('h2', {}, heading), close), ...content);
    dialog.addEventListener('close', () => dialog.remove());
    // A click behind the dialog closes it.
    dialog.addEventListener('pointerdown', (event) => {
        if (event.target !== dialog) return;
        const { left, right, top, bottom } = dialog.getBoundingClientRect();
        const inside = event.clientX >= left && event.clientX <= right &&
            event.clientY >= top && event.clientY <= bottom;
        if (!inside) dialog.close();
    });
    document.body.append(dialog);
    dialog.showModal();
    return dialog;
}

/**
 * @param {string} label of the button that means yes
 * @param {boolean} [careful] the other one has the focus
 */
export function formButtons(label, careful = false) {
    return element('p', { class: 'answers' },
        element('button', {
            type: 'button', class: 'named', autofocus: careful,
            click: (/** @type {Event} */ event) => {
                const button = event.currentTarget;
                if (button instanceof Element) button.closest('dialog')?.close();
            },
        }, 'Cancel'),
        element('button', { type: 'submit', class: 'named primary' }, label));
}

/**
 * Asks before cells are lost.
 * @param {string} heading
 * @param {string} text
 * @param {string} label of the button that goes on
 * @returns {Promise<boolean>}
 */
export function confirmLoss(heading, text, label) {
    return new Promise((resolve) => {
        const form = element('form', { method: 'dialog' },
            element('p', {}, text), formButtons(label, true));
        let agreed = false;
        form.addEventListener('submit', () => {
            agreed = true;
        });
        makeDialog(heading, form).addEventListener('close', () => resolve(agreed));
    });
}

/** @returns {Promise<string | null>} the text of a pattern, typed or pasted by hand */
export function askForText() {
    return new Promise((resolve) => {
        const area = element('textarea', {
            rows: 9, spellcheck: 'false', autocomplete: 'off', 'aria-label': 'Pattern',
            placeholder: 'bo$2bo$3o!', required: true, autofocus: true,
        });
        const form = element('form', { method: 'dialog' },
            element('p', { class: 'quiet' },
                'A pattern as text: RLE, plain text, Life 1.05 or Life 1.06.'),
            area, formButtons('Use pattern'));
        /** @type {string | null} */
        let text = null;
        form.addEventListener('submit', () => {
            text = area.value;
        });
        makeDialog('Pattern from text', form).addEventListener('close', () => resolve(text));
    });
}
