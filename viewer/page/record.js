// The commands that save the view as a file. The file is a picture or an animated recording.

/** @import { Picture } from './picture.js' */
/** @import { Progress, Recorder } from './recorder.js' */
/** @import { Session } from './session.js' */
import { announce } from './announce.js';
import { buttonsOf, byId, setPressed, setText } from './dom.js';
import { bytesText, counted } from './format.js';
import { setIcon } from './icons.js';
import { download, savePicture } from './recorder.js';

export class Recording {
    /**
     * @param {Session} session
     * @param {Picture} picture
     * @param {Recorder} recorder
     */
    constructor(session, picture, recorder) {
        this.session = session;
        this.picture = picture;
        this.recorder = recorder;
        setPressed('record', false);
        recorder.addEventListener('changed', (event) => {
            if (event instanceof CustomEvent) this.#show(event.detail);
        });
    }

    /** @param {Progress} progress */
    #show({ recording, frames, bytes, elapsed_ms, full }) {
        setPressed('record', recording);
        for (const button of buttonsOf('record')) {
            setIcon(button, recording ? 'stop' : 'record');
            const name = button.querySelector('span');
            if (name !== null) setText(name, recording ? 'Stop and save' : 'Record');
        }
        const text = `${counted(frames, 'frame')}, ${bytesText(bytes)}, ` +
            `${(elapsed_ms / 1000).toFixed(1)} s`;
        setText(byId('record-text', HTMLElement), !recording ? '' :
            full ? `${text}: limit reached, no more frames are recorded` : text);
    }

    /** @param {string} ending */
    #name(ending) {
        const name = this.session.name.replace(/\.[a-z0-9]+$/i, '');
        return `${name || 'lightcone'}-${this.session.state?.generation ?? '0'}${ending}`;
    }

    async savePicture() {
        try {
            await savePicture(this.picture, this.#name('.png'));
            announce('Picture saved.');
        } catch (error) {
            this.session.complain(error instanceof Error ? error.message : String(error));
        }
    }

    async toggle() {
        if (!this.recorder.recording) {
            this.recorder.start();
            announce('Recording.');
            return;
        }
        const file = await this.recorder.stop();
        if (file === null) {
            this.session.complain('Nothing was recorded.');
            return;
        }
        download(file, this.#name('.apng'));
        announce(`Recording saved, ${bytesText(file.size)}.`);
    }
}
