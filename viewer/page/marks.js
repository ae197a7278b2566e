// The contents of the overlay. Several parts of the controls each set their own members of it.

/** @import { Overlay } from './types.js' */

export class Marks {
    /** @type {Overlay} */
    #overlay = {};

    /** @param {{setOverlay(overlay: Overlay): void}} picture */
    constructor(picture) {
        this.picture = picture;
    }

    /** Updates members of the overlay. @param {Partial<Overlay>} part null removes a member */
    set(part) {
        this.#overlay = { ...this.#overlay, ...part };
        this.picture.setOverlay(this.#overlay);
    }
}
