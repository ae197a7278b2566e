// Cells as the tests think of them: sets of places. A small Life of its own, and RLE.

/** Live cells, each as 'x,y'. @typedef {Set<string>} Cells */

/**
 * @param {string} text RLE, with its header or without
 * @param {number} [left] where its top left cell is
 * @param {number} [top]
 * @returns {Cells}
 */
export function fromRle(text, left = 0, top = 0) {
    const body = text.split('\n').filter((line) => !/^\s*(#|x)/.test(line)).join('');
    /** @type {Cells} */
    const cells = new Set();
    let [x, y] = [left, top];
    for (const [, count, letter] of body.matchAll(/(\d*)([bo$!])/g)) {
        const times = Number(count || 1);
        if (letter === '!') break;
        if (letter === '$') {
            y += times;
            x = left;
            continue;
        }
        for (let i = 0; i < times; i++, x++) if (letter === 'o') cells.add(`${x},${y}`);
    }
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

/**
 * Life, on a plane without end.
 * @param {Cells} cells
 * @param {number} generations
 * @returns {Cells}
 */
export function life(cells, generations) {
    for (; generations > 0; generations--) {
        /** @type {Map<string, number>} */
        const around = new Map();
        for (const [x, y] of places(cells)) {
            for (let i = 0; i < 9; i++) {
                if (i === 4) continue;
                const place = `${x + i % 3 - 1},${y + Math.floor(i / 3) - 1}`;
                around.set(place, (around.get(place) ?? 0) + 1);
            }
        }
        const old = cells;
        cells = new Set([...around].filter(([place, count]) =>
            count === 3 || (count === 2 && old.has(place))).map(([place]) => place));
    }
    return cells;
}
