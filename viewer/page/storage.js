// What the page remembers, if the browser lets it: until it is next opened, or over a reload.

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

/**
 * What this tab has kept: it outlives a reload, and not the tab.
 * @param {string} name
 * @returns {string | null}
 */
export function recallHere(name) {
    try {
        return sessionStorage.getItem(`lightcone.${name}`);
    } catch {
        return null;
    }
}

/**
 * @param {string} name
 * @param {string} value
 */
export function rememberHere(name, value) {
    try {
        sessionStorage.setItem(`lightcone.${name}`, value);
    } catch {
        // It is then lost with a reload.
    }
}
