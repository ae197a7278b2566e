// What the page remembers until it is next opened, if the browser lets it.

/**
 * @param {string} name
 * @returns {string | null}
 */
export function recall(name) {
    try {
        return localStorage.getItem(`lightcone.${name}`);
    } catch {
        return null;
    }
}

/**
 * @param {string} name
 * @param {string} value
 */
export function remember(name, value) {
    try {
        localStorage.setItem(`lightcone.${name}`, value);
    } catch {
        // It then lasts until the page is closed.
    }
}
