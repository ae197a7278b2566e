// A toolbar beside the selection. The toolbar has the buttons of a page of the panel, and appears
// only while that page is hidden, for example on a phone.

/** @import { Camera } from './camera.js' */
/** @import { Pointer } from './pointer.js' */
/** @import { Selection } from './selection.js' */
import { byId } from './dom.js';

const GAP_PX = 8;

/**
 * Returns the top of the bar. The bar is above the selection if there is room, otherwise below the
 * selection. If the selection leaves no room above or below, the bar is at the top of the picture.
 * @param {number} top of the selection
 * @param {number} bottom
 * @param {number} height of the bar
 * @param {number} room height of the picture
 */
function beside(top, bottom, height, room) {
    if (top - GAP_PX - height >= 0 && top - GAP_PX <= room) return top - GAP_PX - height;
    if (bottom + GAP_PX + height <= room && bottom + GAP_PX >= 0) return bottom + GAP_PX;
    return GAP_PX;
}

export class SelectionBar {
    #bar = byId('selection-bar', HTMLElement);

    /**
     * @param {Selection} selection
     * @param {Camera} camera
     * @param {Pointer} pointer
     */
    constructor(selection, camera, pointer) {
        this.selection = selection;
        this.camera = camera;
        this.pointer = pointer;
        const show = () => this.#show();
        selection.addEventListener('changed', show);
        camera.addEventListener('changed', show);
        pointer.addEventListener('busy', show);
        const edits = byId('page-edit', HTMLElement);
        const panel = byId('panel', HTMLElement);
        const watch = new MutationObserver(show);
        for (const each of [edits, panel]) watch.observe(each, { attributeFilter: ['hidden'] });
    }

    #show() {
        const { box } = this.selection;
        const elsewhere = byId('page-edit', HTMLElement).checkVisibility();
        const hidden = box === null || elsewhere || this.pointer.busy || !this.#isSeen(box);
        this.#bar.hidden = hidden;
        if (!hidden) this.#place(box);
    }

    /** @param {import('./types.js').Box} box */
    #isSeen(box) {
        const { x, y, width, height } = this.camera.visible;
        return box.x < x + width && box.y < y + height && box.x + box.width > x &&
            box.y + box.height > y;
    }

    /** @param {import('./types.js').Box} box */
    #place(box) {
        const bar = this.#bar;
        const { size } = this.camera;
        const start = this.camera.toPixel(box);
        const end = this.camera.toPixel({ x: box.x + box.width, y: box.y + box.height });
        const middle = (Math.max(0, start.x) + Math.min(size.width, end.x)) / 2;
        const left = Math.min(size.width - bar.offsetWidth - GAP_PX, middle - bar.offsetWidth / 2);
        const top = beside(start.y, end.y, bar.offsetHeight, size.height);
        bar.style.left = `${Math.round(Math.max(GAP_PX, left))}px`;
        bar.style.top = `${Math.round(top)}px`;
    }
}
