// Records the view as an animated PNG, or saves it as a single picture.

/** @import { Frame, Size, View } from './types.js' */
/** @import { Camera } from './camera.js' */
/** @import { Picture } from './picture.js' */
import { levelOf, newbornOf } from './ages.js';
import { ApngWriter } from './apng.js';
import { sampleFrame } from './sample.js';

export const LARGEST_FRAMES = 3600;
export const LARGEST_BYTES = 128 * 2 ** 20;
const LARGEST_PIXELS = 2 ** 21;

/**
 * @typedef {object} Progress
 * @property {boolean} recording
 * @property {number} frames
 * @property {number} bytes
 * @property {number} elapsed_ms
 * @property {boolean} full whether a limit was reached, so that no more frames are recorded
 */

/**
 * Downloads a file.
 * @param {Blob} blob
 * @param {string} name
 */
export function download(blob, name) {
    const link = document.createElement('a');
    link.href = URL.createObjectURL(blob);
    link.download = name;
    link.click();
    // The address must stay valid, because the browser reads the file after the click has returned.
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/**
 * Saves the visible picture.
 * @param {Picture} picture
 * @param {string} name of the file
 */
export async function savePicture(picture, name) {
    download(await picture.toBlob(), name);
}

/**
 * Converts the bytes of a picture with ages to bytes of a picture without ages, or the reverse. A
 * recording has one palette, which stays even if the user chooses other colours. Cells of a picture
 * without ages count as newborn.
 * @param {Uint8Array} bytes of a picture
 * @param {boolean} from_ages whether `bytes` are encoded with ages
 * @param {boolean} to_ages whether the result is encoded with ages
 */
function translate(bytes, from_ages, to_ages) {
    if (from_ages === to_ages) return;
    const table = Uint8Array.from({ length: 256 }, (_, byte) =>
        to_ages ? newbornOf(byte) : levelOf(byte));
    for (let i = 0; i < bytes.length; i++) bytes[i] = table[bytes[i]];
}

/** Records the view. The detail of the event 'changed' is the Progress. */
export class Recorder extends EventTarget {
    #picture;
    #camera;
    /** @type {ApngWriter | null} */
    #writer = null;
    /** @type {Size} */
    #size = { width: 1, height: 1 };
    #pixels = 1;
    #ages = false;
    #start_ms = 0;
    /**
     * @type {{frame: Frame, view: View, time_ms: number} | null} newest frame, if not yet written
     */
    #waiting = null;
    /** @type {Promise<void> | null} */
    #writing = null;
    #full = false;

    /**
     * @param {Picture} picture
     * @param {Camera} camera
     */
    constructor(picture, camera) {
        super();
        this.#picture = picture;
        this.#camera = camera;
    }

    get recording() {
        return this.#writer !== null;
    }

    /** Starts a recording with the current size and colours. */
    start() {
        const palette = this.#picture.palette;
        if (this.#writer || this.#writing || !palette) return;
        const { width, height } = this.#camera.size;
        this.#pixels = 1;
        while (width * height * this.#pixels ** 2 > LARGEST_PIXELS) this.#pixels /= 2;
        this.#size = {
            width: Math.max(1, Math.round(width * this.#pixels)),
            height: Math.max(1, Math.round(height * this.#pixels)),
        };
        this.#ages = palette.has_ages;
        this.#writer = new ApngWriter(this.#size, this.#ages ? palette.ages : palette.levels);
        this.#start_ms = performance.now();
        this.#full = false;
        const { frame } = this.#picture;
        if (frame) this.add(frame);
        this.#changed();
    }

    /**
     * Adds a frame to the recording. While an earlier frame is compressed, the new frame waits. A
     * newer frame replaces a frame that still waits.
     * @param {Frame} frame
     */
    add(frame) {
        if (!this.#writer || this.#full) return;
        this.#waiting = { frame, view: this.#camera.view, time_ms: performance.now() };
        this.#writing ??= this.#write(this.#writer).finally(() => {
            this.#writing = null;
        });
    }

    /**
     * Ends the recording.
     * @returns {Promise<Blob | null>} the file, or null if nothing was recorded
     */
    async stop() {
        const writer = this.#writer;
        if (!writer) return null;
        const end_ms = performance.now();
        this.#writer = null;
        this.#changed();
        await this.#writing;
        return writer.frames > 0 ? writer.finish(end_ms) : null;
    }

    /** @param {ApngWriter} writer */
    async #write(writer) {
        while (this.#waiting) {
            const { frame, view, time_ms } = this.#waiting;
            this.#waiting = null;
            const levels = new Uint8Array(this.#size.width * this.#size.height);
            sampleFrame(frame, view, this.#size, this.#pixels, levels);
            translate(levels, frame.ages, this.#ages);
            await writer.add(levels, time_ms);
            this.#full ||= writer.frames >= LARGEST_FRAMES || writer.bytes >= LARGEST_BYTES;
            this.#changed();
        }
    }

    #changed() {
        const detail = {
            recording: this.recording,
            frames: this.#writer?.frames ?? 0,
            bytes: this.#writer?.bytes ?? 0,
            elapsed_ms: this.recording ? performance.now() - this.#start_ms : 0,
            full: this.#full,
        };
        this.dispatchEvent(new CustomEvent('changed', { detail }));
    }
}
