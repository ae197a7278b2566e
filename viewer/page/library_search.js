// What is said about the patterns of the library, and which of them fit what somebody looks for.

import { sizeText } from './selection.js';

/**
 * A pattern of the library; "" and 0 stand for what its file does not say.
 * @typedef {object} Pattern
 * @property {number} id
 * @property {string} name
 * @property {string} title
 * @property {string} comments
 * @property {string} rule
 * @property {number} width
 * @property {number} height
 * @property {boolean} yours
 * @property {string} category
 * @property {string} kind
 * @property {string} author
 * @property {number} year
 * @property {number} period
 * @property {string} speed
 */

/** Categories in the order in which they are shown. @type {Record<string, string>} */
const categories = {
    'yours': 'Yours',
    'guns': 'Guns',
    'spaceships': 'Spaceships',
    'oscillators': 'Oscillators',
    'methuselahs': 'Methuselahs',
    'puffers': 'Puffers and growth',
    'circuits': 'Circuits',
    'syntheses': 'Glider syntheses',
    'still-lifes': 'Still lifes',
    'other-rules': 'Other rules',
};

/** @param {Pattern} pattern */
export function categoryOf(pattern) {
    return pattern.yours ? 'yours' : pattern.category;
}

/**
 * @param {Pattern[]} patterns
 * @returns {{id: string, title: string, count: number}[]} the categories that have patterns
 */
export function categoriesOf(patterns) {
    return Object.entries(categories).map(([id, title]) => ({
        id, title, count: patterns.filter((pattern) => categoryOf(pattern) === id).length,
    })).filter(({ count }) => count > 0);
}

/** @param {Pattern} pattern */
export function titleOf(pattern) {
    return pattern.title || pattern.name;
}

/**
 * @param {Pattern} pattern
 * @returns {string} 'Gun, period 30, 36 × 9'
 */
export function factsOf(pattern) {
    const { kind, speed, period, rule } = pattern;
    return [
        kind.slice(0, 1).toUpperCase() + kind.slice(1), speed,
        period > 1 ? `period ${period}` : '',
        sizeText(pattern).replaceAll(' ', '\u00a0'), rule === 'B3/S23' ? '' : rule,
    ].filter((text) => text !== '').join(', ');
}

/**
 * @param {Pattern} one
 * @param {Pattern} other
 * @returns {number} which of a category comes first: that of the shorter period
 */
export function inCategory(one, other) {
    return one.period - other.period || titleOf(one).localeCompare(titleOf(other));
}

/**
 * @param {Pattern} pattern
 * @returns {string} 'Bill Gosper, 1970'
 */
export function originOf(pattern) {
    return [pattern.author, pattern.year > 0 ? String(pattern.year) : '']
        .filter((text) => text !== '').join(', ');
}

/** @param {string} text */
export function wordsOf(text) {
    return text.toLowerCase().split(/\s+/).filter((word) => word !== '');
}

/** The best-known patterns, most looked for first, as the library calls them. */
const wellKnown = [
    'glider', 'gosper-glider-gun', 'r-pentomino', 'acorn', 'blinker', 'block', 'pulsar', 'lwss',
    'mwss', 'hwss', 'pentadecathlon', 'diehard', 'toad', 'beacon', 'beehive', 'eater-1',
    'simkin-glider-gun', 'puffer-1', 'spacefiller', 'switch-engine', 'copperhead', 'snark',
    'sir-robin', 'queen-bee-shuttle', 'koks-galaxy', 'lidka',
];

/** @param {string} text @returns {string} in small letters, without hyphens and apostrophes */
function plain(text) {
    return text.toLowerCase().replace(/['\u2019\u2010\u2011-]/g, '');
}

/** @param {string} text @returns {string} without spaces, too */
function squeezed(text) {
    return plain(text).replace(/\s+/g, '');
}

/** @param {string} word @returns {boolean} whether it is a period or a speed, not a name */
function isProperty(word) {
    return /^p\d+$/.test(word) || word.includes('c/');
}

/** @param {Pattern} pattern @param {string} word p30 or c/4 */
function hasProperty({ period, speed }, word) {
    return word.includes('c/') ? word === speed.split(' ')[0] : word === `p${period}`;
}

/**
 * Whether a word is part of a name or a text; "gosper's" is in "Gosper glider gun".
 * @param {string} text
 * @param {string} word in small letters
 */
function holds(text, word) {
    return plain(text).includes(plain(word.replace(/['\u2019]s$/, '')));
}

/** @param {Pattern} pattern @param {string} word whose spaces the name may have: rpentomino */
function isNamed(pattern, word) {
    return [pattern.name, pattern.title].some((name) =>
        holds(name, word) || squeezed(name).includes(squeezed(word)));
}

/**
 * `p30` is that period and no other, `c/4` that speed; other words may be anywhere.
 * @param {Pattern} pattern
 * @param {string[]} words in small letters
 * @returns {boolean} whether all of them fit
 */
export function fits(pattern, words) {
    const { name, title, kind, author, year, rule, comments, speed } = pattern;
    const category = categoryOf(pattern);
    const text = [name, title, category, categories[category], kind, author, year, rule, speed,
        comments].join(' ');
    return words.every((word) => isProperty(word) ? hasProperty(pattern, word) :
        holds(text, word) || isNamed(pattern, word));
}

/**
 * An exact name comes first, then well-known names, then other names, then what only mentions the
 * words.
 * @param {Pattern} pattern that fits
 * @param {string[]} words
 * @returns {number} the lowest comes first
 */
export function rank(pattern, words) {
    const wanted = squeezed(words.join(''));
    const names = [titleOf(pattern), pattern.name].map(squeezed);
    if (names.includes(wanted)) return 0;
    const named = words.filter((word) => !isProperty(word));
    const place = pattern.yours ? -1 : wellKnown.indexOf(pattern.name);
    if (place >= 0 && named.every((word) => isNamed(pattern, word) ||
        holds(pattern.kind, word))) return 1 + place / wellKnown.length;
    if (names[0].startsWith(wanted)) return 2;
    return named.every((word) => isNamed(pattern, word)) ? 3 : 4;
}
