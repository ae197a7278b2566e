// Opens files, from a dialog or dropped on the page, and saves the universe as a file.

/** @import { Session } from './session.js' */
import { announce } from './announce.js';
import { serverAddress } from './connection.js';
import { byId, download } from './dom.js';
import { bytesText } from './format.js';
import { mayClose, saidRule } from './library.js';

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
        // The server writes large files in the background and reports progress.
        session.connection.addEventListener('saving', (event) => {
            if (!(event instanceof CustomEvent)) return;
            this.#progress.value = event.detail.share;
            if (this.#saving.hidden) announce('Saving in the background.');
            this.#saving.hidden = false;
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

    async save() {
        const format = byId('save-format', HTMLSelectElement).value;
        this.#cancelled = false;
        try {
            const answer = await this.session.connection.request({ do: 'save', format });
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
