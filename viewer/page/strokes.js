// Collects drawn cells as horizontal runs, and sends the runs once per screen refresh, so that a
// fast stroke takes a few messages instead of hundreds.
//
// Runs of n cells from (x, y) are stored as x, y, n, x, y, n ... Coordinates are relative to a
// nearby cell, because loops that count with doubles beyond 2^53 would not end.

/** @import { Box, Cell } from './types.js' */
import { apart, runsFrom } from './exact.js';

const longestLine = 2 ** 20;
const runsOfMessage = 4096;
const cellsOfRun = 65536;

/**
 * Returns the cells of a straight line (Bresenham's algorithm). The line includes the cells at both
 * ends.
 * @param {Cell} from
 * @param {Cell} to
 * @returns {number[] | null} runs from left to right, relative to `from`; null if the line is too
 *     long
 */
export function lineRuns(from, to) {
    const [right, down] = [apart(to.x, from.x), apart(to.y, from.y)];
    if (Math.max(Math.abs(right), Math.abs(down)) >= longestLine) return null;
    return right < 0 ? walk(right, down, 0, 0) : walk(0, 0, right, down);
}

/**
 * Returns the runs of a line from (x, y) to (to_x, to_y).
 * @param {number} x
 * @param {number} y
 * @param {number} to_x at least x
 * @param {number} to_y
 */
function walk(x, y, to_x, to_y) {
    const width = to_x - x;
    const height = Math.abs(to_y - y);
    const down = to_y > y ? 1 : -1;
    /** @type {number[]} */
    const runs = [];
    let begin = x;
    let error = width - height;
    for (;;) {
        const last = x === to_x && y === to_y;
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
 * Returns the parts of runs of cells that are inside a box.
 * @param {number[]} runs
 * @param {Box} box
 * @param {Cell} at the runs are relative to this cell
 * @returns {number[]}
 */
export function runsWithin(runs, box, at) {
    const [left, top] = [apart(box.x, at.x), apart(box.y, at.y)];
    const right = apart(box.x + box.width, at.x);
    const bottom = apart(box.y + box.height, at.y);
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
    /** @type {(number | bigint)[]} runs in absolute coordinates, as in the protocol */
    #runs = [];
    /** @type {boolean | 'pencil'} */
    #alive = true;
    /** @type {Record<string, unknown>} */
    #members = {};
    // Number of the newest stroke. The number of the first stroke is random, so that a reloaded
    // page does not continue an old stroke.
    #stroke = Math.floor(Math.random() * 2 ** 30);
    #frame = 0;

    /**
     * Creates a collector of drawn cells, which sends messages with `send`.
     * @param {(message: {do: string} & Record<string, unknown>) => void} send
     */
    constructor(send) {
        this.send = send;
    }

    /**
     * Starts a stroke. A single undo reverts the whole stroke.
     * @param {boolean | 'pencil'} alive state of the drawn cells; 'pencil': the inverse of the
     *     first cell's state
     * @param {Record<string, unknown>} [members] further members of the stroke's messages
     */
    begin(alive, members = {}) {
        this.flush();
        this.#alive = alive;
        this.#members = members;
        ++this.#stroke;
    }

    /** The number of the newest stroke, which identifies the stroke in messages. */
    get stroke() {
        return this.#stroke;
    }

    /**
     * Adds cells to the stroke.
     * @param {Cell} at
     * @param {number[]} runs relative to the cell `at`
     */
    add(at, runs) {
        for (const number of runsFrom(at, runs)) this.#runs.push(number);
        if (this.#frame === 0) this.#frame = requestAnimationFrame(() => this.flush());
    }

    /** Sends the collected cells. */
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
