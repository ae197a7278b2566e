// The dialog for another universe: its rule, what lies beyond its edges, its size and its soup.

/** @import { Session } from './session.js' */
import { element } from './dom.js';
import { formButtons, makeDialog } from './dialogs.js';
import { mayClose } from './library.js';
import { randomSeed } from './selection.js';

const rules = [
    ['B3/S23', 'Life'], ['B36/S23', 'HighLife'], ['B3678/S34678', 'Day & Night'], ['B2/S', 'Seeds'],
    ['B3/S012345678', 'Life without Death'], ['B368/S245', 'Morley'], ['B35678/S5678', 'Diamoeba'],
    ['B3/S12345', 'Maze'], ['B4678/S35678', 'Anneal'], ['B1357/S1357', 'Replicator'],
];

/** The letters of rule strings, and what they mean. */
const topologies = [
    ['', 'infinite plane'], ['T', 'torus'], ['P', 'plane with edges'], ['K', 'Klein bottle'],
    ['C', 'cross-surface'], ['S', 'sphere'],
];

/**
 * @param {string} rule
 * @param {string} topology its letter
 * @param {string} width
 * @param {string} height
 */
export function ruleText(rule, topology, width, height) {
    const plain = rule.trim() || 'B3/S23';
    if (topology === '') return plain;
    if (topology === 'S') return `${plain}:S${width}`;
    return `${plain}:${topology}${width}${topology === 'K' ? '*' : ''},${height}`;
}

/**
 * @param {string} label
 * @param {HTMLElement} control
 */
function field(label, control) {
    return element('label', { class: 'field' }, label, control);
}

/**
 * @param {number} value
 * @param {number} smallest
 */
function numberInput(value, smallest) {
    return element('input', {
        type: 'number', inputmode: 'numeric', min: smallest, step: 1, value, required: true,
    });
}

/** @param {Session} session */
export async function askForUniverse(session) {
    if (!session.maySteer()) return;
    const names = element('datalist', { id: 'rules' },
        ...rules.map(([value, name]) => element('option', { value }, name)));
    const rule = element('input', {
        type: 'text', list: 'rules', value: session.universe?.rule ?? 'B3/S23', required: true,
        autocomplete: 'off', spellcheck: 'false', autocapitalize: 'off', autofocus: true,
    });
    const topology = element('select', {},
        ...topologies.map(([value, name]) => element('option', { value }, name)));
    const bounded = session.whole;
    topology.value = bounded === null ? '' : 'T';
    const width = numberInput(bounded?.width ?? 4096, 1);
    const height = numberInput(bounded?.height ?? 4096, 1);
    const sizes = element('div', { class: 'row' }, field('Width', width), field('Height', height));

    const filled = element('input', { type: 'checkbox', checked: true });
    const density = element('input', { type: 'range', min: 1, max: 99, step: 1, value: 37 });
    const density_text = element('output', { class: 'number' }, '37 %');
    density.addEventListener('input', () => density_text.replaceChildren(`${density.value} %`));
    const soup_width = numberInput(1000, 1);
    const soup_height = numberInput(1000, 1);
    const soup_sizes = element('div', { class: 'row' },
        field('Soup’s width', soup_width), field('Soup’s height', soup_height));
    const seed = element('input', {
        type: 'text', inputmode: 'numeric', pattern: '[0-9]{1,20}', value: randomSeed(),
        title: 'A number of up to 20 digits', autocomplete: 'off',
    });
    const soup = element('fieldset', {},
        element('legend', {}, 'Soup'),
        element('div', { class: 'row' }, field('Share of live cells', density), density_text),
        soup_sizes, field('Seed', seed));

    const show = () => {
        sizes.hidden = topology.value === '';
        width.disabled = sizes.hidden;
        height.disabled = sizes.hidden || topology.value === 'S';
        soup.disabled = !filled.checked;
        soup_sizes.hidden = topology.value !== '';
        soup_width.disabled = soup_sizes.hidden;
        soup_height.disabled = soup_sizes.hidden;
    };
    topology.addEventListener('change', show);
    filled.addEventListener('change', show);
    show();

    const form = element('form', { method: 'dialog' }, names,
        field('Rule', rule), field('Topology', topology), sizes,
        element('label', { class: 'check' }, filled, 'Start with a soup of random cells'), soup,
        formButtons('Create'));
    form.addEventListener('submit', () => {
        /** @type {{do: string} & Record<string, unknown>} */
        const message = {
            do: 'new', rule: ruleText(rule.value, topology.value, width.value, height.value),
        };
        if (filled.checked) {
            message.density = density.valueAsNumber / 100;
            if (seed.value !== '') message.seed = seed.value;
            if (topology.value === '') {
                message.width = soup_width.valueAsNumber;
                message.height = soup_height.valueAsNumber;
            }
        }
        void make(session, message);
    });
    makeDialog('New universe', form);
}

/**
 * @param {Session} session
 * @param {{do: string} & Record<string, unknown>} message
 */
async function make(session, message) {
    if (await mayClose(session)) await session.steer(message);
}
