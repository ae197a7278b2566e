// Describes and searches the patterns of the library.

import { sizeText } from './selection.js';

/**
 * A pattern of the library. A member is "" or 0 if the pattern's file does not give a value for the
 * member.
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

/** Categories in display order. @type {Record<string, string>} */
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
 * Counts the patterns in each category.
 * @param {Pattern[]} patterns
 * @returns {{id: string, title: string, count: number}[]} categories with at least one pattern
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
 * Describes a pattern in a few words.
 * @param {Pattern} pattern
 * @returns {string} a description such as 'Gun, period 30, 36 × 9'
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
 * Compares two patterns of a category. Patterns are sorted by period, shortest first, and then by
 * title.
 * @param {Pattern} one
 * @param {Pattern} other
 * @returns {number} negative if `one` comes first
 */
export function inCategory(one, other) {
    return one.period - other.period || titleOf(one).localeCompare(titleOf(other));
}

/**
 * Returns the author and the year of a pattern.
 * @param {Pattern} pattern
 * @returns {string} such as 'Bill Gosper, 1970'
 */
export function originOf(pattern) {
    return [pattern.author, pattern.year > 0 ? String(pattern.year) : '']
        .filter((text) => text !== '').join(', ');
}

/** @param {string} text */
export function wordsOf(text) {
    return text.toLowerCase().split(/\s+/).filter((word) => word !== '');
}

/** Names of the best-known patterns, most popular first. */
const wellKnown = [
    'glider', 'gosper-glider-gun', 'r-pentomino', 'acorn', 'blinker', 'block', 'pulsar', 'lwss',
    'mwss', 'hwss', 'pentadecathlon', 'diehard', 'toad', 'beacon', 'beehive', 'eater-1',
    'simkin-glider-gun', 'puffer-1', 'spacefiller', 'switch-engine', 'copperhead', 'snark',
    'sir-robin', 'queen-bee-shuttle', 'koks-galaxy', 'lidka',
];

/**
 * Prepares a text for comparison.
 * @param {string} text
 * @returns {string} the text in lower case, without hyphens and apostrophes
 */
function plain(text) {
    return text.toLowerCase().replace(/['\u2019\u2010\u2011-]/g, '');
}

/**
 * Prepares a name for comparison.
 * @param {string} text
 * @returns {string} the text as returned by `plain`, without spaces
 */
function squeezed(text) {
    return plain(text).replace(/\s+/g, '');
}

/** Returns whether a search word is a period or a speed. @param {string} word @returns {boolean} */
function isProperty(word) {
    return /^p\d+$/.test(word) || word.includes('c/');
}

/**
 * Returns whether a pattern has a given period or speed.
 * @param {Pattern} pattern
 * @param {string} word a period such as p30 or a speed such as c/4
 */
function hasProperty({ period, speed }, word) {
    return word.includes('c/') ? word === speed.split(' ')[0] : word === `p${period}`;
}

/**
 * Returns whether a text contains a word. A possessive 's at the end of the word is ignored, so
 * "Gosper glider gun" contains "gosper's".
 * @param {string} text
 * @param {string} word in lower case
 */
function holds(text, word) {
    return plain(text).includes(plain(word.replace(/['\u2019]s$/, '')));
}

/**
 * Returns whether the name of a pattern contains a word.
 * @param {Pattern} pattern
 * @param {string} word may omit the spaces of a name, as in rpentomino
 */
function isNamed(pattern, word) {
    return [pattern.name, pattern.title].some((name) =>
        holds(name, word) || squeezed(name).includes(squeezed(word)));
}

/**
 * Returns whether a pattern matches all words. The word `p30` matches only patterns with period 30,
 * and `c/4` matches only patterns with speed c/4. A word that is neither a period nor a speed can
 * match any text about the pattern. The command `lightcone patterns` (cli/patterns.c) finds the
 * same patterns as the page.
 * @param {Pattern} pattern
 * @param {string[]} words in lower case
 * @returns {boolean}
 */
export function fits(pattern, words) {
    const { name, title, kind, author, year, rule, comments, speed } = pattern;
    const category = categoryOf(pattern);
    const text = [name, title, category, categories[category], kind, author, year || '', rule,
        speed, comments].join(' ');
    return words.every((word) => isProperty(word) ? hasProperty(pattern, word) :
        holds(text, word) || isNamed(pattern, word));
}

/**
 * Ranks a pattern that matches a search. A pattern whose name is exactly the searched text comes
 * first. Well-known patterns come second, patterns whose names contain the words come third, and
 * all other matches come last.
 * @param {Pattern} pattern that matches the words
 * @param {string[]} words
 * @returns {number} rank; the pattern with the lowest number comes first
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
