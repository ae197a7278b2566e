// The player of a timeline (a recorded run). The player shows the current frame and has controls
// that go to other frames. The player is visible only if the universe has a timeline.
//
// If the user runs, steps or edits the universe, the universe leaves the timeline. The frame that
// was shown last stays marked, and a button returns to the marked frame.

/** @import { Session } from './session.js' */
/** @import { TimelineInfo, TimelineState } from './types.js' */
import { announce } from './announce.js';
import { confirmLoss } from './dialogs.js';
import { buttonsOf, byId, element, returnFocus, setEnabled, setPressed, setText } from './dom.js';
import { counted, grouped, shortened } from './format.js';
import { setIcon } from './icons.js';

const speeds = [1, 2, 5, 10, 20, 30, 60];

export class Timeline {
    /** @type {TimelineInfo | null} */
    #shown = null;
    /** @type {number | null} requested frame; null after a state has shown it */
    #asked = null;
    #answered = false;
    /** Whether the dialog that warns of losing edited cells is open. */
    #confirms = false;
    #slider = byId('frame', HTMLInputElement);
    #speed = byId('frame-speed', HTMLSelectElement);

    /** @param {Session} session */
    constructor(session) {
        this.session = session;
        for (const speed of speeds) this.#addSpeed(speed);
        this.#slider.addEventListener('input', () => {
            if (this.#confirms) return;
            if (session.maySteer()) void this.#show(this.#slider.valueAsNumber);
            else this.#update();
        });
        this.#speed.addEventListener('change', () => {
            void this.#setSpeed(Number(this.#speed.value));
        });
        returnFocus(this.#slider);
        returnFocus(this.#speed);
        session.addEventListener('state', () => this.#update());
    }

    /** @returns {TimelineState | null} */
    get #now() {
        return this.session.state?.timeline ?? null;
    }

    get #info() {
        return this.session.universe?.timeline ?? null;
    }

    /** Whether the timeline plays, forwards or backwards. */
    get plays() {
        return this.#now !== null && this.#now.playing !== 'no';
    }

    /** @param {number} speed */
    #addSpeed(speed) {
        this.#speed.append(element('option', {
            value: speed, title: `${counted(speed, 'frame')} per second`,
        }, `${grouped(speed)}/s`));
    }

    // ---- display -------------------------------------------------------------------------------

    #update() {
        const now = this.#now;
        const info = this.#info;
        byId('timeline', HTMLElement).hidden = now === null || info === null;
        if (now === null || info === null) {
            this.#shown = null;
            this.#asked = null;
            return;
        }
        if (info !== this.#shown) this.#open(info);
        if (this.#asked !== null && (this.#answered || now.frame === this.#asked)) {
            this.#asked = null;
            // Screen readers read a focused slider without an announcement.
            if (document.activeElement !== this.#slider) {
                announce(`Frame ${grouped(now.frame)}, generation ${grouped(now.generation)}.`);
            }
        }
        const frame = this.#asked ?? now.frame;
        if (this.#slider.valueAsNumber !== frame) this.#slider.value = String(frame);
        this.#describe(frame, frame === now.frame ? now.generation : null, info);
        this.#showButtons(frame, now, info);
        this.#speed.disabled = !this.session.steers;
        const speed = String(now.frames_per_second);
        if (this.#speed.value !== speed) {
            if (!this.#speed.querySelector(`option[value="${speed}"]`)) {
                this.#addSpeed(now.frames_per_second);
            }
            this.#speed.value = speed;
        }
    }

    /** Shows a new timeline. @param {TimelineInfo} info */
    #open(info) {
        this.#shown = info;
        this.#asked = null;
        this.#slider.max = String(info.frames - 1);
        this.#slider.disabled = info.frames === 1;
        for (const end of /** @type {const} */ (['first', 'last'])) {
            const label = byId(`frame-${end}-generation`, HTMLElement);
            setText(label, shortened(info[end]));
            label.title = `The ${end} frame: generation ${grouped(info[end])}`;
        }
        const cut = byId('timeline-cut', HTMLElement);
        cut.hidden = info.cut === null;
        cut.title = info.cut ?? '';
        if (info.cut !== null) {
            this.session.complain(`The timeline is truncated. Its frames up to generation ${
                shortened(info.last)} are complete: ${info.cut}`);
        }
    }

    /**
     * Describes a frame on the slider.
     * @param {number} frame
     * @param {string | null} generation of the frame; null if it is not known yet
     * @param {TimelineInfo} info
     */
    #describe(frame, generation, info) {
        setText(byId('frame-number', HTMLElement), grouped(frame));
        setText(byId('frame-most', HTMLElement), grouped(info.frames - 1));
        const at = byId('frame-generation', HTMLElement);
        setText(at, generation === null ? '…' : shortened(generation));
        at.title = generation === null ? '' : `Generation ${grouped(generation)}`;
        this.#slider.setAttribute('aria-valuetext', `Frame ${grouped(frame)} of ${
            grouped(info.frames - 1)}${generation === null ? '' :
            `, generation ${grouped(generation)}`}`);
    }

    /**
     * Sets the state of the buttons for a frame.
     * @param {number} frame
     * @param {TimelineState} now
     * @param {TimelineInfo} info
     */
    #showButtons(frame, now, info) {
        const several = info.frames > 1;
        for (const [command, way, name] of /** @type {const} */ ([
            ['play', 'forwards', 'Play'], ['play-back', 'backwards', 'Play backwards']])) {
            const plays = now.playing === way;
            for (const button of buttonsOf(command)) {
                setIcon(button, plays ? 'pause' : command);
                button.setAttribute('aria-label', plays ? 'Pause the timeline' : name);
                button.classList.toggle('running', plays);
            }
            setEnabled(command, several);
        }
        setEnabled('frame-first', frame > 0 || now.left);
        setEnabled('frame-back', frame > 0 || now.left);
        setEnabled('frame-next', frame < info.frames - 1);
        setEnabled('frame-last', frame < info.frames - 1 || now.left);
        setEnabled('loop', several);
        setPressed('loop', now.loop);
        for (const button of buttonsOf('frame-return')) {
            button.hidden = !now.left || !this.session.steers;
            setText(/** @type {Element} */ (button.lastElementChild),
                `Back to frame ${grouped(now.frame)}`);
        }
        byId('timeline', HTMLElement).classList.toggle('left', now.left);
    }

    // ---- commands ------------------------------------------------------------------------------

    /**
     * Returns whether there is a timeline. If the universe has no timeline, tells the user.
     * @returns {boolean}
     */
    #has() {
        if (this.#now !== null) return true;
        this.session.complain('This universe has no timeline: open a .lct file.');
        return false;
    }

    /**
     * Returns whether a frame may replace the cells. If edits would be lost, the user must confirm
     * first.
     */
    async #mayGo() {
        const { session } = this;
        if (!session.unsaved || !this.#now?.left) return true;
        this.#confirms = true;
        const sure = await confirmLoss('Back to the timeline?',
            'Cells drawn since are not part of it. To keep them, take a snapshot first.',
            'Go back');
        this.#confirms = false;
        return sure;
    }

    /**
     * Requests a frame. If several requests come in quick succession, the server shows only the
     * frame requested last.
     * @param {number} frame
     */
    async #show(frame) {
        if (!await this.#mayGo()) {
            this.#update();
            return;
        }
        this.#asked = frame;
        this.#answered = false;
        const sent = this.session.steer({ do: 'frame', frame });
        this.#update();
        const answer = await sent;
        if (this.#asked !== frame) return;
        this.#answered = true;
        if (answer !== null) return;
        this.#asked = null;
        this.#update();
    }

    /** Steps by one frame. @param {number} way 1: forwards, -1: backwards */
    step(way) {
        if (!this.#has() || this.#now === null || this.#info === null) return;
        const frame = this.#asked ?? this.#now.frame;
        // If the universe has left the timeline after a frame, the first step back returns to that
        // frame.
        const next = way < 0 && this.#now.left && this.#asked === null ? frame : frame + way;
        if (next >= 0 && next < this.#info.frames) void this.#show(next);
    }

    /** Goes to the first or the last frame. @param {'first' | 'last'} end */
    goTo(end) {
        if (!this.#has() || this.#info === null) return;
        void this.#show(end === 'first' ? 0 : this.#info.frames - 1);
    }

    /** Goes back to the frame at which the universe left the timeline. */
    goBack() {
        if (this.#has() && this.#now !== null) void this.#show(this.#now.frame);
    }

    /**
     * Plays the timeline in a direction. If the timeline already plays in the direction, pauses the
     * timeline.
     * @param {'forwards' | 'backwards'} way
     */
    async play(way) {
        if (!this.#has()) return;
        if (this.#now?.playing === way) {
            if (await this.session.steer({ do: 'pause' }) !== null) announce('Paused.');
            return;
        }
        if (!await this.#mayGo()) return;
        const backwards = way === 'backwards';
        if (await this.session.steer({ do: 'play', backwards }) === null) return;
        announce(backwards ? 'Playing backwards.' : 'Playing.');
    }

    loop() {
        if (!this.#has()) return;
        const loop = !this.#now?.loop;
        void this.session.steer({ do: 'player', loop });
        announce(loop ? 'Loop on.' : 'Loop off.');
    }

    /** Sets the speed of the timeline. @param {number} speed frames per second */
    async #setSpeed(speed) {
        await this.session.steer({ do: 'player', frames_per_second: speed });
        this.#update();
    }

    /** Makes the timeline faster or slower. @param {number} way 1: faster, -1: slower */
    changeSpeed(way) {
        const now = this.#now?.frames_per_second ?? speeds[0];
        const next = way > 0 ? speeds.find((speed) => speed > now) :
            speeds.findLast((speed) => speed < now);
        if (next === undefined) return;
        void this.#setSpeed(next);
        announce(`${counted(next, 'frame')} per second`);
    }
}
