// Helper functions that find, create and update elements.

/**
 * Returns the element with an id and a type. Throws an error if the page has no element with this
 * id and type.
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
 * Creates an element. If the value of an attribute is a function, the function becomes an event
 * listener, and the attribute's name is the name of the event. The values null and false omit the
 * attribute, and true sets the attribute to "".
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
 * Sets the text of an element if the text differs. The page sets its texts after every state
 * message, and each change costs a new layout.
 * @param {Element} target
 * @param {string} text
 */
export function setText(target, text) {
    if (target.textContent !== text) target.textContent = text;
}

/**
 * Returns all buttons of a command.
 * @param {string} command
 * @returns {HTMLButtonElement[]}
 */
export function buttonsOf(command) {
    return [...document.querySelectorAll(`button[data-command="${command}"]`)]
        .filter((found) => found instanceof HTMLButtonElement);
}

/**
 * Sets the attribute `aria-pressed` of all buttons of a command.
 * @param {string} command
 * @param {boolean} pressed
 */
export function setPressed(command, pressed) {
    for (const button of buttonsOf(command)) button.setAttribute('aria-pressed', String(pressed));
}

/**
 * Enables or disables all buttons of a command.
 * @param {string} command
 * @param {boolean} enabled
 */
export function setEnabled(command, enabled) {
    for (const button of buttonsOf(command)) {
        if (button.disabled === enabled) button.disabled = !enabled;
    }
}

/**
 * Moves the focus back to the picture after a control was changed with the mouse. A control that
 * was reached with the keyboard keeps the focus.
 * @param {HTMLElement} control
 */
export function returnFocus(control) {
    control.addEventListener('change', () => {
        if (control.matches(':focus-visible')) return;
        byId('stage', HTMLElement).focus({ preventScroll: true });
    });
}

/**
 * Makes the browser download a file.
 * @param {string} address of the file
 * @param {string} name of the downloaded file
 */
export function download(address, name) {
    const link = element('a', { href: address, download: name });
    document.body.append(link);
    link.click();
    link.remove();
}
