// The WebSocket connection to the server. The connection matches answers to requests, and delivers
// pictures in order of arrival even if a later picture is inflated sooner.
//
// If the socket closes, the page connects again after a delay. A connection counts as silent if no
// message has come for silent_ms, because the server may hang or may have ended. After giveUp_ms
// without a message the page connects again. If the server refuses the socket, the page asks the
// server for the reason and tries again later.

/** @import { Clip, Frame } from './types.js' */
import { readPlaces, toJson } from './exact.js';
import {
    Joiner, KIND_CLIP, KIND_FRAME, KIND_STILL, KIND_THUMBNAIL, readMessage, readPixels, toFrame,
    toThumbnail, unpackBits,
} from './protocol.js';
import { recall, remember } from './storage.js';

const PROTOCOL = 2;
const SUBPROTOCOL = 'lightcone-view';
// Prefix of the subprotocol that contains the token. Servers log addresses but not subprotocols.
const TOKEN_PROTOCOL = 'token.';
// Prefix of the subprotocol that contains the key of the page. The key lets a reloaded page keep
// the right to steer.
const KEY_PROTOCOL = 'key.';

/** Timeouts. The server sends a message at least once per second. */
const PATIENCE = {
    first_ms: 250, // delay before the first retry; each retry doubles the delay
    longest_ms: 5000, // longest delay
    connect_ms: 5000,
    silent_ms: 2500, // time without a message after which the page reports silence
    giveUp_ms: 30000, // time without a message after which the page reconnects
    watch_ms: 250,
};
const LARGEST_FILE_BYTES = 256 * 2 ** 20;

export const NOT_DONE = 'Not connected to the server. Nothing was done.';
const LOST = 'The connection was lost before the server answered. The command may not have run.';

/**
 * Kinds of messages that have a lasting effect on the server. After a reconnection, the page sends
 * the last message of each kind in LASTING again.
 */
const LASTING = ['look', 'follow'];

/**
 * @typedef {object} Pending
 * @property {(answer: any) => void} resolve
 * @property {(error: Error) => void} reject
 * @property {number | null} pattern number of the pattern whose thumbnail is requested
 */

/**
 * Returns the token in the page's address, '' if there is none.
 * @returns {string}
 */
export function pageToken() {
    return new URLSearchParams(location.hash.slice(1)).get('token') ?? '';
}

/**
 * Replaces the token in the page's address. The token is in the fragment of the address, which
 * browsers do not send to servers.
 * @param {string} token
 */
export function setPageToken(token) {
    const hash = new URLSearchParams(location.hash.slice(1));
    hash.set('token', token);
    history.replaceState(null, '', `#${hash}`);
}

/** Moves a token from the query of the address to the fragment, because servers log the query. */
function hideToken() {
    const address = new URL(location.href);
    const token = address.searchParams.get('token');
    if (token === null) return;
    address.searchParams.delete('token');
    history.replaceState(null, '', address.href);
    if (pageToken() === '') setPageToken(token);
}
hideToken();

/**
 * Takes over the socket that early.js has opened, and the messages that have arrived on the socket.
 * Returns null if the socket is closed or was opened with another token.
 * @param {string} token of the page
 * @returns {{socket: WebSocket, token: string, heard: MessageEvent[]} | null}
 */
function takeEarly(token) {
    const early = Reflect.get(window, 'lightcone_early');
    Reflect.deleteProperty(window, 'lightcone_early');
    if (!early || early.socket.readyState > WebSocket.OPEN) return null;
    if (early.token === token) return early;
    early.socket.close();
    return null;
}

/**
 * Returns the address of a path on the server.
 * @param {string} path begins with a slash
 */
export function serverAddress(path) {
    // The address is relative to the page, because a proxy may serve the page from a subfolder.
    return new URL(`.${path}`, location.origin + location.pathname).href;
}

/**
 * The connection to the server. The event 'open' has no detail. The detail of 'closed' is
 * {retry_ms, blocked}; `blocked` is true if the server answers HTTP requests but WebSockets fail.
 * The detail of 'refused' is {why, text}. The detail of 'silent' is true if no message has come for
 * a while, and false after the next message. The detail of 'hello', 'universe', 'state', 'saving',
 * 'identifying' and 'stuck' is the message of that name. The detail of 'frame', 'clip' and
 * 'thumbnail' is a Frame, a Clip or a Thumbnail. The event 'error' reports an error that belongs to
 * no request, and its detail is a sentence.
 */
export class Connection extends EventTarget {
    /** @type {WebSocket | null} */
    #socket = null;
    /** @type {Map<number, Pending>} */
    #pending = new Map();
    /**
     * The last message of each kind in LASTING.
     * @type {Map<string, {[member: string]: unknown}>}
     */
    #lasting = new Map();
    /**
     * @type {Map<string, any>} announced clips and pictures whose binary message has not arrived
     *     yet
     */
    #announced = new Map();
    /** Arrival times of pictures that have not been drawn. @type {Map<number, number>} */
    #came = new Map();
    #next_id = 1;
    #wait_ms;
    #timer = 0;
    #stopped = false;
    /** Times of the last message and of the last check for silence. */
    #heard_ms = 0;
    #watched_ms = 0;
    #silent = false;
    #watching;
    /**
     * @type {Promise<void>} settles when all binary messages received so far have been delivered
     */
    #order = Promise.resolve();
    #url;
    #patience;

    /**
     * @param {string} [url] address of the socket, without the token
     * @param {Partial<typeof PATIENCE>} [patience] timeouts that differ from PATIENCE
     */
    constructor(url = serverAddress('/socket').replace(/^http/, 'ws'), patience = {}) {
        super();
        this.#url = url;
        this.#patience = { ...PATIENCE, ...patience };
        this.#wait_ms = this.#patience.first_ms;
        this.#connect();
        this.#watching = window.setInterval(() => this.#watch(), this.#patience.watch_ms);
    }

    /** Time since the last message, or 0 while the connection is not open. */
    get quiet_ms() {
        return this.open ? performance.now() - this.#heard_ms : 0;
    }

    /** Time without a message after which the page reconnects. */
    get giveUp_ms() {
        return this.#patience.giveUp_ms;
    }

    get open() {
        return this.#socket?.readyState === WebSocket.OPEN;
    }

    /**
     * Sends a message that needs no answer. If the connection is not open, most messages are
     * dropped. Messages of the kinds in LASTING are kept, and are sent when the connection opens.
     * @param {{do: string, [member: string]: unknown}} message
     */
    send(message) {
        const lasting = LASTING.includes(message.do);
        const sent = message.do === 'look' ? { ...message, pieces: true } : message;
        if (lasting) this.#lasting.set(message.do, sent);
        if (this.open) this.#socket?.send(toJson(sent));
        else if (!lasting && message.do !== 'drawn') this.#emit('error', NOT_DONE);
    }

    /**
     * Reports to the server that a picture has been drawn, and how long the page took to draw the
     * picture. The server subtracts the drawing time when it estimates the speed of the connection.
     * @param {number} frame number of the picture
     */
    drawn(frame) {
        const came_ms = this.#came.get(frame) ?? performance.now();
        this.#came.delete(frame);
        const held = Math.min(60000, Math.floor(performance.now() - came_ms));
        this.send({ do: 'drawn', frame, held });
    }

    /**
     * Sends a message and waits for the answer.
     * @param {{do: string, [member: string]: unknown}} message
     * @returns {Promise<any>} a Thumbnail, a Frame or a Clip if the message requests one of these;
     *     otherwise the answer as received
     */
    request(message) {
        return this.#ask(message, null);
    }

    /**
     * Sends a message and then a file. Adds `bytes`, the size of the file, to the message.
     * @param {{do: string, [member: string]: unknown}} message
     * @param {Blob} blob
     * @returns {Promise<any>}
     */
    async sendFile(message, blob) {
        if (blob.size > LARGEST_FILE_BYTES) throw new Error('The file is larger than 256 MiB.');
        const bytes = await blob.arrayBuffer();
        return this.#ask({ ...message, bytes: bytes.byteLength }, bytes);
    }

    /** Connects now if the connection is closed or the server is silent. */
    retry() {
        if (this.#stopped || (this.#socket && !this.#silent)) return;
        this.#connectNow();
    }

    /** Connects now with another token. @param {string} token */
    retryWith(token) {
        setPageToken(token);
        this.#connectNow();
    }

    #connectNow() {
        if (this.#socket) this.#abandon();
        clearTimeout(this.#timer);
        this.#connect();
    }

    /** Closes the connection and does not reconnect. */
    close() {
        this.#stopped = true;
        clearTimeout(this.#timer);
        clearInterval(this.#watching);
        this.#socket?.close();
    }

    /**
     * Sends a request, and then the bytes of a file if there is one.
     * @param {{do: string, [member: string]: unknown}} message
     * @param {ArrayBuffer | null} bytes
     * @returns {Promise<any>} the answer
     */
    #ask(message, bytes) {
        const socket = this.#socket;
        if (!socket || !this.open) return Promise.reject(new Error(NOT_DONE));
        if (LASTING.includes(message.do)) this.#lasting.set(message.do, message);
        const id = this.#next_id++;
        const pattern = message.do === 'thumbnail' ? Number(message.pattern) : null;
        return new Promise((resolve, reject) => {
            this.#pending.set(id, { resolve, reject, pattern });
            socket.send(toJson({ ...message, id }));
            if (bytes?.byteLength) socket.send(bytes);
        });
    }

    #connect() {
        const token = pageToken();
        const early = takeEarly(token);
        const key = recall('key', 'tab') ?? '';
        const socket = early?.socket ?? new WebSocket(this.#url, [
            SUBPROTOCOL, ...(token === '' ? [] : [TOKEN_PROTOCOL + token]),
            ...(key === '' ? [] : [KEY_PROTOCOL + key]),
        ]);
        this.#socket = socket;
        socket.binaryType = 'arraybuffer';
        this.#startHearing();
        socket.onopen = () => {
            this.#wait_ms = this.#patience.first_ms;
            for (const message of this.#lasting.values()) socket.send(toJson(message));
            this.#startHearing();
            this.#emit('open', null);
        };
        const joiner = new Joiner();
        socket.onmessage = ({ data }) => {
            this.#hear();
            try {
                const message = joiner.take(data);
                if (message instanceof ArrayBuffer) this.#hearBinary(message, socket);
                else if (message !== null) this.#hearText(message);
            } catch (error) {
                this.#emit('error', sentence(error));
            }
        };
        let opened = false;
        socket.addEventListener('open', () => {
            opened = true;
        });
        socket.onclose = () => {
            this.#lose();
            const retry_ms = this.#retryLater();
            if (opened) this.#emit('closed', { retry_ms, blocked: false });
            else void this.#askWhy(retry_ms);
        };
        if (!early) return;
        // Dispatch the early events in a microtask: other modules start to listen only after this
        // function has returned.
        queueMicrotask(() => {
            if (socket.readyState === WebSocket.OPEN) socket.dispatchEvent(new Event('open'));
            for (const { data } of early.heard) {
                socket.dispatchEvent(new MessageEvent('message', { data }));
            }
        });
    }

    /**
     * Asks the server over HTTP why the WebSocket was refused, because browsers do not tell the
     * page.
     * @param {number} retry_ms
     */
    async #askWhy(retry_ms) {
        const token = pageToken();
        const answer = await fetch(serverAddress('/socket'), {
            headers: token === '' ? {} : { authorization: `Bearer ${token}` },
            signal: AbortSignal.timeout(this.#patience.connect_ms),
        }).then((response) => response.json()).catch(() => null);
        if (this.open) return; // connected in the meantime
        if (answer?.is === 'refused') this.#emit('refused', { why: answer.why, text: answer.text });
        else this.#emit('closed', { retry_ms, blocked: answer?.is === 'welcome' });
    }

    // ---- the watchdog ---------------------------------------------------------------------------

    #startHearing() {
        this.#heard_ms = this.#watched_ms = performance.now();
    }

    #hear() {
        this.#heard_ms = performance.now();
        if (this.#silent) this.#setSilent(false);
    }

    /** @param {boolean} silent */
    #setSilent(silent) {
        this.#silent = silent;
        this.#emit('silent', silent);
    }

    /**
     * Detects a hanging server by its silence. The socket of a hanging server stays open for
     * minutes.
     */
    #watch() {
        const now_ms = performance.now();
        const late_ms = now_ms - this.#watched_ms - 2 * this.#patience.watch_ms;
        if (document.hidden) this.#startHearing();
        else if (late_ms > 0) this.#heard_ms += late_ms; // the page was suspended
        this.#watched_ms = now_ms;
        const quiet_ms = now_ms - this.#heard_ms;
        if (this.open && !this.#silent && quiet_ms >= this.#patience.silent_ms) {
            this.#setSilent(true);
        }
        const { connect_ms, giveUp_ms } = this.#patience;
        if (this.#socket && quiet_ms >= (this.open ? giveUp_ms : connect_ms)) {
            this.#abandon();
            this.#emit('closed', { retry_ms: this.#retryLater(), blocked: false });
        }
    }

    /** Drops the socket without waiting for its close event, which a hanging server delays. */
    #abandon() {
        const socket = this.#socket;
        if (socket) socket.onopen = socket.onmessage = socket.onclose = null;
        socket?.close();
        this.#lose();
    }

    #lose() {
        this.#socket = null;
        this.#announced.clear();
        this.#came.clear();
        this.#silent = false;
        const lost = [...this.#pending.values()];
        this.#pending.clear();
        for (const { reject } of lost) reject(new Error(LOST));
    }

    /**
     * Starts the timer for the next attempt to connect.
     * @returns {number} delay until the next attempt, in ms
     */
    #retryLater() {
        if (this.#stopped) return Infinity;
        const wait_ms = this.#wait_ms;
        this.#timer = window.setTimeout(() => this.#connect(), wait_ms);
        this.#wait_ms = Math.min(wait_ms * 2, this.#patience.longest_ms);
        return wait_ms;
    }

    /** @param {any} message */
    #hearText(message) {
        readPlaces(message);
        if (message.is === 'error') {
            const error = new Error(String(message.text));
            if (!this.#settle(message.re, ({ reject }) => reject(error))) {
                this.#emit('error', error.message);
            }
            return;
        }
        if ((message.is === 'clip' && message.bits) || message.is === 'picture') {
            this.#announced.set(message.is, message);
            return;
        }
        if (message.is === 'clip') this.#emit('clip', message);
        if (message.is === 'hello') this.#hearHello(message);
        if (['hello', 'universe', 'state', 'saving', 'identifying', 'stuck'].includes(message.is)) {
            this.#emit(message.is, message);
        }
        this.#settle(message.re, ({ resolve }) => resolve(message));
    }

    /** @param {import('./types.js').Hello & {protocol: number}} hello */
    #hearHello({ protocol, key }) {
        remember('key', key ?? '', 'tab');
        if (protocol !== PROTOCOL) {
            this.#emit('error', 'The page and the server differ in version. Reload the page.');
        }
    }

    /**
     * Handles a binary message of the server.
     * @param {ArrayBuffer} data
     * @param {WebSocket} socket that has received the message
     */
    #hearBinary(data, socket) {
        const message = readMessage(data);
        if (message.kind === KIND_FRAME) this.#came.set(message.number, performance.now());
        const name = message.kind === KIND_CLIP ? 'clip' :
            message.kind === KIND_STILL ? 'picture' : '';
        const announced = this.#announced.get(name);
        this.#announced.delete(name);
        const reading = readPixels(message);
        // Prevents a warning of the browser; `deliver` handles the error.
        reading.catch(() => undefined);
        const deliver = async () => {
            try {
                const pixels = await reading;
                if (socket === this.#socket) this.#deliver(message, pixels, announced);
            } catch (error) {
                const broken = new Error(sentence(error));
                if (message.kind === KIND_FRAME) {
                    // Report the picture as drawn, because the server would otherwise send no more
                    // pictures.
                    this.drawn(message.number);
                }
                if (!announced || !this.#settle(announced.re, ({ reject }) => reject(broken))) {
                    this.#emit('error', broken.message);
                }
            }
        };
        this.#order = this.#order.then(deliver);
    }

    /**
     * Passes on the pixels of a binary message, as an event or as the answer to a request.
     * @param {import('./protocol.js').Message} message
     * @param {Uint8Array} pixels
     * @param {any} announced text message that announced these pixels, if any
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
        } else if (announced && message.kind === KIND_STILL) {
            this.#settle(announced.re, ({ resolve }) => resolve(toFrame(message, pixels)));
        } else if (announced) {
            const { width, height } = message;
            const clip = { ...announced, pixels: unpackBits(pixels, width, height) };
            this.#emit('clip', clip);
            this.#settle(announced.re, ({ resolve }) => resolve(clip));
        }
    }

    /**
     * Settles a pending request. Returns false if no request with this id is pending.
     * @param {unknown} id
     * @param {(pending: Pending) => void} how resolves or rejects the request
     */
    #settle(id, how) {
        const pending = typeof id === 'number' ? this.#pending.get(id) : undefined;
        if (!pending) return false;
        this.#pending.delete(/** @type {number} */ (id));
        how(pending);
        return true;
    }

    /**
     * Dispatches an event.
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
