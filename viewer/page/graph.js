// The population over the generations: a small line, drawn from a history of at most a thousand
// points. When it is full, every second point is dropped, and new points come half as often.

/** @import { Session } from './session.js' */
import { byId, setText } from './dom.js';
import { grouped, withUnit } from './format.js';

const most = 1024;
const describeEvery = 1000;

/** @typedef {{generation: number, population: number}} Point */

export class History {
    /** @type {Point[]} */
    points = [];
    /** The fewest generations between two points. */
    #apart = 0;

    /**
     * @param {number} generation
     * @param {number} population
     */
    add(generation, population) {
        const { points } = this;
        while (points.length > 0 && points[points.length - 1].generation > generation) points.pop();
        const last = points.at(-1);
        if (last !== undefined && last.generation === generation) {
            last.population = population;
            return;
        }
        // The newest point is always there; it moves along until it is far enough from the one
        // before.
        const before = points.at(-2);
        if (last !== undefined && before !== undefined &&
            last.generation - before.generation < this.#apart) points.pop();
        points.push({ generation, population });
        if (points.length <= most) return;
        this.points = points.filter((_, index) => index % 2 === 0 || index === points.length - 1);
        this.#apart = (generation - points[0].generation) / (most / 2);
    }

    clear() {
        this.points = [];
        this.#apart = 0;
    }

    /** @returns {{low: number, high: number}} */
    range() {
        let low = Infinity;
        let high = 0;
        for (const { population } of this.points) {
            low = Math.min(low, population);
            high = Math.max(high, population);
        }
        return { low, high };
    }

    /**
     * @param {number} generation
     * @returns {Point | null} the nearest point
     */
    near(generation) {
        let best = null;
        let distance = Infinity;
        for (const point of this.points) {
            const away = Math.abs(point.generation - generation);
            if (away >= distance) break;
            distance = away;
            best = point;
        }
        return best;
    }
}

/** @param {Session} session */
export function showGraph(session) {
    const canvas = byId('graph', HTMLCanvasElement);
    const text = byId('graph-text', HTMLElement);
    const history = new History();
    let asked = false;
    let describing = 0;
    /** @type {number | null} 0 to 1 across the graph */
    let hover = null;

    const describe = () => {
        const first = history.points[0];
        const last = history.points.at(-1);
        if (first === undefined || last === undefined) {
            setText(text, '');
            return;
        }
        const { low, high } = history.range();
        if (hover === null) {
            setText(text, low === high ? `${grouped(low)} cells` :
                `lowest ${withUnit(low, '')}, highest ${withUnit(high, '')}`);
        } else {
            const along = hover * (last.generation - first.generation);
            const { generation, population } = history.near(first.generation + along) ?? last;
            setText(text, `${grouped(population)} at generation ${grouped(generation)}`);
        }
        // What a screen reader may be reading changes only now and then, but does not go stale.
        if (describing === 0) describing = window.setTimeout(tell, describeEvery);
    };

    const tell = () => {
        describing = 0;
        const first = history.points[0];
        const last = history.points.at(-1);
        if (first === undefined || last === undefined) return;
        const { low, high } = history.range();
        canvas.setAttribute('aria-label', 'Population from generation ' +
            `${grouped(first.generation)} to ${grouped(last.generation)}: ` +
            `first ${grouped(first.population)}, now ${grouped(last.population)}, ` +
            `lowest ${grouped(low)}, highest ${grouped(high)}.`);
    };

    const draw = () => {
        asked = false;
        const width = Math.round(canvas.clientWidth * devicePixelRatio);
        const height = Math.round(canvas.clientHeight * devicePixelRatio);
        const context = canvas.getContext('2d');
        if (width === 0 || context === null) return;
        if (canvas.width !== width || canvas.height !== height) {
            canvas.width = width;
            canvas.height = height;
        }
        drawHistory(context, history, hover);
        describe();
    };
    const ask = () => {
        if (asked) return;
        asked = true;
        requestAnimationFrame(draw);
    };

    session.addEventListener('state', () => {
        const { state } = session;
        if (state === null || state.population === null) return;
        history.add(Number(state.population_at ?? state.generation), Number(state.population));
        ask();
    });
    session.addEventListener('universe', () => {
        history.clear();
        ask();
    });
    new ResizeObserver(ask).observe(canvas);
    const theme = { attributeFilter: ['data-theme'] };
    new MutationObserver(ask).observe(document.documentElement, theme);

    /** @param {number | null} at */
    const point = (at) => {
        hover = at === null ? null : Math.min(1, Math.max(0, at));
        ask();
    };
    canvas.addEventListener('pointermove', (event) => point(event.offsetX / canvas.clientWidth));
    canvas.addEventListener('pointerleave', () => point(null));
    canvas.addEventListener('blur', () => point(null));
    canvas.addEventListener('keydown', (event) => {
        const way = { ArrowLeft: -0.02, ArrowRight: 0.02 }[event.key];
        if (way === undefined) return;
        event.preventDefault();
        point((hover ?? 1) + way);
    });
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {History} history
 * @param {number | null} hover
 */
function drawHistory(context, history, hover) {
    const { width, height } = context.canvas;
    const style = getComputedStyle(document.documentElement);
    const colour = (/** @type {string} */ name) => style.getPropertyValue(name);
    context.clearRect(0, 0, width, height);
    const first = history.points[0];
    const last = history.points.at(-1);
    if (first === undefined || last === undefined) return;
    const margin = 4 * devicePixelRatio;
    const { high } = history.range();
    const along = Math.max(1, last.generation - first.generation);
    const toX = (/** @type {number} */ generation) =>
        margin + (generation - first.generation) / along * (width - 2 * margin);
    const toY = (/** @type {number} */ population) =>
        height - margin - population / Math.max(1, high) * (height - 2 * margin);

    context.lineWidth = devicePixelRatio;
    context.strokeStyle = colour('--line');
    context.beginPath();
    for (const part of [0, 0.5, 1]) {
        const y = Math.round(toY(high * part)) + 0.5;
        context.moveTo(0, y);
        context.lineTo(width, y);
    }
    context.stroke();

    context.beginPath();
    context.moveTo(toX(first.generation), toY(first.population));
    for (const { generation, population } of history.points) {
        context.lineTo(toX(generation), toY(population));
    }
    context.lineWidth = 1.5 * devicePixelRatio;
    context.lineJoin = 'round';
    context.strokeStyle = colour('--cell');
    context.stroke();
    context.lineTo(toX(last.generation), height);
    context.lineTo(toX(first.generation), height);
    context.globalAlpha = 0.14;
    context.fillStyle = colour('--cell');
    context.fill();
    context.globalAlpha = 1;

    const marked = hover === null ? last : history.near(first.generation + hover * along) ?? last;
    context.beginPath();
    const radius = 2.5 * devicePixelRatio;
    context.arc(toX(marked.generation), toY(marked.population), radius, 0, 2 * Math.PI);
    context.fillStyle = colour('--text');
    context.fill();
}
