// The toolbar. Fills in the buttons of the page, and handles run, step, jump and the speed.

/** @import { Session } from './session.js' */
import { announce } from './announce.js';
import { buttonsOf, byId, element, returnFocus, setEnabled, setText } from './dom.js';
import { counted, grouped, withUnit } from './format.js';
import { setIcon } from './icons.js';
import { commandOf, keyNames } from './keys.js';
import { recall, remember } from './storage.js';

/**
 * The speeds in generations per second; null means as fast as possible. If the user has chosen a
 * number of generations per picture, the speeds are in pictures per second.
 * @type {(number | null)[]}
 */
const speeds = [1, 2, 5, 10, 20, 30, 60, 120, 240, 500, 1000, 2000, 5000, 10000, null];
const largestExponent = 30;

/** @param {number} exponent */
function power(exponent) {
    const digits = [...String(exponent)].map((digit) => '⁰¹²³⁴⁵⁶⁷⁸⁹'[Number(digit)]);
    return `2${digits.join('')}`;
}

/**
 * Adds the icon, the name and the key to every button that has a command, and listens to clicks.
 * @param {(id: string) => void} run runs a command
 */
export function makeButtons(run) {
    for (const button of document.querySelectorAll('button[data-command]')) {
        if (!(button instanceof HTMLButtonElement)) continue;
        const command = commandOf.get(button.dataset.command ?? '');
        if (command === undefined) continue;
        const key = command.keys[0];
        const hint = key === undefined ? '' : ` (${keyNames(key).join(' ')})`;
        button.title = command.text + hint;
        if (command.steers) button.dataset.steers = '';
        setIcon(button, command.id);
        if ('named' in button.dataset) {
            button.classList.add('named');
            button.append(element('span', {}, command.text));
        } else {
            button.setAttribute('aria-label', command.text);
            if (command.word !== undefined) {
                button.append(element('span', { class: 'word' }, command.word));
            }
        }
        button.addEventListener('click', () => run(command.id));
    }
    // A mouse click on a button moves the focus back to the picture, so that the Space key steps.
    // The focus moves before the command runs, so that the focus returns to the picture when a
    // dialog of the command closes.
    document.addEventListener('click', (event) => {
        const button = event.target instanceof Element ? event.target.closest('button') : null;
        if (event.detail === 0 || button === null || button.closest('dialog') !== null) return;
        byId('stage', HTMLElement).focus({ preventScroll: true });
    }, { capture: true });
}

/**
 * Sets the word below the icon of a button.
 * @param {HTMLButtonElement} button
 * @param {string} word to show below the icon
 */
function setWord(button, word) {
    const label = button.querySelector('.word');
    if (label !== null) setText(label, word);
}

/** Shows words below the icons if there is room for all of them. */
function showWords() {
    const bar = byId('bar', HTMLElement);
    const fit = () => {
        bar.classList.add('words');
        const overflows = bar.scrollWidth > bar.clientWidth;
        bar.classList.toggle('words', !overflows && getComputedStyle(bar).flexWrap === 'nowrap');
    };
    let width = 0;
    new ResizeObserver(([entry]) => {
        if (entry.contentRect.width === width) return;
        width = entry.contentRect.width;
        fit();
    }).observe(bar);
}

export class Toolbar {
    #exponent = 4;
    /**
     * @type {number | null} chosen position of the slider; null after the server has confirmed the
     *     speed
     */
    #moved = null;
    /**
     * The last request: true to run, false to pause, null after a state has shown the result of the
     * request. If the user presses the Run button before the result is shown, the page requests the
     * opposite of the last request.
     * @type {boolean | null}
     */
    #asked = null;
    #answered = false;
    #presses = 0;

    /** @param {Session} session */
    constructor(session) {
        this.session = session;
        this.select = byId('leap-exponent', HTMLSelectElement);
        this.slider = byId('speed', HTMLInputElement);
        for (let exponent = 1; exponent <= largestExponent; ++exponent) {
            this.select.append(element('option', { value: exponent, title: grouped(2 ** exponent) },
                power(exponent)));
        }
        this.setExponent(Number(recall('exponent') ?? this.#exponent));
        this.select.addEventListener('change', () => this.setExponent(Number(this.select.value)));
        returnFocus(this.select);
        returnFocus(this.slider);
        this.slider.max = String(speeds.length - 1);
        this.slider.addEventListener('input', () => this.#setSpeed(this.slider.valueAsNumber));
        session.addEventListener('state', () => this.#show());
        showWords();
    }

    /** Whether the universe runs, or its history or timeline plays, so that Enter pauses. */
    get #moves() {
        const { state } = this.session;
        return state !== null && (state.running || state.past.playing ||
            (state.timeline?.playing ?? 'no') !== 'no');
    }

    #show() {
        const { state } = this.session;
        if (state === null) return;
        const moves = this.#moves;
        if (this.#answered || moves === this.#asked) this.#asked = null;
        for (const button of buttonsOf('run')) {
            setIcon(button, moves ? 'pause' : 'run');
            button.setAttribute('aria-label', moves ? 'Pause' : 'Run');
            setWord(button, moves ? 'Pause' : 'Run');
            button.title = `${moves ? 'Pause' : 'Run'} (Enter)`;
            button.classList.toggle('running', moves);
        }
        this.#nameLeap();
        setEnabled('undo', state.can_undo);
        setEnabled('redo', state.can_redo);
        this.#showSpeed(state.speed);
    }

    /** Moves the slider to a speed. @param {number | null} speed */
    #showSpeed(speed) {
        const index = speed === null ? speeds.length - 1 :
            speeds.findIndex((each) => each === null || each >= speed);
        if (this.#moved !== null) {
            if (index !== this.#moved) return;
            this.#moved = null;
        }
        this.slider.value = String(index);
        this.#nameSpeed(speed);
    }

    /** Shows a speed as text. @param {number | null} speed */
    #nameSpeed(speed) {
        const short = speed === null ? 'max' : withUnit(speed, '/s');
        setText(byId('speed-text', HTMLOutputElement), short);
        const step = this.session.state?.generations_per_picture ?? null;
        const text = speed === null ? 'As fast as possible' :
            step === null ? `${counted(speed, 'generation')} per second` :
                `${counted(speed, 'picture')} per second, one every ${grouped(step)} generations`;
        this.slider.setAttribute('aria-valuetext', text);
        this.slider.title = text;
    }

    /** @param {number} index */
    async #setSpeed(index) {
        const speed = speeds[index] ?? null;
        this.#nameSpeed(speed);
        this.#moved = index;
        const answer = await this.session.steer({ do: 'speed', generations_per_second: speed });
        if (this.#moved !== index) return;
        // The next `state` messages from the server contain the new speed.
        this.#moved = null;
        if (answer === null) this.#show();
    }

    /** Makes the universe run faster or slower. @param {number} way 1: faster, -1: slower */
    changeSpeed(way) {
        const index = Math.min(speeds.length - 1, Math.max(0, this.slider.valueAsNumber + way));
        this.slider.value = String(index);
        void this.#setSpeed(index);
        announce(this.slider.getAttribute('aria-valuetext') ?? '');
    }

    /** @param {number} exponent */
    setExponent(exponent) {
        this.#exponent = Math.min(largestExponent, Math.max(1, Math.round(exponent) || 4));
        this.select.value = String(this.#exponent);
        remember('exponent', String(this.#exponent));
        this.#nameLeap();
    }

    #nameLeap() {
        for (const button of buttonsOf('leap')) {
            const text = `Jump ${grouped(2 ** this.#exponent)} generations`;
            const label = button.querySelector('span');
            if (label !== null) setText(label, text);
            button.title = `${text} (Tab)`;
        }
    }

    /** @param {number} way */
    changeExponent(way) {
        this.setExponent(this.#exponent + way);
        announce(`A jump is ${grouped(2 ** this.#exponent)} generations.`);
    }

    async run() {
        const running = this.#asked ?? this.#moves;
        const number = ++this.#presses;
        this.#asked = !running;
        this.#answered = false;
        const answer = await this.session.steer({ do: running ? 'pause' : 'run' });
        if (number !== this.#presses) return; // the user has pressed Run again
        this.#answered = true;
        if (answer === null) this.#asked = null;
        else announce(running ? 'Paused.' : 'Running.');
    }

    /** @param {boolean} long */
    step(long) {
        const generations = String(long ? 2 ** this.#exponent : 1);
        void this.session.steer({ do: 'step', generations });
    }
}
