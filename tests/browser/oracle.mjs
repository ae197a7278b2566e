// An oracle: a client of its own that asks the server what it holds, so that it can be compared
// with what the page shows. It needs no browser.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { request } from 'node:http';
import { eventually } from './eventually.mjs';
import { runsOf } from './cells.mjs';

/** @import { Socket } from 'node:net' */
/** @import { Cells } from './cells.mjs' */
/** @import { Box } from './support.mjs' */

const TEXT = 1;
const BINARY = 2;
const CLOSE = 8;
const PING = 9;
const PONG = 10;

/**
 * A frame of a WebSocket, as a client sends it.
 * @param {number} kind
 * @param {Buffer} data
 */
function frame(kind, data) {
    const long = data.length < 126 ? 0 : data.length < 2 ** 16 ? 2 : 8;
    const head = Buffer.alloc(2 + long);
    head[0] = 128 | kind;
    head[1] = 128 | (long === 0 ? data.length : long === 2 ? 126 : 127);
    if (long === 2) head.writeUInt16BE(data.length, 2);
    if (long === 8) head.writeBigUInt64BE(BigInt(data.length), 2);
    const mask = randomBytes(4);
    return Buffer.concat([head, mask, data.map((byte, i) => byte ^ mask[i % 4])]);
}

/**
 * The first frame of what has come from a server, or null if not all of it is there.
 * @param {Buffer} bytes
 */
function firstFrame(bytes) {
    if (bytes.length < 2) return null;
    const short = bytes[1] & 127;
    const long = short === 126 ? 2 : short === 127 ? 8 : 0;
    if (bytes.length < 2 + long) return null;
    const size = long === 0 ? short : long === 2 ? bytes.readUInt16BE(2) :
        Number(bytes.readBigUInt64BE(2));
    const end = 2 + long + size;
    if (bytes.length < end) return null;
    return { kind: bytes[0] & 15, last: bytes[0] > 127, data: bytes.subarray(2 + long, end), end };
}

/** A second client at the same server. It never steers unless it is told to. */
export class Oracle {
    #number = 0;
    /** @type {Map<number, {resolve(answer: any): void, reject(error: Error): void}>} */
    #waiting = new Map();
    #come = Buffer.alloc(0);
    /** What has come of a message in several frames. @type {Buffer[]} */
    #parts = [];
    /** @type {any} */
    #state = null;
    /** @type {any} */
    #universe = null;

    /**
     * @param {{url: string}} server
     * @param {string} [token]
     */
    static async connect(server, token = '') {
        const asked = request(new URL(`/socket${token && `?token=${token}`}`, server.url), {
            headers: {
                'Connection': 'Upgrade', 'Upgrade': 'websocket', 'Sec-WebSocket-Version': '13',
                'Sec-WebSocket-Key': randomBytes(16).toString('base64'),
                'Sec-WebSocket-Protocol': 'lightcone-view',
            },
        });
        asked.end();
        const [, socket, first] = await Promise.race([once(asked, 'upgrade'),
            once(asked, 'response').then(([{ statusCode }]) => {
                throw new Error(`The server answers the oracle with ${statusCode}.`);
            })]);
        return new Oracle(socket, first);
    }

    /** @param {Socket} socket @param {Buffer} first what has come already */
    constructor(socket, first) {
        this.socket = socket;
        socket.setNoDelay();
        socket.on('data', (/** @type {Buffer} */ bytes) => this.#take(bytes));
        socket.on('error', () => {}); // 'close' comes next
        socket.on('close', () => {
            for (const { reject } of this.#waiting.values()) {
                reject(new Error('The server has closed the connection of the oracle.'));
            }
            this.#waiting.clear();
        });
        this.#take(first);
    }

    close() {
        if (this.socket.writable) this.socket.end(frame(CLOSE, Buffer.alloc(0)));
    }

    /** @param {Buffer} bytes */
    #take(bytes) {
        this.#come = Buffer.concat([this.#come, bytes]);
        for (let next = firstFrame(this.#come); next; next = firstFrame(this.#come)) {
            this.#come = this.#come.subarray(next.end);
            const { kind, data, last } = next;
            if (kind === PING) this.socket.write(frame(PONG, data));
            else if (kind === CLOSE) this.close();
            else if (kind === TEXT || this.#parts.length > 0) {
                this.#parts.push(data);
                if (!last) continue;
                this.#hear(JSON.parse(Buffer.concat(this.#parts).toString()));
                this.#parts = [];
            }
        }
    }

    /** @param {any} message */
    #hear(message) {
        if (message.is === 'state') this.#state = message;
        if (message.is === 'universe') this.#universe = message;
        this.#waiting.get(message.re)?.resolve(message);
        this.#waiting.delete(message.re);
    }

    /**
     * @param {{do: string} & Record<string, unknown>} message
     * @param {Buffer} [file] that follows it
     * @returns {Promise<any>} the answer, an error too
     */
    ask(message, file) {
        return new Promise((resolve, reject) => {
            if (this.socket.destroyed) throw new Error('The oracle has no connection any more.');
            this.#waiting.set(++this.#number, { resolve, reject });
            this.socket.write(frame(TEXT, Buffer.from(
                JSON.stringify({ ...message, id: this.#number }))));
            if (file) this.socket.write(frame(BINARY, file));
        });
    }

    /** What the server said last of its state, as far as it has been heard. @returns {any} */
    get heard() {
        return this.#state;
    }

    /** @returns {Promise<any>} what the server said last of its state */
    async state() {
        await this.#caughtUp();
        return this.#state;
    }

    /** @returns {Promise<any>} */
    async universe() {
        await this.#caughtUp();
        return this.#universe;
    }

    /** What lies in the socket already is heard first. */
    async #caughtUp() {
        await new Promise((resolve) => setImmediate(resolve));
        assert.ok(!this.socket.destroyed, 'the oracle has no connection any more');
    }

    /**
     * Waits until the server's state is so.
     * @param {Record<string, unknown>} wanted
     * @returns {Promise<any>}
     */
    until(wanted) {
        return eventually(async () => {
            const state = await this.state();
            assert.deepEqual(state && Object.fromEntries(
                Object.keys(wanted).map((key) => [key, state[key]])), wanted);
            return state;
        });
    }

    /** @param {Box} box @param {(x: number, y: number, length: number) => void} take each run */
    async #runsIn(box, take) {
        // In strips: the text of a clip that is too large is not sent.
        const strip = Math.ceil(2 ** 19 / box.width);
        for (let top = box.y; top < box.y + box.height; top += strip) {
            const height = Math.min(strip, box.y + box.height - top);
            const clip = await this.ask({ do: 'copy', ...box, y: top, height });
            assert.equal(clip.is, 'clip', clip.text);
            runsOf(clip.rle, box.x, top, take);
        }
    }

    /**
     * The live cells of a box.
     * @param {Box} box
     * @returns {Promise<Cells>}
     */
    async cellsIn(box) {
        /** @type {Cells} */
        const cells = new Set();
        await this.#runsIn(box, (x, y, length) => {
            for (let i = 0; i < length; i++) cells.add(`${x + i},${y}`);
        });
        return cells;
    }

    /**
     * The same of a box of millions: a byte a cell, row by row.
     * @param {Box} box
     */
    async field(box) {
        const field = new Uint8Array(box.width * box.height);
        await this.#runsIn(box, (x, y, length) => {
            const start = (y - box.y) * box.width + x - box.x;
            field.fill(1, start, start + length);
        });
        return field;
    }

    /** @returns {Promise<Cells>} all that live */
    async cells() {
        const { box } = await this.ask({ do: 'box' });
        return box === null ? new Set() : this.cellsIn(box);
    }

    /** Waits until these are the cells that live. @param {Cells} wanted */
    async holds(wanted) {
        await eventually(async () => {
            assert.deepEqual([...await this.cells()].sort(), [...wanted].sort());
        });
    }
}
