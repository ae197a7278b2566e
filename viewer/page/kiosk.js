// `?kiosk`: a page for a wall. There is nothing to be seen but the picture; it runs, keeps what
// lives in view, and keeps the screen awake. It starts what it steers, and never what others do.

/** @import { Session } from './session.js' */

export const isKiosk = new URLSearchParams(location.search).has('kiosk');

async function keepAwake() {
    try {
        await navigator.wakeLock.request('screen');
    } catch {
        // Only pages at a safe address may, and not everywhere.
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
