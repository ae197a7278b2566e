// What the page remembers, if the browser lets it.

/**
 * Where it lies: in the browser until the page is next opened, or in this tab, where it outlives a
 * reload.
 * @typedef {'browser' | 'tab'} Place
 */

/** @param {Place} place @returns {Storage} which may throw */
function storage(place) {
    return place === 'tab' ? sessionStorage : localStorage;
}

/**
 * @param {string} name
 * @param {Place} [place]
 * @returns {string | null}
 */
export function recall(name, place = 'browser') {
    try {
        return storage(place).getItem(`lightcone.${name}`);
    } catch {
        return null;
    }
}

/**
 * @param {string} name
 * @param {string} value
 * @param {Place} [place]
 */
export function remember(name, value, place = 'browser') {
    try {
        storage(place).setItem(`lightcone.${name}`, value);
    } catch {
        // It then lasts until the page is closed or loaded anew.
    }
}
