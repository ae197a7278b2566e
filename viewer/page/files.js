// Opens files that the user chooses in a dialog or drops on the page, and saves the universe as a
// file.

/** @import { Session } from './session.js' */
import { announce } from './announce.js';
import { serverAddress } from './connection.js';
import { formButtons, makeDialog } from './dialogs.js';
import { byId, download, element, setText } from './dom.js';
import { bytesText, counted, grouped } from './format.js';
import { mayClose, saidRule } from './library.js';
import { field, numberInput } from './rule_field.js';

/** The largest number of generations that a user can enter for a timeline. */
const mostGenerations = 2 ** 40;

export class Files {
    #input = byId('file', HTMLInputElement);
    #saving = byId('saving', HTMLElement);
    #progress = byId('save-progress', HTMLProgressElement);
    #cancelled = false;

    /** @param {Session} session */
    constructor(session) {
        this.session = session;
        this.#input.addEventListener('change', () => {
            const file = this.#input.files?.[0];
            this.#input.value = '';
            if (file !== undefined) void this.#open(file);
        });
        this.#listenToDrops();
        // The server writes large files in the background, and reports the progress in `saving`
        // messages.
        session.connection.addEventListener('saving', (event) => {
            if (!(event instanceof CustomEvent)) return;
            this.#progress.value = event.detail.share;
            if (this.#saving.hidden) announce('Saving in the background.');
            const begins = this.#saving.hidden;
            this.#saving.hidden = false;
            // Scroll to the progress bar, because on a small screen it is below the visible part of
            // the panel.
            if (begins) this.#saving.scrollIntoView({ block: 'nearest' });
        });
        byId('cancel-save', HTMLButtonElement).addEventListener('click', () => {
            this.#cancelled = true;
            void session.ask({ do: 'cancel' });
        });
    }

    choose() {
        if (this.session.maySteer()) this.#input.click();
    }

    /** @param {File} file */
    async #open(file) {
        if (!await mayClose(this.session)) return;
        announce(`Opening ${file.name}.`);
        const rule = this.session.universe?.rule;
        try {
            await this.session.connection.sendFile({ do: 'open', name: file.name }, file);
            announce(`${file.name} is open.`);
            saidRule(this.session, rule);
        } catch (error) {
            this.session.complain(error instanceof Error ? error.message : String(error));
        }
    }

    #listenToDrops() {
        const hint = byId('drop-hint', HTMLElement);
        const hasFile = (/** @type {DragEvent} */ event) =>
            event.dataTransfer?.types.includes('Files') ?? false;
        window.addEventListener('dragover', (event) => {
            if (!hasFile(event)) return;
            event.preventDefault();
            hint.hidden = false;
        });
        window.addEventListener('dragleave', (event) => {
            if (event.relatedTarget === null) hint.hidden = true;
        });
        window.addEventListener('drop', (event) => {
            hint.hidden = true;
            if (!hasFile(event)) return;
            event.preventDefault();
            const file = event.dataTransfer?.files[0];
            if (file !== undefined) void this.#open(file);
        });
    }

    save() {
        const format = byId('save-format', HTMLSelectElement).value;
        if (format === 'timeline') this.#askForLength();
        else void this.#save({ format });
    }

    /** Asks for the number of generations in a timeline, and saves the timeline. */
    #askForLength() {
        if (!this.session.maySteer()) return;
        const generations = numberInput(1000, 1);
        const every = numberInput(1, 1);
        const text = element('p', { class: 'number', role: 'status' });
        generations.max = String(mostGenerations);
        const show = () => {
            every.max = generations.value;
            const frames = Math.floor(generations.valueAsNumber / every.valueAsNumber) + 1;
            const first = BigInt(this.session.state?.generation ?? 0);
            const last = first + BigInt(Math.max(0, frames - 1) * every.valueAsNumber || 0);
            setText(text, generations.validity.valid && every.validity.valid ?
                `${counted(frames, 'frame')}: generations ${grouped(first)} to ${grouped(last)}` :
                '');
        };
        for (const input of [generations, every]) input.addEventListener('input', show);
        show();
        const form = element('form', { method: 'dialog' },
            field('Generations from here on', generations),
            field('Generations from one frame to the next', every), text,
            element('p', { class: 'quiet' }, 'A copy is stepped for it. What you see stays as it ' +
                'is, and can be used meanwhile.'),
            formButtons('Save the timeline'));
        form.addEventListener('submit', () => void this.#save({
            format: 'timeline', generations: String(generations.valueAsNumber),
            every: String(every.valueAsNumber),
        }));
        makeDialog('Timeline', form);
        generations.select();
    }

    /**
     * Saves the universe on the server, and downloads the file.
     * @param {Record<string, string>} what further members of the `save` message
     */
    async #save(what) {
        this.#cancelled = false;
        try {
            const answer = await this.session.connection.request({ do: 'save', ...what });
            const name = decodeURIComponent(answer.path.slice(answer.path.lastIndexOf('/') + 1));
            download(serverAddress(answer.path), name);
            announce(`Saved ${name}, ${bytesText(answer.bytes)}.`);
        } catch (error) {
            if (this.#cancelled) announce('Saving was cancelled.');
            else this.session.complain(error instanceof Error ? error.message : String(error));
        }
        this.#saving.hidden = true;
    }
}
