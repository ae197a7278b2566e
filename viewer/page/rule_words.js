// Describes a rule in words. Rules are written as in messages of the server: B36/S23, B3/S23H,
// B2-a/S12, MAP..., W30.

/** Joins items, as in "2, 3 or 4". @param {string[]} list @returns {string} */
function either(list) {
    return list.length < 2 ? list.join('') : `${list.slice(0, -1).join(', ')} or ${list.at(-1)}`;
}

/**
 * Returns the neighbour counts in one half of a rule. For example, the counts for `2-a3` are ['2
 * (not as a)', '3'].
 * @param {string} half
 */
function counts(half) {
    return [...half.matchAll(/(\d)(-?)([a-z]*)/g)].map(([, count, less, letters]) =>
        letters === '' ? count :
            `${count} (${less ? 'not ' : ''}${letters.length > 1 ? 'arranged as ' : 'as '}` +
            `${either([...letters])})`);
}

/** Describes a rule in one or more sentences. @param {string} rule @returns {string} */
export function ruleWords(rule) {
    if (rule.startsWith('MAP')) {
        return 'A table gives the next state for each of the 512 neighbourhoods of 3 × 3 cells.';
    }
    if (/^W\d/.test(rule)) {
        return 'One of Wolfram’s elementary rules: each generation adds a row, and a cell ' +
            'depends on three cells of the row above.';
    }
    const parts = rule.match(/^B([^/]*)\/S([^HV]*)([HV]?)$/);
    if (parts === null) return '';
    const [, born, survives, kind] = parts;
    const around = kind === 'H' ? 'six' : kind === 'V' ? 'four' : 'eight';
    const [birth, survival] = [counts(born), counts(survives)];
    const begins = birth.length === 0 ? 'No cell is ever born' :
        `A dead cell becomes alive if ${either(birth)} of its ${around} neighbours ` +
        `${birth.length === 1 && birth[0] === '1' ? 'is alive' : 'are alive'}`;
    const stays = survival.length === 0 ? 'a live cell always dies' :
        survival.length === 9 && /^\d+$/.test(survives) ? 'a live cell never dies' :
            `a live cell survives with ${either(survival)}`;
    const space = birth[0] === '0' ? ' Empty space becomes alive by itself.' : '';
    return `${begins}; ${stays}.${space}`;
}
