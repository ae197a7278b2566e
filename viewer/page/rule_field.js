// The input fields for a rule and a topology. The rule field completes well-known names, explains
// the rule in words and marks errors.

/** @import { Session } from './session.js' */
import { element } from './dom.js';
import { ruleWords } from './rule_words.js';
import { asSentence } from './sentences.js';

const explainAfter_ms = 120;

/**
 * The topologies. Each topology has a name, and a letter that stands for the topology in rule
 * strings.
 */
const topologies = [
    ['', 'Infinite plane'], ['T', 'Torus: opposite edges are joined'],
    ['P', 'Bounded plane: cells beyond the edges are dead'], ['K', 'Klein bottle'],
    ['C', 'cross-surface'], ['S', 'sphere'],
];
const asItIs = '=';

let fields = 0;

/**
 * Makes a labelled input field.
 * @param {string} label
 * @param {HTMLElement} control
 */
export function field(label, control) {
    return element('label', { class: 'field' }, label, control);
}

/**
 * Makes an input field for an integer.
 * @param {number | bigint} value
 * @param {number} smallest
 */
export function numberInput(value, smallest) {
    return element('input', {
        type: 'number', inputmode: 'numeric', min: smallest, step: 1, value: String(value),
        required: true,
    });
}

/** The fields that choose a topology. A bounded topology also has fields for width and height. */
export class TopologyField {
    /** @type {() => void} */
    onChanged = () => {};

    /**
     * @param {Session} session
     * @param {{width: number, height: number}} size proposed if the current universe is unbounded
     * @param {string} [chosen] letter of the topology; default: the topology of the universe
     */
    constructor(session, size, chosen) {
        const { rule_text = '', width, height } = session.universe ?? { width: 0n, height: 0n };
        this.present = rule_text.split(':')[1] ?? '';
        const simple = this.present.match(/^([TPCS])\d+(,\d+)?$|^(K)\d+\*,\d+$/);
        const letter = this.present === '' ? '' : simple?.[1] ?? simple?.[3] ?? asItIs;
        this.choice = element('select', {}, ...topologies.map(([value, name]) =>
            element('option', { value }, name)));
        if (chosen === undefined && letter === asItIs) {
            this.choice.append(element('option', { value: asItIs },
                `Unchanged: ${session.universe?.topology}`));
        }
        this.choice.value = chosen ?? letter;
        this.width = numberInput(width || size.width, 1);
        this.height = numberInput(height || size.height, 1);
        this.sizes = element('div', { class: 'row' },
            field('Width', this.width), field('Height', this.height));
        this.label = field('Topology', this.choice);
        this.choice.addEventListener('change', () => this.#show());
        for (const input of [this.width, this.height]) {
            input.addEventListener('input', () => this.onChanged());
        }
        this.#show();
    }

    #show() {
        const { value } = this.choice;
        this.sizes.hidden = value === '' || value === asItIs;
        this.width.disabled = this.sizes.hidden;
        this.height.disabled = this.sizes.hidden || value === 'S';
        this.onChanged();
    }

    /**
     * Whether the chosen topology needs no size. The infinite plane needs no size, and neither does
     * an unchanged topology.
     */
    get infinite() {
        return this.choice.value === '' || (this.choice.value === asItIs);
    }

    /** The chosen topology, as written after the colon of a rule. @returns {string} */
    get suffix() {
        const letter = this.choice.value;
        if (letter === asItIs) return this.present;
        if (letter === '') return '';
        if (letter === 'S') return `S${this.width.value}`;
        return `${letter}${this.width.value}${letter === 'K' ? '*' : ''},${this.height.value}`;
    }
}

export class RuleField {
    /** @type {() => void} called when the rule has changed and is valid */
    onChanged = () => {};
    #timer = 0;
    #asked = 0;

    /**
     * @param {Session} session
     * @param {TopologyField} topology to combine the rule with
     */
    constructor(session, topology) {
        const id = `rule-${++fields}`;
        this.session = session;
        this.topology = topology;
        this.names = element('datalist', { id: `${id}-names` });
        this.input = element('input', {
            type: 'text', list: this.names.id, value: session.universe?.rule ?? 'B3/S23',
            required: true, autocomplete: 'off', spellcheck: 'false', autocapitalize: 'off',
            autofocus: true, 'aria-describedby': `${id}-words`,
        });
        this.words = element('p', { id: `${id}-words`, class: 'quiet', role: 'status' });
        this.label = field('Rule', this.input);
        this.input.addEventListener('input', () => this.#later());
        void this.#fill();
        void this.explain();
    }

    /** The elements of the rule field, for a form. @returns {Node[]} */
    get parts() {
        return [this.label, this.names, this.words];
    }

    /** The typed rule without a topology. */
    get plain() {
        return this.input.value.trim().replace(/:.*/, '') || 'B3/S23';
    }

    /**
     * The rule with its topology. A topology that was typed after the rule has priority.
     * @returns {string}
     */
    get text() {
        const typed = this.input.value.trim();
        if (typed.includes(':')) return typed;
        const { suffix } = this.topology;
        return suffix === '' ? this.plain : `${this.plain}:${suffix}`;
    }

    async #fill() {
        const answer = await this.session.connection.request({ do: 'rules' }).catch(() => null);
        const list = /** @type {{name: string, rule: string}[]} */ (answer?.list ?? []);
        this.names.append(...list.map(({ name, rule }) =>
            element('option', { value: name }, rule)));
    }

    #later() {
        this.input.setCustomValidity('');
        clearTimeout(this.#timer);
        this.#timer = window.setTimeout(() => void this.explain(), explainAfter_ms);
    }

    /** Shows the meaning of the typed rule, or the error in the rule. */
    async explain() {
        const asked = ++this.#asked;
        const message = { do: 'explain', rule: this.text };
        let error = '';
        let said = '';
        try {
            const { rule, name } = await this.session.connection.request(message);
            const words = ruleWords(rule);
            said = [name && name !== this.input.value ? `${name}.` : '', words]
                .filter((part) => part !== '').join(' ');
            if (rule !== this.plain) said = `${rule}: ${said}`;
        } catch (problem) {
            error = asSentence(problem instanceof Error ? problem.message : String(problem));
        }
        if (asked !== this.#asked) return;
        this.input.setCustomValidity(error);
        this.input.setAttribute('aria-invalid', String(error !== ''));
        this.words.classList.toggle('wrong', error !== '');
        this.words.classList.toggle('quiet', error === '');
        this.words.replaceChildren(error || said, ...this.#place(error));
        if (error === '') this.onChanged();
    }

    /**
     * Returns the text of the rule with the wrong character marked.
     * @param {string} error message about the rule
     */
    #place(error) {
        const at = Number(error.match(/ at character (\d+)/)?.[1] ?? 0);
        if (at === 0) return [];
        const text = this.text;
        return [element('span', { class: 'place', 'aria-hidden': 'true' }, text.slice(0, at - 1),
            element('mark', {}, text[at - 1] ?? ' '), text.slice(at))];
    }
}
