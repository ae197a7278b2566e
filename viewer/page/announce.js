// Announces messages to screen readers. A new message replaces a message that still waits. A pause
// between messages prevents a stream of messages while the user holds a key.

import { byId } from './dom.js';

const pause = 500;
let waiting = '';
let next = 0;
let timer = 0;

function speak() {
    timer = 0;
    next = performance.now() + pause;
    const target = byId('announcer', HTMLElement);
    // Make the text differ, because screen readers read a text again only if it has changed.
    target.textContent = target.textContent === waiting ? `${waiting}\u00a0` : waiting;
}

/** @param {string} text */
export function announce(text) {
    waiting = text;
    if (timer === 0) timer = window.setTimeout(speak, Math.max(50, next - performance.now()));
}
