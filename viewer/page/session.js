// The session keeps the last messages of the server, and sends requests for all controls of the
// page. The events 'state', 'universe' and 'clip' report new messages. The event 'link' reports
// that the connection was opened, closed or refused. The event 'waiting' reports that the reason
// for waiting may have changed.

/** @import { Connection } from './connection.js' */
/** @import { Box, Clip, Hello, State, UniverseInfo } from './types.js' */
import { NOT_DONE } from './connection.js';
import { toPlace } from './protocol.js';

export class Session extends EventTarget {
    /** @type {State | null} */
    state = null;
    /** @type {UniverseInfo | null} */
    universe = null;
    /** @type {Hello | null} */
    hello = null;
    /** @type {Clip | null} */
    clip = null;
    /** The state of the connection. @type {'open' | 'closed' | 'refused'} */
    link = 'closed';
    /** Whether the connected server has sent nothing for a while. */
    silent = false;
    /**
     * Seconds since the universe last responded to the server, or 0 while the universe responds.
     */
    stuck_seconds = 0;
    /** @type {{why: string, text: string} | null} why the server refused the connection */
    refusal = null;
    /** @type {{again_ms: number, blocked: boolean} | null} next attempt to connect */
    closing = null;
    /** @type {Promise<any>} */
    #stills = Promise.resolve();
    /**
     * Whether the connection was lost. The `universe` message after a reconnection may describe the
     * universe that is already shown.
     */
    #again = false;

    /** @type {(text: string) => void} shows an error */
    complain = () => {};
    /** Shows a message with a button.
     * @type {(text: string, action: {label: string, run: () => void}) => void} */
    offer = () => {};

    /** @param {Connection} connection */
    constructor(connection) {
        super();
        this.connection = connection;
        /**
         * Listens to an event of the connection.
         * @param {string} name
         * @param {(detail: any) => void} take
         */
        const listen = (name, take) => connection.addEventListener(name, (event) => {
            take(event instanceof CustomEvent ? event.detail : undefined);
        });
        listen('state', (state) => {
            this.state = state;
            this.#fire('state');
        });
        listen('universe', (universe) => {
            const same = this.#again && universe.name === this.universe?.name &&
                universe.rule_text === this.universe?.rule_text;
            this.#again = false;
            this.universe = universe;
            if (same) return;
            this.#fire('universe');
        });
        listen('hello', (hello) => {
            this.hello = hello;
            this.#setLink('open');
        });
        listen('closed', ({ retry_ms, blocked }) => {
            this.#again = true;
            this.closing = { again_ms: performance.now() + retry_ms, blocked };
            this.#setLink('closed');
        });
        listen('refused', (refusal) => {
            this.refusal = refusal;
            this.#setLink('refused');
        });
        listen('silent', (silent) => {
            this.silent = silent;
            this.#fire('waiting');
        });
        listen('stuck', ({ seconds }) => {
            this.stuck_seconds = seconds;
            this.#fire('waiting');
        });
        listen('clip', (clip) => {
            this.clip = clip;
            this.#fire('clip');
        });
    }

    /** @param {string} name */
    #fire(name) {
        this.dispatchEvent(new Event(name));
    }

    /** Sets the state of the connection. @param {'open' | 'closed' | 'refused'} link */
    #setLink(link) {
        const changed = this.link !== link;
        this.link = link;
        this.silent = false;
        this.stuck_seconds = 0;
        if (changed) this.#fire('link');
        this.#fire('waiting');
    }

    /** The name of the universe without folders, '' if it has no name. @returns {string} */
    get name() {
        return this.universe?.name.split(/[/\\]/).at(-1) ?? '';
    }

    get steers() {
        return this.state?.editor ?? false;
    }

    /** Whether any viewer has edited cells since the universe was opened or saved. */
    get unsaved() {
        return this.state?.unsaved ?? false;
    }

    /**
     * Returns whether this client may steer. If this client may not steer, tells the user why.
     * @returns {boolean}
     */
    maySteer() {
        if (this.link !== 'open') {
            this.complain(NOT_DONE);
            return false;
        }
        if (this.steers) return true;
        this.complain(!this.state?.may_steer ?
            'With this token you can watch, copy and save, but not steer.' : this.mayTake ?
                'Another viewer is steering. Press “Take over” to steer.' :
                'Another viewer is steering and has locked it.');
        return false;
    }

    /**
     * Returns whether this client could take over the steering from another client.
     * @returns {boolean}
     */
    get mayTake() {
        const { state } = this;
        return this.link === 'open' && state !== null && !state.editor && state.may_steer &&
            !state.locked;
    }

    /**
     * Sends a request and shows an error if it fails.
     * @param {{do: string} & Record<string, unknown>} message
     * @returns {Promise<any>} the answer, or null if the request failed
     */
    async ask(message) {
        try {
            return await this.connection.request(message);
        } catch (error) {
            this.complain(error instanceof Error ? error.message : String(error));
            return null;
        }
    }

    /**
     * Sends a request that only the steering client may send.
     * @param {{do: string} & Record<string, unknown>} message
     * @returns {Promise<any>}
     */
    async steer(message) {
        return this.maySteer() ? this.ask(message) : null;
    }

    /**
     * Requests a single picture. Each request waits for the previous request, because the server
     * accepts one request for a picture at a time.
     * @param {import('./types.js').Look & {rest?: boolean, ages?: boolean}} look
     * `rest`: whether to wait until the universe is paused; `ages`: whether to include the ages of
     * cells
     * @returns {Promise<import('./types.js').Frame>}
     */
    still(look) {
        const place = { x: toPlace(look.x, look.scale), y: toPlace(look.y, look.scale) };
        const ask = () => this.connection.request({ do: 'picture', ...look, ...place });
        const asked = this.#stills.then(ask, ask);
        this.#stills = asked;
        return asked;
    }

    /** Gets the bounding box of all live cells from the server. @returns {Promise<Box | null>} */
    async box() {
        const answer = await this.ask({ do: 'box' });
        return answer?.box ?? null;
    }

    /**
     * The box of the whole universe, or null if the universe is unbounded in a direction.
     * @returns {Box | null}
     */
    get whole() {
        const universe = this.universe;
        if (!universe?.width || !universe.height) return null;
        return { x: 0n, y: 0n, width: universe.width, height: universe.height };
    }
}
