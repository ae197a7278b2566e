// Turns messages of the server into sentences with formatted numbers. The library writes messages
// for programs and for the command line. Messages of the library begin with a small letter, have no
// full stop, and give exact byte counts.

import { grouped } from './format.js';

const superscripts = '⁰¹²³⁴⁵⁶⁷⁸⁹';

/** Advice that is added to messages without advice. @type {[RegExp, string][]} */
const advice = [
    [/memory.*\blimit\b/i,
        'Make it smaller, or start lightcone with a larger limit (--max-memory).'],
    [/out of memory/i, 'Close other programs, or make the universe smaller.'],
    [/more than any memory could hold/i, 'Make it smaller, or use the infinite plane.'],
];

/** @param {string} text */
function readable(text) {
    return text
        .replace(/ \(\d+ bytes\)/g, '')
        .replace(/(?<=\d) x (?=\d)/g, ' × ')
        .replace(/\b(\d+)\^(\d+)\b/g, (_, base, power) =>
            base + [...power].map((digit) => superscripts[Number(digit)]).join(''))
        .replace(/(?<![\w.,:/"-])\d{5,}(?![\w.:/"-])/g, (digits) => grouped(digits));
}

/**
 * Returns a message as a sentence. Advice is added if the message has none.
 * @param {string} text
 * @returns {string}
 */
export function asSentence(text) {
    const body = readable(text.trim());
    // If the message begins with a word, capitalise the word. File names, rules and quotations at
    // the beginning stay as they are.
    const is_word = /^[a-z]+(?=[\s,:;'’]|$)/.test(body);
    const begun = is_word ? body[0].toUpperCase() + body.slice(1) : body;
    const whole = /[.!?…]["”’)]?$/.test(begun) ? begun : `${begun}.`;
    const found = advice.find(([kind]) => kind.test(text));
    return found === undefined || text.includes('--max-memory') ? whole : `${whole} ${found[1]}`;
}
