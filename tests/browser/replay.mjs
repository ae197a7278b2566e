// Records what the page of the monkey sends to the server, so that it can be sent again to a fresh
// one with the same result.
//
// A universe that runs is at another generation each time. So commands that change cells are passed
// on one at a time: the universe is paused first, the log has the generation at which it rests,
// then comes the command, and after it the universe runs on. The replay steps to that generation.
// Where all life died the server stops a little later, at a generation that is not always the same:
// both then go back to where they set out.

import assert from 'node:assert/strict';

/** @import { WebSocketRoute } from 'playwright-core' */
/** @import { Oracle } from './oracle.mjs' */

/** @typedef {{do: string, [member: string]: any}} Message */
/** @typedef {(message: Message, file?: Buffer) => Promise<any>} Ask */

/**
 * What has been done, in its order: the page connected; a universe ran on, or went along its past,
 * from a generation to another; a command was given, with a file or without.
 * @typedef {object} Entry
 * @property {'connect' | 'advance' | 'go' | 'rewind' | 'command'} kind
 * @property {string} [from] generation
 * @property {string} [to] generation
 * @property {string | null} [population] there
 * @property {Message} [message]
 * @property {Buffer} [file]
 * @property {string} [is] the kind of the answer
 */

const REST_MS = 20_000;
const STEP_MS = 1_000; // a step that takes longer is paused
const EDIT_MS = 4_000; // an edit that takes longer is given up
const OWN_IDS = 1e9;

/** What is passed on as it comes: it changes no cell, and no clip. */
const free = new Set(['look', 'drawn', 'take', 'lock', 'pictures', 'past', 'player',
    'patterns', 'rules', 'explain', 'thumbnail', 'save', 'box', 'follow', 'shrink', 'cancel']);

/** @param {number} ms */
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Waits until a universe rests: two states say the same.
 * @param {Ask} ask
 * @param {() => any} state what the server said last
 * @param {number} patience_ms until it is paused
 * @returns {Promise<any>} its state, with the population at its generation
 */
async function rest(ask, state, patience_ms) {
    const begin = performance.now();
    let before = '';
    for (let asked = false; ; await pause(10)) {
        await barrier(ask, state);
        const now = state();
        const seen = JSON.stringify([now.generation, now.population]);
        const late = performance.now() - begin;
        assert.ok(late < REST_MS, `the universe does not come to rest: ${JSON.stringify(now)}`);
        if (now.running || now.past.playing || now.past.to !== null || now.busy !== '') {
            if (late >= patience_ms && !asked) await ask({ do: 'pause' });
            asked = late >= patience_ms;
        } else if (seen === before && now.population_at === now.generation) return now;
        before = now.population === null ? '' : seen;
    }
}

let speeds = 0;

/**
 * Waits for a state that was made after all that was asked for: one that has a speed of its own.
 * @param {Ask} ask
 * @param {() => any} state
 */
async function barrier(ask, state) {
    const speed = 20 + (++speeds % 1e6) / 1e6;
    const answer = await ask({ do: 'speed', generations_per_second: speed });
    assert.equal(answer.is, 'done', answer.text);
    const end = performance.now() + REST_MS;
    while (state()?.speed !== speed) {
        assert.ok(performance.now() < end, 'the server does not report its state');
        await pause(2);
    }
}

/** Stands between a page and its server. */
export class Tape {
    /** @type {Entry[]} */
    entries = [];
    /** @type {Promise<void>} settles when all that the page has sent was passed on */
    #queue = Promise.resolve();
    /** @type {WebSocketRoute | null} */
    #server = null;
    /** @type {Map<number, (answer: any) => void>} an Error: there will be no answer */
    #waiting = new Map();
    #ids = OWN_IDS;
    /** @type {any} */
    #state = null;
    /** What moves since the last entry. @type {{kind: Entry['kind'], from: string} | null} */
    #moving = null;
    #runs = false;
    /** The page's own, for when it runs: the tape sets others. @type {number | null} */
    #speed = 30;
    #ends = false;
    /** A message whose file is still to come. @type {Message | null} */
    #opens = null;
    /** What went wrong while passing on. @type {Error | null} */
    fault = null;
    /** The longest time in which a state came. */
    slowest_ms = 0;

    /** @param {WebSocketRoute} page */
    attach(page) {
        const server = page.connectToServer();
        this.#server = server;
        this.#ends = false;
        this.#state = null;
        for (const end of this.#waiting.values()) {
            end(new Error('the page has connected anew by itself while a command was under way'));
        }
        this.#waiting.clear();
        this.#line(async () => {
            this.entries.push({ kind: 'connect' });
            await this.#ask({ do: 'take' });
        });
        page.onMessage((data) => {
            if (server === this.#server && !this.#ends) this.#take(data);
        });
        server.onMessage((data) => {
            if (typeof data === 'string' && this.#hear(JSON.parse(data))) return;
            page.send(data);
        });
    }

    /** @param {any} message @returns {boolean} whether it is an answer to the tape */
    #hear(message) {
        if (message.is === 'state') this.#state = message;
        const found = this.#waiting.get(message.re);
        this.#waiting.delete(message.re);
        found?.(message);
        return message.re >= OWN_IDS;
    }

    /** @param {() => Promise<void>} work */
    #line(work) {
        this.#queue = this.#queue.then(work).catch((error) => {
            this.fault ??= error;
        });
    }

    /** Until all is passed on. */
    async idle() {
        await this.#queue;
        if (this.fault !== null) throw this.fault;
    }

    /** As before the page is loaded again: what it still sends is not passed on. */
    async cut() {
        await this.idle();
        this.#ends = true;
        await this.idle();
    }

    /** Whether the server answers and says its state. */
    async answers() {
        const begin = performance.now();
        this.#line(() => barrier(this.#ask, () => this.#state));
        await this.idle();
        this.slowest_ms = Math.max(this.slowest_ms, performance.now() - begin);
    }

    /** @type {Ask} the answer; a message without a number of the page gets one of the tape's */
    #ask = (message, file) => new Promise((resolve, reject) => {
        const server = this.#server;
        if (server === null) return reject(new Error('the page has no connection'));
        const id = message.id ?? this.#ids++;
        const late = setTimeout(() => reject(new Error(
            `no answer to ${JSON.stringify(message).slice(0, 300)}; the last state: ${
                JSON.stringify(this.#state)}`)), REST_MS);
        // An edit of a universe that has grown may take for ever; given up it has changed nothing.
        let cancelled = false;
        const long = setTimeout(() => {
            cancelled = true;
            server.send(JSON.stringify({ do: 'cancel' }));
        }, EDIT_MS);
        this.#waiting.set(id, (answer) => {
            clearTimeout(late);
            clearTimeout(long);
            if (answer instanceof Error) reject(answer);
            else resolve(cancelled ? { ...answer, cancelled } : answer);
        });
        server.send(JSON.stringify({ ...message, id }));
        if (file) server.send(file);
    });

    /** @param {string | Buffer} data of the page */
    #take(data) {
        if (typeof data !== 'string') {
            const message = this.#opens;
            this.#opens = null;
            if (message !== null) this.#line(() => this.#perform(message, data));
            return;
        }
        const message = JSON.parse(data);
        if (free.has(message.do) || (message.do === 'picture' && !message.rest)) {
            this.#server?.send(data);
        } else if (message.do === 'picture') {
            const server = this.#server;
            this.#line(async () => server?.send(data));
        } else if (message.do === 'open' && message.bytes > 0) this.#opens = message;
        else this.#line(() => this.#perform(message));
    }

    /** Brings the universe to rest, and notes where that is. @param {number} patience_ms */
    async #settle(patience_ms) {
        const get = () => this.#state;
        let now = await rest(this.#ask, get, patience_ms);
        const moving = this.#moving;
        this.#moving = null;
        if (moving === null) return now;
        if (moving.kind === 'advance' && now.generation === moving.from) {
            await this.#ask({ do: 'step', generations: '1' });
            now = await rest(this.#ask, get, REST_MS);
        }
        const { generation: to, population } = now;
        if (moving.kind === 'rewind' && to !== moving.from) {
            // Playing backwards over several edits, the server keeps the last of them for undoing;
            // going there at once, as the replay does, it keeps where it set out.
            for (const generation of [moving.from, to]) {
                await this.#ask({ do: 'go', generation });
                now = await rest(this.#ask, get, REST_MS);
            }
        }
        this.entries.push({ ...moving, to, population });
        if (population !== '0' || to === moving.from) return now;
        await this.#ask({ do: 'go', generation: moving.from });
        return rest(this.#ask, get, REST_MS);
    }

    /**
     * @param {Message} message
     * @param {Buffer} [file]
     */
    async #perform(message, file) {
        if (message.do === 'speed') {
            const answer = await this.#ask(message);
            if (answer.is === 'done') this.#speed = message.generations_per_second;
            return;
        }
        const ran = this.#runs && this.#state?.running;
        const { generation: from } = await this.#settle(0);
        this.#runs = false;
        if (message.do === 'run' || message.do === 'rewind') await this.#setSpeed();
        const answer = await this.#ask(message, file);
        const is_done = answer.is === 'done';
        if (message.do === 'pause') return;
        if (['run', 'step'].includes(message.do)) {
            this.#runs = message.do === 'run' && is_done;
            if (!is_done) return;
            this.#moving = { kind: 'advance', from };
            if (message.do === 'step') await this.#settle(STEP_MS);
            return;
        }
        if (['go', 'back', 'rewind'].includes(message.do)) {
            if (!is_done) return;
            this.#moving = { kind: message.do === 'rewind' ? 'rewind' : 'go', from };
            if (message.do !== 'rewind') await this.#settle(STEP_MS);
            return;
        }
        const { id, ...said } = message;
        if (!answer.cancelled || answer.is !== 'error') {
            this.entries.push({ kind: 'command', message: said, file, is: answer.is });
        }
        const ends = ['new', 'open', 'reset', 'return', 'undo', 'redo', 'rule'];
        if (!ran || ends.includes(message.do)) return;
        const { generation } = await rest(this.#ask, () => this.#state, REST_MS);
        await this.#setSpeed();
        if ((await this.#ask({ do: 'run' })).is !== 'done') return;
        this.#runs = true;
        this.#moving = { kind: 'advance', from: generation };
    }

    async #setSpeed() {
        await this.#ask({ do: 'speed', generations_per_second: this.#speed });
    }

    /** Brings the universe to rest at the end. @returns {Promise<any>} its state */
    async end() {
        let state = null;
        this.#line(async () => {
            state = await this.#settle(0);
        });
        await this.idle();
        return state;
    }
}

/**
 * Does again what a tape has.
 * @param {Entry[]} entries
 * @param {() => Promise<Oracle>} connect
 * @returns {Promise<Oracle>} the client that did it; the universe rests
 */
export async function replay(entries, connect) {
    /** @type {Oracle | null} */
    let client = null;
    /** @type {Ask} */
    const ask = (message, file) => {
        assert.ok(client !== null, 'a tape begins with a connection');
        return client.ask(message, file);
    };
    const now = () => client?.heard;
    for (const [i, { kind, from, to = '0', population, message, file, is }] of entries.entries()) {
        const where = `entry ${i} of ${entries.length}: ${kind} ${JSON.stringify(message ?? to)}`
            .slice(0, 300);
        if (kind === 'connect') {
            client?.close();
            client = await connect();
            await ask({ do: 'take' });
        } else if (kind === 'command' && message !== undefined) {
            const answer = await ask(message, file);
            assert.equal(answer.is, is, `${where}: ${answer.text}`);
            await rest(ask, now, REST_MS);
        } else {
            if (to === from) continue;
            const generations = String(BigInt(to) - BigInt(from ?? to));
            const before = await rest(ask, now, REST_MS);
            assert.equal(before.generation, from, `${where}: where it sets out`);
            const answer = await ask(kind === 'advance' ? { do: 'step', generations } :
                { do: 'go', generation: to });
            assert.equal(answer.is, 'done', `${where}: ${answer.text}`);
            let found = await rest(ask, now, REST_MS);
            for (const generation of kind === 'rewind' ? [from, to] : []) {
                await ask({ do: 'go', generation });
                found = await rest(ask, now, REST_MS);
            }
            assert.equal(found.population, population, `${where}: population`);
            if (population !== '0') assert.equal(found.generation, to, where);
            if (population === '0' && to !== from) {
                await ask({ do: 'go', generation: from });
                await rest(ask, now, REST_MS);
            }
        }
    }
    assert.ok(client !== null);
    return client;
}
