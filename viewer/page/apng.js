// Writes animated PNG files, or a plain PNG if there is only one frame. All frames share one
// palette. Each frame stores only the box of pixels that differ from the previous frame. The files
// follow the third edition of the PNG specification (W3C, 2025) and consist of these chunks:
//
//     signature  IHDR  acTL  PLTE  fcTL IDAT  fcTL fdAT  fcTL fdAT  ...  IEND

/** @import { Area, Size } from './types.js' */

const SIGNATURE = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const CRC_POLYNOMIAL = 0xedb88320;
const LONGEST_DELAY_MS = 65535;

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
    let rest = byte;
    for (let bit = 0; bit < 8; bit++) rest = rest & 1 ? CRC_POLYNOMIAL ^ (rest >>> 1) : rest >>> 1;
    return rest;
});

/**
 * Computes the checksum of a chunk.
 * @param {Uint8Array} bytes
 * @param {number} end number of bytes to include
 */
function crc32(bytes, end) {
    let rest = 0xffffffff;
    for (let i = 0; i < end; i++) rest = CRC_TABLE[(rest ^ bytes[i]) & 0xff] ^ (rest >>> 8);
    return ~rest >>> 0;
}

/**
 * Makes a chunk of a PNG file.
 * @param {string} kind four letters
 * @param {number} size of the contents in bytes
 * @param {(view: DataView, contents: Uint8Array) => void} fill writes the contents
 * @returns {Uint8Array<ArrayBuffer>} the chunk with its header and checksum
 */
function chunk(kind, size, fill) {
    const bytes = new Uint8Array(size + 12);
    const view = new DataView(bytes.buffer);
    view.setUint32(0, size);
    for (let i = 0; i < 4; i++) bytes[4 + i] = kind.charCodeAt(i);
    fill(new DataView(bytes.buffer, 8, size), bytes.subarray(8, 8 + size));
    view.setUint32(8 + size, crc32(bytes.subarray(4), size + 4));
    return bytes;
}

/**
 * Compresses bytes with zlib.
 * @param {Uint8Array<ArrayBuffer>} bytes
 * @returns {Promise<Uint8Array>} a zlib stream
 */
async function deflate(bytes) {
    const stream = new Blob([bytes]).stream().pipeThrough(new CompressionStream('deflate'));
    return new Uint8Array(await new Response(stream).arrayBuffer());
}

/**
 * Returns the bounding box of the pixels in which two pictures differ, or null if the pictures are
 * equal.
 * @param {Uint8Array} old
 * @param {Uint8Array} fresh
 * @param {Size} size
 * @returns {Area | null}
 */
function changedBox(old, fresh, { width, height }) {
    let [left, right, top, bottom] = [width, -1, -1, -1];
    for (let y = 0; y < height; y++) {
        const row = y * width;
        let first = 0;
        while (first < width && old[row + first] === fresh[row + first]) first++;
        if (first === width) continue;
        let last = width - 1;
        while (old[row + last] === fresh[row + last]) last--;
        left = Math.min(left, first);
        right = Math.max(right, last);
        if (top < 0) top = y;
        bottom = y;
    }
    if (top < 0) return null;
    return { x: left, y: top, width: right - left + 1, height: bottom - top + 1 };
}

export class ApngWriter {
    #size;
    #palette; // 256 colours of 4 bytes
    /** @type {Uint8Array<ArrayBuffer>[]} */
    #chunks = [];
    /** @type {Uint8Array | null} */
    #levels = null;
    /**
     * The last frame. The frame is written when its delay is known.
     * @type {{box: Area, data: Uint8Array, time_ms: number} | null}
     */
    #last = null;
    #bytes = 0;
    #frames = 0;
    #sequence = 0;
    #ending = false;

    /**
     * @param {Size} size in pixels
     * @param {Uint8Array} palette 256 colours of 4 bytes
     */
    constructor(size, palette) {
        this.#size = size;
        this.#palette = palette;
    }

    get frames() {
        return this.#frames;
    }

    /** Approximate size in bytes that the file would have if it were finished now. */
    get bytes() {
        return this.#bytes;
    }

    /**
     * Adds a frame. If the new frame equals the previous frame, only the delay of the previous
     * frame is extended. The caller must wait for a call to finish before the next call.
     * @param {Uint8Array} levels a byte per pixel; kept until the next call
     * @param {number} time_ms time at which the frame is shown
     */
    async add(levels, time_ms) {
        const box = this.#levels ? changedBox(this.#levels, levels, this.#size)
            : { x: 0, y: 0, ...this.#size };
        this.#levels = levels;
        if (!box) return;
        const rows = new Uint8Array((box.width + 1) * box.height);
        for (let y = 0; y < box.height; y++) {
            const from = (box.y + y) * this.#size.width + box.x;
            // Each row starts with a byte for its filter type; 0 means no filter.
            rows.set(levels.subarray(from, from + box.width), y * (box.width + 1) + 1);
        }
        const data = await deflate(rows);
        this.#putLast(time_ms);
        this.#last = { box, data, time_ms };
        this.#frames++;
        this.#bytes += data.length + 54;
    }

    /**
     * Writes the last frame and returns the file.
     * @param {number} time_ms time at which the last frame ends
     * @returns {Blob}
     */
    finish(time_ms) {
        this.#ending = true;
        this.#putLast(time_ms);
        const head = [this.#header(), this.#colours()];
        if (this.#frames > 1) head.splice(1, 0, this.#control());
        return new Blob([SIGNATURE, ...head, ...this.#chunks, chunk('IEND', 0, () => {})],
            { type: 'image/png' });
    }

    #header() {
        return chunk('IHDR', 13, (view) => {
            view.setUint32(0, this.#size.width);
            view.setUint32(4, this.#size.height);
            view.setUint8(8, 8); // bits per pixel
            view.setUint8(9, 3); // a palette
        });
    }

    #control() {
        return chunk('acTL', 8, (view) => view.setUint32(0, this.#frames)); // loops forever
    }

    #colours() {
        const palette = this.#palette;
        return chunk('PLTE', 256 * 3, (_, contents) => {
            for (let i = 0; i < 256; i++) {
                contents.set(palette.subarray(i * 4, i * 4 + 3), i * 3);
            }
        });
    }

    /** @param {number} end_ms */
    #putLast(end_ms) {
        const last = this.#last;
        if (!last) return;
        this.#last = null;
        const { box, data, time_ms } = last;
        const first = this.#chunks.length === 0;
        if (first && this.#frames === 1 && this.#ending) { // a plain PNG
            this.#chunks.push(chunk('IDAT', data.length, (_, contents) => contents.set(data)));
            return;
        }
        this.#chunks.push(chunk('fcTL', 26, (view) => {
            view.setUint32(0, this.#sequence++);
            view.setUint32(4, box.width);
            view.setUint32(8, box.height);
            view.setUint32(12, box.x);
            view.setUint32(16, box.y);
            view.setUint16(20, Math.min(LONGEST_DELAY_MS, Math.round(end_ms - time_ms)));
            view.setUint16(22, 1000);
            // The next two bytes are 0, so that the next frame is drawn over this frame.
        }));
        const skip = first ? 0 : 4;
        this.#chunks.push(chunk(first ? 'IDAT' : 'fdAT', data.length + skip, (view, contents) => {
            if (!first) view.setUint32(0, this.#sequence++);
            contents.set(data, skip);
        }));
    }
}
