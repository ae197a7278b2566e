// The dialog that moves the view to a cell with given coordinates.

/** @import { Camera } from './camera.js' */
/** @import { Session } from './session.js' */
/** @import { Cell, UniverseInfo } from './types.js' */
import { announce } from './announce.js';
import { formButtons, makeDialog } from './dialogs.js';
import { element } from './dom.js';
import { SHOWN } from './exact.js';
import { coordinate } from './format.js';

/**
 * Reads two integers, separated by a comma, a semicolon or spaces.
 * @param {string} text
 * @returns {Cell | null}
 */
export function readPlace(text) {
    const plain = text.replace(/[\u2212\u2013]/g, '-').replace(/(?<=\d)\u202f(?=\d)/g, '');
    const found = /^[\s(]*([+-]?\d+)(?:\s*[,;]\s*|\s+)([+-]?\d+)[\s)]*$/.exec(plain);
    if (found === null) return null;
    const [x, y] = found.slice(1).map((digits) => BigInt(digits.replace('+', '')));
    return { x, y };
}

/**
 * Checks coordinates that the user has typed.
 * @param {string} text
 * @param {UniverseInfo | null} universe
 * @returns {string} an error message, or '' if the coordinates are those of a cell in the universe
 */
export function placeFault(text, universe) {
    const place = readPlace(text);
    if (place === null) return 'Enter two integers, for example 120, −45.';
    for (const [name, value, side] of /** @type {const} */ ([
        ['x', place.x, universe?.width ?? 0n], ['y', place.y, universe?.height ?? 0n]])) {
        const [first, last] = side ? [0n, side - 1n] : [SHOWN.first, SHOWN.end - 1n];
        if (value >= first && value <= last) continue;
        return `Out of range: ${name} must be from ${coordinate(first)} to ` +
            `${coordinate(last)}.`;
    }
    return '';
}

/**
 * Opens the dialog.
 * @param {Session} session
 * @param {Camera} camera
 * @param {(cell: Cell) => void} go
 */
export function askForPlace(session, camera, go) {
    const { x, y } = camera.view;
    const field = element('input', {
        type: 'text', autocomplete: 'off', spellcheck: 'false', autofocus: true, required: true,
        value: `${x}, ${y}`, 'aria-describedby': 'place-hint',
    });
    const hint = element('p', { class: 'quiet', id: 'place-hint' },
        'Two integers, x and y. x increases to the right, y downwards.');
    const form = element('form', { method: 'dialog' },
        element('label', { class: 'field' }, 'Cell', field), hint, formButtons('Go there'));
    field.addEventListener('input', () =>
        field.setCustomValidity(placeFault(field.value, session.universe)));
    form.addEventListener('submit', () => {
        const place = readPlace(field.value);
        if (place === null) return;
        go(place);
        announce(`At ${coordinate(place.x)}, ${coordinate(place.y)}.`);
    });
    makeDialog('Go to a cell', form);
    field.select();
}
