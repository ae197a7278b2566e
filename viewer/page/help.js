// The `?` sheet: all keys, from the table that the keyboard handling itself uses.

import { makeDialog } from './dialogs.js';
import { element } from './dom.js';
import { commands, keyNames } from './keys.js';

const gestures = [
    ['Wheel', 'Zoom at the pointer'],
    ['Two fingers on a touch pad', 'Up, down or pinch zooms; sideways pans'],
    ['Shift, wheel or two fingers', 'Pan'],
    ['Drag', 'Pan, or use the tool'],
    ['Space or middle button, drag', 'Pan with any tool'],
    ['Click with the pencil', 'Inverts the cell, and the stroke goes on with what it has become'],
    ['Shift, drag', 'Draw erases, select extends'],
    ['Ctrl, drag', 'A square or a circle'],
    ['Alt, drag', 'Moves a copy of the selection'],
    ['Shift, click', 'Paste and keep the clip in hand'],
    ['Click on the map', 'Goes there'],
];

const library = [
    ['p30, c/4, 1970', 'Find that period, speed or year; words are found in all that is said'],
    ['Up, down, Home, End', 'From pattern to pattern'],
    ['Escape', 'Back to the search'],
];

const touches = [
    ['One finger', 'Moves the view, or uses the tool'],
    ['Two fingers', 'Move and zoom, with any tool'],
    ['Tap with the pen', 'Draws a cell, or takes it away; the stroke goes on like that'],
    ['Three dots', 'More: leaps, moments, shapes, filling, brush, symmetry'],
    ['Select, then drag', 'Marks a rectangle; what to do with it is beside it'],
    ['Paste, then tap', 'Puts the clip there; drag to see where'],
    ['Undo', 'Takes back what was drawn, also after it ran'],
];

/** @param {string} key */
function keyElement(key) {
    const parts = keyNames(key).map((part) => element('kbd', {}, part));
    return element('span', { class: 'key' }, ...parts);
}

/**
 * What the sheet says about a group: the first key of each command; commands that belong together
 * share a row.
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
 * @param {string} heading
 * @param {string[][]} list each with what it does
 */
function gestureList(heading, list) {
    return element('section', {}, element('h3', {}, heading),
        element('dl', {}, ...list.map(([gesture, text]) =>
            element('div', {}, element('dt', {}, gesture), element('dd', {}, text)))));
}

/** @param {string} version of the server, '' if it is not known */
export function showHelp(version) {
    const groups = new Set(commands.map((command) => command.group));
    groups.delete('');
    const sections = [...groups].map((group) => element('section', {}, element('h3', {}, group),
        element('dl', {}, ...rows(group).map(({ text, keys }) => element('div', {},
            element('dt', {}, ...keys.map(keyElement)), element('dd', {}, text))))));
    sections.push(gestureList('Mouse and touch pad', gestures), gestureList('Library', library));
    // People who use their fingers need not read about keys first.
    const coarse = matchMedia('(pointer: coarse)').matches;
    if (coarse) sections.unshift(gestureList('Fingers', touches));
    const time = element('p', { class: 'quiet' }, 'The time line shows the population of all ' +
        'generations since the start: press or drag on it to go to any of them. Before something ' +
        'was drawn it is not there yet, and after it, it is. Run on or draw from there, and what ' +
        'was ahead makes room for another future; Undo brings you back to where you were. With ' +
        '“per picture” each picture is so many generations after the one before, and so is a ' +
        'step; the speed then counts pictures: 1,024 per picture at 30/s are 30,720 generations ' +
        'a second.');
    const timelines = element('p', { class: 'quiet' }, 'Run, step or draw from any frame of a ' +
        'timeline: the timeline stays as it is. “Back to frame” leads back to it, and so does R.');
    const more = element('p', { class: 'quiet' }, 'Fit keeps in view what grows, until ' +
        'you move the view. “Copy link”, below Files, makes an address that holds the pattern; ' +
        'with ?kiosk behind the page’s own address it is a picture for a wall.');
    const about = element('p', { class: 'quiet' }, `lightcone ${version}`);
    const sheet = element('div', { class: 'sheet' }, ...sections);
    const dialog = makeDialog(coarse ? 'Help' : 'Keys', sheet, time, timelines, more, about);
    dialog.classList.add('help');
}
