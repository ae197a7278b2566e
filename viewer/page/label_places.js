// Places labels beside boxes on the canvas. A label that would cover a box or another label is left
// out.

/** @typedef {{x: number, y: number, width: number, height: number}} Rectangle in device pixels */

const SQUARE_PX = 64; // of the grid in which labels that may overlap are searched

/**
 * Returns the possible rectangles of a label: below, above, to the right and to the left of its
 * box.
 * @param {Rectangle} box
 * @param {number} width of the label
 * @param {number} height
 * @param {number} gap
 * @returns {Rectangle[]}
 */
function around(box, width, height, gap) {
    const x = box.x + (box.width - width) / 2;
    const y = box.y + (box.height - height) / 2;
    return [
        { x, y: box.y + box.height + gap, width, height },
        { x, y: box.y - height - gap, width, height },
        { x: box.x + box.width + gap, y, width, height },
        { x: box.x - width - gap, y, width, height },
    ].map((place) => ({ ...place, x: Math.round(place.x), y: Math.round(place.y) }));
}

/** @param {Rectangle} a @param {Rectangle} b */
function overlap(a, b) {
    return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height &&
        b.y < a.y + a.height;
}

/** The rectangles that are taken, by squares of a grid. */
export class LabelPlaces {
    /** @type {Map<string, Rectangle[]>} */
    #squares = new Map();

    /** @param {Rectangle} place @returns {string[]} */
    #keys({ x, y, width, height }) {
        const keys = [];
        for (let row = Math.floor(y / SQUARE_PX); row * SQUARE_PX < y + height; row++) {
            for (let column = Math.floor(x / SQUARE_PX); column * SQUARE_PX < x + width; column++) {
                keys.push(`${column},${row}`);
            }
        }
        return keys;
    }

    /** Keeps labels away from a rectangle. @param {Rectangle} place */
    add(place) {
        for (const key of this.#keys(place)) {
            this.#squares.set(key, [...this.#squares.get(key) ?? [], place]);
        }
    }

    /**
     * Takes a free place beside a box.
     * @param {Rectangle} box
     * @param {number} width of the label
     * @param {number} height
     * @param {number} gap between the box and the label
     * @returns {Rectangle | null} null if there is none
     */
    take(box, width, height, gap) {
        const found = around(box, width, height, gap).find((place) => this.#keys(place).every(
            (key) => !(this.#squares.get(key) ?? []).some((taken) => overlap(place, taken))));
        if (found === undefined) return null;
        this.add(found);
        return found;
    }
}
