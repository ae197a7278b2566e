// The notice over the picture while the page waits for the server. The page waits if the connection
// was refused or lost, or if the server or its universe does not respond. The notice shows the time
// until the next attempt to connect. If the server needs a token, the notice asks the user for the
// token.

/** @import { Session } from './session.js' */
import { announce } from './announce.js';
import { byId, element, setText } from './dom.js';
import { counted } from './format.js';

const FIRST_MS = 1000; // time to wait before the notice appears
const TICK_MS = 250;

/**
 * @typedef {object} Notice
 * @property {string} heading
 * @property {string} text
 * @property {string} [tried] text about the next attempt, updated as time passes
 * @property {string} [button] label of the button that connects at once
 * @property {boolean} [token] whether to ask for a token
 */

/** @param {number} ms */
function seconds(ms) {
    return counted(Math.max(1, Math.ceil(ms / 1000)), 'second');
}

/**
 * Makes the notice for a refused connection.
 * @param {Session} session
 * @returns {Notice}
 */
function refused(session) {
    const { why = '', text = '' } = session.refusal ?? {};
    if (why === 'no-token' || why === 'wrong-token') {
        return {
            heading: why === 'no-token' ? 'Token required' : 'Wrong token',
            text: 'Enter the token of this universe. It follows #token= in the address that ' +
                '“lightcone view” printed.',
            token: true,
        };
    }
    if (why === 'full') {
        return {
            heading: 'Too many viewers',
            text: '16 viewers are connected, and no more are possible. This page retries every ' +
                'few seconds.',
            button: 'Retry now',
        };
    }
    return { heading: 'The server refused the connection', text: `The server says: ${text}.` };
}

/**
 * Makes the notice for a connection that was lost or could not be opened.
 * @param {Session} session
 * @param {boolean} was_open
 * @returns {Notice}
 */
function closed(session, was_open) {
    const { again_ms = 0, blocked = false } = session.closing ?? {};
    const left_ms = again_ms - performance.now();
    const text = blocked ?
        'The server answers, but WebSocket connections to it fail. A proxy may block them.' :
        `No answer from ${location.host}. “lightcone view” may have ended, or the network is down.`;
    return {
        heading: was_open ? 'Connection lost' : 'Not connected',
        text,
        tried: left_ms > 0 ? `Retrying in ${seconds(left_ms)}.` : 'Connecting …',
        button: 'Retry now',
    };
}

/**
 * Makes the notice for a server that does not respond.
 * @param {Session} session
 * @returns {Notice}
 */
function silent(session) {
    const { quiet_ms, giveUp_ms } = session.connection;
    return {
        heading: 'No answer',
        text: `${location.host} has not responded for a while. Commands wait until it does.`,
        tried: `No answer for ${seconds(quiet_ms)}. Reconnecting in ` +
            `${seconds(giveUp_ms - quiet_ms)}.`,
        button: 'Reconnect',
    };
}

/**
 * Makes the notice for a universe that does not respond.
 * @param {Session} session
 * @returns {Notice}
 */
function stuck(session) {
    return {
        heading: 'The universe does not answer',
        text: 'The server is connected, but its universe has not responded for a while. Commands ' +
            'wait until it does. If this lasts, stop “lightcone view” with Ctrl-C.',
        tried: `No answer for ${counted(session.stuck_seconds, 'second')}.`,
    };
}

/** @param {Session} session */
export function showWaiting(session) {
    const area = byId('waiting', HTMLElement);
    const begin_ms = performance.now();
    let was_open = false;
    let shown = '';
    const tried = element('p', { class: 'quiet number' });

    /** @param {Notice} notice */
    const build = (notice) => {
        const { button, token } = notice;
        const retry = button === undefined ? null : element('button', {
            type: 'button', class: 'named', click: () => session.connection.retry(),
        }, button);
        area.replaceChildren(element('h2', {}, notice.heading), element('p', {}, notice.text),
            tried, ...(token ? [tokenForm()] : []), ...(retry ? [retry] : []));
        announce(`${notice.heading}. ${notice.text}`);
        if (token) area.querySelector('input')?.focus();
    };

    const tokenForm = () => {
        const input = element('input', {
            type: 'text', autocomplete: 'off', autocapitalize: 'off', spellcheck: 'false',
            required: true, maxlength: 300,
        });
        const form = element('form', {}, element('label', {},
            element('span', { class: 'hidden' }, 'Token'), input),
        element('button', { type: 'submit', class: 'named primary' }, 'Connect'));
        form.addEventListener('submit', (event) => {
            event.preventDefault();
            // If the user has pasted the whole address, take the token from the address.
            const token = input.value.trim().replace(/^.*[#&]token=([^&]*).*$/, '$1');
            if (/^[\w-]+$/.test(token)) session.connection.retryWith(token);
            else input.select();
        });
        return form;
    };

    const show = () => {
        const open = session.link === 'open';
        const early = !was_open && session.link === 'closed' &&
            performance.now() - begin_ms < FIRST_MS;
        was_open ||= open;
        const here = session.silent ? silent(session) :
            session.stuck_seconds > 0 ? stuck(session) : null;
        const notice = open ? here : early ? null :
            session.link === 'refused' ? refused(session) : closed(session, was_open);
        const key = notice === null ? '' : `${notice.heading}\n${notice.text}`;
        if (key !== shown) {
            if (key === '' && shown !== '') announce('Connected.');
            const held_focus = area.contains(document.activeElement);
            shown = key;
            area.hidden = notice === null;
            if (notice !== null) build(notice);
            else if (held_focus) byId('stage', HTMLElement).focus();
        }
        setText(tried, notice?.tried ?? '');
    };
    session.addEventListener('waiting', show);
    window.setInterval(show, TICK_MS);
}
