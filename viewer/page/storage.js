// Stores settings of the page, if the browser allows it: permanently, or for this tab only.

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
        // The setting is lost when the page is closed.
    }
}

/**
 * Returns a value that this tab has stored. It survives a reload, but not closing the tab.
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
        // The value is lost on a reload.
    }
}
