// Stores settings of the page, if the browser allows storage.

/**
 * Where a value is stored: permanently in the browser, or in this tab only. A value that is stored
 * in the tab survives a reload of the page.
 * @typedef {'browser' | 'tab'} Place
 */

/**
 * Throws an error if the browser does not allow storage.
 * @param {Place} place
 * @returns {Storage}
 */
function storage(place) {
    return place === 'tab' ? sessionStorage : localStorage;
}

/**
 * Returns a stored value, or null if there is none.
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
 * Stores a value.
 * @param {string} name
 * @param {string} value
 * @param {Place} [place]
 */
export function remember(name, value, place = 'browser') {
    try {
        storage(place).setItem(`lightcone.${name}`, value);
    } catch {
        // The browser has not stored the value, which is lost when the page is closed or reloaded.
    }
}
