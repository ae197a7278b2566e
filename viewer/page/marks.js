// The contents of the overlay above the picture. Each module sets its own members of the Overlay
// object.

/** @import { Overlay } from './types.js' */

export class Marks {
    /** @type {Overlay} */
    #overlay = {};

    /**
     * Creates the marks, which are drawn by the picture.
     * @param {{setOverlay(overlay: Overlay): void}} picture
     */
    constructor(picture) {
        this.picture = picture;
    }

    /**
     * Updates members of the overlay.
     * @param {Partial<Overlay>} part new values; null removes a member
     */
    set(part) {
        this.#overlay = { ...this.#overlay, ...part };
        this.picture.setOverlay(this.#overlay);
    }
}
