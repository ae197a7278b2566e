// The colours of the picture, for dark and light pages and for the system's forced colours. Tones
// are in OKLCH, a colour space in which equal steps of lightness look equal. The colours of level 0
// (all cells dead) and level 1 have a contrast of at least 7:1, so that one live cell in a large
// square is as easy to see as text.

/** @import { Colour, Palette } from './types.js' */
/** @import { CellTheme, Tone } from './themes.js' */
import { agelessPalette, agesPalette } from './ages.js';
import { recall, remember } from './storage.js';
import { themeOf, themes } from './themes.js';

const STORED_AS = 'lightcone.theme';
const LEAST_CONTRAST = 7;

/**
 * The default cell themes. Small universes have a theme that shows ages, and large universes have a
 * plain theme.
 */
const WITH_AGES = 'comet';
const PLAIN = 'sea';

/** @typedef {'dark' | 'light'} Theme */

/**
 * Colours of the grid, the edges and the overlay, for all cell themes.
 * @type {Record<Theme, {grid: Colour, gridStrong: Colour, outside: Colour, edge: Colour,
 *     accent: Colour}>}
 */
const SCHEMES = {
    dark: {
        grid: [112, 138, 150, 38],
        gridStrong: [142, 172, 184, 84],
        outside: [5, 7, 9, 255],
        edge: [74, 96, 106, 255],
        accent: [255, 190, 92, 255],
    },
    light: {
        grid: [60, 84, 96, 34],
        gridStrong: [48, 72, 84, 84],
        outside: [226, 226, 220, 255],
        edge: [140, 152, 156, 255],
        accent: [196, 92, 0, 255],
    },
};

/** @param {number} linear */
function toByte(linear) {
    const light = Math.min(1, Math.max(0, linear));
    const coded = light <= 0.0031308 ? 12.92 * light : 1.055 * light ** (1 / 2.4) - 0.055;
    return Math.round(coded * 255);
}

/**
 * Converts a tone to a colour.
 * @param {Tone} tone
 * @returns {Colour}
 */
function toColour({ lightness, chroma, hue }) {
    const angle = (hue * Math.PI) / 180;
    const a = chroma * Math.cos(angle);
    const b = chroma * Math.sin(angle);
    const long = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
    const medium = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
    const short = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
    return [
        toByte(4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short),
        toByte(-1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short),
        toByte(-0.0041960863 * long - 0.7034186147 * medium + 1.707614701 * short),
        255,
    ];
}

/**
 * Interpolates between two tones.
 * @param {Tone} from
 * @param {Tone} to
 * @param {number} part 0 to 1
 * @returns {Tone}
 */
function mix(from, to, part) {
    const at = (/** @type {number} */ low, /** @type {number} */ high) => low + (high - low) * part;
    return {
        lightness: at(from.lightness, to.lightness),
        chroma: at(from.chroma, to.chroma),
        hue: at(from.hue, to.hue),
    };
}

/**
 * Interpolates evenly through a list of tones.
 * @param {Tone[]} tones
 * @param {number} part 0 to 1
 */
function along(tones, part) {
    const place = part * (tones.length - 1);
    const from = Math.min(tones.length - 2, Math.floor(place));
    return toColour(mix(tones[from], tones[from + 1], place - from));
}

/**
 * Makes the palette of a cell theme.
 * @param {Theme} name
 * @param {CellTheme} [cells]
 * @returns {Palette}
 */
export function makePalette(name, cells = themes[0]) {
    const { dead, levels: [first, middle, last], live, trail } = cells[name];
    const levels = new Uint8Array(256 * 4);
    levels.set(dead);
    // Lightness rises evenly from the first to the last tone. `turn` is the value of `part` at
    // which the tone is the middle tone.
    const turn = (middle.lightness - first.lightness) / (last.lightness - first.lightness);
    for (let level = 1; level < 256; level++) {
        const part = (level - 1) / 254;
        const tone = part < turn ? mix(first, middle, part / turn)
            : mix(middle, last, (part - turn) / (1 - turn));
        levels.set(toColour(tone), level * 4);
    }
    const has_ages = cells.shows !== 'cells';
    const ages = has_ages ?
        agesPalette(dead, (part) => along(live, part), (part) => along(trail, part)) :
        agelessPalette(levels);
    return { name, levels, has_ages, ages, ...SCHEMES[name] };
}

/**
 * Returns the relative luminance of a colour (WCAG).
 * @param {Colour} colour
 * @returns {number} 0 to 1
 */
function luminance([red, green, blue]) {
    const linear = [red, green, blue].map((byte) =>
        byte <= 10 ? byte / 255 / 12.92 : ((byte / 255 + 0.055) / 1.055) ** 2.4);
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2];
}

/**
 * Returns the contrast ratio of two colours (WCAG).
 * @param {Colour} a
 * @param {Colour} b
 * @returns {number} 1 to 21
 */
export function contrast(a, b) {
    const [low, high] = [luminance(a), luminance(b)].sort((one, other) => one - other);
    return (high + 0.05) / (low + 0.05);
}

/**
 * Interpolates between two colours.
 * @param {Colour} from
 * @param {Colour} to
 * @param {number} part 0 to 1
 * @param {number} [alpha]
 * @returns {Colour}
 */
function blend(from, to, part, alpha = 255) {
    const at = (/** @type {0 | 1 | 2} */ i) => Math.round(from[i] + (to[i] - from[i]) * part);
    return [at(0), at(1), at(2), alpha];
}

/**
 * Makes the palette for the system's forced colours. Live cells have the colour of text.
 * @param {Theme} name 'dark' if the system's text is lighter than its background, otherwise 'light'
 * @param {{canvas: Colour, text: Colour, highlight: Colour}} system
 * @returns {Palette}
 */
export function forcedPalette(name, { canvas, text, highlight }) {
    const levels = new Uint8Array(256 * 4);
    levels.set(canvas);
    for (let level = 1; level < 256; level++) {
        const tone = blend(canvas, text, 0.75 + 0.25 * (level - 1) / 254);
        levels.set(contrast(tone, canvas) >= LEAST_CONTRAST ? tone : text, level * 4);
    }
    return {
        name, levels, has_ages: false, ages: agelessPalette(levels),
        grid: blend(text, text, 0, 60), gridStrong: blend(text, text, 0, 120),
        outside: blend(canvas, text, 0.2), edge: text, accent: highlight,
    };
}

/**
 * Returns a colour of the system.
 * @param {string} name of a system colour in CSS
 * @returns {Colour}
 */
function systemColour(name) {
    const probe = document.createElement('i');
    probe.style.cssText = `forced-color-adjust: none; color: ${name}`;
    document.documentElement.append(probe);
    const [red, green, blue] = getComputedStyle(probe).color.match(/[\d.]+/g) ?? [];
    probe.remove();
    return [Number(red), Number(green), Number(blue), 255];
}

/** @returns {Theme | null} */
function stored() {
    try {
        const name = localStorage.getItem(STORED_AS);
        return name === 'dark' || name === 'light' ? name : null;
    } catch {
        return null; // the browser does not allow storage
    }
}

/**
 * The theme of the page and the theme of the cells. Sets the attribute `data-theme` of the root
 * element to dark or light, for the style sheet. The event 'changed' reports that the colours have
 * changed.
 */
export class Colours extends EventTarget {
    #system = matchMedia('(prefers-color-scheme: light)');
    #forced = matchMedia('(forced-colors: active)');
    #chosen = stored();
    /** The user's choice. @type {CellTheme | null} */
    #chosen_cells = themeOf(recall('colours'));
    #default_cells = WITH_AGES;
    /** @type {Palette | null} */
    #palette = null;

    constructor() {
        super();
        for (const query of [this.#system, this.#forced]) {
            query.addEventListener('change', () => this.#changed());
        }
        this.#changed();
    }

    /** @returns {Theme} */
    get theme() {
        return this.#chosen ?? (this.#system.matches ? 'light' : 'dark');
    }

    get palette() {
        if (!this.#forced.matches) {
            this.#palette ??= makePalette(this.theme, this.cells);
            return this.#palette;
        }
        const [canvas, text, highlight] = ['Canvas', 'CanvasText', 'Highlight'].map(systemColour);
        const name = luminance(canvas) < luminance(text) ? 'dark' : 'light';
        return forcedPalette(name, { canvas, text, highlight });
    }

    /**
     * Sets and stores the theme of the page.
     * @param {Theme | null} theme null: the theme of the system
     */
    choose(theme) {
        this.#chosen = theme;
        try {
            if (theme) localStorage.setItem(STORED_AS, theme);
            else localStorage.removeItem(STORED_AS);
        } catch {
            // The browser does not allow storage, so the choice is lost when the page is closed.
        }
        this.#changed();
    }

    /** The cell theme. The cell theme has no effect while the system forces its colours. */
    get cells() {
        return this.#chosen_cells ?? themeOf(this.#default_cells) ?? themes[0];
    }

    /** Whether the user or a link has chosen the cell theme. */
    get cellsAreChosen() {
        return this.#chosen_cells !== null;
    }

    /**
     * Sets the default cell theme for a universe. A theme that the user has chosen has priority.
     * @param {boolean} with_ages whether the default is the theme that shows ages
     */
    suit(with_ages) {
        const fits = with_ages ? WITH_AGES : PLAIN;
        if (this.#default_cells === fits) return;
        this.#default_cells = fits;
        if (!this.cellsAreChosen) this.#changed();
    }

    get forced() {
        return this.#forced.matches;
    }

    /** Sets and stores the cell theme. @param {string} id of a theme */
    chooseCells(id) {
        this.#chosen_cells = themeOf(id) ?? this.#chosen_cells;
        remember('colours', this.cells.id);
        this.#changed();
    }

    /**
     * Sets the cell theme to a neighbour in the list of themes.
     * @param {1 | -1} way 1: the next theme in the list, -1: the previous theme
     */
    nextCells(way) {
        const at = themes.indexOf(this.cells) + way;
        this.chooseCells(themes[(at + themes.length) % themes.length].id);
    }

    /**
     * Sets the page theme and the cell theme without storing them. A name that is unknown or null
     * changes nothing.
     * @param {string | null} theme dark or light
     * @param {string | null} cells name of a cell theme
     */
    visit(theme, cells) {
        if (theme === 'dark' || theme === 'light') this.#chosen = theme;
        this.#chosen_cells = themeOf(cells) ?? this.#chosen_cells;
        this.#changed();
    }

    toggle() {
        this.choose(this.theme === 'dark' ? 'light' : 'dark');
    }

    #changed() {
        this.#palette = null;
        document.documentElement.dataset.theme = this.theme;
        this.dispatchEvent(new Event('changed'));
    }
}
