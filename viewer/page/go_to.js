// Goes to a cell whose coordinates are typed in.

/** @import { Camera } from './camera.js' */
import { announce } from './announce.js';
import { LARGEST_COORDINATE } from './camera.js';
import { formButtons, makeDialog } from './dialogs.js';
import { element } from './dom.js';
import { coordinate } from './format.js';

/**
 * @param {string} text
 * @returns {{x: number, y: number} | null} of two integers, however they are set apart
 */
export function readPlace(text) {
    const plain = text.replace(/[\u2212\u2013]/g, '-').replace(/(?<=\d)\u202f(?=\d)/g, '');
    const found = /^[\s(]*([+-]?\d+)(?:\s*[,;]\s*|\s+)([+-]?\d+)[\s)]*$/.exec(plain);
    if (found === null) return null;
    const place = { x: Number(found[1]), y: Number(found[2]) };
    const far = Math.max(Math.abs(place.x), Math.abs(place.y));
    return far <= LARGEST_COORDINATE ? place : null;
}

/**
 * @param {Camera} camera
 * @param {(x: number, y: number) => void} go
 */
export function askForPlace(camera, go) {
    const { x, y } = camera.view;
    const field = element('input', {
        type: 'text', autocomplete: 'off', spellcheck: 'false', autofocus: true, required: true,
        value: `${Math.floor(x)}, ${Math.floor(y)}`, 'aria-describedby': 'place-hint',
    });
    const hint = element('p', { class: 'quiet', id: 'place-hint' },
        'Two whole numbers, x and y: x grows to the right, y downwards.');
    const form = element('form', { method: 'dialog' },
        element('label', { class: 'field' }, 'Cell', field), hint, formButtons('Go there'));
    field.addEventListener('input', () => field.setCustomValidity(
        readPlace(field.value) === null ? 'Please give two whole numbers, as 120, −45.' : ''));
    form.addEventListener('submit', () => {
        const place = readPlace(field.value);
        if (place === null) return;
        go(place.x, place.y);
        announce(`At ${coordinate(place.x)}, ${coordinate(place.y)}.`);
    });
    makeDialog('Go to a cell', form);
    field.select();
}
