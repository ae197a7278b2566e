// The choice of the cell theme and the legend of its colours.

/** @import { Colours } from './colours.js' */
/** @import { Palette } from './types.js' */
import { AGES, DENSITIES, placeOfAge, placeOfTrail, TRAILS } from './ages.js';
import { announce } from './announce.js';
import { byId, element, returnFocus, setText } from './dom.js';
import { themes } from './themes.js';

const groups = [
    { shows: 'cells', label: 'Cells' },
    { shows: 'age', label: 'Age: how long cells have been alive' },
    { shows: 'trails', label: 'Trails: where cells were alive' },
    { shows: 'activity', label: 'Activity: recent changes' },
];

const texts = {
    cells: 'Live cells. When zoomed out, the colour shows their density.',
    age: 'How long cells have been alive, in generations.',
    trails: 'Live cells, and where cells were alive before.',
    activity: 'Cells that changed recently are hot, whether they are alive or dead now.',
};

const forcedText = 'The picture uses your system’s colours.';

/** @typedef {{place: number, text: string}} Tick */

/**
 * Returns the labels for a scale of generations.
 * @param {number[]} generations
 * @param {(generations: number) => number} place returns a position on the scale
 * @returns {Tick[]}
 */
function ticksOf(generations, place) {
    return generations.map((each) => ({
        place: place(each),
        text: each >= 1000 ? `${Math.round(each / 1000)} k` : String(each),
    }));
}

const ageTicks = ticksOf([0, 3, 20, 150, 1000, 8000, 60000], placeOfAge);
const trailTicks = ticksOf([0, 2, 10, 40, 200, 1000], placeOfTrail);
const levelTicks = [{ place: 0, text: 'few' }, { place: 1, text: 'all' }];

/**
 * Returns a CSS gradient.
 * @param {Uint8Array} colours of 4 bytes
 * @param {number[]} indices of the colours in the gradient
 */
function gradient(colours, indices) {
    const stops = indices.map((index) =>
        `rgb(${colours[index * 4]} ${colours[index * 4 + 1]} ${colours[index * 4 + 2]})`);
    return `linear-gradient(to right, ${stops.join(', ')})`;
}

/**
 * Returns an array with `at(0)` to `at(count - 1)`.
 * @param {number} count
 * @param {(i: number) => number} at
 */
const list = (count, at) => Array.from({ length: count }, (_, i) => at(i));

/**
 * Makes a colour bar with a scale below the bar.
 * @param {string} name
 * @param {string} spoken description for screen readers
 * @param {string} image of the bar
 * @param {Tick[]} ticks
 */
function scale(name, spoken, image, ticks) {
    const bar = element('div', { class: 'bar', role: 'img', 'aria-label': spoken });
    bar.style.backgroundImage = image;
    const marks = ticks.map(({ place, text }) => {
        const mark = element('span', {}, text);
        mark.style.insetInlineStart = `${place * 100}%`;
        // Keep the first and the last label within the width of the bar.
        mark.style.transform = `translateX(${-place * 100}%)`;
        return mark;
    });
    return element('div', { class: 'scale' }, element('span', { class: 'name' }, name), bar,
        element('div', { class: 'ticks number', 'aria-hidden': 'true' }, ...marks));
}

/** Makes the colour bars of a palette. @param {Palette} palette @returns {HTMLElement[]} */
function scales(palette) {
    if (!palette.has_ages) {
        return [scale('Density', 'From few live cells to all cells alive',
            gradient(palette.levels, list(16, (i) => Math.max(1, i * 17))), levelTicks)];
    }
    const live = list(AGES, (i) => TRAILS + DENSITIES * i + DENSITIES - 1);
    const trail = list(TRAILS - 1, (i) => TRAILS - 1 - i);
    return [
        scale('Alive for', 'Ages from 0 to 60,000 generations and more',
            gradient(palette.ages, live), ageTicks),
        scale('Dead for', 'Trails, which disappear after 1,400 generations',
            gradient(palette.ages, trail), trailTicks),
    ];
}

export class Legend {
    #colours;
    #chooser = byId('colours', HTMLSelectElement);
    #shown = '';

    /** @param {Colours} colours */
    constructor(colours) {
        this.#colours = colours;
        this.#chooser.append(...groups.map(({ shows, label }) => element('optgroup', { label },
            ...themes.filter((theme) => theme.shows === shows).map(({ id, title, safe }) =>
                element('option', { value: id },
                    safe && shows !== 'cells' ? `${title} (colour-blind safe)` : title)))));
        returnFocus(this.#chooser);
        this.#chooser.addEventListener('change', () => colours.chooseCells(this.#chooser.value));
        colours.addEventListener('changed', () => this.#show());
        this.#show();
    }

    #show() {
        const { cells, cellsAreChosen, forced, palette } = this.#colours;
        this.#chooser.value = cells.id;
        this.#chooser.disabled = forced;
        setText(byId('colours-text', HTMLElement), forced ? forcedText : texts[cells.shows]);
        byId('legend', HTMLElement).replaceChildren(...scales(palette));
        if (cellsAreChosen && this.#shown !== '' && this.#shown !== cells.id) {
            announce(`${cells.title}. ${texts[cells.shows]}`);
        }
        this.#shown = cells.id;
    }
}
