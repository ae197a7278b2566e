// The ten cell themes. Each theme has colours for a dark page and for a light page. The member
// `shows` of a theme is one of four kinds. Themes of the kind 'cells' show live cells, or the
// density of live cells if the view is zoomed out. Themes of the kind 'age' show how long each cell
// has been alive. Themes of the kind 'trails' show live cells, and places where cells were alive
// before. Themes of the kind 'activity' show recently changed cells, alive or dead, in hot colours.
//
// Tones are in OKLCH, a colour space in which equal steps of lightness look equal. The colours of a
// theme marked `safe` differ only in lightness and in how blue or yellow they are. People with
// red-green colour blindness can see differences in lightness and between blue and yellow.

/** @import { Colour } from './types.js' */

/** @typedef {{lightness: number, chroma: number, hue: number}} Tone hue in degrees */

/**
 * @typedef {object} Shades
 * @property {Colour} dead
 * @property {Tone[]} levels colours from low to full density
 * @property {Tone[]} live colours from just born to old
 * @property {Tone[]} trail colours from just died to died long ago
 */

/**
 * @typedef {object} CellTheme
 * @property {string} id
 * @property {string} title
 * @property {'cells' | 'age' | 'trails' | 'activity'} shows
 * @property {boolean} [safe] whether the theme suits people with red-green colour blindness
 * @property {Shades} dark
 * @property {Shades} light
 */

/**
 * Makes a tone.
 * @param {number} lightness
 * @param {number} chroma
 * @param {number} hue
 * @returns {Tone}
 */
const tone = (lightness, chroma, hue) => ({ lightness, chroma, hue });

/** @type {Colour} */
const night = [11, 15, 19, 255];
/** @type {Colour} */
const paper = [250, 249, 245, 255];

/** @type {CellTheme[]} */
export const themes = [
    {
        id: 'sea', title: 'Sea', shows: 'cells', safe: true,
        dark: {
            dead: night, live: [], trail: [],
            levels: [tone(0.69, 0.118, 216), tone(0.83, 0.125, 186), tone(0.975, 0.05, 165)],
        },
        light: {
            dead: paper, live: [], trail: [],
            levels: [tone(0.438, 0.073, 205), tone(0.34, 0.062, 218), tone(0.2, 0.045, 235)],
        },
    },
    {
        id: 'ink', title: 'Black and white', shows: 'cells', safe: true,
        dark: {
            dead: [0, 0, 0, 255], live: [], trail: [],
            levels: [tone(0.74, 0, 0), tone(0.87, 0, 0), tone(1, 0, 0)],
        },
        light: {
            dead: [255, 255, 255, 255], live: [], trail: [],
            levels: [tone(0.42, 0, 0), tone(0.21, 0, 0), tone(0, 0, 0)],
        },
    },
    {
        id: 'amber', title: 'Amber', shows: 'cells', safe: true,
        dark: {
            dead: [16, 11, 4, 255], live: [], trail: [],
            levels: [tone(0.72, 0.13, 65), tone(0.82, 0.15, 76), tone(0.94, 0.1, 92)],
        },
        light: {
            dead: [255, 250, 238, 255], live: [], trail: [],
            levels: [tone(0.43, 0.1, 52), tone(0.35, 0.08, 48), tone(0.23, 0.05, 42)],
        },
    },
    {
        id: 'embers', title: 'Embers', shows: 'age',
        dark: {
            dead: [14, 10, 12, 255], trail: [tone(0.35, 0.06, 25), tone(0.18, 0.02, 20)],
            live: [tone(0.97, 0.05, 100), tone(0.86, 0.15, 82), tone(0.73, 0.18, 52),
                tone(0.62, 0.2, 28)],
            levels: [tone(0.72, 0.15, 50), tone(0.85, 0.14, 80), tone(0.97, 0.05, 100)],
        },
        light: {
            dead: [252, 248, 242, 255], trail: [tone(0.88, 0.04, 60), tone(0.965, 0.01, 80)],
            live: [tone(0.54, 0.2, 34), tone(0.45, 0.17, 28), tone(0.34, 0.11, 24),
                tone(0.22, 0.05, 20)],
            levels: [tone(0.43, 0.15, 34), tone(0.36, 0.12, 28), tone(0.24, 0.06, 22)],
        },
    },
    {
        id: 'meadow', title: 'Meadow', shows: 'age', safe: true,
        dark: {
            dead: night, trail: [tone(0.34, 0.07, 290), tone(0.18, 0.02, 290)],
            live: [tone(0.94, 0.16, 106), tone(0.82, 0.17, 138), tone(0.71, 0.11, 190),
                tone(0.61, 0.13, 272)],
            levels: [tone(0.72, 0.12, 180), tone(0.83, 0.16, 140), tone(0.95, 0.14, 108)],
        },
        light: {
            dead: paper, trail: [tone(0.88, 0.04, 150), tone(0.965, 0.01, 150)],
            live: [tone(0.53, 0.13, 145), tone(0.46, 0.08, 195), tone(0.36, 0.1, 260),
                tone(0.24, 0.1, 295)],
            levels: [tone(0.44, 0.09, 160), tone(0.36, 0.08, 230), tone(0.24, 0.1, 290)],
        },
    },
    {
        id: 'dunes', title: 'Blue and yellow', shows: 'age', safe: true,
        dark: {
            dead: [10, 13, 20, 255], trail: [tone(0.33, 0.07, 258), tone(0.18, 0.02, 258)],
            live: [tone(0.95, 0.15, 102), tone(0.83, 0.1, 96), tone(0.72, 0.03, 100),
                tone(0.61, 0.1, 258)],
            levels: [tone(0.72, 0.05, 96), tone(0.83, 0.1, 98), tone(0.95, 0.15, 102)],
        },
        light: {
            dead: [251, 250, 246, 255], trail: [tone(0.89, 0.05, 98), tone(0.965, 0.01, 98)],
            live: [tone(0.55, 0.11, 88), tone(0.48, 0.05, 92), tone(0.4, 0.05, 258),
                tone(0.28, 0.12, 262)],
            levels: [tone(0.44, 0.06, 90), tone(0.38, 0.05, 258), tone(0.28, 0.12, 262)],
        },
    },
    {
        id: 'comet', title: 'Comet', shows: 'trails', safe: true,
        dark: {
            dead: [8, 9, 18, 255],
            trail: [tone(0.6, 0.17, 256), tone(0.46, 0.18, 278), tone(0.31, 0.13, 296),
                tone(0.17, 0.04, 300)],
            live: [tone(0.98, 0.02, 230), tone(0.88, 0.05, 225)],
            levels: [tone(0.72, 0.08, 235), tone(0.86, 0.05, 230), tone(0.98, 0.02, 230)],
        },
        light: {
            dead: [250, 250, 253, 255],
            trail: [tone(0.7, 0.14, 252), tone(0.8, 0.1, 272), tone(0.9, 0.05, 290),
                tone(0.97, 0.01, 300)],
            live: [tone(0.2, 0.05, 265), tone(0.36, 0.06, 262)],
            levels: [tone(0.43, 0.09, 258), tone(0.32, 0.07, 262), tone(0.2, 0.05, 265)],
        },
    },
    {
        id: 'moss', title: 'Moss', shows: 'trails',
        dark: {
            dead: [10, 14, 11, 255],
            trail: [tone(0.55, 0.14, 145), tone(0.42, 0.11, 150), tone(0.29, 0.07, 155),
                tone(0.17, 0.02, 160)],
            live: [tone(0.96, 0.07, 112), tone(0.84, 0.1, 118)],
            levels: [tone(0.72, 0.11, 135), tone(0.85, 0.1, 122), tone(0.96, 0.07, 112)],
        },
        light: {
            dead: [249, 251, 246, 255],
            trail: [tone(0.76, 0.13, 142), tone(0.85, 0.09, 145), tone(0.92, 0.05, 148),
                tone(0.97, 0.01, 150)],
            live: [tone(0.22, 0.05, 150), tone(0.37, 0.07, 148)],
            levels: [tone(0.43, 0.09, 148), tone(0.33, 0.07, 150), tone(0.22, 0.05, 150)],
        },
    },
    {
        id: 'heat', title: 'Heat', shows: 'activity',
        dark: {
            dead: [12, 11, 14, 255],
            trail: [tone(0.62, 0.2, 36), tone(0.46, 0.17, 26), tone(0.31, 0.11, 16),
                tone(0.17, 0.03, 10)],
            live: [tone(0.97, 0.08, 104), tone(0.86, 0.16, 84), tone(0.74, 0.18, 55),
                tone(0.66, 0.04, 260), tone(0.62, 0.05, 260)],
            levels: [tone(0.72, 0.16, 55), tone(0.85, 0.15, 82), tone(0.97, 0.08, 104)],
        },
        light: {
            dead: [251, 249, 247, 255],
            trail: [tone(0.76, 0.15, 58), tone(0.85, 0.1, 68), tone(0.92, 0.05, 75),
                tone(0.97, 0.01, 80)],
            live: [tone(0.43, 0.17, 28), tone(0.5, 0.19, 32), tone(0.53, 0.14, 42),
                tone(0.5, 0.03, 255), tone(0.5, 0.04, 255)],
            levels: [tone(0.44, 0.15, 32), tone(0.38, 0.15, 28), tone(0.3, 0.12, 26)],
        },
    },
    {
        id: 'ice', title: 'Ice', shows: 'activity', safe: true,
        dark: {
            dead: [9, 12, 18, 255],
            trail: [tone(0.6, 0.11, 225), tone(0.44, 0.1, 245), tone(0.3, 0.08, 258),
                tone(0.17, 0.02, 262)],
            live: [tone(0.99, 0.01, 210), tone(0.89, 0.08, 212), tone(0.76, 0.11, 230),
                tone(0.64, 0.07, 262), tone(0.6, 0.05, 265)],
            levels: [tone(0.72, 0.1, 232), tone(0.86, 0.08, 215), tone(0.99, 0.01, 210)],
        },
        light: {
            dead: [249, 250, 252, 255],
            trail: [tone(0.76, 0.1, 228), tone(0.85, 0.06, 232), tone(0.92, 0.03, 238),
                tone(0.97, 0.01, 240)],
            live: [tone(0.2, 0.08, 268), tone(0.34, 0.13, 262), tone(0.45, 0.12, 252),
                tone(0.53, 0.05, 245), tone(0.53, 0.03, 245)],
            levels: [tone(0.43, 0.11, 252), tone(0.33, 0.12, 262), tone(0.2, 0.08, 268)],
        },
    },
];

/**
 * Returns the theme with an id.
 * @param {string | null} id
 * @returns {CellTheme | null} null if the id is unknown
 */
export function themeOf(id) {
    return themes.find((theme) => theme.id === id) ?? null;
}
