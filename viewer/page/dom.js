// Small functions for making and finding elements, so that the other modules say what they mean.

/**
 * The element with this id, of this type; without it the page is broken.
 * @template {Element} T
 * @param {string} id
 * @param {new () => T} type
 * @returns {T}
 */
export function byId(id, type) {
    const found = document.getElementById(id);
    if (!(found instanceof type)) throw new Error(`The page has no ${type.name} #${id}.`);
    return found;
}

/**
 * A new element. Attributes that are functions listen to the event of their name; null and false
 * leave an attribute out, true gives an empty one.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Record<string, string | number | boolean | null | ((event: any) => void)>} [attributes]
 * @param {...(Node | string | null)} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function element(tag, attributes = {}, ...children) {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
        if (typeof value === 'function') made.addEventListener(name, value);
        else if (value !== null && value !== false) {
            made.setAttribute(name, value === true ? '' : String(value));
        }
    }
    for (const child of children) if (child !== null) made.append(child);
    return made;
}

/**
 * Sets a text only if it differs: texts are set at every state, and layout is costly.
 * @param {Element} target
 * @param {string} text
 */
export function setText(target, text) {
    if (target.textContent !== text) target.textContent = text;
}

/**
 * @param {string} command
 * @returns {HTMLButtonElement[]} the buttons of a command
 */
export function buttonsOf(command) {
    return [...document.querySelectorAll(`button[data-command="${command}"]`)]
        .filter((found) => found instanceof HTMLButtonElement);
}

/**
 * Marks the buttons of a command as pressed or not.
 * @param {string} command
 * @param {boolean} pressed
 */
export function setPressed(command, pressed) {
    for (const button of buttonsOf(command)) button.setAttribute('aria-pressed', String(pressed));
}

/**
 * @param {string} command
 * @param {boolean} enabled
 */
export function setEnabled(command, enabled) {
    for (const button of buttonsOf(command)) {
        if (button.disabled === enabled) button.disabled = !enabled;
    }
}

/**
 * After a control is set with the mouse, keys go to the picture again. A control reached by the
 * keyboard keeps the focus.
 * @param {HTMLElement} control
 */
export function returnFocus(control) {
    control.addEventListener('change', () => {
        if (control.matches(':focus-visible')) return;
        byId('stage', HTMLElement).focus({ preventScroll: true });
    });
}

/**
 * Offers a file for saving, by the browser's own download.
 * @param {string} address
 * @param {string} name
 */
export function download(address, name) {
    const link = element('a', { href: address, download: name });
    document.body.append(link);
    link.click();
    link.remove();
}
