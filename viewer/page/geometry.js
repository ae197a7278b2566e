// Where the cells lie on the canvas, in device pixels: renderers and overlay agree on it.

/** @import { Size, UniverseInfo, View } from './types.js' */

const FAR_AWAY_PX = 2 ** 20;
const GRID_FROM_PX = 6;
const GRID_FULL_PX = 8;

/**
 * @typedef {object} Placement
 * @property {number} width of the canvas
 * @property {number} height
 * @property {number} left the cell, with its fraction, at the left edge of the canvas
 * @property {number} top
 * @property {number} cell_px device pixels a cell
 * @property {number} line_px how thick a thin line is
 */

/** @typedef {{x0: number, y0: number, x1: number, y1: number}} Edges */

/** @param {number} value */
function isWhole(value) {
    return Math.abs(value - Math.round(value)) < 1e-9;
}

/**
 * If cells and pixels can line up exactly, they do.
 * @param {View} view
 * @param {Size} device the canvas in device pixels
 * @param {number} device_pixels a CSS pixel
 * @returns {Placement}
 */
export function place(view, device, device_pixels) {
    const cell_px = view.zoom * device_pixels;
    const exact = isWhole(cell_px) || isWhole(1 / cell_px);
    const start = (/** @type {number} */ middle, /** @type {number} */ size) => {
        const edge = middle - size / 2 / cell_px;
        return exact ? Math.round(edge * cell_px) / cell_px : edge;
    };
    return {
        width: device.width,
        height: device.height,
        left: start(view.x, device.width),
        top: start(view.y, device.height),
        cell_px,
        line_px: Math.max(1, Math.floor(device_pixels)),
    };
}

/**
 * The universe's edges on the canvas; far outside it in directions without edges.
 * @param {Placement} placement
 * @param {UniverseInfo | null} universe
 * @returns {Edges}
 */
export function universeEdges({ left, top, cell_px }, universe) {
    const at = (/** @type {number} */ cell, /** @type {number} */ start) =>
        Math.min(FAR_AWAY_PX, Math.max(-FAR_AWAY_PX, Math.round((cell - start) * cell_px)));
    const width = universe?.width ?? 0;
    const height = universe?.height ?? 0;
    return {
        x0: width ? at(0, left) : -FAR_AWAY_PX,
        x1: width ? at(width, left) : FAR_AWAY_PX,
        y0: height ? at(0, top) : -FAR_AWAY_PX,
        y1: height ? at(height, top) : FAR_AWAY_PX,
    };
}

/**
 * How visible grid lines should be, 0 to 1.
 * @param {number} zoom CSS pixels a cell
 */
export function gridStrength(zoom) {
    return Math.min(1, Math.max(0, (zoom - GRID_FROM_PX) / (GRID_FULL_PX - GRID_FROM_PX)));
}
