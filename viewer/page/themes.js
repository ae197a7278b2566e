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

// The build puts the themes of src/record/themes.c into the brackets (cmake/embed_themes.cmake).
/** @type {CellTheme[]} */
export const themes = [];

/**
 * Returns the theme with an id.
 * @param {string | null} id
 * @returns {CellTheme | null} null if the id is unknown
 */
export function themeOf(id) {
    return themes.find((theme) => theme.id === id) ?? null;
}
