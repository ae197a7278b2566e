// The dialogs that create a new universe, or change the rule or the topology of the current
// universe.

/** @import { Session } from './session.js' */
/** @import { Size } from './types.js' */
import { announce } from './announce.js';
import { element } from './dom.js';
import { formButtons, makeDialog } from './dialogs.js';
import { counted } from './format.js';
import { mayClose } from './library.js';
import { field, numberInput, RuleField, TopologyField } from './rule_field.js';
import { randomSeed } from './selection.js';

const pixelsOfCell = 2;
const sizeStep = 50;
const tryAfter_ms = 250;

/**
 * Returns the size of a board that fits into the picture with a few pixels per cell.
 * @param {Size} stage size of the picture in CSS pixels
 * @returns {Size}
 */
function boardFor(stage) {
    const side = (/** @type {number} */ px) =>
        Math.max(2, Math.floor(0.94 * px / pixelsOfCell / sizeStep)) * sizeStep;
    return { width: side(stage.width), height: side(stage.height) };
}

/**
 * @param {Session} session
 * @param {Size} stage
 */
export async function askForUniverse(session, stage) {
    if (!session.maySteer()) return;
    const size = boardFor(stage);
    const bounded = session.whole !== null;
    const topology = new TopologyField(session, size, bounded ? undefined : 'T');
    const rule = new RuleField(session, topology);

    const filled = element('input', { type: 'checkbox', checked: true });
    const density = element('input', { type: 'range', min: 1, max: 99, step: 1, value: 37 });
    const density_text = element('output', { class: 'number' }, '37 %');
    density.addEventListener('input', () => density_text.replaceChildren(`${density.value} %`));
    const soup_width = numberInput(size.width, 1);
    const soup_height = numberInput(size.height, 1);
    const soup_sizes = element('div', { class: 'row' },
        field('Soup width', soup_width), field('Soup height', soup_height));
    const seed = element('input', {
        type: 'text', inputmode: 'numeric', pattern: '[0-9]{1,20}', placeholder: 'random',
        title: 'A number of up to 20 digits', autocomplete: 'off',
    });
    const more = element('details', {}, element('summary', {}, 'More'),
        field('Seed (the same seed makes the same cells)', seed));
    const soup = element('fieldset', {},
        element('legend', {}, 'Random cells'),
        element('div', { class: 'row' }, field('Density', density), density_text),
        soup_sizes,
        more);
    // Open the details, so that the user sees the error in the seed field.
    seed.addEventListener('invalid', () => {
        more.open = true;
    });

    const show = () => {
        soup.disabled = !filled.checked;
        soup_sizes.hidden = !topology.infinite;
        soup_width.disabled = soup_sizes.hidden;
        soup_height.disabled = soup_sizes.hidden;
    };
    topology.onChanged = () => {
        show();
        void rule.explain();
    };
    filled.addEventListener('change', show);
    show();

    const form = element('form', { method: 'dialog' }, topology.label, topology.sizes,
        element('label', { class: 'check' }, filled, 'Start with random cells'), soup,
        ...rule.parts, formButtons('Create'));
    form.addEventListener('submit', () => {
        /** @type {{do: string} & Record<string, unknown>} request to create the universe */
        const message = { do: 'new', rule: rule.text };
        if (filled.checked) {
            message.density = density.valueAsNumber / 100;
            message.seed = seed.value || randomSeed();
            if (topology.infinite && !rule.text.includes(':')) {
                message.width = soup_width.valueAsNumber;
                message.height = soup_height.valueAsNumber;
            }
        }
        void make(session, message);
    });
    makeDialog('New universe', form);
}

/**
 * Creates a universe. If unsaved edits would be lost, the user must confirm first.
 * @param {Session} session
 * @param {{do: string} & Record<string, unknown>} message
 */
async function make(session, message) {
    if (await mayClose(session)) await session.steer(message);
}

/**
 * Asks for another rule or topology of the current universe. The change keeps the cells.
 * @param {Session} session
 * @param {Size} stage
 */
export function askForChange(session, stage) {
    if (!session.maySteer()) return;
    const topology = new TopologyField(session, boardFor(stage));
    const rule = new RuleField(session, topology);
    const loss = element('p', { class: 'quiet', role: 'status' });
    let timer = 0;
    let tries = 0;

    /**
     * Returns the message that requests the change.
     * @returns {{do: string} & Record<string, unknown>}
     */
    const message = () => {
        const [plain, ...suffix] = rule.text.split(':');
        return { do: 'rule', rule: plain, topology: suffix.join(':') };
    };
    const tryIt = async () => {
        const number = ++tries;
        /** @type {string} */
        let text;
        try {
            const answer = await session.connection.request({ ...message(), try: true });
            const lost = Number(answer.lost ?? 0);
            text = lost === 0 ? 'All live cells fit.' : `${counted(lost, 'live cell')} ` +
                `${lost === 1 ? 'does' : 'do'} not fit and will be left out. Undo brings ` +
                `${lost === 1 ? 'it' : 'them'} back.`;
            loss.classList.toggle('wrong', lost > 0);
            loss.classList.toggle('quiet', lost === 0);
        } catch {
            // The rule field reports errors in the rule. Errors that do not concern the rule appear
            // when the user submits the dialog.
            text = '';
        }
        if (number === tries) loss.replaceChildren(text);
    };
    rule.onChanged = () => {
        clearTimeout(timer);
        timer = window.setTimeout(() => void tryIt(), tryAfter_ms);
    };
    topology.onChanged = () => void rule.explain();

    const form = element('form', { method: 'dialog' }, ...rule.parts, topology.label,
        topology.sizes, loss, element('p', { class: 'quiet' },
            'The cells are kept and centred. Undo reverts the change.'),
        formButtons('Change'));
    form.addEventListener('submit', async () => {
        const answer = await session.steer(message());
        if (answer !== null) announce('Rule and topology changed.');
    });
    makeDialog('Change rule or topology', form);
}
