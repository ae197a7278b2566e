// Draws the population chart, for the page and for a PNG file. The chart has a line, axes, and
// marks at the current generation and at the pointer.

/** @import { Point, Series } from './series.js' */
import { grouped, withUnit } from './format.js';

/**
 * @typedef {object} Chart
 * @property {Series} series
 * @property {number} first generation at the left edge
 * @property {number} last generation at the right edge
 * @property {boolean} log whether the population axis is logarithmic
 * @property {number | null} now the current generation
 * @property {number | null} going the generation that the server is going to
 * @property {number | null} hover the generation under the pointer
 * @property {string} [title]
 */

/**
 * The plot area of a chart, in CSS pixels.
 * @typedef {{left: number, right: number, top: number, bottom: number}} Frame
 */

const gap = 70; // smallest distance, in CSS pixels, between two labels on the generation axis

/** @param {number} value */
function short(value) {
    return value < 10000 ? grouped(value) : withUnit(value, '');
}

/**
 * Returns about `count` evenly spaced round numbers. The first number is 0, and the last number is
 * at least `most`.
 * @param {number} most
 * @param {number} count
 * @returns {number[]}
 */
function steps(most, count) {
    const rough = Math.max(1, most) / count;
    const power = 10 ** Math.floor(Math.log10(rough));
    const step = Math.max(1, power * ([1, 2, 5, 10].find((each) => each * power >= rough) ?? 10));
    return Array.from({ length: Math.ceil(Math.max(1, most) / step) + 1 }, (_, i) => i * step);
}

/**
 * Returns the values at which the population axis has labels.
 * @param {Chart} chart
 * @param {number} height of the plot area
 */
function levels(chart, height) {
    const { high } = chart.series.range();
    if (!chart.log) return steps(high, Math.max(1, Math.floor(height / 28)));
    const powers = Math.max(1, Math.ceil(Math.log10(Math.max(2, high))));
    const each = Math.ceil(powers / Math.max(1, Math.floor(height / 16)));
    return Array.from({ length: Math.floor((powers - 1) / each) + 2 }, (_, i) =>
        10 ** Math.min(powers, i * each));
}

/**
 * Returns the height in the plot area, 0 to 1, at which a population is drawn.
 * @param {number} value the population
 * @param {number} top population at the top of the plot area
 * @param {boolean} log whether the axis is logarithmic
 */
function heightOf(value, top, log) {
    if (!log) return value / top;
    return value < 1 ? 0 : Math.log10(value) / Math.log10(top);
}

/**
 * Returns the plot area of a chart. The labels of the axes are outside the plot area.
 * @param {number} width
 * @param {number} height
 * @param {Chart} chart
 * @returns {Frame}
 */
export function frameOf(width, height, chart) {
    return { left: 48, right: width - 14, top: chart.title === undefined ? 7 : 34,
        bottom: height - 17 };
}

/**
 * Returns the generation at a position in the chart.
 * @param {Frame} frame
 * @param {Chart} chart
 * @param {number} x position in the chart
 * @returns {number}
 */
export function generationAt(frame, chart, x) {
    const along = (x - frame.left) / Math.max(1, frame.right - frame.left);
    const part = Math.min(1, Math.max(0, along));
    return Math.round(chart.first + part * (chart.last - chart.first));
}

/**
 * Draws a chart.
 * @param {CanvasRenderingContext2D} context
 * @param {number} width in CSS pixels
 * @param {number} height
 * @param {number} ratio device pixels per CSS pixel
 * @param {Chart} chart
 */
export function drawChart(context, width, height, ratio, chart) {
    const style = getComputedStyle(document.documentElement);
    const colour = (/** @type {string} */ name) => style.getPropertyValue(name);
    const { series, first, last, log } = chart;
    const frame = frameOf(width, height, chart);
    const high = frame.bottom - frame.top;
    const values = levels(chart, high);
    const top = values[values.length - 1];
    const toX = (/** @type {number} */ generation) => frame.left +
        (last > first ? (generation - first) / (last - first) : 0) * (frame.right - frame.left);
    const toY = (/** @type {number} */ population) =>
        frame.bottom - heightOf(population, top, log) * high;
    const sharp = (/** @type {number} */ value) => (Math.round(value * ratio) + 0.5) / ratio;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, height);
    context.font = `${chart.title === undefined ? 10.5 : 13}px ${style.fontFamily}`;
    context.lineWidth = 1 / ratio;

    context.strokeStyle = colour('--line');
    context.fillStyle = colour('--quiet');
    context.textAlign = 'right';
    context.textBaseline = 'middle';
    context.beginPath();
    for (const value of values) {
        const y = sharp(toY(value));
        context.moveTo(frame.left, y);
        context.lineTo(frame.right, y);
        context.fillText(short(value), frame.left - 5, y);
    }
    context.textBaseline = 'top';
    const count = Math.max(1, Math.floor((frame.right - frame.left) / gap));
    for (const step of steps(last - first, count)) {
        const generation = first + step;
        if (generation > last || last === first) break;
        const x = sharp(toX(generation));
        context.moveTo(x, frame.bottom);
        context.lineTo(x, frame.bottom + 3);
        context.textAlign = x > frame.right - gap / 2 ? 'right' : 'center';
        context.fillText(short(generation), Math.min(x, frame.right), frame.bottom + 5);
    }
    context.stroke();
    if (chart.title !== undefined) {
        context.font = `600 15px ${style.fontFamily}`;
        context.textAlign = 'left';
        context.fillStyle = colour('--text');
        context.fillText(chart.title, frame.left, 10);
    }
    drawLine(context, series.points, toX, toY, frame, colour);
    drawMarks(context, chart, toX, toY, frame, colour);
}

/**
 * Draws the line of the population.
 * @param {CanvasRenderingContext2D} context
 * @param {Point[]} points
 * @param {(generation: number) => number} toX
 * @param {(population: number) => number} toY
 * @param {Frame} frame
 * @param {(name: string) => string} colour
 */
function drawLine(context, points, toX, toY, frame, colour) {
    if (points.length === 0) return;
    context.beginPath();
    context.moveTo(toX(points[0].generation), toY(points[0].population));
    for (const { generation, population } of points) {
        context.lineTo(toX(generation), toY(population));
    }
    context.lineWidth = 1.5;
    context.lineJoin = 'round';
    context.strokeStyle = colour('--cell');
    context.stroke();
    context.lineTo(toX(points[points.length - 1].generation), frame.bottom);
    context.lineTo(toX(points[0].generation), frame.bottom);
    context.globalAlpha = 0.14;
    context.fillStyle = colour('--cell');
    context.fill();
    context.globalAlpha = 1;
}

/**
 * Draws marks at the current generation, at the generation that the server is going to, and at the
 * pointer.
 * @param {CanvasRenderingContext2D} context
 * @param {Chart} chart
 * @param {(generation: number) => number} toX
 * @param {(population: number) => number} toY
 * @param {Frame} frame
 * @param {(name: string) => string} colour
 */
function drawMarks(context, chart, toX, toY, frame, colour) {
    /** @type {[number | null, string, number[]][]} generation, colour and dashes of each mark */
    const lines = [[chart.now, '--accent', []], [chart.going, '--accent', [3, 3]],
        [chart.hover, '--quiet', [2, 2]]];
    for (const [generation, name, dashes] of lines) {
        if (generation === null) continue;
        context.beginPath();
        context.setLineDash(dashes);
        context.lineWidth = dashes.length === 0 ? 2 : 1;
        context.strokeStyle = colour(name);
        context.moveTo(toX(generation), frame.top - 4);
        context.lineTo(toX(generation), frame.bottom);
        context.stroke();
    }
    context.setLineDash([]);
    const marked = chart.hover ?? chart.now;
    const point = marked === null ? null : chart.series.near(marked);
    if (point === null) return;
    context.beginPath();
    context.arc(toX(point.generation), toY(point.population), 3, 0, 2 * Math.PI);
    context.fillStyle = colour('--text');
    context.fill();
}
