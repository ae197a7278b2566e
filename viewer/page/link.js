// Links that contain a pattern, its rule, the view, the speed and the colours. The data are in the
// fragment of the link, because browsers do not send fragments to a server. The pattern is RLE,
// compressed with raw deflate and encoded as URL-safe base64. An example of a fragment:
//
//     #pattern=...&name=acorn&view=12.5,-3,8&speed=30&run=1&theme=light&colours=moss

/** @import { Camera } from './camera.js' */
/** @import { Colours } from './colours.js' */
/** @import { Looker } from './look.js' */
/** @import { Session } from './session.js' */
import { announce } from './announce.js';
import { writeClipboard } from './clipboard.js';
import { serverAddress } from './connection.js';
import { confirmLoss, toast } from './dialogs.js';
import { decimalText, readDecimal } from './exact.js';
import { counted, withUnit } from './format.js';

// Longest link, in characters, that browsers and most chat programs accept.
const LARGEST_LINK = 64000;
const MOST_CELLS = 1e6;
const LARGEST_PATTERN_BYTES = 2 ** 24; // limit for the memory that a malicious link can use
const MEMBERS = ['pattern', 'name', 'view', 'speed', 'run', 'theme', 'colours'];

/**
 * Compresses or decompresses bytes.
 * @param {BlobPart} bytes
 * @param {CompressionStream | DecompressionStream} stream
 * @param {number} most largest size of the result in bytes; throws an Error if the result is larger
 * @returns {Promise<Uint8Array>}
 */
async function through(bytes, stream, most) {
    const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader();
    const parts = [];
    for (let size = 0; ;) {
        const { done, value } = await reader.read();
        if (done) return new Uint8Array(await new Blob(parts).arrayBuffer());
        size += value.length;
        if (size > most) {
            await reader.cancel();
            throw new Error('The pattern in this link is too large.');
        }
        parts.push(value);
    }
}

/**
 * Compresses a text to URL-safe base64.
 * @param {string} text
 * @returns {Promise<string>}
 */
export async function pack(text) {
    const bytes = await through(text, new CompressionStream('deflate-raw'), Infinity);
    let letters = '';
    for (const byte of bytes) letters += String.fromCharCode(byte);
    return btoa(letters).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/**
 * Decompresses a text that was compressed by `pack`.
 * @param {string} packed
 * @returns {Promise<string>}
 * @throws {Error} if the text is damaged or too large
 */
export async function unpack(packed) {
    const letters = atob(packed.replaceAll('-', '+').replaceAll('_', '/'));
    const bytes = Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
    const stream = new DecompressionStream('deflate-raw');
    return new TextDecoder().decode(await through(bytes, stream, LARGEST_PATTERN_BYTES));
}

export class Links {
    /** @type {URLSearchParams | null} a link that has not been opened yet */
    #waiting = null;
    #busy = false;
    /**
     * Whether the user has been told that the link cannot be opened while another viewer steers.
     */
    #told = false;

    /**
     * @param {object} parts
     * @param {Session} parts.session
     * @param {Camera} parts.camera
     * @param {Looker} parts.looker
     * @param {Colours} parts.colours
     * @param {boolean} parts.asks whether to ask before closing a universe
     */
    constructor({ session, camera, looker, colours, asks }) {
        this.session = session;
        this.camera = camera;
        this.looker = looker;
        this.colours = colours;
        this.asks = asks;
        this.#read();
        window.addEventListener('hashchange', () => {
            this.#read();
            void this.#open();
        });
        session.addEventListener('state', () => void this.#open());
    }

    /**
     * Reads the link in the page's address. Removes the link from the address, so that a reload
     * does not open the link again.
     */
    #read() {
        const hash = new URLSearchParams(location.hash.slice(1));
        if (!MEMBERS.some((name) => hash.has(name))) return;
        this.#waiting = new URLSearchParams(hash);
        for (const name of MEMBERS) hash.delete(name);
        const rest = hash.toString();
        history.replaceState(null, '', location.pathname + location.search +
            (rest && `#${rest}`));
    }

    async #open() {
        const { state, universe } = this.session;
        if (this.#waiting === null || this.#busy || state === null || universe === null ||
            state.population === null) return;
        if (this.#waiting.has('pattern') && !this.session.steers) {
            if (!this.#told) this.session.maySteer();
            this.#told = true;
            return;
        }
        const link = this.#waiting;
        this.#waiting = null;
        this.#told = false;
        this.#busy = true;
        try {
            await this.#use(link);
        } catch (error) {
            console.info(`The link cannot be opened. ${error}`);
            this.session.complain('The pattern in this link is damaged or incomplete. The ' +
                'universe is unchanged.');
        }
        this.#busy = false;
        void this.#open(); // the user may have entered another link in the meantime
    }

    /** @param {URLSearchParams} link */
    async #use(link) {
        this.colours.visit(link.get('theme'), link.get('colours'));
        const packed = link.get('pattern');
        if (packed !== null) {
            const text = await unpack(packed);
            if (!await this.#mayOpen()) return;
            const name = `${(link.get('name') ?? 'a link').replace(/[\\/]/g, '-').slice(0, 100)}`;
            if (!await this.#openText(name, text)) return;
            announce(`${name} is open.`);
        }
        this.#look(link.get('view'));
        if (!this.session.steers) return;
        await this.#setSpeed(link.get('speed'));
        if (link.get('run') === '1') await this.session.ask({ do: 'run' });
    }

    /**
     * Opens a pattern and waits until the view shows it.
     * @param {string} name
     * @param {string} text of a pattern
     * @returns {Promise<boolean>} false if opening failed; the user has been told
     */
    async #openText(name, text) {
        const arrived = new Promise((resolve) =>
            this.session.addEventListener('universe', resolve, { once: true }));
        try {
            await this.session.connection.sendFile({ do: 'open', name }, new Blob([text]));
        } catch (error) {
            this.session.complain(error instanceof Error ? error.message : String(error));
            return false;
        }
        await arrived;
        await this.looker.shown;
        return true;
    }

    /**
     * Returns whether a link may replace the current universe. The command Undo brings the old
     * universe back.
     */
    async #mayOpen() {
        if (this.session.state?.population === '0' && !this.session.unsaved) return true;
        if (!this.asks) return !this.session.unsaved;
        return confirmLoss('Open the pattern in this link?', this.session.unsaved ?
            'It replaces the current universe, which has unsaved changes. Undo brings that back.' :
            'It replaces the current universe. Undo brings that back.', 'Open it');
    }

    /** Sets the view. @param {string | null} text x and y of the centre, and CSS pixels per cell */
    #look(text) {
        const [across, down, pixels] = (text ?? '').split(',');
        const [x, y] = [readDecimal(across), readDecimal(down ?? '')];
        const zoom = Number(pixels);
        if (x === null || y === null || !Number.isFinite(zoom) || zoom <= 0) return;
        this.camera.setView({ x: x.whole, y: y.whole, fx: x.part, fy: y.part, zoom });
    }

    /** Sets the speed from a link: generations per second, or `max`. @param {string | null} text */
    async #setSpeed(text) {
        const speed = Number(text);
        if (text === null || (text !== 'max' && !(speed >= 0.01 && speed <= 1e12))) return;
        await this.session.ask({
            do: 'speed', generations_per_second: text === 'max' ? null : speed,
        });
    }

    /**
     * @returns {Promise<string | null>} the link, or null if no link could be made; the user has
     *     then been told
     */
    async #make() {
        const { session, camera } = this;
        const { state, universe } = session;
        if (state === null || universe === null) return null;
        if (Number(state.population ?? 0) > MOST_CELLS) {
            session.complain(`A link cannot hold ${withUnit(Number(state.population), '')} ` +
                'live cells. Save them as a file.');
            return null;
        }
        const saved = await session.ask({ do: 'save', format: 'rle', aside: true });
        if (saved === null) return null;
        const text = await (await fetch(serverAddress(saved.path))).text();
        const link = new URLSearchParams({ pattern: await pack(text), name: session.name });
        if (!this.looker.fits) {
            const { x, y, fx, fy, zoom } = camera.view;
            const pixels = Number(zoom.toPrecision(12));
            link.set('view', `${decimalText(x, fx)},${decimalText(y, fy)},${pixels}`);
        }
        link.set('speed', state.speed === null ? 'max' : String(state.speed));
        if (state.running) link.set('run', '1');
        link.set('theme', this.colours.theme);
        link.set('colours', this.colours.cells.id);
        const address = `${location.origin}${location.pathname}#${link}`;
        if (address.length <= LARGEST_LINK) return address;
        session.complain(`The link would have ${counted(address.length, 'character')}, more ` +
            'than most programs accept. Save the pattern as a file.');
        return null;
    }

    async copy() {
        const address = await this.#make();
        if (address === null) return;
        if (await writeClipboard(address)) toast('Link copied to the clipboard.');
        else this.session.complain('The browser does not allow access to the clipboard.');
    }
}
