// The display of a universe without live cells. A line of text in the picture says how to start,
// and the page selects the pencil.

/** @import { Session } from './session.js' */
/** @import { Tools } from './tools.js' */
import { byId, setText } from './dom.js';
import { keyNames } from './keys.js';

// Time to wait after a stroke for a state with live cells. If the stroke was undone at once or
// changed nothing, no state with live cells comes.
const strokeTold_ms = 1500;

/**
 * @param {boolean} steers whether this client steers
 * @param {boolean} died whether all cells have died
 * @param {boolean} undoes whether undo brings back the drawing
 */
function line(steers, died, undoes) {
    if (!steers) return died ? 'All cells have died.' : 'There are no live cells yet.';
    const touch = matchMedia('(pointer: coarse)').matches;
    if (died) {
        const undo = touch ? 'Undo' : `Undo (${keyNames('Ctrl+z').join(' ')})`;
        return `All cells have died. ${touch ? 'Reset' : 'Reset (R)'} returns to the start${
            undoes ? `; ${undo} restores your drawing` : ''}.`;
    }
    return touch ? 'Draw with a finger or choose a pattern, then press Run.' :
        'Draw here, choose a pattern, or drop a file. Enter runs.';
}

/**
 * @param {Session} session
 * @param {Tools} tools
 */
export function showNothing(session, tools) {
    const box = byId('nothing', HTMLElement);
    const text = byId('nothing-text', HTMLElement);
    let is_new = false; // whether the first population of the universe is still unknown
    // Whether this module selected the pencil and no other tool was chosen since then.
    let given = false;
    let begun = false; // whether the user is drawing or has just stopped drawing
    let told = 0; // timer that sets `begun` to false
    let cleared = false; // whether the live cells were removed by an edit instead of dying
    let lived_at = ''; // last generation with live cells

    /** Returns whether the universe has no live cells, or null while the population is unknown. */
    const emptiness = () => {
        const { state, universe } = session;
        if (state === null || universe === null || state.population === null) return null;
        return state.population === '0' && universe.timeline === null;
    };
    const show = () => {
        const { state, steers } = session;
        const empty = emptiness();
        if (state === null || empty === null) return;
        box.hidden = !empty || begun || state.running;
        if (box.hidden) return;
        const died = state.generation !== '0' && !cleared;
        setText(text, line(steers, died, state.unsaved && state.can_undo));
        byId('nothing-buttons', HTMLElement).hidden = !steers;
        byId('nothing-reset', HTMLElement).hidden = !died;
    };

    tools.addEventListener('chosen', () => {
        given = false;
    });
    session.addEventListener('universe', () => {
        is_new = true;
        begun = cleared = false;
        lived_at = '';
    });
    byId('stage', HTMLElement).addEventListener('pointerdown', (event) => {
        if (event.target instanceof Element && event.target.closest('#nothing') !== null) return;
        begun = tools.name !== 'hand';
        clearTimeout(told);
        if (begun) box.hidden = true;
    });
    // Listen on the window, because the pointer may have left the picture when the button is
    // released.
    for (const name of ['pointerup', 'pointercancel']) {
        window.addEventListener(name, () => {
            if (!begun) return;
            clearTimeout(told);
            told = setTimeout(() => {
                begun = false;
                show();
            }, strokeTold_ms);
        }, { capture: true });
    }

    session.addEventListener('state', () => {
        const empty = emptiness();
        if (empty === null) return;
        if (is_new) {
            is_new = false;
            if (empty && session.steers && tools.name === 'hand') {
                tools.choose('draw', true);
                given = true;
            } else if (!empty && given && tools.name === 'draw') {
                tools.choose('hand', true);
                given = false;
            }
        }
        if (!empty) begun = false;
        const at = session.state?.population_at ?? '';
        cleared = empty && (lived_at === '' ? cleared : lived_at === at);
        lived_at = empty ? '' : at;
        show();
    });
}
