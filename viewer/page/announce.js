// Speaks to people who listen to the page instead of looking at it. The newest message wins, and
// there is a pause between messages, so that holding down a key does not make it chatter.

import { byId } from './dom.js';

const pause = 500;
let waiting = '';
let next = 0;
let timer = 0;

function speak() {
    timer = 0;
    next = performance.now() + pause;
    const target = byId('announcer', HTMLElement);
    // A screen reader does not read out a text that has not changed.
    target.textContent = target.textContent === waiting ? `${waiting}\u00a0` : waiting;
}

/**
 * @param {string} text
 */
export function announce(text) {
    waiting = text;
    if (timer === 0) timer = window.setTimeout(speak, Math.max(50, next - performance.now()));
}
