// Shows toasts (short messages at the bottom of the page) and dialogs.

import { byId, element } from './dom.js';
import { icon } from './icons.js';
import { asSentence } from './sentences.js';

const toastTime = 8000;

/**
 * Shows a message for some seconds.
 * @param {string} said
 * @param {{label: string, run: () => void} | null} [action] a button beside the message
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
 * Opens a modal dialog with a heading. When the dialog closes, it is removed from the page.
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
    // A click outside the dialog closes it.
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
 * Makes the two buttons of a dialog, Cancel and a submit button.
 * @param {string} label of the submit button
 * @param {boolean} [careful] whether Cancel gets the focus
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
 * Asks the user before an action that loses cells.
 * @param {string} heading
 * @param {string} text
 * @param {string} label of the button that confirms
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

/**
 * Asks the user for the text of a pattern.
 * @returns {Promise<string | null>} null if the user cancelled
 */
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
