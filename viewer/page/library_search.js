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
    'syntheses': 'Made of gliders',
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

/**
 * `p30` is that period and no other, `c/4` that speed; other words may be anywhere.
 * @param {Pattern} pattern
 * @param {string[]} words in small letters
 * @returns {boolean} whether all of them fit
 */
export function fits(pattern, words) {
    const { name, title, kind, author, year, rule, comments, period, speed } = pattern;
    const category = categoryOf(pattern);
    const text = [name, title, category, categories[category], kind, author, year, rule, speed,
        comments].join(' ').toLowerCase();
    return words.every((word) => {
        if (/^p\d+$/.test(word)) return word === `p${period}`;
        if (word.includes('c/')) return word === speed.split(' ')[0];
        return text.includes(word);
    });
}

/**
 * @param {Pattern} pattern
 * @param {string[]} words
 * @returns {number} what is looked for most likely is lowest
 */
export function rank(pattern, words) {
    const wanted = words.join(' ');
    const title = titleOf(pattern).toLowerCase();
    if (title === wanted || pattern.name.toLowerCase() === wanted) return 0;
    if (title.startsWith(wanted)) return 1;
    if (words.every((word) => title.includes(word))) return 2;
    return 3;
}
