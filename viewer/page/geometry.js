// Maps cells to device pixels of the canvas. The renderers and the overlay use the mapping.

/** @import { Cell, Size, View } from './types.js' */
import { apart, remainder, SHOWN } from './exact.js';
import { LARGEST_NEAR_SCALE } from './protocol.js';

const FAR_AWAY_PX = 2 ** 20;
const GRID_FROM_PX = 6;
const GRID_FULL_PX = 8;

/**
 * @typedef {object} Placement
 * @property {number} width of the canvas
 * @property {number} height
 * @property {Cell} at cell to which `left` and `top` are relative
 * @property {number} left the left edge of the canvas in cells, relative to `at`, not rounded
 * @property {number} top
 * @property {number} cell_px device pixels per cell
 * @property {number} line_px thickness of a thin line
 */

/** @typedef {{x0: number, y0: number, x1: number, y1: number}} Edges */

/** @param {number} value */
function isWhole(value) {
    return Math.abs(value - Math.round(value)) < 1e-9;
}

/**
 * Returns the left or top edge of the canvas. The position of the edge is `edge` cells from the
 * cell `at`.
 * @param {bigint} middle coordinate of the cell at the centre of the canvas
 * @param {number} part position of the centre within the cell, 0 to 1
 * @param {number} size of the canvas in device pixels
 * @param {number} cell_px
 * @returns {{at: bigint, edge: number}}
 */
function start(middle, part, size, cell_px) {
    const edge = part - size / 2 / cell_px;
    if (cell_px >= 1) {
        return { at: middle, edge: isWhole(cell_px) ? Math.round(edge * cell_px) / cell_px : edge };
    }
    if (!isWhole(1 / cell_px)) return { at: middle, edge };
    // If a pixel covers several cells, align the pixels with the squares of the server's pictures.
    const side = Math.round(1 / cell_px);
    const rest = remainder(middle, BigInt(side));
    return { at: middle - rest, edge: Math.round((edge + Number(rest)) / side) * side };
}

/**
 * Computes the placement for a view. Cells are aligned with pixels if the side of a cell is a whole
 * number of pixels.
 * @param {View} view
 * @param {Size} device size of the canvas in device pixels
 * @param {number} device_pixels per CSS pixel
 * @returns {Placement}
 */
export function place(view, device, device_pixels) {
    const cell_px = view.zoom * device_pixels;
    const across = start(view.x, view.fx, device.width, cell_px);
    const down = start(view.y, view.fy, device.height, cell_px);
    return {
        width: device.width,
        height: device.height,
        at: { x: across.at, y: down.at },
        left: across.edge,
        top: down.edge,
        cell_px,
        line_px: Math.max(1, Math.floor(device_pixels)),
    };
}

/**
 * Returns the edges of the universe on the canvas. In an unbounded direction, the edges are the
 * ends of the range that the server shows at this zoom. At zooms where the server shows all
 * coordinates, the edges are far outside the canvas.
 * @param {Placement} placement
 * @param {{width: bigint, height: bigint} | null} universe
 * @returns {Edges}
 */
export function universeEdges({ at, left, top, cell_px }, universe) {
    const pixel = (/** @type {number} */ cells) =>
        Math.min(FAR_AWAY_PX, Math.max(-FAR_AWAY_PX, Math.round(cells * cell_px)));
    const near = cell_px > 2 ** -(LARGEST_NEAR_SCALE + 1);
    const edges = (/** @type {bigint} */ side) => side ? [0n, side] :
        near ? [SHOWN.first, SHOWN.end] : null;
    const across = edges(universe?.width ?? 0n);
    const down = edges(universe?.height ?? 0n);
    return {
        x0: across ? pixel(apart(across[0], at.x) - left) : -FAR_AWAY_PX,
        x1: across ? pixel(apart(across[1], at.x) - left) : FAR_AWAY_PX,
        y0: down ? pixel(apart(down[0], at.y) - top) : -FAR_AWAY_PX,
        y1: down ? pixel(apart(down[1], at.y) - top) : FAR_AWAY_PX,
    };
}

/**
 * Returns the opacity of grid lines, 0 to 1.
 * @param {number} zoom CSS pixels per cell
 */
export function gridStrength(zoom) {
    return Math.min(1, Math.max(0, (zoom - GRID_FROM_PX) / (GRID_FULL_PX - GRID_FROM_PX)));
}
