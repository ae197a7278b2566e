// Makes the parts of the page and joins them.

/** @import { Frame, Size, UniverseInfo } from './types.js' */
import { Camera } from './camera.js';
import { Colours } from './colours.js';
import { Connection } from './connection.js';
import { createControls } from './controls.js';
import { Looking } from './looking.js';
import { Picture } from './picture.js';
import { Pointer } from './pointer.js';
import { Recorder } from './recorder.js';

/**
 * @template {HTMLElement} T
 * @param {string} id
 * @param {new () => T} kind
 * @returns {T}
 */
function element(id, kind) {
    const found = document.getElementById(id);
    if (!(found instanceof kind)) throw new Error(`The page has no #${id}.`);
    return found;
}

/**
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

const stage = element('stage', HTMLElement);
const overlay = element('overlay', HTMLCanvasElement);
const query = new URLSearchParams(location.search);
const wanted = query.has('canvas') ? 'canvas' : query.has('webgl') ? 'webgl2' : 'auto';

export const camera = new Camera();
export const colours = new Colours();
export const picture = new Picture(element('picture', HTMLCanvasElement), overlay, wanted);
export const pointer = new Pointer(overlay, camera);
export const connection = new Connection();
export const looking = new Looking(camera, connection, picture.largestSide);
export const recorder = new Recorder(picture, camera);

function takeColours() {
    const { palette } = colours;
    picture.setPalette(palette);
    looking.setAges(palette.has_ages);
}
takeColours();
colours.addEventListener('changed', takeColours);
camera.addEventListener('changed', () => picture.setView(camera.view));

/**
 * How many device pixels a length takes: as laid out by the browser, if it says so. If the browser
 * only emulates other pixels (as developer tools do), what it says is different.
 * @param {number} css_px
 * @param {number | undefined} exact
 */
function devicePixels(css_px, exact) {
    const about = css_px * devicePixelRatio;
    return exact !== undefined && Math.abs(exact - about) < 2 ? exact : Math.round(about);
}

/**
 * @param {Size} css_px of the stage
 * @param {ResizeObserverSize} [exact] in device pixels
 */
function resize(css_px, exact) {
    const width = devicePixels(css_px.width, exact?.inlineSize);
    const height = devicePixels(css_px.height, exact?.blockSize);
    if (width === 0 || height === 0) return;
    camera.setSize({ width: width / devicePixelRatio, height: height / devicePixelRatio });
    picture.setSize({ width, height }, devicePixelRatio);
    looking.update();
}

resize(stage.getBoundingClientRect()); // the server's messages may come before the observer's
new ResizeObserver(([entry]) => {
    resize(entry.contentRect, entry.devicePixelContentBoxSize?.[0]);
}).observe(stage);

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
        isAlike(shown, universe)); // only its rule was changed
    reconnected = false;
    shown = universe;
    picture.setUniverse(universe);
    if (same) looking.setUniverse(universe);
    else void showWhole(universe);
});

/**
 * @param {UniverseInfo} a
 * @param {UniverseInfo} b
 */
function isAlike(a, b) {
    return a.topology === b.topology && a.width === b.width && a.height === b.height;
}

/**
 * The first look at a universe that was just opened.
 * @param {UniverseInfo} universe
 */
async function showWhole(universe) {
    picture.clearFrame();
    await looker.showWhole(universe);
    if (shown === universe) looking.setUniverse(universe);
}

const { looker } = createControls({
    connection, camera, picture, pointer, colours, recorder,
});
