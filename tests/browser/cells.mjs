// Cells as the tests think of them: sets of places. A small Life of its own, and RLE.

import assert from 'node:assert/strict';

/** Live cells, each as 'x,y'. @typedef {Set<string>} Cells */

/**
 * The runs of live cells in RLE.
 * @param {string} text with its header or without
 * @param {number} left where its top left cell is
 * @param {number} top
 * @param {(x: number, y: number, length: number) => void} take
 */
export function runsOf(text, left, top, take) {
    const body = text.split('\n').filter((line) => !/^\s*(#|x)/.test(line)).join('');
    let [x, y] = [left, top];
    for (const [, count, letter] of body.matchAll(/(\d*)([bo$!])/g)) {
        const times = Number(count || 1);
        if (letter === '!') break;
        if (letter === '$') {
            y += times;
            x = left;
            continue;
        }
        if (letter === 'o') take(x, y, times);
        x += times;
    }
}

/**
 * @param {string} text RLE, with its header or without
 * @param {number} [left] where its top left cell is
 * @param {number} [top]
 * @returns {Cells}
 */
export function fromRle(text, left = 0, top = 0) {
    /** @type {Cells} */
    const cells = new Set();
    runsOf(text, left, top, (x, y, length) => {
        for (let i = 0; i < length; i++) cells.add(`${x + i},${y}`);
    });
    return cells;
}

/**
 * @param {Cells} cells
 * @returns {number[][]} x and y of each
 */
export function places(cells) {
    return [...cells].map((text) => text.split(',').map(Number));
}

/**
 * @param {Cells} cells
 * @returns {string[]} in an order that does not depend on how they came to be
 */
export function sorted(cells) {
    return [...cells].sort();
}

/**
 * @param {Cells} cells
 * @param {(x: number, y: number) => [number, number]} how
 * @returns {Cells}
 */
export function moved(cells, how) {
    return new Set(places(cells).map(([x, y]) => how(x, y).join()));
}

/**
 * @param {number} x @param {number} y @param {number} width @param {number} height
 * @returns {Cells} all cells of a rectangle
 */
export function block(x, y, width, height) {
    /** @type {Cells} */
    const cells = new Set();
    for (let i = 0; i < width * height; i++) {
        cells.add(`${x + i % width},${y + Math.floor(i / width)}`);
    }
    return cells;
}

/**
 * @param {Cells} cells
 * @returns {string[]} the same wherever they lie
 */
export function shape(cells) {
    const all = places(cells);
    const left = Math.min(...all.map(([x]) => x));
    const top = Math.min(...all.map(([, y]) => y));
    return sorted(moved(cells, (x, y) => [x - left, y - top]));
}

/** Places as small whole numbers, which JavaScript counts by sooner than by texts. */
const SIDE = 2 ** 15;
const ROUND = [-SIDE - 1, -SIDE, -SIDE + 1, -1, 1, SIDE - 1, SIDE, SIDE + 1];

/**
 * Life, on a plane without end.
 * @param {Cells} cells
 * @param {number} generations
 * @returns {Cells}
 */
export function life(cells, generations) {
    let alive = new Set(places(cells).map(([x, y]) => {
        assert.ok(Math.max(Math.abs(x), Math.abs(y)) + generations < SIDE / 2);
        return (y + SIDE / 2) * SIDE + x + SIDE / 2;
    }));
    for (; generations > 0; generations--) {
        /** @type {Map<number, number>} */
        const counts = new Map();
        for (const place of alive) {
            for (const step of ROUND) counts.set(place + step, (counts.get(place + step) ?? 0) + 1);
        }
        /** @type {Set<number>} */
        const next = new Set();
        for (const [place, count] of counts) {
            if (count === 3 || (count === 2 && alive.has(place))) next.add(place);
        }
        alive = next;
    }
    return new Set([...alive].map((place) =>
        `${place % SIDE - SIDE / 2},${Math.floor(place / SIDE) - SIDE / 2}`));
}
