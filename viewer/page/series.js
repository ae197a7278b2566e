// The population over the generations, as at most 2,048 points in order of generation. When the
// number of points exceeds 2,048, every second point is dropped, and new points are stored half as
// often.

const most = 2048;

/**
 * A point of the chart. `generation` and `population` are rounded numbers for drawing, and `exact`
 * has the exact digits of both.
 * @typedef {{generation: number, population: number, exact: [string, string]}} Point
 */

/**
 * Makes a point from exact digits.
 * @param {string} generation
 * @param {string} population
 * @returns {Point}
 */
function pointOf(generation, population) {
    return { generation: Number(generation), population: Number(population),
        exact: [generation, population] };
}

export class Series {
    /** @type {Point[]} */
    points = [];
    /** Smallest number of generations between two points. */
    #apart = 0;

    clear() {
        this.points = [];
        this.#apart = 0;
    }

    /** Removes the points after a generation. @param {number} generation */
    cut(generation) {
        while (this.points.length > 0 && this.points[this.points.length - 1].generation >
            generation) this.points.pop();
    }

    /**
     * Returns the number of points up to and including a generation.
     * @param {number} generation
     * @returns {number}
     */
    #countUpTo(generation) {
        let low = 0;
        let high = this.points.length;
        while (low < high) {
            const middle = (low + high) >> 1;
            if (this.points[middle].generation <= generation) low = middle + 1;
            else high = middle;
        }
        return low;
    }

    /**
     * Adds a point.
     * @param {string} generation
     * @param {string} population
     */
    add(generation, population) {
        const { points } = this;
        const point = pointOf(generation, population);
        const place = this.#countUpTo(point.generation);
        const before = points[place - 1];
        if (before?.exact[0] === generation) {
            points[place - 1] = point;
            return;
        }
        const after = points[place];
        const far = (/** @type {Point | undefined} */ a, /** @type {Point | undefined} */ b) =>
            a === undefined || b === undefined || b.generation - a.generation >= this.#apart;
        if (after !== undefined) {
            if (far(before, point) && far(point, after)) points.splice(place, 0, point);
        } else {
            // The newest point is always stored. If the last two stored points are too close
            // together, the newest point replaces the last stored point.
            if (!far(points.at(-2), before)) points.pop();
            points.push(point);
        }
        if (points.length <= most) return;
        this.points = points.filter((_, index) => index % 2 === 0 || index === points.length - 1);
        this.#apart = (points[points.length - 1].generation - points[0].generation) / (most / 2);
    }

    /** Returns the lowest and the highest population. @returns {{low: number, high: number}} */
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
     * Returns the point nearest to a generation.
     * @param {number} generation
     * @returns {Point | null}
     */
    near(generation) {
        const place = this.#countUpTo(generation);
        const before = this.points[place - 1];
        const after = this.points[place];
        if (before === undefined || after === undefined) return before ?? after ?? null;
        return generation - before.generation <= after.generation - generation ? before : after;
    }

    /** Writes the points as a CSV file. @returns {string} */
    toCsv() {
        const rows = this.points.map(({ exact }) => exact.join(','));
        return ['generation,population', ...rows, ''].join('\r\n');
    }
}
