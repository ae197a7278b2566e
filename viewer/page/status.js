// The status line: generation, population, speed, scale, role and connection.

/** @import { Camera } from './camera.js' */
/** @import { Session } from './session.js' */
/** @import { Settled } from './types.js' */
import { announce } from './announce.js';
import { buttonsOf, byId, setPressed, setText } from './dom.js';
import { counted, grouped, scaleText, withUnit } from './format.js';

const OLD_S = 2; // seconds after which the line shows how old the population is
const CANCEL_MS = 1500; // time after which the page offers Cancel
const TICK_MS = 500;

/** @param {Settled} settled */
function settledText({ dead, period, spaceships }) {
    if (dead) return 'settled: all cells have died';
    const repeats = period === '0' ? 'objects that never meet' :
        period === '1' ? 'still life' : `period ${grouped(period)}`;
    const ships = spaceships === '0' ? '' :
        `, with ${counted(Number(spaceships), 'spaceship')}`;
    return `settled: ${repeats}${ships}`;
}

/**
 * @param {Session} session
 * @param {Camera} camera
 */
export function showStatus(session, camera) {
    const text = (/** @type {string} */ id) => byId(id, HTMLElement);
    const generation = text('generation');
    const population = text('population');
    const population_age = text('population-age');
    const generations_rate = text('generations-rate');
    const cells_rate = text('cells-rate');
    const settled = text('settled');
    const busy = text('busy');
    const role = text('role-text');
    const viewers = text('viewers');
    const link = text('link');
    const link_text = text('link-text');
    const scale = text('scale');
    let steered = true;

    const cancel = byId('cancel-busy', HTMLButtonElement);
    let told_ms = 0;
    let busy_ms = 0; // time at which the work became cancellable; 0 if no work can be cancelled

    // The server sends no state while it computes a long generation, so the page itself counts how
    // old the last known population is. At speeds below one generation per second, the page does
    // not count the age of the population.
    const showAge = () => {
        const { state } = session;
        if (state === null || state.population === null) return;
        const counts_on = state.population_age > 0 ||
            (state.running && (state.speed === null || state.speed >= 1));
        const age_s = counts_on ?
            state.population_age + (performance.now() - told_ms) / 1000 : 0;
        const is_old = age_s >= OLD_S;
        population_age.hidden = !is_old;
        population_age.parentElement?.classList.toggle('old', is_old);
        setText(population_age, is_old ? `${Math.floor(age_s)} s ago` : '');
        population_age.title = is_old ? 'The population at that time. It is counted less often ' +
            'when the universe is large or a step takes long.' : '';
    };

    // Show the Cancel button only after a while. A short edit ends before the user could press the
    // Cancel button.
    const showCancel = () => {
        const can = session.state?.may_cancel === true && session.steers;
        if (!can) busy_ms = 0;
        else if (busy_ms === 0) busy_ms = performance.now();
        cancel.hidden = !can || performance.now() - busy_ms < CANCEL_MS;
    };
    cancel.addEventListener('click', () => {
        cancel.hidden = true;
        busy_ms = 0;
        void session.steer({ do: 'cancel' });
    });
    window.setInterval(() => {
        showAge();
        showCancel();
    }, TICK_MS);

    const showState = () => {
        const { state } = session;
        if (state === null) return;
        setText(generation, grouped(state.generation));
        setText(population, state.population === null ? '…' : grouped(state.population));
        const counted_at = state.population_at ?? state.generation;
        population.title = counted_at === state.generation ? '' :
            `Counted at generation ${grouped(counted_at)}`;
        told_ms = performance.now();
        showAge();
        const moving = state.generations_per_second > 0;
        const { timeline } = state;
        const plays = state.past.playing || (timeline !== null && timeline.playing !== 'no');
        setText(generations_rate, moving ? withUnit(state.generations_per_second, 'gen/s') :
            plays ? 'playing' : state.running ? '' : 'paused');
        generations_rate.classList.toggle('moving', moving || plays);
        setText(cells_rate, moving && state.cells_per_second !== null ?
            withUnit(state.cells_per_second, 'cells/s') : '');
        const settled_text = state.settled === null ? '' : settledText(state.settled);
        if (settled.textContent === '' && settled_text !== '') announce(`${settled_text}.`);
        setText(settled, settled_text);
        settled.title = settled_text;
        busy.hidden = state.busy === '';
        setText(/** @type {Element} */ (busy.lastElementChild), state.busy);
        showCancel();
        setText(viewers, state.viewers > 1 ? counted(state.viewers, 'viewer') : '');
        setText(role, state.editor ? (state.locked ? 'steering is locked' : '') :
            state.may_steer && state.locked ? 'watching; steering is locked' : 'watching');
        for (const button of buttonsOf('take')) {
            button.hidden = state.editor || !state.may_steer || state.locked;
        }
        // If there is only one viewer, the viewer needs no lock on the steering, but can always
        // remove a lock.
        for (const button of buttonsOf('lock')) {
            button.hidden = !state.editor || (state.viewers === 1 && !state.locked);
        }
        setPressed('lock', state.locked);
        document.body.dataset.role = state.editor ? 'editor' : 'viewer';
        if (state.editor !== steered) {
            steered = state.editor;
            announce(steered ? 'You are steering now.' :
                'Another viewer is steering; you are watching.');
        }
    };
    session.addEventListener('state', showState);

    const showLink = () => {
        const state = session.silent ? 'silent' : session.link;
        link.dataset.state = state;
        setText(link_text, { open: 'connected', closed: 'connecting', refused: 'refused',
            silent: 'no answer' }[state]);
        document.body.dataset.link = state;
    };
    session.addEventListener('waiting', showLink);

    const showScale = () => setText(scale, scaleText(camera.view.zoom));
    camera.addEventListener('changed', showScale);
    showScale();
}
