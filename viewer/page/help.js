// The help sheet (`?`). The help sheet lists all keys from the table in keys.js.

import { makeDialog } from './dialogs.js';
import { element } from './dom.js';
import { commands, keyNames } from './keys.js';

const gestures = [
    ['Wheel', 'Zoom at the pointer'],
    ['Two fingers on a touch pad', 'Up, down or pinch: zoom; sideways: pan'],
    ['Shift, wheel or two fingers', 'Pan'],
    ['Drag', 'Pan, or use the tool'],
    ['Space or middle button, drag', 'Pan with any tool'],
    ['Click with the pencil', 'Invert the cell; the rest of the stroke gets the same state'],
    ['Shift, drag', 'Erase with the pencil; extend the selection'],
    ['Ctrl, drag', 'Draw a square or a circle'],
    ['Alt, drag', 'Move a copy of the selection'],
    ['Shift, click', 'Paste and keep the paste tool'],
    ['Click on the map', 'Move the view there'],
];

const library = [
    ['p30, c/4, 1970', 'Find a period, speed or year; words match any text of a pattern'],
    ['Up, down, Home, End', 'Next, previous, first or last pattern'],
    ['Escape', 'Back to the search'],
];

const touches = [
    ['One finger', 'Pan, or use the tool'],
    ['Two fingers', 'Pan and zoom with any tool'],
    ['Tap with the pencil', 'Invert the cell; the rest of the stroke gets the same state'],
    ['Three dots', 'Jump, snapshot, shapes, flood fill, brush, symmetry'],
    ['Select, then drag', 'Select a rectangle; its commands appear beside it'],
    ['Paste, then tap', 'Paste the clip there; drag for a preview'],
    ['Undo', 'Take back the last edit, even after running'],
];

/** @param {string} key */
function keyElement(key) {
    const parts = keyNames(key).map((part) => element('kbd', {}, part));
    return element('span', { class: 'key' }, ...parts);
}

/**
 * Returns the rows of a group in the help sheet. A row of the help sheet has a command and the
 * first key of the command. Commands with the same value of `joins` share a row.
 * @param {string} group
 */
function rows(group) {
    /** @type {Map<string, string[]>} */
    const found = new Map();
    for (const { text, keys, joins, group: own } of commands) {
        if (own !== group) continue;
        const name = joins ?? text;
        found.set(name, [...found.get(name) ?? [], keys[0]]);
    }
    return [...found].map(([text, keys]) => ({ text, keys }));
}

/**
 * Makes a list of gestures.
 * @param {string} heading
 * @param {string[][]} list pairs of a gesture and its effect
 */
function gestureList(heading, list) {
    return element('section', {}, element('h3', {}, heading),
        element('dl', {}, ...list.map(([gesture, text]) =>
            element('div', {}, element('dt', {}, gesture), element('dd', {}, text)))));
}

/** Opens the help sheet. @param {string} version of the server, '' if it is unknown */
export function showHelp(version) {
    const groups = new Set(commands.map((command) => command.group));
    groups.delete('');
    const sections = [...groups].map((group) => element('section', {}, element('h3', {}, group),
        element('dl', {}, ...rows(group).map(({ text, keys }) => element('div', {},
            element('dt', {}, ...keys.map(keyElement)), element('dd', {}, text))))));
    sections.push(gestureList('Mouse and touch pad', gestures), gestureList('Library', library));
    // On touch screens, the list of gestures comes first.
    const coarse = matchMedia('(pointer: coarse)').matches;
    if (coarse) sections.unshift(gestureList('Fingers', touches));
    const time = element('p', { class: 'quiet' }, 'The history chart shows the population of all ' +
        'generations since the start. Press or drag on it to go to any of them. Edits are part ' +
        'of the history: they disappear when you go back past them and return when you go ' +
        'forward. If you run or draw from an earlier generation, a new history replaces the ' +
        'later generations; Undo brings you back to where you were. “Per picture” sets how many ' +
        'generations lie between two pictures and how many a step takes. The speed then counts ' +
        'pictures: 1,024 per picture at 30/s are 30,720 generations per second.');
    const timelines = element('p', { class: 'quiet' }, 'A timeline is a recorded run (a .lct ' +
        'file). Running, stepping or drawing at one of its frames does not change it. “Back to ' +
        'frame” or R returns to that frame.');
    const more = element('p', { class: 'quiet' }, 'Fit keeps all live cells in view as the ' +
        'pattern grows, until you move the view. “Copy link” in Files makes a link that ' +
        'contains the pattern. Add ?kiosk to the address of this page for a wall display: it ' +
        'shows only the picture.');
    const about = element('p', { class: 'quiet' }, `lightcone ${version}`);
    const sheet = element('div', { class: 'sheet' }, ...sections);
    const dialog = makeDialog(coarse ? 'Help' : 'Keys', sheet, time, timelines, more, about);
    dialog.classList.add('help');
}
