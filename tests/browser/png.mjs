// Reads PNG files, animated ones too: what the page saves and what the browser's screen shows is
// looked at pixel by pixel, and every checksum on the way.

import assert from 'node:assert/strict';
import { inflateSync } from 'node:zlib';

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** Samples of a pixel, by the kind of colour: grey, -, RGB, palette, grey and alpha, -, RGBA. */
const SAMPLES = [1, 0, 3, 1, 2, 0, 4];

/** @typedef {{kind: string, data: Buffer}} Chunk */
/** @typedef {{width: number, height: number, depth: number, colour: number}} Header */

/** @param {Uint8Array} bytes */
export function crc32(bytes) {
    let rest = 0xffffffff;
    for (const byte of bytes) {
        rest ^= byte;
        for (let bit = 0; bit < 8; bit++) rest = rest & 1 ? 0xedb88320 ^ (rest >>> 1) : rest >>> 1;
    }
    return ~rest >>> 0;
}

/**
 * @param {Buffer} file
 * @returns {Chunk[]}
 */
export function readChunks(file) {
    assert.ok(file.subarray(0, 8).equals(SIGNATURE), 'the signature of a PNG file');
    const chunks = [];
    for (let at = 8; at < file.length;) {
        const size = file.readUInt32BE(at);
        const kind = file.toString('latin1', at + 4, at + 8);
        const data = file.subarray(at + 8, at + 8 + size);
        assert.equal(file.readUInt32BE(at + 8 + size), crc32(file.subarray(at + 4, at + 8 + size)),
            `the checksum of ${kind}`);
        chunks.push({ kind, data });
        at += 12 + size;
    }
    assert.equal(chunks[0].kind, 'IHDR');
    assert.equal(chunks.at(-1)?.kind, 'IEND');
    return chunks;
}

/**
 * @param {Chunk[]} chunks
 * @returns {Header}
 */
function readHeader([{ data }]) {
    assert.equal(data[12], 0, 'not interlaced');
    return {
        width: data.readUInt32BE(0), height: data.readUInt32BE(4), depth: data[8], colour: data[9],
    };
}

/**
 * Takes the filters off.
 * @param {Buffer} data a zlib stream
 * @param {Header} header
 * @returns {Buffer[]} rows of bytes
 */
function readRows(data, { width, height, depth, colour }) {
    const raw = inflateSync(data);
    const pixel_bits = SAMPLES[colour] * depth;
    const row_bytes = Math.ceil(width * pixel_bits / 8);
    const back = Math.max(1, pixel_bits >> 3);
    assert.equal(raw.length, (row_bytes + 1) * height, 'as many rows as the header says');
    const rows = [];
    let above = Buffer.alloc(row_bytes);
    for (let y = 0; y < height; y++) {
        const start = y * (row_bytes + 1);
        const row = Buffer.from(raw.subarray(start + 1, start + 1 + row_bytes));
        unfilter(raw[start], row, above, back);
        rows.push(row);
        above = row;
    }
    return rows;
}

/**
 * @param {number} filter
 * @param {Buffer} row
 * @param {Buffer} above
 * @param {number} back bytes to the pixel on the left
 */
function unfilter(filter, row, above, back) {
    assert.ok(filter <= 4, `filter ${filter}`);
    for (let i = 0; i < row.length && filter > 0; i++) {
        const left = i < back ? 0 : row[i - back];
        if (filter === 1) row[i] += left;
        else if (filter === 2) row[i] += above[i];
        else if (filter === 3) row[i] += (left + above[i]) >> 1;
        else {
            const corner = i < back ? 0 : above[i - back];
            const guess = left + above[i] - corner;
            const a = Math.abs(guess - left), b = Math.abs(guess - above[i]);
            const c = Math.abs(guess - corner);
            row[i] += a <= b && a <= c ? left : b <= c ? above[i] : corner;
        }
    }
}

/**
 * A picture, one that does not move.
 * @param {Buffer} file
 * @returns {{width: number, height: number, at(x: number, y: number): number[]}} `at` gives red,
 *          green and blue
 */
export function readPng(file) {
    const chunks = readChunks(file);
    const header = readHeader(chunks);
    const { width, height, depth, colour } = header;
    const of = (/** @type {string} */ kind) =>
        Buffer.concat(chunks.filter((each) => each.kind === kind).map(({ data }) => data));
    const rows = readRows(of('IDAT'), header);
    const palette = of('PLTE');
    const at = (/** @type {number} */ x, /** @type {number} */ y) => {
        assert.ok(x >= 0 && y >= 0 && x < width && y < height, `pixel ${x}, ${y} of the picture`);
        const row = rows[y];
        if (depth === 8 && (colour === 2 || colour === 6)) {
            return [...row.subarray(x * SAMPLES[colour], x * SAMPLES[colour] + 3)];
        }
        assert.ok(depth <= 8 && (colour === 0 || colour === 3), 'a kind of colour that is read');
        const level = row[x * depth >> 3] >> (8 - depth - x * depth % 8) & (2 ** depth - 1);
        if (colour === 3) return [...palette.subarray(3 * level, 3 * level + 3)];
        return Array(3).fill(level * 255 / (2 ** depth - 1));
    };
    return { width, height, at };
}

/**
 * The pixels of a row.
 * @param {Buffer} row
 * @param {number} width
 * @param {number} depth
 */
function unpack(row, width, depth) {
    return Uint8Array.from({ length: width },
        (_, x) => row[x * depth >> 3] >> (8 - depth - x * depth % 8) & (2 ** depth - 1));
}

/**
 * An animated picture, put together frame by frame.
 * @param {Buffer} file with a palette
 * @returns {{width: number, height: number, palette: Buffer,
 *            frames: {levels: Uint8Array, delay_ms: number}[]}}
 */
export function readApng(file) {
    const chunks = readChunks(file);
    const header = readHeader(chunks);
    assert.ok([1, 8].includes(header.depth) && header.colour === 3, 'a palette');
    const control = chunks.find(({ kind }) => kind === 'acTL');
    const palette = chunks.find(({ kind }) => kind === 'PLTE')?.data;
    assert.ok(control && palette && palette.length % 3 === 0);
    const opaque = chunks.find(({ kind }) => kind === 'tRNS')?.data ?? [];
    const is_clear = (/** @type {number} */ level) => opaque[level] === 0;
    const levels = new Uint8Array(header.width * header.height);
    const frames = [];
    let sequence = 0;
    for (let i = 0; i < chunks.length; i++) {
        const { kind, data } = chunks[i];
        if (kind !== 'fcTL') continue;
        assert.equal(data.readUInt32BE(0), sequence++, 'sequence numbers go up by one');
        const [width, height, left, top] = [4, 8, 12, 16].map((at) => data.readUInt32BE(at));
        assert.ok(left + width <= header.width && top + height <= header.height, 'it lies inside');
        const parts = [];
        for (; ['IDAT', 'fdAT'].includes(chunks[i + 1].kind); i++) {
            const next = chunks[i + 1];
            if (next.kind === 'fdAT') assert.equal(next.data.readUInt32BE(0), sequence++);
            assert.equal(next.kind === 'IDAT', frames.length === 0, 'IDAT is the first frame');
            parts.push(next.kind === 'IDAT' ? next.data : next.data.subarray(4));
        }
        const is_over = data[25] === 1;
        readRows(Buffer.concat(parts), { ...header, width, height }).forEach((row, y) => {
            const at = (top + y) * header.width + left;
            unpack(row, width, header.depth).forEach((level, x) => {
                if (!is_clear(level)) levels[at + x] = level;
                else assert.ok(is_over, 'nothing is transparent in the end');
            });
        });
        const delay_ms = data.readUInt16BE(20) * 1000 / (data.readUInt16BE(22) || 100);
        frames.push({ levels: levels.slice(), delay_ms });
    }
    assert.equal(control.data.readUInt32BE(0), frames.length, 'as many frames as it says');
    return { width: header.width, height: header.height, palette, frames };
}
