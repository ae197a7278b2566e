// Exports films, and images of the selection. Images and films are exact, because they are made
// from cells that the server sends on request, not from the screen.

/** @import { Box, Frame, Palette, Size } from './types.js' */
/** @import { Camera } from './camera.js' */
/** @import { Colours } from './colours.js' */
/** @import { Selection } from './selection.js' */
/** @import { Session } from './session.js' */
import { announce } from './announce.js';
import { ApngWriter } from './apng.js';
import { formButtons, makeDialog } from './dialogs.js';
import { element, setText } from './dom.js';
import { squaresOver } from './exact.js';
import { bytesText, counted, grouped } from './format.js';
import { rowBytes } from './protocol.js';
import { download, LARGEST_BYTES } from './recorder.js';
import { sampleFrame } from './sample.js';
import { sizeText } from './selection.js';

const largestSide = 8192;
const largestPicture = 2 ** 24; // largest picture that the server sends, in squares
const largestRuns = 250_000;
const usualPixels = 1024; // longer side, in pixels, of the image of a small selection
const largestFilm = 2 ** 21;
const mostFrames = 10_000;

/**
 * Returns whether a square of a frame is alive.
 * @param {Frame} frame
 * @param {number} x
 * @param {number} y
 */
function isAlive({ pixels, width }, x, y) {
    return (pixels[y * rowBytes(width, 1) + (x >> 3)] >> (x & 7)) & 1;
}

/**
 * Returns the squares to request for a box. A square is a single cell, or is several cells wide if
 * the box has too many cells.
 * @param {Box} box
 */
function lookAt(box) {
    for (let scale = 0; ; scale++) {
        const look = squaresOver(box, scale);
        const fits = look.width <= largestSide && look.height <= largestSide;
        if (fits && look.width * look.height <= largestPicture) return look;
    }
}

/**
 * Enlarges a frame so that each square has `pixel` x `pixel` pixels.
 * @param {Frame} frame
 * @param {number} pixel
 * @returns {{size: Size, levels: Uint8Array}}
 */
function enlarged(frame, pixel) {
    const size = { width: frame.width * pixel, height: frame.height * pixel };
    const levels = new Uint8Array(size.width * size.height);
    for (let y = 0; y < frame.height; y++) {
        const row = levels.subarray(y * pixel * size.width, (y * pixel + 1) * size.width);
        for (let x = 0; x < frame.width; x++) {
            const level = frame.bits === 8 ? frame.pixels[y * frame.width + x] :
                isAlive(frame, x, y) ? 255 : 0;
            if (level !== 0) row.fill(level, x * pixel, (x + 1) * pixel);
        }
        for (let i = 1; i < pixel; i++) levels.set(row, (y * pixel + i) * size.width);
    }
    return { size, levels };
}

/**
 * Returns the side of a cell in pixels, for an image of `size` cells.
 * @param {Size} size
 */
function pixelsOf({ width, height }) {
    return Math.max(1, Math.min(16, Math.floor(usualPixels / Math.max(width, height))));
}

/**
 * Writes a frame as SVG, with one path for each colour.
 * @param {Frame} frame with 1 bit per square
 * @param {Palette} palette
 * @returns {string | null} null if the frame has more than `largestRuns` runs of live cells
 */
export function toSvg(frame, palette) {
    const { width, height } = frame;
    /** @type {string[]} */
    const runs = [];
    for (let y = 0; y < height; y++) {
        for (let x = 0; x < width; x++) {
            if (!isAlive(frame, x, y)) continue;
            let end = x + 1;
            while (end < width && isAlive(frame, end, y)) end++;
            runs.push(`M${x} ${y}h${end - x}v1h-${end - x}z`);
            if (runs.length > largestRuns) return null;
            x = end;
        }
    }
    const colour = (/** @type {number} */ level) =>
        `rgb(${palette.levels.slice(4 * level, 4 * level + 3).join(' ')})`;
    const pixel = pixelsOf(frame);
    return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" ` +
        `width="${width * pixel}" height="${height * pixel}" shape-rendering="crispEdges">\n` +
        `<path fill="${colour(0)}" d="M0 0h${width}v${height}h-${width}z"/>\n` +
        `<path fill="${colour(255)}" d="${runs.join('')}"/>\n</svg>\n`;
}

/**
 * Settings of a film.
 * @typedef {object} Wanted
 * @property {number} frames
 * @property {string} every generations per frame
 * @property {number} rate frames per second
 * @property {boolean} back whether to return to the first generation afterwards
 * @property {Box | null} of the area to show; null to show the current view
 */

export class Export {
    #filming = false;

    /**
     * @param {object} parts
     * @param {Session} parts.session
     * @param {Selection} parts.selection
     * @param {Camera} parts.camera
     * @param {Colours} parts.colours
     */
    constructor({ session, selection, camera, colours }) {
        this.session = session;
        this.selection = selection;
        this.camera = camera;
        this.colours = colours;
    }

    /** @param {string} ending */
    #name(ending) {
        const name = this.session.name.replace(/\.[a-z0-9]+$/i, '');
        return `${name || 'lightcone'}-${this.session.state?.generation ?? '0'}${ending}`;
    }

    /**
     * Gets the selected cells from the server.
     * @param {boolean} ages whether to include the ages of cells
     * @returns {Promise<Frame | null>} null if the request failed; the user has been told
     */
    async #take(ages) {
        const { box } = this.selection;
        if (box === null) {
            this.session.complain('Select a rectangle first (key S).');
            return null;
        }
        try {
            return await this.session.still({ ...lookAt(box), ages });
        } catch (error) {
            this.session.complain(error instanceof Error ? error.message : String(error));
            return null;
        }
    }

    /**
     * Saves the selection as a PNG file. A small selection is enlarged in the image, and a very
     * large selection is downsampled.
     */
    async png() {
        const { palette } = this.colours;
        const frame = await this.#take(palette.has_ages);
        if (frame === null) return;
        const { size, levels } = enlarged(frame, pixelsOf(frame));
        const writer = new ApngWriter(size, frame.ages ? palette.ages : palette.levels);
        await writer.add(levels, 0);
        download(writer.finish(0), this.#name('.png'));
        announce(`Picture saved, ${sizeText(size)} pixels.`);
    }

    async svg() {
        const { box } = this.selection;
        if (box !== null && lookAt(box).scale > 0) {
            this.session.complain('An SVG file can have at most ' +
                `${grouped(largestSide)} cells per side and ${grouped(largestPicture)} in all. ` +
                'Select fewer cells, or save a PNG file.');
            return;
        }
        const frame = await this.#take(false);
        if (frame === null) return;
        const text = toSvg(frame, this.colours.palette);
        if (text === null) {
            this.session.complain('An SVG file can have at most ' +
                `${grouped(largestRuns)} runs of live cells. ` +
                'Select fewer cells, or save a PNG file.');
            return;
        }
        download(new Blob([text], { type: 'image/svg+xml' }), this.#name('.svg'));
        announce(`Picture saved, ${bytesText(text.length)}.`);
    }

    // ---- films ---------------------------------------------------------------------------------

    film() {
        if (this.#filming || !this.session.maySteer()) return;
        const number = (/** @type {string} */ value, /** @type {number} */ most) =>
            element('input', { type: 'number', min: 1, max: most, step: 1, required: true, value });
        const frames = number('100', mostFrames);
        const every = number('1', 2 ** 40);
        const rate = number('30', 60);
        const back = element('input', { type: 'checkbox', checked: true });
        const { box } = this.selection;
        const what = element('select', {}, element('option', { value: 'view' }, 'View'),
            box === null ? null : element('option', { value: 'selection', selected: true },
                `Selection, ${sizeText(box)}`));
        const field = (/** @type {string} */ text, /** @type {HTMLElement} */ input) =>
            element('label', { class: 'field' }, text, input);
        const form = element('form', { method: 'dialog' },
            field('Frames', frames), field('Generations per frame', every),
            field('Frames per second', rate), field('Area', what),
            element('label', { class: 'check' }, back, 'Return to this generation afterwards'),
            element('p', { class: 'quiet' }, 'Saves an animated PNG file, which browsers ' +
                'play. No frame is skipped, even if a generation takes long.'),
            formButtons('Make the film'));
        form.addEventListener('submit', () => void this.#film({
            frames: frames.valueAsNumber, every: String(every.valueAsNumber),
            rate: rate.valueAsNumber, back: back.checked,
            of: what.value === 'selection' ? box : null,
        }));
        makeDialog('Film', form);
    }

    /**
     * @param {Wanted} wanted
     */
    async #film(wanted) {
        if (this.#filming) return;
        this.#filming = true;
        const bar = element('progress', { max: wanted.frames, value: 0, 'aria-label': 'Film' });
        const text = element('p', { class: 'number', role: 'status' }, 'Starting.');
        let cancelled = false;
        const dialog = makeDialog('Film', element('form', { method: 'dialog' }, bar, text,
            element('p', { class: 'answers' },
                element('button', { type: 'submit', class: 'named', autofocus: true }, 'Cancel'))));
        dialog.addEventListener('close', () => {
            cancelled = true;
            // Stop the computation of the next frame, which may take long.
            if (this.#filming) this.session.connection.send({ do: 'pause' });
        });
        const said = (/** @type {number} */ made, /** @type {number} */ bytes) => {
            bar.value = made;
            setText(text, `${grouped(made)} of ${counted(wanted.frames, 'frame')}, ` +
                bytesText(bytes));
            return !cancelled;
        };
        try {
            const film = await this.#make(wanted, said);
            const name = this.#name('.apng');
            // If the user has cancelled the film during a step, discard the incomplete film.
            if (film !== null && !cancelled) {
                download(film.blob, name);
                announce(`Film saved, ${bytesText(film.blob.size)}.`);
                if (film.note !== '') this.session.complain(film.note);
            }
        } catch (error) {
            this.session.complain(error instanceof Error ? error.message : String(error));
        }
        this.#filming = false;
        dialog.close();
    }

    /**
     * Makes a film. The server steps the universe once for each frame.
     * @param {Wanted} wanted
     * @param {(made: number, bytes: number) => boolean} said reports progress; if `said` returns
     *     false, the film is cancelled
     * @returns {Promise<{blob: Blob, note: string} | null>} null if the film was cancelled
     */
    async #make({ frames, every, rate, back, of }, said) {
        const { connection } = this.session;
        const { palette } = this.colours;
        const take = of === null ? this.#viewTaker() : this.#boxTaker(of);
        await connection.request({ do: 'pause' });
        /** @type {number | null} */
        let kept = null;
        /** @type {ApngWriter | null} */
        let writer = null;
        let note = '';
        let made = 0;
        try {
            let target = null;
            for (; made < frames; made++) {
                if (made > 0) await connection.request({ do: 'step', generations: every });
                const { frame, size, levels } = await take();
                if (made === 0 && back) kept = await this.#keep(); // the universe is paused now
                // A step ends early if all cells have died, or if another viewer pauses the
                // universe.
                target = target === null ? frame.generation : target + BigInt(every);
                if (frame.generation !== target) {
                    note = 'The universe stopped before the next frame, so the film ends early.';
                    break;
                }
                writer ??= new ApngWriter(size, frame.ages ? palette.ages : palette.levels);
                await writer.add(levels, made * 1000 / rate);
                if (!said(made + 1, writer.bytes)) return null;
                if (writer.bytes > LARGEST_BYTES) {
                    note = `The film ends after ${counted(made + 1, 'frame')}; more would ` +
                        `exceed ${bytesText(LARGEST_BYTES)}.`;
                    made++;
                    break;
                }
            }
        } catch (error) {
            if (writer === null || !/nothing is alive/.test(String(error))) throw error;
            note = 'All cells have died; the last frame stays until the end.';
            made = frames;
        } finally {
            if (kept !== null) {
                await connection.request({ do: 'return', moment: kept });
                await connection.request({ do: 'forget', moment: kept });
            }
        }
        return writer && { blob: writer.finish(made * 1000 / rate), note };
    }

    /** Stores a snapshot on the server. @returns {Promise<number>} number of the snapshot */
    async #keep() {
        const old = new Set(this.session.state?.moments.map(({ id }) => id));
        await this.session.connection.request({ do: 'keep' });
        for (;;) {
            const found = this.session.state?.moments.find(({ id }) => !old.has(id));
            if (found !== undefined) return found.id;
            await new Promise((resolve) =>
                this.session.addEventListener('state', resolve, { once: true }));
        }
    }

    /** Returns a function that gets the cells of a box from the server. @param {Box} box */
    #boxTaker(box) {
        const look = { ...lookAt(box), ages: this.colours.palette.has_ages };
        let pixel = pixelsOf(look);
        while (pixel > 1 && look.width * look.height * pixel ** 2 > largestFilm) pixel--;
        return async () => {
            const frame = await this.session.still({ ...look, rest: true });
            return { frame, ...enlarged(frame, pixel) };
        };
    }

    /**
     * Returns a function that gets the cells of the current view and samples them at the size of
     * the view.
     */
    #viewTaker() {
        const { view, visible, size: css } = this.camera;
        let pixels = 1;
        while (css.width * css.height * pixels ** 2 > largestFilm) pixels /= 2;
        const size = {
            width: Math.max(1, Math.round(css.width * pixels)),
            height: Math.max(1, Math.round(css.height * pixels)),
        };
        const scale = Math.max(0, Math.floor(Math.log2(1 / (view.zoom * pixels)) + 1e-6));
        const look = { ...squaresOver(visible, scale), ages: this.colours.palette.has_ages };
        return async () => {
            const frame = await this.session.still({ ...look, rest: true });
            const levels = new Uint8Array(size.width * size.height);
            sampleFrame(frame, view, size, pixels, levels);
            return { frame, size, levels };
        };
    }
}
