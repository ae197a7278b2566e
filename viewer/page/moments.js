// The snapshots that the user has taken. The panel lists the snapshots and has buttons that go back
// to a snapshot or reset the universe.

/** @import { Moment } from './types.js' */
/** @import { Session } from './session.js' */
import { announce } from './announce.js';
import { byId, element } from './dom.js';
import { grouped } from './format.js';
import { icon } from './icons.js';
import { confirmLoss } from './dialogs.js';

const most = 8;

export class Moments {
    #shown = '';

    /** @param {Session} session */
    constructor(session) {
        this.session = session;
        session.addEventListener('state', () => this.#show());
    }

    get #moments() {
        return this.session.state?.moments ?? [];
    }

    #show() {
        // Rebuild the list only if the snapshots have changed, so that a focused button keeps the
        // focus.
        const now = JSON.stringify(this.#moments);
        if (now === this.#shown) return;
        this.#shown = now;
        const rows = this.#moments.map((moment) => this.#row(moment));
        byId('moments', HTMLElement).replaceChildren(...rows);
    }

    /** @param {Moment} moment */
    #row(moment) {
        const forget = element('button', {
            type: 'button', title: 'Delete',
            'aria-label': `Delete snapshot of generation ${grouped(moment.generation)}`,
            click: () => void this.session.steer({ do: 'forget', moment: moment.id }),
        });
        forget.append(icon('close'));
        return element('li', { class: 'row' },
            element('button', {
                type: 'button', class: 'named grow', title: 'Go back to this snapshot',
                click: () => void this.#goTo(moment),
            }, element('span', { class: 'hidden' }, 'Back to generation '),
            element('span', { class: 'number' }, grouped(moment.generation)),
            element('span', { class: 'number quiet' },
                moment.population === null ? '' : `${grouped(moment.population)} cells`)),
            forget);
    }

    /** @param {Moment} moment */
    async #goTo(moment) {
        const answer = await this.session.steer({ do: 'return', moment: moment.id });
        if (answer !== null) announce(`Back at generation ${grouped(moment.generation)}.`);
    }

    async keep() {
        if (this.#moments.length >= most) {
            this.session.complain(`There are already ${most} snapshots. Delete one first.`);
            return;
        }
        const answer = await this.session.steer({ do: 'keep' });
        if (answer !== null) announce('Snapshot taken.');
    }

    async returnToLast() {
        const last = this.#moments.at(-1);
        if (last === undefined) this.session.complain('Take a snapshot first (key M).');
        else await this.#goTo(last);
    }

    async reset() {
        if (!this.session.maySteer()) return;
        const loses = this.session.state?.reset_loses ?? false;
        const sure = !loses || await confirmLoss('Back to the start?',
            'Cells drawn since the start are not part of it. To keep them, take a snapshot first.',
            'Go back');
        if (!sure) return;
        if (await this.session.steer({ do: 'reset' }) === null) return;
        announce('Back at the start.');
    }
}
