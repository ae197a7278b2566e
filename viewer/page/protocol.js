// Reads the binary messages of the protocol (docs/viewer-protocol.md). A message has a header and
// pixels, which may be compressed with zlib.

/** @import { Clip, Frame, Thumbnail } from './types.js' */

const HEADER_BYTES = 72;
const MAX_PIXELS = 2 ** 24;
/**
 * Largest scale at which messages give coordinates in cells. At scales above LARGEST_NEAR_SCALE,
 * coordinates are in squares.
 */
export const LARGEST_NEAR_SCALE = 15;

export const KIND_FRAME = 1;
export const KIND_CLIP = 2;
export const KIND_THUMBNAIL = 3;
export const KIND_STILL = 4;

/**
 * @typedef {object} Message
 * @property {number} kind
 * @property {boolean} deflated
 * @property {1 | 8} bits
 * @property {number} scale
 * @property {number} number of the frame or the pattern
 * @property {bigint} x
 * @property {bigint} y
 * @property {number} width
 * @property {number} height
 * @property {bigint} generation
 * @property {number} look
 * @property {boolean} ages
 * @property {Uint8Array<ArrayBuffer>} payload
 */

/**
 * Reads the header of a binary message.
 * @param {ArrayBuffer} buffer
 * @returns {Message}
 * @throws {Error} if the buffer is not a message of this protocol
 */
export function readMessage(buffer) {
    if (buffer.byteLength < HEADER_BYTES) throw new Error('A binary message is too short.');
    const header = new DataView(buffer, 0, HEADER_BYTES);
    const kind = header.getUint8(0);
    const bits = header.getUint8(2);
    const width = header.getUint32(24, true);
    const height = header.getUint32(28, true);
    if (kind < KIND_FRAME || kind > KIND_STILL || header.getUint8(1) > 1) {
        throw new Error('A binary message is of an unknown kind.');
    }
    if (bits !== 1 && bits !== 8) throw new Error('A picture has an unknown number of bits.');
    if (width * height > MAX_PIXELS) throw new Error('A picture is too large.');
    return {
        kind,
        deflated: header.getUint8(1) === 1,
        bits,
        scale: header.getUint8(3),
        number: header.getUint32(4, true),
        x: fromPlace(header.getBigInt64(8, true), header.getUint8(3)),
        y: fromPlace(header.getBigInt64(16, true), header.getUint8(3)),
        width,
        height,
        look: header.getUint32(32, true),
        ages: header.getUint8(36) === 1 && bits === 8,
        generation: readCount(header, 40),
        payload: new Uint8Array(buffer, HEADER_BYTES),
    };
}

/**
 * Converts a coordinate in cells to the unit that messages use at a given scale. The given cell is
 * the first cell of a square.
 * @param {bigint} cell
 * @param {number} scale
 */
export function toPlace(cell, scale) {
    return scale > LARGEST_NEAR_SCALE ? cell >> BigInt(scale) : cell;
}

/**
 * Converts a coordinate in a message to cells. The unit of coordinates in messages depends on the
 * scale.
 * @param {bigint} place
 * @param {number} scale
 */
function fromPlace(place, scale) {
    return scale > LARGEST_NEAR_SCALE ? place << BigInt(scale) : place;
}

/** Joins messages that arrive in pieces. */
export class Joiner {
    /** @type {ArrayBuffer[]} */
    #pieces = [];
    #left_bytes = 0;
    #is_text = false;

    /**
     * Takes a WebSocket message.
     * @param {string | ArrayBuffer} data
     * @returns {any} a complete message (an object or an ArrayBuffer), or null if pieces are
     *     missing
     * @throws {Error} if the data does not fit the announced message
     */
    take(data) {
        if (typeof data === 'string') {
            const message = JSON.parse(data);
            if (message.is !== 'pieces') return message;
            this.#pieces = [];
            this.#left_bytes = message.bytes;
            this.#is_text = message.text;
            return null;
        }
        if (this.#left_bytes === 0) return data;
        this.#pieces.push(data);
        this.#left_bytes -= data.byteLength;
        if (this.#left_bytes > 0) return null;
        if (this.#left_bytes < 0) throw new Error('A message has more bytes than it should have.');
        return this.#join();
    }

    #join() {
        const whole = new Uint8Array(this.#pieces.reduce((sum, { byteLength }) =>
            sum + byteLength, 0));
        let filled = 0;
        for (const piece of this.#pieces) {
            whole.set(new Uint8Array(piece), filled);
            filled += piece.byteLength;
        }
        this.#pieces = [];
        return this.#is_text ? JSON.parse(new TextDecoder().decode(whole)) : whole.buffer;
    }
}

/**
 * Reads an unsigned integer of 256 bits.
 * @param {DataView} view
 * @param {number} offset
 */
function readCount(view, offset) {
    let count = 0n;
    for (let i = 3; i >= 0; --i) count = count << 64n | view.getBigUint64(offset + 8 * i, true);
    return count;
}

/**
 * Returns the number of bytes in a row of pixels.
 * @param {number} width in pixels
 * @param {1 | 8} bits per pixel
 */
export function rowBytes(width, bits) {
    return bits === 1 ? Math.ceil(width / 8) : width;
}

/**
 * Returns the pixels of a message. Compressed pixels are inflated.
 * @param {Message} message
 * @returns {Promise<Uint8Array>}
 */
export async function readPixels(message) {
    const size = rowBytes(message.width, message.bits) * message.height;
    const pixels = message.deflated ? await inflate(message.payload, size) : message.payload;
    if (pixels.length !== size) throw new Error('A picture has the wrong number of bytes.');
    return pixels;
}

/**
 * Inflates a zlib stream that must yield exactly `size` bytes.
 * @param {Uint8Array<ArrayBuffer>} bytes
 * @param {number} size
 */
async function inflate(bytes, size) {
    const result = new Uint8Array(size);
    const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'))
        .getReader();
    let filled = 0;
    for (;;) {
        const { done, value } = await reader.read();
        if (done) break;
        if (filled + value.length > size) {
            await reader.cancel();
            throw new Error('A picture has more bytes than it should have.');
        }
        result.set(value, filled);
        filled += value.length;
    }
    return filled === size ? result : result.subarray(0, filled);
}

/**
 * Makes a Frame from a message.
 * @param {Message} message
 * @param {Uint8Array} pixels
 * @returns {Frame}
 */
export function toFrame(message, pixels) {
    const { number, look, scale, x, y, width, height, generation, bits, ages } = message;
    return { number, look, scale, x, y, width, height, generation, bits, ages, pixels };
}

/**
 * Makes a Thumbnail from a message.
 * @param {Message} message
 * @param {Uint8Array} pixels
 * @returns {Thumbnail}
 */
export function toThumbnail(message, pixels) {
    const { number, scale, width, height, bits } = message;
    return { pattern: number, scale, width, height, bits, pixels };
}

/**
 * Converts an array with a bit per cell to an array with a byte per cell.
 * @param {Uint8Array} bits
 * @param {number} width
 * @param {number} height
 */
export function unpackBits(bits, width, height) {
    const cells = new Uint8Array(width * height);
    const pitch = rowBytes(width, 1);
    for (let y = 0; y < height; y++) {
        const row = y * pitch;
        const out = y * width;
        for (let x = 0; x < width; x++) cells[out + x] = (bits[row + (x >> 3)] >> (x & 7)) & 1;
    }
    return cells;
}
