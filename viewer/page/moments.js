// Kept moments: the list in the panel, and the ways back.

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
        // The list is rebuilt only when it has changed, so that the focus stays in it.
        const now = JSON.stringify(this.#moments);
        if (now === this.#shown) return;
        this.#shown = now;
        const rows = this.#moments.map((moment) => this.#row(moment));
        byId('moments', HTMLElement).replaceChildren(...rows);
    }

    /** @param {Moment} moment */
    #row(moment) {
        const forget = element('button', {
            type: 'button', 'aria-label': `Forget generation ${grouped(moment.generation)}`,
            title: 'Forget',
            click: () => void this.session.steer({ do: 'forget', moment: moment.id }),
        });
        forget.append(icon('close'));
        return element('li', { class: 'row' },
            element('button', {
                type: 'button', class: 'named grow', title: 'Go back to it',
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
            this.session.complain(`${most} moments are already kept; forget one first.`);
            return;
        }
        const answer = await this.session.steer({ do: 'keep' });
        if (answer !== null) announce('Moment kept.');
    }

    async returnToLast() {
        const last = this.#moments.at(-1);
        if (last === undefined) this.session.complain('No moment has been kept yet (key M).');
        else await this.#goTo(last);
    }

    async reset() {
        if (!this.session.maySteer()) return;
        const loses = this.session.state?.reset_loses ?? false;
        const sure = !loses || await confirmLoss('Back to the start?',
            'Cells were drawn after the start and are not part of it. Keep this moment first if ' +
            'you want them later.', 'Go back');
        if (!sure) return;
        if (await this.session.steer({ do: 'reset' }) === null) return;
        announce('Back at the start.');
    }
}
