// Creates and connects the parts of the page.

/** @import { Frame, State, UniverseInfo } from './types.js' */
import { suitsAges } from './ages.js';
import { Connection } from './connection.js';
import { createControls } from './controls.js';
import { toJson } from './exact.js';
import { camera, colours, overlay, picture } from './first.js';
import { Looking } from './looking.js';
import { Pointer } from './pointer.js';
import { Recorder } from './recorder.js';
import { recall, remember } from './storage.js';

/**
 * Listens to a custom event, and passes its detail on.
 * @template T
 * @param {EventTarget} source
 * @param {string} name
 * @param {(detail: T) => void} take
 */
function on(source, name, take) {
    source.addEventListener(name, (event) => take(/** @type {CustomEvent<T>} */ (event).detail));
}

/** @type {UniverseInfo | null} */
let shown = null;
let reconnected = false;
let is_unmeasured = false; // whether the size of the pattern is unknown until the next `state`

export { camera, colours, picture };
export const pointer = new Pointer(overlay, camera);
export const connection = new Connection();
export const looking = new Looking(camera, connection, picture.largestSide);
export const recorder = new Recorder(picture, camera);

function takeColours() {
    looking.setAges(colours.palette.has_ages);
}
takeColours();
colours.addEventListener('changed', takeColours);
camera.addEventListener('resized', () => looking.update());

on(connection, 'frame', (/** @type {Frame} */ frame) => {
    picture.setFrame(frame);
    recorder.add(frame);
});
on(picture, 'drawn', (/** @type {number[]} */ frames) => {
    for (const frame of frames) connection.drawn(frame);
});

on(connection, 'open', () => {
    reconnected = shown !== null;
});
on(connection, 'closed', () => picture.forgetUndrawn());
document.addEventListener('visibilitychange', () => {
    if (!document.hidden) connection.retry();
});
on(connection, 'universe', (/** @type {UniverseInfo} */ universe) => {
    const same = shown?.name === universe.name && (shown.rule === universe.rule ?
        reconnected && shown.rule_text === universe.rule_text :
        isAlike(shown, universe)); // true if only the rule has changed
    reconnected = false;
    const before = shown === null ? viewBefore(universe) : null;
    // Keep the first picture, which early.js has requested.
    if (shown !== null && !same) picture.clearFrame();
    shown = universe;
    if (!same) suitColours(universe);
    picture.setUniverse(universe);
    if (before !== null) camera.setView(before);
    if (same || before !== null) looking.setUniverse(universe);
    else void showWhole(universe);
});

/** @param {UniverseInfo} universe */
function placeOf({ name, rule_text }) {
    return JSON.stringify([name, rule_text]);
}

/**
 * Returns the view that the page had before a reload, or null if the page then showed another
 * universe.
 * @param {UniverseInfo} universe
 * @returns {import('./types.js').View | null}
 */
function viewBefore(universe) {
    const { of, x, y, ...rest } = JSON.parse(recall('place', 'tab') || '{}');
    return of === placeOf(universe) ? { x: BigInt(x), y: BigInt(y), ...rest } : null;
}

/** @param {UniverseInfo} universe */
function suitColours(universe) {
    const suits = suitsAges(universe);
    is_unmeasured = suits === null;
    colours.suit(suits ?? false);
}
on(connection, 'state', (/** @type {State} */ state) => {
    if (!is_unmeasured || state.population === null) return;
    is_unmeasured = false;
    colours.suit(state.population === '0');
});

/**
 * Returns whether two universes have the same topology and size.
 * @param {UniverseInfo} a
 * @param {UniverseInfo} b
 */
function isAlike(a, b) {
    return a.topology === b.topology && a.width === b.width && a.height === b.height;
}

/**
 * Shows a universe that was just opened.
 * @param {UniverseInfo} universe
 */
async function showWhole(universe) {
    await looker.showWhole(universe);
    if (shown === universe) looking.setUniverse(universe);
}

const { looker, tools } = createControls({
    connection, camera, picture, pointer, colours, recorder,
});

// A reload keeps the selected tool. A reload also keeps the view, unless the command Fit is active.
tools.recall(recall('tool', 'tab'));
window.addEventListener('pagehide', () => {
    remember('place', shown === null || looker.fits ? '' :
        toJson({ of: placeOf(shown), ...camera.target }), 'tab');
    remember('tool', tools.name, 'tab');
});
