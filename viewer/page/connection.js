// The WebSocket to the server. It reconnects by itself, pairs answers with requests, and hands out
// pictures in the order in which they came, however long each took to inflate.

/** @import { Clip, Frame } from './types.js' */
import {
    KIND_CLIP, KIND_FRAME, KIND_THUMBNAIL, readMessage, readPixels, toFrame, toThumbnail,
    unpackBits,
} from './protocol.js';

const PROTOCOL = 2;
const SUBPROTOCOL = 'lightcone-view';
const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 5000;
const LARGEST_FILE_BYTES = 256 * 2 ** 20;

/** Messages that hold until the next one of their kind, so that a new connection needs them too. */
const LASTING = ['look', 'follow'];

/**
 * @typedef {object} Pending
 * @property {(answer: any) => void} resolve
 * @property {(error: Error) => void} reject
 * @property {number | null} pattern whose thumbnail it waits for
 */

/**
 * The token with which the page was opened, '' if there was none.
 * @returns {string}
 */
export function pageToken() {
    return new URLSearchParams(location.hash.slice(1)).get('token') ?? '';
}

/**
 * The address of a path on the server, with the token if there is one.
 * @param {string} path
 */
export function serverAddress(path) {
    const address = new URL(path, location.href);
    address.hash = '';
    const token = pageToken();
    if (token) address.searchParams.set('token', token);
    return address.href;
}

/**
 * Events: 'open'; 'closed' with {retry_ms}; 'hello', 'universe', 'state' with the message; 'frame'
 * with a Frame; 'clip' with a Clip; 'thumbnail' with a Thumbnail; 'error' with a sentence, for what
 * went wrong outside a request.
 */
export class Connection extends EventTarget {
    /** @type {WebSocket | null} */
    #socket = null;
    /** @type {Map<number, Pending>} */
    #pending = new Map();
    /** @type {Map<string, object>} */
    #lasting = new Map();
    /** @type {any} a clip whose cells are still to come */
    #clip = null;
    #next_id = 1;
    #wait_ms = FIRST_WAIT_MS;
    #timer = 0;
    #stopped = false;
    #refused = false;
    /** @type {Promise<void>} settles when everything so far is inflated */
    #order = Promise.resolve();
    #url;

    /** @param {string} [url] without the token */
    constructor(url = serverAddress('/socket').replace(/^http/, 'ws')) {
        super();
        this.#url = url;
        this.#connect();
    }

    get open() {
        return this.#socket?.readyState === WebSocket.OPEN;
    }

    /**
     * Sends a message that needs no answer. Without a connection it is dropped, unless it holds
     * until the next one of its kind.
     * @param {{do: string, [member: string]: unknown}} message
     */
    send(message) {
        if (LASTING.includes(message.do)) this.#lasting.set(message.do, message);
        if (this.open) this.#socket?.send(JSON.stringify(message));
    }

    /**
     * @param {{do: string, [member: string]: unknown}} message
     * @returns {Promise<any>} the answer; for a thumbnail the Thumbnail; a clip has its `pixels`
     */
    request(message) {
        return this.#ask(message, null);
    }

    /**
     * Sends a message and then a file. `bytes` is added to the message.
     * @param {{do: string, [member: string]: unknown}} message
     * @param {Blob} blob
     * @returns {Promise<any>}
     */
    async sendFile(message, blob) {
        if (blob.size > LARGEST_FILE_BYTES) throw new Error('The file is larger than 256 MiB.');
        const bytes = await blob.arrayBuffer();
        return this.#ask({ ...message, bytes: bytes.byteLength }, bytes);
    }

    /** Reconnects now rather than later. */
    retry() {
        if (this.#socket || this.#stopped) return;
        clearTimeout(this.#timer);
        this.#connect();
    }

    /** Ends the connection for good. */
    close() {
        this.#stopped = true;
        clearTimeout(this.#timer);
        this.#socket?.close();
    }

    /**
     * @param {{do: string, [member: string]: unknown}} message
     * @param {ArrayBuffer | null} bytes
     * @returns {Promise<any>}
     */
    #ask(message, bytes) {
        const socket = this.#socket;
        if (!socket || !this.open) return Promise.reject(new Error('There is no connection.'));
        if (LASTING.includes(message.do)) this.#lasting.set(message.do, message);
        const id = this.#next_id++;
        const pattern = message.do === 'thumbnail' ? Number(message.pattern) : null;
        return new Promise((resolve, reject) => {
            this.#pending.set(id, { resolve, reject, pattern });
            socket.send(JSON.stringify({ ...message, id }));
            if (bytes) socket.send(bytes);
        });
    }

    #connect() {
        const socket = new WebSocket(this.#url, SUBPROTOCOL);
        this.#socket = socket;
        socket.binaryType = 'arraybuffer';
        let opened = false;
        socket.onopen = () => {
            opened = true;
            this.#refused = false;
            this.#wait_ms = FIRST_WAIT_MS;
            for (const message of this.#lasting.values()) socket.send(JSON.stringify(message));
            this.#emit('open', null);
        };
        socket.onmessage = ({ data }) => {
            try {
                if (typeof data === 'string') this.#hearText(JSON.parse(data));
                else this.#hearBinary(data, socket);
            } catch (error) {
                this.#emit('error', sentence(error));
            }
        };
        socket.onclose = () => {
            if (!opened) void this.#askWhy();
            this.#closed();
        };
    }

    /** A browser does not say why a WebSocket was refused: perhaps for the token. Reported once. */
    async #askWhy() {
        const answer = await fetch(serverAddress('/saved/')).catch(() => null);
        if (answer?.status !== 403 || this.#refused) return;
        this.#refused = true;
        this.#emit('error', 'The server wants the token in the address that it printed.');
    }

    #closed() {
        this.#socket = null;
        this.#clip = null;
        const lost = [...this.#pending.values()];
        this.#pending.clear();
        for (const { reject } of lost) reject(new Error('The connection was lost.'));
        const retry_ms = this.#stopped ? Infinity : this.#wait_ms;
        if (!this.#stopped) {
            this.#timer = window.setTimeout(() => this.#connect(), retry_ms);
            this.#wait_ms = Math.min(this.#wait_ms * 2, LONGEST_WAIT_MS);
        }
        this.#emit('closed', { retry_ms });
    }

    /** @param {any} message */
    #hearText(message) {
        if (message.is === 'error') {
            const error = new Error(String(message.text));
            if (!this.#settle(message.re, ({ reject }) => reject(error))) {
                this.#emit('error', error.message);
            }
            return;
        }
        if (message.is === 'clip' && message.bits) {
            this.#clip = message;
            return;
        }
        if (message.is === 'clip') this.#emit('clip', message);
        if (message.is === 'hello' && message.protocol !== PROTOCOL) {
            this.#emit('error', 'The server and this page do not match: reload the page.');
        }
        if (['hello', 'universe', 'state'].includes(message.is)) this.#emit(message.is, message);
        this.#settle(message.re, ({ resolve }) => resolve(message));
    }

    /**
     * @param {ArrayBuffer} data
     * @param {WebSocket} socket
     */
    #hearBinary(data, socket) {
        const message = readMessage(data);
        const clip = message.kind === KIND_CLIP ? this.#clip : null;
        if (clip) this.#clip = null;
        const reading = readPixels(message);
        reading.catch(() => undefined); // its turn to be looked at may come later
        const deliver = async () => {
            try {
                const pixels = await reading;
                if (socket === this.#socket) this.#deliver(message, pixels, clip);
            } catch (error) {
                const broken = new Error(sentence(error));
                if (message.kind === KIND_FRAME) {
                    this.send({ do: 'drawn', frame: message.number }); // or no more would come
                }
                if (!clip || !this.#settle(clip.re, ({ reject }) => reject(broken))) {
                    this.#emit('error', broken.message);
                }
            }
        };
        this.#order = this.#order.then(deliver);
    }

    /**
     * @param {import('./protocol.js').Message} message
     * @param {Uint8Array} pixels
     * @param {any} announced
     */
    #deliver(message, pixels, announced) {
        if (message.kind === KIND_FRAME) {
            this.#emit('frame', toFrame(message, pixels));
        } else if (message.kind === KIND_THUMBNAIL) {
            const thumbnail = toThumbnail(message, pixels);
            for (const [id, pending] of this.#pending) {
                if (pending.pattern !== message.number) continue;
                this.#pending.delete(id);
                pending.resolve(thumbnail);
            }
            this.#emit('thumbnail', thumbnail);
        } else if (announced) {
            const { width, height } = message;
            const clip = { ...announced, pixels: unpackBits(pixels, width, height) };
            this.#emit('clip', clip);
            this.#settle(announced.re, ({ resolve }) => resolve(clip));
        }
    }

    /**
     * @param {unknown} id
     * @param {(pending: Pending) => void} how
     */
    #settle(id, how) {
        const pending = typeof id === 'number' ? this.#pending.get(id) : undefined;
        if (!pending) return false;
        this.#pending.delete(/** @type {number} */ (id));
        how(pending);
        return true;
    }

    /**
     * @param {string} name
     * @param {unknown} detail
     */
    #emit(name, detail) {
        this.dispatchEvent(new CustomEvent(name, { detail }));
    }
}

/** @param {unknown} error */
function sentence(error) {
    return error instanceof Error ? error.message : String(error);
}
