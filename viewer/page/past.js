// The controls of the history: a chart of the population over all generations, buttons that go to a
// generation, and a menu for the number of generations per picture.
//
// The chart is also a slider that can be moved with the pointer and the keyboard. The server goes
// to the chosen generation as fast as it can. The page shows the old generation until the server
// has reached the chosen generation.

/** @import { Session } from './session.js' */
/** @import { PastState } from './types.js' */
/** @import { Chart } from './chart.js' */
import { announce } from './announce.js';
import { drawChart, frameOf, generationAt } from './chart.js';
import { buttonsOf, byId, download, element, returnFocus, setEnabled, setText } from './dom.js';
import { counted, grouped, shortened, withUnit } from './format.js';
import { setIcon } from './icons.js';
import { Series } from './series.js';
import { recall, remember } from './storage.js';

const largestPicture = 30; // 2^30 generations
const askAgain_ms = 500;
const describeEvery_ms = 1000;
const slow_ms = 300; // time after which the page shows progress
const picturePixels = { width: 1600, height: 800, ratio: 2 };
const roomy = matchMedia('(min-width: 40.01rem) and (min-height: 36rem)');

export class Past {
    #series = new Series();
    /** @type {number | null} number of the history (`line`) in the last state */
    #line = null;
    #asksAgain = false;
    #log = recall('log') === 'on';
    #open = true;
    /** @type {number | null} generation under the pointer */
    #hover = null;
    #drags = false;
    #drawing = false;
    #describing = 0;
    /** @type {string | null} generation to request after the answer to the pending request */
    #wanted = null;
    #asking = false;
    /** @type {bigint | null} requested generation; null after a state has shown it */
    #aim = null;
    /** Number of `back` commands that the server has not answered yet. */
    #backs = 0;
    /** Whether a `back` command was sent and no state has shown its result yet. */
    #isLedBack = false;
    /** Whether to announce a generation to screen readers when the server reaches it. */
    #says = false;
    #going = 0; // time at which the server started to go to a generation
    #canvas = byId('graph', HTMLCanvasElement);
    #text = byId('graph-text', HTMLElement);
    #select = byId('per-picture', HTMLSelectElement);

    /** @param {Session} session */
    constructor(session) {
        this.session = session;
        this.#addPictures();
        this.#listenToChart();
        byId('graph-log', HTMLButtonElement).addEventListener('click', () => this.#setLog());
        byId('graph-csv', HTMLButtonElement).addEventListener('click', () => this.#saveTable());
        byId('graph-png', HTMLButtonElement).addEventListener('click', () => this.#savePicture());
        byId('past-cancel', HTMLButtonElement).addEventListener('click', () => {
            void session.steer({ do: 'pause' });
        });
        session.addEventListener('state', () => this.#update());
        session.addEventListener('universe', () => {
            this.#series.clear();
            this.#line = null;
            this.#hover = null;
            this.#ask();
        });
        new ResizeObserver(() => this.#ask()).observe(this.#canvas);
        new MutationObserver(() => this.#ask()).observe(document.documentElement,
            { attributeFilter: ['data-theme'] });
        this.#showLog();
        const kept = recall('time');
        this.#setOpen(kept === null ? roomy.matches : kept === 'open');
    }

    /** @returns {PastState | null} */
    get #now() {
        return this.session.state?.past ?? null;
    }

    get #generation() {
        return this.session.state?.generation ?? '0';
    }

    get #name() {
        return (this.session.name || 'universe').replace(/\.[a-z]+$/, '');
    }

    /** Generations per step. @returns {bigint} */
    get #stride() {
        return BigInt(this.session.state?.generations_per_picture ?? '1');
    }

    get plays() {
        return this.#now?.playing ?? false;
    }

    // ---- display -------------------------------------------------------------------------------

    /** @param {boolean} open */
    #setOpen(open) {
        this.#open = open;
        byId('past', HTMLElement).hidden = !open;
        for (const button of buttonsOf('time')) button.setAttribute('aria-pressed', String(open));
        this.#ask();
    }

    toggle() {
        this.#setOpen(!this.#open);
        remember('time', this.#open ? 'open' : 'folded');
        announce(this.#open ? 'History shown.' : 'History hidden.');
    }

    #update() {
        const { state } = this.session;
        const now = this.#now;
        if (state === null || now === null) return;
        if (now.line !== this.#line) {
            if (this.#line !== null) this.#series.cut(Number(now.last));
            this.#line = now.line;
            void this.#fetch();
        }
        if (state.population !== null) {
            this.#series.add(state.population_at ?? state.generation, state.population);
        }
        if (now.to === null && !this.#asking) this.#aim = null;
        if (this.#backs === 0) this.#isLedBack = false;
        this.#showButtons(now);
        this.#showGoing(now);
        this.#showPictures();
        this.#showSlider(now);
        this.#ask();
    }

    /** Requests the whole history when the page has just loaded or the history was replaced. */
    async #fetch() {
        if (this.#asksAgain) return;
        this.#asksAgain = true;
        const { line, universe } = { line: this.#line, universe: this.session.universe };
        const answer = await this.session.connection.request({ do: 'past' }).catch(() => null);
        setTimeout(() => {
            this.#asksAgain = false;
            if (this.#line !== line) void this.#fetch();
        }, askAgain_ms);
        if (answer === null || answer.line !== this.#line ||
            this.session.universe !== universe) return;
        this.#series.clear();
        for (let i = 0; i < answer.points.length; i += 2) {
            this.#series.add(answer.points[i], answer.points[i + 1]);
        }
        this.#ask();
    }

    /** @param {PastState} now */
    #showButtons(now) {
        const has_frames = this.session.state?.timeline !== null;
        byId('past-buttons', HTMLElement).hidden = has_frames;
        if (has_frames) return; // timeline.js sets the buttons
        const at = BigInt(now.to ?? this.#generation);
        const before = at > BigInt(now.first);
        const ahead = at < BigInt(now.last);
        setEnabled('frame-first', before);
        setEnabled('frame-back', before);
        setEnabled('frame-next', true);
        setEnabled('frame-last', ahead);
        setEnabled('play-back', before || now.playing);
        for (const button of buttonsOf('play-back')) {
            setIcon(button, now.playing ? 'pause' : 'play-back');
            button.setAttribute('aria-label',
                now.playing ? 'Stop playing backwards' : 'Play backwards');
            button.classList.toggle('running', now.playing);
        }
    }

    /** @param {PastState} now */
    #showGoing(now) {
        const goes = now.to !== null && !now.playing;
        if (!goes) this.#going = 0;
        else if (this.#going === 0) this.#going = performance.now();
        const slow = goes && performance.now() - this.#going > slow_ms;
        byId('past-going', HTMLElement).hidden = !slow;
        if (slow && now.to !== null) {
            setText(byId('past-share', HTMLElement),
                `To ${shortened(now.to)}: ${Math.round(100 * now.share)}${'\u202f'}%`);
        }
        if (goes || !this.#says) return;
        this.#says = false;
        // Screen readers read a focused slider without an announcement.
        if (document.activeElement !== this.#canvas) {
            announce(`Generation ${grouped(this.#generation)}.`);
        }
    }

    /** @param {PastState} now */
    #showSlider(now) {
        const canvas = this.#canvas;
        canvas.setAttribute('aria-valuemin', now.first);
        canvas.setAttribute('aria-valuemax', now.last);
        canvas.setAttribute('aria-disabled', String(!this.session.steers));
        // Limit how often the text changes, because a screen reader may be reading the text.
        if (this.#describing !== 0) return;
        this.#describing = window.setTimeout(() => {
            this.#describing = 0;
            this.#describe();
        }, this.session.state?.running ? describeEvery_ms : 0);
    }

    #describe() {
        const { state } = this.session;
        const now = this.#now;
        if (state === null || now === null) return;
        const { low, high } = this.#series.range();
        const cells = state.population === null ? '' :
            `, ${counted(Number(state.population), 'live cell')}`;
        this.#canvas.setAttribute('aria-valuenow', state.generation);
        const range = Number.isFinite(low) ?
            `; lowest ${grouped(low)}, highest ${grouped(high)}` : '';
        this.#canvas.setAttribute('aria-valuetext', `Generation ${grouped(state.generation)} of ${
            grouped(now.last)}${cells}${range}`);
    }

    #ask() {
        if (this.#drawing || !this.#open) return;
        this.#drawing = true;
        requestAnimationFrame(() => this.#draw());
    }

    /** @returns {Chart} */
    #chart() {
        const now = this.#now;
        const { points } = this.#series;
        const first = Number(now?.first ?? points[0]?.generation ?? 0);
        const last = Math.max(first, Number(now?.last ?? 0));
        return { series: this.#series, first, last, log: this.#log,
            now: Number(this.#generation),
            going: now?.to === null || now === null || now.playing ? null : Number(now.to),
            hover: this.#hover };
    }

    #draw() {
        this.#drawing = false;
        const canvas = this.#canvas;
        const ratio = devicePixelRatio;
        const width = Math.round(canvas.clientWidth * ratio);
        const height = Math.round(canvas.clientHeight * ratio);
        const context = canvas.getContext('2d');
        if (width === 0 || height === 0 || context === null) return;
        if (canvas.width !== width || canvas.height !== height) {
            canvas.width = width;
            canvas.height = height;
        }
        drawChart(context, width / ratio, height / ratio, ratio, this.#chart());
        this.#tell();
    }

    /**
     * Shows the population at the pointer. If the pointer is outside the chart, shows the lowest
     * and the highest population.
     */
    #tell() {
        const point = this.#hover === null ? null : this.#series.near(this.#hover);
        const { low, high } = this.#series.range();
        const now = this.#now;
        setText(this.#text, point !== null ?
            `${grouped(point.exact[1])} at generation ${grouped(point.exact[0])}` :
            this.#series.points.length === 0 ? '' :
                low === high ? `${grouped(low)} cells` :
                    `lowest ${withUnit(low, '')}, highest ${withUnit(high, '')}`);
        this.#text.title = now === null ? '' : now.too_large ?
            'This universe is too large for automatic snapshots, so going back recomputes from ' +
            'the start.' :
            `${counted(now.kept, 'automatic snapshot')}, ${withUnit(now.bytes, 'B')}`;
        byId('past-large', HTMLElement).hidden = !(now?.too_large ?? false);
    }

    #setLog() {
        this.#log = !this.#log;
        remember('log', this.#log ? 'on' : 'off');
        this.#showLog();
        announce(this.#log ? 'Logarithmic axis.' : 'Linear axis.');
    }

    #showLog() {
        byId('graph-log', HTMLButtonElement).setAttribute('aria-pressed', String(this.#log));
        this.#ask();
    }

    // ---- files ---------------------------------------------------------------------------------

    /**
     * Downloads a file.
     * @param {Blob} blob contents
     * @param {string} name of the file
     */
    #save(blob, name) {
        const address = URL.createObjectURL(blob);
        download(address, name);
        setTimeout(() => URL.revokeObjectURL(address), 10000);
        announce(`Saved ${name}.`);
    }

    #saveTable() {
        this.#save(new Blob([this.#series.toCsv()], { type: 'text/csv' }),
            `${this.#name}-population.csv`);
    }

    #savePicture() {
        const { width, height, ratio } = picturePixels;
        const canvas = element('canvas', { width, height });
        const context = canvas.getContext('2d');
        if (context === null) return;
        const chart = { ...this.#chart(), now: null, going: null, hover: null,
            title: `${this.#name}: population over generations` };
        drawChart(context, width / ratio, height / ratio, ratio, chart);
        context.setTransform(1, 0, 0, 1, 0, 0);
        context.globalCompositeOperation = 'destination-over';
        context.fillStyle = getComputedStyle(document.documentElement)
            .getPropertyValue('--surface');
        context.fillRect(0, 0, width, height);
        canvas.toBlob((blob) => {
            if (blob !== null) this.#save(blob, `${this.#name}-population.png`);
        });
    }

    // ---- generations per picture ---------------------------------------------------------------

    #addPictures() {
        const add = (/** @type {string} */ value, /** @type {string} */ text) => {
            this.#select.append(element('option', { value }, text));
        };
        add('', 'max');
        for (let power = 0; power <= largestPicture; power++) {
            add(String(2 ** power), power < 14 ? grouped(2 ** power) : withUnit(2 ** power, ''));
        }
        this.#select.addEventListener('change', () => {
            const generations = this.#select.value || null;
            void this.session.steer({ do: 'pictures', generations }).then(() =>
                this.#showPictures());
        });
        returnFocus(this.#select);
    }

    #showPictures() {
        const now = this.session.state?.generations_per_picture ?? '';
        this.#select.disabled = !this.session.steers;
        if (this.#select.value === now || document.activeElement === this.#select) return;
        if (!this.#select.querySelector(`option[value="${now}"]`)) {
            this.#select.append(element('option', { value: now }, grouped(now)));
        }
        this.#select.value = now;
    }

    // ---- going ---------------------------------------------------------------------------------

    /**
     * Goes to a generation. If several requests come in quick succession, only the last is sent.
     * @param {bigint} generation
     */
    #goTo(generation) {
        const now = this.#now;
        if (now === null) return;
        const first = BigInt(now.first);
        const last = BigInt(now.last);
        const to = generation < first ? first : generation > last ? last : generation;
        this.#aim = to;
        this.#wanted = String(to);
        if (!this.#asking) void this.#send();
    }

    async #send() {
        this.#asking = true;
        while (this.#wanted !== null) {
            const generation = this.#wanted;
            this.#wanted = null;
            await this.session.steer({ do: 'go', generation });
        }
        this.#asking = false;
    }

    /**
     * Steps back by `stride` generations from the generation that the server has reached.
     * @param {bigint} stride
     */
    async #back(stride) {
        this.#isLedBack = true;
        this.#backs++;
        await this.session.steer({ do: 'back', generations: String(stride) });
        this.#backs--;
    }

    /**
     * If the server is going to a generation, returns this generation, otherwise the current
     * generation.
     * @param {PastState} now
     */
    #from(now) {
        return this.#aim ?? BigInt(now.to ?? this.#generation);
    }

    /** Steps forwards or backwards. @param {number} way 1: forwards, -1: backwards */
    step(way) {
        const now = this.#now;
        if (now === null) return;
        const stride = this.#stride;
        const from = this.#from(now);
        const last = BigInt(now.last);
        this.#says = true;
        // Only the server knows the generation of a running universe, so the server computes a step
        // back. The server also computes every further step back that the user requests before a
        // state shows the result.
        if (way < 0 && (this.session.state?.running || this.#isLedBack)) void this.#back(stride);
        else if (way < 0 || from < last) this.#goTo(from + stride * BigInt(way));
        else if (this.#aim === null) {
            void this.session.steer({ do: 'step', generations: String(stride) });
        }
    }

    /** Goes to the first or the last generation. @param {'first' | 'last'} end */
    goTo(end) {
        const now = this.#now;
        if (now === null) return;
        this.#says = true;
        this.#goTo(BigInt(now[end]));
    }

    async playBack() {
        if (this.plays) {
            if (await this.session.steer({ do: 'pause' }) !== null) announce('Paused.');
        } else if (await this.session.steer({ do: 'rewind' }) !== null) {
            announce('Playing backwards.');
        }
    }

    // ---- the slider ----------------------------------------------------------------------------

    /** @param {PointerEvent} event */
    #at(event) {
        const chart = this.#chart();
        const { clientWidth, clientHeight } = this.#canvas;
        return generationAt(frameOf(clientWidth, clientHeight, chart), chart, event.offsetX);
    }

    #listenToChart() {
        const canvas = this.#canvas;
        const point = (/** @type {number | null} */ at) => {
            this.#hover = at;
            this.#ask();
        };
        canvas.addEventListener('pointerdown', (event) => {
            if (event.button !== 0 || this.#now === null || !this.session.maySteer()) return;
            this.#drags = true;
            canvas.setPointerCapture(event.pointerId);
            this.#drag(event);
        });
        canvas.addEventListener('pointermove', (event) => {
            point(this.#at(event));
            if (this.#drags) this.#drag(event);
        });
        const end = () => {
            this.#drags = false;
        };
        canvas.addEventListener('pointerup', end);
        canvas.addEventListener('pointercancel', end);
        canvas.addEventListener('pointerleave', () => point(null));
        canvas.addEventListener('blur', () => point(null));
        canvas.addEventListener('keydown', (event) => this.#key(event));
    }

    /** @param {PointerEvent} event */
    #drag(event) {
        const chart = this.#chart();
        const at = this.#at(event);
        // At the ends of the slider the generation must be exact, also beyond 2^53.
        if (at <= chart.first) this.#goTo(BigInt(this.#now?.first ?? 0));
        else if (at >= chart.last) this.#goTo(BigInt(this.#now?.last ?? 0));
        else this.#goTo(BigInt(at));
    }

    /** @param {KeyboardEvent} event */
    #key(event) {
        const now = this.#now;
        if (now === null || event.ctrlKey || event.altKey || event.metaKey) return;
        const whole = BigInt(now.last) - BigInt(now.first);
        const tenth = whole > 10n ? whole / 10n : 1n;
        const at = this.#from(now);
        const to = {
            ArrowLeft: at - 1n, ArrowDown: at - 1n, ArrowRight: at + 1n, ArrowUp: at + 1n,
            PageDown: at - tenth, PageUp: at + tenth,
            Home: BigInt(now.first), End: BigInt(now.last),
        }[event.key];
        if (to === undefined) return;
        event.preventDefault();
        if (this.session.maySteer()) this.#goTo(to);
    }
}
