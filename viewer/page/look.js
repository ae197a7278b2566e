// Looking: zooming, panning, fitting and following by buttons and keys; grid lines, full screen.

/** @import { Camera } from './camera.js' */
/** @import { Session } from './session.js' */
import { announce } from './announce.js';
import { setPressed } from './dom.js';
import { scaleText } from './format.js';
import { recall, remember } from './storage.js';

const partOfView = 1 / 8;

export class Looker {
    #following = false;
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
        this.#setGrid(recall('grid') !== 'off');
        session.addEventListener('state', () => this.#keepUp());
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

    /** @param {number} pixels of a cell */
    scale(pixels) {
        this.camera.setScale(pixels);
        announce(`Scale ${scaleText(pixels)}`);
    }

    /**
     * Moves the view by a part of what is visible.
     * @param {number} dx
     * @param {number} dy
     */
    pan(dx, dy) {
        this.setFollowing(false);
        const { width, height } = this.camera.size;
        this.camera.panBy(-dx * width * partOfView, -dy * height * partOfView);
    }

    middle() {
        this.setFollowing(false);
        this.camera.centreOn(0, 0);
    }

    async fit() {
        const box = await this.session.box() ?? this.session.whole;
        if (box === null) this.camera.setView({ x: 0, y: 0, zoom: 8 });
        else this.camera.fit(box);
    }

    /** @param {boolean} on */
    setFollowing(on) {
        if (this.#following === on) return;
        this.#following = on;
        setPressed('follow', on);
        this.session.connection.send({ do: 'follow', on });
        announce(on ? 'Following the pattern.' : 'No longer following.');
    }

    follow() {
        this.setFollowing(!this.#following);
        this.#keepUp();
    }

    #keepUp() {
        const box = this.session.state?.box ?? null;
        if (!this.#following || box === null) return;
        this.camera.centreOn(box.x + box.width / 2, box.y + box.height / 2);
    }

    async fullScreen() {
        try {
            if (document.fullscreenElement !== null) await document.exitFullscreen();
            else await document.documentElement.requestFullscreen();
        } catch {
            this.session.complain('The browser does not let the page fill the screen.');
        }
    }
}
