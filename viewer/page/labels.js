// Names of objects beside the objects in view. The server finds the objects of the view while the
// universe is paused. The names disappear when the cells change.

/** @import { Camera } from './camera.js' */
/** @import { IdentifiedObject } from './identify.js' */
/** @import { Marks } from './marks.js' */
/** @import { Session } from './session.js' */
import { announce } from './announce.js';
import { byId, setPressed, setText } from './dom.js';
import { counted } from './format.js';
import { objectText } from './identify.js';
import { asSentence } from './sentences.js';

const WAIT_MS = 300; // after the last change of the view or of the cells
const LONGEST_TEXT = 32;

/** @param {IdentifiedObject} object */
function labelText(object) {
    const text = object.name ?? object.apgcode ?? objectText(object);
    return text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT - 1)}…` : text;
}

export class Labels {
    #is_on = false;
    #timer = 0;
    /** Whether the server has not answered the last request yet. */
    #asking = false;
    /** The view and the cells of the last request. */
    #asked = '';
    /** Revision of the cells whose labels are shown, or -1. */
    #shown_revision = -1;
    #text = byId('labels-text', HTMLElement);

    /**
     * @param {object} parts
     * @param {Session} parts.session
     * @param {Camera} parts.camera
     * @param {Marks} parts.marks
     */
    constructor({ session, camera, marks }) {
        this.session = session;
        this.camera = camera;
        this.marks = marks;
        session.addEventListener('state', () => this.#check());
        session.addEventListener('universe', () => this.#clear());
        camera.addEventListener('changed', () => this.#later());
    }

    toggle() {
        this.#is_on = !this.#is_on;
        setPressed('labels', this.#is_on);
        this.#asked = '';
        this.#clear();
        setText(this.#text, '');
        if (!this.#is_on) announce('Labels are off.');
        else if (!this.#rests) this.#say('Labels appear when the universe is paused.');
        else void this.#ask();
    }

    /** Whether the cells stay as they are. */
    get #rests() {
        const { state } = this.session;
        return state !== null && !state.running && !state.past.playing && state.past.to === null &&
            (state.timeline === null || state.timeline.playing === 'no');
    }

    #clear() {
        if (this.#shown_revision !== -1) this.marks.set({ labels: null });
        this.#shown_revision = -1;
    }

    /** @param {string} text */
    #say(text) {
        if (this.#text.textContent !== text) announce(text);
        setText(this.#text, text);
    }

    #check() {
        if (!this.#is_on) return;
        const revision = this.session.state?.revision;
        if (revision !== this.#shown_revision) this.#clear();
        if (!this.#rests) setText(this.#text, 'Labels appear when the universe is paused.');
        else if (`${revision}` !== this.#asked.split(' ')[0]) this.#later();
    }

    #later() {
        if (!this.#is_on) return;
        clearTimeout(this.#timer);
        this.#timer = window.setTimeout(() => void this.#ask(), WAIT_MS);
    }

    /** Asks for the objects in view, unless the last request was for the same. */
    async #ask() {
        const { x, y, width, height } = this.camera.visible;
        const wanted = `${this.session.state?.revision} ${x} ${y} ${width} ${height}`;
        if (!this.#is_on || !this.#rests || this.#asked === wanted) return;
        if (this.#asking) {
            this.#later();
            return;
        }
        this.#asking = true;
        this.#asked = wanted;
        try {
            this.#show(await this.session.connection.request(
                { do: 'objects', x, y, width, height }));
        } catch (error) {
            this.#clear();
            if (this.#is_on) {
                this.#say(asSentence(error instanceof Error ? error.message : String(error)));
            }
        }
        this.#asking = false;
    }

    /**
     * @param {{revision: number, objects: (IdentifiedObject &
     *     {x: number | string, y: number | string, width: number, height: number})[]}} answer
     */
    #show({ revision, objects }) {
        if (!this.#is_on || !this.#rests || revision !== this.session.state?.revision) return;
        this.#shown_revision = revision;
        this.marks.set({
            labels: objects.map((object) => ({
                text: labelText(object),
                box: {
                    x: BigInt(object.x), y: BigInt(object.y), width: BigInt(object.width),
                    height: BigInt(object.height),
                },
            })),
        });
        this.#say(objects.length === 0 ? 'No objects are in view.' :
            `${counted(objects.length, 'object')} in view.`);
    }
}
