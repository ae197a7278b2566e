// What is drawn above the picture: several parts of the controls each own one piece of it.

/** @import { Overlay } from './types.js' */

export class Marks {
    /** @type {Overlay} */
    #overlay = {};

    /** @param {{setOverlay(overlay: Overlay): void}} picture */
    constructor(picture) {
        this.picture = picture;
    }

    /** @param {Partial<Overlay>} part what has changed; null takes a piece away */
    set(part) {
        this.#overlay = { ...this.#overlay, ...part };
        this.picture.setOverlay(this.#overlay);
    }
}
