// View commands: zoom, pan, fit, follow, grid lines and full screen.
//
// The command Fit keeps all live cells in view until the user moves the view. The command Follow
// keeps all live cells centred without changing the scale.

/** @import { Camera } from './camera.js' */
/** @import { Session } from './session.js' */
/** @import { Box, UniverseInfo } from './types.js' */
import { announce } from './announce.js';
import { byId, setPressed } from './dom.js';
import { boxFrom, middleOf } from './exact.js';
import { scaleText } from './format.js';
import { recall, remember } from './storage.js';

const partOfView = 1 / 8;
const roomToGrow = 0.8;
const boxWait_ms = 300;
const emptyScale = 12;

export class Looker {
    #following = false;
    #fitting = false;
    /** @type {Box | null} the box to which the view was last fitted */
    #fitted = null;
    /** Whether the server has been told to send the bounding box with each state. */
    #told = false;
    /**
     * Settles when the view shows the universe that was opened most recently.
     * @type {Promise<void>}
     */
    shown = Promise.resolve();
    /**
     * Whether the user is drawing or dragging. The view must not move by itself during a drag.
     */
    #held = false;
    #grid = true;

    /**
     * @param {Session} session
     * @param {Camera} camera
     * @param {{setGrid(on: boolean): void}} picture
     */
    constructor(session, camera, picture) {
        this.session = session;
        this.camera = camera;
        this.picture = picture;
        setPressed('follow', false);
        setPressed('fit', false);
        this.#setGrid(recall('grid') !== 'off');
        session.addEventListener('state', () => this.#keepUp());
        camera.addEventListener('moved', () => this.setFitting(false));
        camera.addEventListener('far', () =>
            session.complain('Cells farther than 2⁶² from 0, 0 are visible only when zoomed out.'));
        camera.addEventListener('resized', () => {
            if (this.#fitting && this.#fitted !== null) camera.fit(this.#fitted, true);
        });
        byId('stage', HTMLElement).addEventListener('pointerdown', () => {
            this.#held = true;
        });
        for (const name of ['pointerup', 'pointercancel']) {
            window.addEventListener(name, () => {
                this.#held = false;
            });
        }
    }

    /** @param {boolean} on */
    #setGrid(on) {
        this.#grid = on;
        this.picture.setGrid(on);
        setPressed('grid', on);
    }

    grid() {
        this.#setGrid(!this.#grid);
        remember('grid', this.#grid ? 'on' : 'off');
        announce(this.#grid ? 'Grid lines on.' : 'Grid lines off.');
    }

    /** @param {number} factor */
    zoom(factor) {
        const { width, height } = this.camera.size;
        this.camera.zoomAt(width / 2, height / 2, factor);
        announce(`Scale ${scaleText(this.camera.target.zoom)}`);
    }

    /** Sets the zoom. @param {number} pixels CSS pixels per cell */
    scale(pixels) {
        this.camera.setScale(pixels);
        announce(`Scale ${scaleText(pixels)}`);
    }

    /**
     * Moves the view by 1/8 of its size in a direction.
     * @param {number} dx -1, 0 or 1
     * @param {number} dy -1, 0 or 1
     */
    pan(dx, dy) {
        this.setFollowing(false);
        const { width, height } = this.camera.size;
        this.camera.panBy(-dx * width * partOfView, -dy * height * partOfView);
    }

    /** Ends the commands Fit and Follow, because the view is about to move elsewhere. */
    leave() {
        this.setFollowing(false);
        this.setFitting(false);
    }

    middle() {
        this.setFollowing(false);
        this.camera.centreOn({ x: 0n, y: 0n, fx: 0, fy: 0 });
    }

    async fit() {
        this.#intend();
        const box = await this.session.box();
        if (!this.#intends) return;
        this.#show(box ?? this.session.whole, false);
        announce('All live cells stay in view until you move the view.');
    }

    /** Starts the command Fit although the bounding box of the cells is not known yet. */
    #intend() {
        if (!this.#following) this.setFitting(true);
    }

    /**
     * Whether to fit the view to the bounding box when the server sends the box. If the user has
     * moved the view since the box was requested, the view is not fitted.
     */
    get #intends() {
        return this.#fitting || this.#following;
    }

    /**
     * Shows all live cells of a universe that was just opened. If the server does not send the
     * bounding box in time, a bounded universe is shown as a whole. Without the bounding box, an
     * unbounded universe is shown as if it were empty.
     * @param {UniverseInfo} universe
     * @returns {Promise<void>}
     */
    showWhole(universe) {
        this.shown = this.#showWhole(universe);
        return this.shown;
    }

    /** @param {UniverseInfo} universe */
    async #showWhole(universe) {
        if (universe.box) {
            this.#show(universe.box, true);
            return;
        }
        this.#intend();
        const late = new Promise((resolve) => setTimeout(resolve, boxWait_ms));
        const found = this.session.connection.request({ do: 'box' }).catch(() => null);
        const answer = /** @type {{box?: Box | null} | null} */ (await Promise.race([found, late]));
        if (this.session.universe !== universe || !this.#intends) return;
        this.#show(answer?.box ?? this.session.whole, true);
    }

    /**
     * Returns the part of an empty plane to show, with cells large enough for drawing.
     * @returns {Box}
     */
    #middle() {
        const { width, height } = this.camera.size;
        const across = Math.floor(width / emptyScale * 0.93);
        const down = Math.floor(height / emptyScale * 0.93);
        const area = {
            x: -Math.floor(across / 2), y: -Math.floor(down / 2), width: across, height: down,
        };
        return boxFrom(area, { x: 0n, y: 0n });
    }

    /**
     * Fits the view to a box.
     * @param {Box | null} box
     * @param {boolean} at_once
     */
    #show(box, at_once) {
        this.#fitted = box ?? this.#middle();
        this.camera.fit(this.#fitted, at_once);
        this.#intend();
    }

    /** Whether all live cells are kept in view. */
    get fits() {
        return this.#fitting;
    }

    /** @param {boolean} on */
    setFitting(on) {
        this.#fitting = on;
        setPressed('fit', on);
        this.#listen();
    }

    /** Tells the server whether to send the bounding box with each state. */
    #listen() {
        const { whole, connection } = this.session;
        const all = whole !== null && this.camera.holds(whole, this.camera.target);
        const on = this.#following || (this.#fitting && !all);
        if (this.#told === on) return;
        this.#told = on;
        connection.send({ do: 'follow', on });
    }

    /** @param {boolean} on */
    setFollowing(on) {
        if (this.#following === on) return;
        this.#following = on;
        if (on) this.setFitting(false);
        setPressed('follow', on);
        this.#listen();
        announce(on ? 'Following the pattern.' : 'No longer following.');
    }

    follow() {
        this.setFollowing(!this.#following);
        this.#keepUp();
    }

    #keepUp() {
        const box = this.session.state?.box ?? null;
        if (box === null) return;
        if (this.#following) {
            this.camera.centreOn(middleOf(box));
        } else if (this.#fitting && !this.#held && !this.camera.moving &&
            !this.camera.holds(box)) {
            // Leave room for growth of the pattern, so that the zoom does not change with every new
            // state.
            this.#fitted = box;
            this.camera.fit(box, false, roomToGrow);
            this.#listen();
        }
    }

    async fullScreen() {
        try {
            if (document.fullscreenElement !== null) await document.exitFullscreen();
            else await document.documentElement.requestFullscreen();
        } catch {
            this.session.complain('The browser does not allow full screen.');
        }
    }
}
