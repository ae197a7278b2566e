// Identifies the selection or all cells, and shows the result in the panel. The server identifies a
// copy of the cells while the universe goes on.

/** @import { Box } from './types.js' */
/** @import { Panel } from './panel.js' */
/** @import { Selection } from './selection.js' */
/** @import { Session } from './session.js' */
import { announce } from './announce.js';
import { byId, element, setText } from './dom.js';
import { coordinate, counted, grouped } from './format.js';
import { sizeText } from './selection.js';

const OBJECTS_SHOWN = 40;

/**
 * An object of an identified pattern.
 * @typedef {object} IdentifiedObject
 * @property {string} count
 * @property {string | null} apgcode
 * @property {string | null} name
 * @property {string} kind
 * @property {string} period
 * @property {string | null} speed
 */

/**
 * The `identity` message.
 * @typedef {object} Identity
 * @property {string} generation
 * @property {string} kind
 * @property {string} generations_made
 * @property {string} settles
 * @property {string} population
 * @property {string} period
 * @property {string | null} speed
 * @property {string} population_min
 * @property {string} population_max
 * @property {number} heat
 * @property {string} stator
 * @property {string} rotor
 * @property {number | string} growth
 * @property {boolean} proved whether the pattern is known to grow for ever
 * @property {string} periods_seen
 * @property {IdentifiedObject[]} objects
 */

const growing = ['gun', 'puffer', 'rake', 'wickstretcher', 'linear growth', 'quadratic growth'];

/** Begins a sentence. @param {string} text */
function capital(text) {
    return text.charAt(0).toUpperCase() + text.slice(1);
}

/** @param {string} generations */
function generationsText(generations) {
    return counted(Number(generations), 'generation');
}

/**
 * Returns the object that the whole pattern is, or null if it is none or several.
 * @param {Identity} identity
 */
function onlyObject({ kind, objects }) {
    const is_whole = ['still life', 'oscillator', 'spaceship'].includes(kind);
    return is_whole && objects.length === 1 && objects[0].count === '1' ? objects[0] : null;
}

/** Says in a line what a pattern is. @param {Identity} identity */
function headline(identity) {
    const { kind, settles, period, speed, generations_made } = identity;
    switch (kind) {
    case 'dies': return `Dies after ${generationsText(settles)}`;
    case 'settles': return settles === '0' ? 'Several objects that never meet' :
        `Settles after ${generationsText(settles)}`;
    case 'undecided': return `Undecided after ${generationsText(generations_made)}`;
    default:
    }
    const name = onlyObject(identity)?.name ?? null;
    return capital((name === null ? '' : `${name}: `) + kind +
        (BigInt(period) > 1n ? `, period ${grouped(period)}` : '') +
        (speed === null ? '' : `, ${speed}`));
}

/** Describes an object in a line, without its number. @param {IdentifiedObject} object */
export function objectText({ name, kind, period, speed }) {
    return name ?? kind + (BigInt(period) > 1n ? `, period ${grouped(period)}` : '') +
        (speed === null ? '' : `, ${speed}`);
}

/** @param {Identity} identity */
function populationText({ population, population_min, population_max }) {
    return population_min === population_max ? grouped(population) :
        `${grouped(population_min)} to ${grouped(population_max)}`;
}

/**
 * Returns the facts that are not in the headline.
 * @param {Identity} identity
 * @returns {[string, string][]}
 */
function factsOf(identity) {
    const { kind, period, heat, stator, rotor, growth, proved, periods_seen } = identity;
    /** @type {[string, string][]} */
    const facts = [];
    const code = onlyObject(identity)?.apgcode ?? null;
    if (code !== null) facts.push(['Code', code]);
    if (kind === 'settles' && BigInt(period) > 0n) facts.push(['Period', grouped(period)]);
    if (!['undecided', 'dies'].includes(kind)) {
        facts.push(['Population', populationText(identity)]);
    }
    if (rotor !== '0') {
        facts.push(['Rotor', counted(Number(rotor), 'cell')],
            ['Stator', counted(Number(stator), 'cell')],
            ['Heat', `${heat.toFixed(2)} cells change in a generation`]);
    }
    if (growing.includes(kind)) {
        facts.push(['Growth', `${counted(Number(growth), 'cell')} a period` +
            (kind === 'quadratic growth' ? ' more than in the period before' : '') +
            (proved ? '' : `, seen for ${counted(Number(periods_seen), 'period')}`)]);
    }
    return facts;
}

export class Identifying {
    #waiting = byId('identifying', HTMLElement);
    #progress = byId('identify-progress', HTMLProgressElement);
    #result = byId('identity', HTMLElement);
    /**
     * The request that has no answer yet. A new request replaces the previous one.
     * @type {Promise<Identity> | null}
     */
    #request = null;

    /**
     * @param {object} parts
     * @param {Session} parts.session
     * @param {Selection} parts.selection
     * @param {Panel} parts.panel
     */
    constructor({ session, selection, panel }) {
        this.session = session;
        this.selection = selection;
        this.panel = panel;
        session.addEventListener('universe', () => {
            this.#result.hidden = true;
        });
        session.connection.addEventListener('identifying', (event) => {
            if (!(event instanceof CustomEvent)) return;
            // The server sent it before it received the cancellation.
            if (this.#request === null) return;
            const { seconds, limit } = event.detail;
            if (this.#waiting.hidden) announce('Identifying.');
            this.#waiting.hidden = false;
            this.#progress.value = seconds / limit;
        });
        byId('cancel-identify', HTMLButtonElement).addEventListener('click', () => {
            this.#request = null;
            this.#waiting.hidden = true;
            announce('The identification was cancelled.');
            void session.ask({ do: 'cancel', identification: true });
        });
    }

    /** Identifies the selection, or all cells if nothing is selected. */
    async identify() {
        const { box } = this.selection;
        /** @type {Promise<Identity>} */
        const request = this.session.connection.request({ do: 'identify', ...box });
        this.#request = request;
        this.#waiting.hidden = true;
        const answer = await request.catch((error) =>
            error instanceof Error ? error : new Error(String(error)));
        if (request !== this.#request) return; // cancelled or replaced by the user
        this.#request = null;
        this.#waiting.hidden = true;
        if (answer instanceof Error) {
            this.session.complain(answer.message);
        } else {
            this.#show(answer, box);
        }
    }

    /**
     * @param {Identity} identity
     * @param {Box | null} box
     */
    #show(identity, box) {
        const { generation, kind, objects } = identity;
        const text = headline(identity);
        const where = box === null ? 'All cells' :
            `${sizeText(box)} cells at ${coordinate(box.x)}, ${coordinate(box.y)}`;
        setText(byId('identity-text', HTMLElement), text);
        byId('identity-facts', HTMLElement).replaceChildren(...[...factsOf(identity),
            ['Examined', `${where}, generation ${grouped(generation)}`]].map(([name, value]) =>
            element('div', {}, element('dt', {}, name), element('dd', {}, value))));
        const shown = onlyObject(identity) === null ? objects : [];
        setText(byId('identity-parts', HTMLElement), shown.length === 0 ? '' :
            growing.includes(kind) ? 'Each period adds' : 'Consists of');
        const rows = shown.slice(0, OBJECTS_SHOWN).map((object) => element('li', {},
            element('span', { class: 'number' }, `${grouped(object.count)} `),
            `${objectText(object)} `, element('span', { class: 'quiet' }, object.apgcode ?? '')));
        if (shown.length > OBJECTS_SHOWN) {
            rows.push(element('li', { class: 'quiet' },
                `and ${shown.length - OBJECTS_SHOWN} other kinds`));
        }
        byId('identity-objects', HTMLElement).replaceChildren(...rows);
        this.#result.hidden = false;
        this.panel.openAt('now');
        this.#result.scrollIntoView({ block: 'nearest' });
        const first = shown.slice(0, 3).map((object) =>
            `${grouped(object.count)} ${objectText(object)}`);
        announce([text, ...first].join(', ') + '.');
    }
}
