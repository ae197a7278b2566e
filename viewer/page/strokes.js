// Cells on their way to the server: lines as runs, gathered and sent once a frame, so that a quick
// hand makes a few messages, not hundreds.

/** @import { Box, Cell } from './types.js' */

const longestLine = 2 ** 20;
const runsOfMessage = 4096;
const cellsOfRun = 65536;

/**
 * The cells of a straight line by Bresenham's method, both ends included.
 * @param {Cell} from
 * @param {Cell} to
 * @returns {number[] | null} x, y, n, x, y, n ... from left to right; null if it is too long
 */
export function lineRuns(from, to) {
    if (to.x < from.x) return lineRuns(to, from);
    const width = to.x - from.x;
    const height = Math.abs(to.y - from.y);
    if (Math.max(width, height) >= longestLine) return null;
    const down = to.y > from.y ? 1 : -1;
    /** @type {number[]} */
    const runs = [];
    let { x, y } = from;
    let begin = x;
    let error = width - height;
    for (;;) {
        const last = x === to.x && y === to.y;
        const twice = 2 * error;
        const right = twice > -height;
        const lower = twice < width;
        if (last || lower || x - begin + 1 === cellsOfRun) {
            runs.push(begin, y, x - begin + 1);
            begin = x + (right ? 1 : 0);
        }
        if (last) return runs;
        if (right) {
            error -= height;
            ++x;
        }
        if (lower) {
            error += width;
            y += down;
        }
    }
}

/**
 * What of some runs is within a box.
 * @param {number[]} runs
 * @param {Box} box with fractions: a cell counts if a part of it is within
 * @returns {number[]}
 */
export function runsWithin(runs, box) {
    const left = Math.floor(box.x);
    const top = Math.floor(box.y);
    const right = Math.ceil(box.x + box.width);
    const bottom = Math.ceil(box.y + box.height);
    /** @type {number[]} */
    const within = [];
    for (let i = 0; i + 2 < runs.length; i += 3) {
        const [x, y, length] = runs.slice(i, i + 3);
        const begin = Math.max(x, left);
        const end = Math.min(x + length, right);
        if (y >= top && y < bottom && end > begin) within.push(begin, y, end - begin);
    }
    return within;
}

export class Strokes {
    /** @type {number[]} */
    #runs = [];
    /** @type {boolean | 'pencil'} */
    #alive = true;
    /** @type {Record<string, unknown>} */
    #members = {};
    // Starts at a random number, so that a reloaded page does not continue an old stroke.
    #stroke = Math.floor(Math.random() * 2 ** 30);
    #frame = 0;

    /** @param {(message: {do: string} & Record<string, unknown>) => void} send */
    constructor(send) {
        this.send = send;
    }

    /**
     * @param {boolean | 'pencil'} alive the cells of the new stroke, which one undo takes back;
     *     'pencil': the first one decides
     * @param {Record<string, unknown>} [members] more to be said with it
     */
    begin(alive, members = {}) {
        this.flush();
        this.#alive = alive;
        this.#members = members;
        ++this.#stroke;
    }

    /** The number of the newest stroke, by which the server knows it. */
    get stroke() {
        return this.#stroke;
    }

    /** @param {number[]} runs */
    add(runs) {
        for (const number of runs) this.#runs.push(number);
        if (this.#frame === 0) this.#frame = requestAnimationFrame(() => this.flush());
    }

    /** Sends what is there. */
    flush() {
        cancelAnimationFrame(this.#frame);
        this.#frame = 0;
        const { send } = this;
        for (let at = 0; at < this.#runs.length; at += 3 * runsOfMessage) {
            const runs = this.#runs.slice(at, at + 3 * runsOfMessage);
            send({
                do: 'cells', alive: this.#alive, stroke: this.#stroke, ...this.#members, runs,
            });
        }
        this.#runs = [];
    }
}
