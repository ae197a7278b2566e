// Computes the cells of shapes, brushes and symmetric images, to preview a drawing. The server
// computes the same cells when it draws (edit/shape_areas.c, edit/symmetry.c).

/** @import { Area, Cell } from './types.js' */
import { apart } from './exact.js';

const mostRows = 2048;
const slantingPart = 0.70710678118654752;

/**
 * @typedef {'none' | 'x' | 'y' | 'both' | 'diagonal' | 'turn-2' | 'turn-4' | 'all'} Symmetry
 */

/** @type {[Symmetry, string][]} */
export const symmetries = [
    ['none', 'None'],
    ['x', 'Mirror left and right'],
    ['y', 'Mirror top and bottom'],
    ['both', 'Mirror both ways'],
    ['diagonal', 'Mirror at a diagonal'],
    ['turn-2', 'Half turn'],
    ['turn-4', 'Quarter turns'],
    ['all', 'All symmetries of a square'],
];

/**
 * A symmetry and its centre. Coordinates of the centre are in half cells, so (1, 1) is the middle
 * of cell (0, 0).
 * @typedef {{symmetry: Symmetry, about: [bigint, bigint]}} Symmetric
 */

/**
 * Returns whether the centre of a symmetry must be the middle or a corner of a cell, and not the
 * middle of an edge.
 * @param {Symmetry} symmetry
 */
export function isSquare(symmetry) {
    return symmetry === 'diagonal' || symmetry === 'turn-4' || symmetry === 'all';
}

/**
 * The motions of each symmetry, as letters. The letter `t` swaps x and y. After `t`, the letter `x`
 * mirrors left and right, and `y` mirrors top and bottom.
 * @type {Record<Symmetry, string[]>}
 */
const motions = {
    'none': [''],
    'x': ['', 'x'],
    'y': ['', 'y'],
    'both': ['', 'x', 'y', 'xy'],
    'diagonal': ['', 't'],
    'turn-2': ['', 'xy'],
    'turn-4': ['', 'xy', 'tx', 'ty'],
    'all': ['', 'x', 'y', 'xy', 't', 'tx', 'ty', 'txy'],
};

/**
 * Returns the given areas and their images under a symmetry.
 * @param {Area[]} areas relative to `at`
 * @param {Symmetric} symmetric
 * @param {Cell} at
 * @returns {Area[]}
 */
export function withImages(areas, { symmetry, about }, at) {
    const [across, down] = [apart(about[0], 2n * at.x), apart(about[1], 2n * at.y)];
    return motions[symmetry].flatMap((motion) => areas.map((area) => {
        let { x, y, width, height } = area;
        if (motion.includes('t')) {
            const shift = (across - down) / 2;
            [x, y, width, height] = [y + shift, x - shift, height, width];
        }
        if (motion.includes('x')) x = across - x - width;
        if (motion.includes('y')) y = down - y - height;
        return { x, y, width, height };
    }));
}

/**
 * Returns how many cells at each end of a row are outside the ellipse that fills an area.
 * @param {Area} area
 * @param {number} row
 */
function leftOut({ width, height }, row) {
    if (row < 0 || row >= height) return width;
    const from_middle = (2 * row + 1 - height) / height;
    const half = width * Math.sqrt(1 - from_middle * from_middle);
    return Math.max(0, Math.ceil((width - 1 - half) / 2));
}

/**
 * Returns the areas that make up an ellipse. In a very high ellipse each area covers several rows.
 * @param {Area} box
 * @param {number} thickness of the outline; 0: filled
 * @returns {Area[]}
 */
function ellipseAreas(box, thickness) {
    const slanting = Math.floor(thickness * slantingPart);
    const step = Math.ceil(box.height / mostRows);
    /** @type {Area[]} */
    const areas = [];
    for (let row = 0; row < box.height; row += step) {
        const out = leftOut(box, row);
        const inside = thickness === 0 ? box.width : Math.max(out + thickness,
            leftOut(box, row - thickness), leftOut(box, row + thickness),
            leftOut(box, row - slanting) + slanting, leftOut(box, row + slanting) + slanting);
        const y = box.y + row;
        if (2 * inside >= box.width) {
            areas.push({ x: box.x + out, y, width: box.width - 2 * out, height: step });
            continue;
        }
        const width = inside - out;
        areas.push({ x: box.x + out, y, width, height: step },
            { x: box.x + box.width - inside, y, width, height: step });
    }
    return areas;
}

/**
 * Returns the areas that make up a shape.
 * @param {'rectangle' | 'ellipse'} shape
 * @param {Area} box
 * @param {number} thickness of the outline; 0: filled
 * @returns {Area[]}
 */
export function shapeAreas(shape, box, thickness) {
    if (shape === 'ellipse') return ellipseAreas(box, thickness);
    const { x, y, width, height } = box;
    const inner = { width: width - 2 * thickness, height: height - 2 * thickness };
    if (thickness === 0 || inner.width <= 0 || inner.height <= 0) return [box];
    return [
        { x, y, width, height: thickness },
        { x, y: y + thickness, width: thickness, height: inner.height },
        { x: x + width - thickness, y: y + thickness, width: thickness, height: inner.height },
        { x, y: y + height - thickness, width, height: thickness },
    ];
}

/**
 * Returns the area that a brush covers, relative to the cell under the pointer.
 * @param {number} size
 * @returns {Area}
 */
export function footprint(size) {
    const before = -Math.floor(size / 2);
    return { x: before, y: before, width: size, height: size };
}

/**
 * Widens runs of cells to the width of a round brush.
 * @param {number[]} runs x, y, n, ... as in the protocol
 * @param {number} size of the brush in cells
 * @returns {number[]} runs that do not overlap
 */
export function brushed(runs, size) {
    if (size === 1) return runs;
    const brush = shapeAreas('ellipse', footprint(size), 0);
    /** @type {Map<number, [number, number][]>} */
    const rows = new Map();
    for (let i = 0; i + 2 < runs.length; i += 3) {
        const [x, y, length] = runs.slice(i, i + 3);
        for (const part of brush) {
            const row = rows.get(y + part.y);
            /** @type {[number, number]} */
            const span = [x + part.x, x + part.x + part.width + length - 1];
            if (row === undefined) rows.set(y + part.y, [span]);
            else row.push(span);
        }
    }
    return [...rows].flatMap(([y, spans]) => {
        spans.sort((a, b) => a[0] - b[0]);
        /** @type {number[]} */
        const joined = [];
        let [begin, end] = spans[0];
        for (const [from, to] of spans) {
            if (from > end) {
                joined.push(begin, y, end - begin);
                begin = from;
                end = to;
            } else end = Math.max(end, to);
        }
        joined.push(begin, y, end - begin);
        return joined;
    });
}

/** Converts runs of cells to areas. @param {number[]} runs @returns {Area[]} */
export function areasOf(runs) {
    /** @type {Area[]} */
    const areas = [];
    for (let i = 0; i + 2 < runs.length; i += 3) {
        areas.push({ x: runs[i], y: runs[i + 1], width: runs[i + 2], height: 1 });
    }
    return areas;
}
