// Kiosk mode (`?kiosk`), for wall displays. In kiosk mode the page shows only the picture, keeps
// all live cells in view, and keeps the screen on. If the page has the right to steer, the page
// starts the universe.

/** @import { Session } from './session.js' */

export const isKiosk = new URLSearchParams(location.search).has('kiosk');

async function keepAwake() {
    try {
        await navigator.wakeLock.request('screen');
    } catch {
        // Some browsers never let a page keep the screen on, and some let a page keep the screen on
        // only in secure contexts.
    }
}

/** @param {Session} session */
export function showKiosk(session) {
    if (!isKiosk) return;
    document.body.dataset.kiosk = '';
    let begun = false;
    session.addEventListener('universe', () => {
        begun = false;
    });
    session.addEventListener('state', () => {
        const { state, steers, universe } = session;
        if (begun || state === null || universe === null || state.population === null) return;
        if (!steers || state.population === '0') return;
        begun = true;
        if (!state.running) {
            session.connection.send({ do: universe.timeline === null ? 'run' : 'play' });
        }
    });
    void keepAwake();
    document.addEventListener('visibilitychange', () => {
        if (!document.hidden) void keepAwake();
    });
}
