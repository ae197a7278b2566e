// Creates the parts of the page that show the first picture: the picture, the camera and the
// colours. The page loads first.js before main.js, which creates all other parts of the page. The
// module first.js shows the picture that early.js has requested.

/** @import { Size } from './types.js' */
import { Camera } from './camera.js';
import { Colours } from './colours.js';
import { readPlaces } from './exact.js';
import { Picture } from './picture.js';
import { Joiner, KIND_FRAME, readMessage, readPixels, toFrame } from './protocol.js';

/**
 * Returns the element with an id and a type.
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

const stage = element('stage', HTMLElement);
const query = new URLSearchParams(location.search);
const wanted = query.has('canvas') ? 'canvas' : query.has('webgl') ? 'webgl2' : 'auto';

export const overlay = element('overlay', HTMLCanvasElement);
export const camera = new Camera();
export const colours = new Colours();
export const picture = new Picture(element('picture', HTMLCanvasElement), overlay, wanted);

picture.setPalette(colours.palette);
colours.addEventListener('changed', () => picture.setPalette(colours.palette));
camera.addEventListener('changed', () => picture.setView(camera.view));

/**
 * Converts CSS pixels to device pixels. If the browser's own value `exact` is close to the computed
 * value, returns `exact`. `exact` is wrong while developer tools emulate another pixel ratio.
 * @param {number} css_px
 * @param {number | undefined} exact
 */
function devicePixels(css_px, exact) {
    const about = css_px * devicePixelRatio;
    return exact !== undefined && Math.abs(exact - about) < 2 ? exact : Math.round(about);
}

/**
 * Sets the size of the canvas.
 * @param {Size} css_px size of the element that contains the canvas
 * @param {ResizeObserverSize} [exact] the same size in device pixels
 */
function resize(css_px, exact) {
    const width = devicePixels(css_px.width, exact?.inlineSize);
    const height = devicePixels(css_px.height, exact?.blockSize);
    if (width === 0 || height === 0) return;
    camera.setSize({ width: width / devicePixelRatio, height: height / devicePixelRatio });
    picture.setSize({ width, height }, devicePixelRatio);
}

resize(stage.getBoundingClientRect()); // a message may arrive before the first call of the observer
new ResizeObserver(([entry]) => {
    resize(entry.contentRect, entry.devicePixelContentBoxSize?.[0]);
}).observe(stage);

const early = Reflect.get(window, 'lightcone_early');

/** Returns whether main.js has not yet taken over the socket. */
function isEarly() {
    return early && Reflect.get(window, 'lightcone_early') === early;
}

const joiner = new Joiner();

/**
 * Shows a picture that arrived before main.js.
 * @param {MessageEvent} event
 * @param {any} box bounding box of the live cells, or null if the server has not sent it
 */
async function showEarly({ data }, box) {
    const whole = joiner.take(data);
    if (!(whole instanceof ArrayBuffer) || box === null) return;
    const message = readMessage(whole);
    if (message.kind !== KIND_FRAME) return;
    const frame = toFrame(message, await readPixels(message));
    if (!isEarly()) return;
    const said = { box };
    readPlaces(said);
    camera.fit(said.box, true);
    picture.setFrame(frame);
}

// If the address contains a link, leave the picture to main.js. The module main.js opens the link
// and sets the view.
const is_link = [...new URLSearchParams(location.hash.slice(1)).keys()].some((k) => k !== 'token');
if (isEarly() && !is_link) {
    const show = (/** @type {MessageEvent} */ event) => {
        if (!isEarly()) return;
        showEarly(event, early.box).catch(() => undefined); // main.js reports errors
    };
    early.heard.forEach(show);
    early.socket.addEventListener('message', show);
}
