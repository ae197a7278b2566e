// Reads and writes the system clipboard. Browsers offer the Clipboard API only in secure contexts
// (https or localhost). Without the Clipboard API, the page writes with document.execCommand.

/**
 * Writes a text to the system clipboard.
 * @param {string} text
 * @returns {Promise<boolean>} whether the text was written
 */
export async function writeClipboard(text) {
    try {
        await navigator.clipboard.writeText(text);
        return true;
    } catch {
        return writeOldWay(text);
    }
}

/** @param {string} text */
function writeOldWay(text) {
    let done = false;
    /** @param {ClipboardEvent} event */
    const give = (event) => {
        event.clipboardData?.setData('text/plain', text);
        event.preventDefault();
        event.stopImmediatePropagation();
        done = true;
    };
    window.addEventListener('copy', give, { capture: true, once: true });
    // `execCommand` is deprecated, but is the only way if navigator.clipboard is missing.
    const document_of_old = /** @type {{execCommand(command: string): boolean}} */ (document);
    document_of_old.execCommand('copy');
    window.removeEventListener('copy', give, { capture: true });
    return done;
}

/**
 * Reads the text in the system clipboard.
 * @returns {Promise<string | null>} null if the browser does not allow reading
 */
export async function readClipboard() {
    try {
        return await navigator.clipboard.readText();
    } catch {
        return null;
    }
}

/**
 * Returns whether the browser itself copies and pastes in an element.
 * @param {EventTarget | null} target
 */
function isText(target) {
    return target instanceof HTMLElement && (target.closest('dialog') !== null ||
        target.matches('input:not([type="range"]), textarea, [contenteditable]'));
}

/**
 * Listens to copy, cut and paste events from the browser's own keys and menus.
 * @param {{take(how: 'copy' | 'cut'): void, pasted(text: string): void, any(): boolean}} actions
 *        `any`: whether cells are selected
 */
export function listenToClipboard(actions) {
    for (const how of /** @type {('copy' | 'cut')[]} */ (['copy', 'cut'])) {
        document.addEventListener(how, (event) => {
            // Let the browser copy text that is selected on the page.
            const words = String(window.getSelection() ?? '') !== '';
            if (isText(event.target) || (words && !actions.any())) return;
            event.preventDefault();
            actions.take(how);
        });
    }
    document.addEventListener('paste', (event) => {
        if (isText(event.target)) return;
        event.preventDefault();
        actions.pasted(event.clipboardData?.getData('text/plain') ?? '');
    });
}
