// What is drawn above the picture: several parts of the controls own a piece each.

/** @import { Overlay } from './types.js' */

export class Marks {
    /** @type {Overlay} */
    #overlay = {};

    /** @param {{setOverlay(overlay: Overlay): void}} picture */
    constructor(picture) {
        this.picture = picture;
    }

    /** @param {Partial<Overlay>} part what has changed; null removes a piece */
    set(part) {
        this.#overlay = { ...this.#overlay, ...part };
        this.picture.setOverlay(this.#overlay);
    }
}
