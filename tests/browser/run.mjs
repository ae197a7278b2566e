// Runs files of tests. Those that measure or depend on times run first, one at a time, each with a
// Chromium of its own and nothing beside it. All others share one Chromium; two of them run at a
// time, in contexts of their own.
//
//     node tests/browser/run.mjs FILE.test.mjs ...

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { chromium } from 'playwright-core';
import { options, SHARED } from './browsers.mjs';

/** @typedef {{type: string, data: any}} Event */

const AT_A_TIME = 2;

// A neighbour would change what they measure: their times, and what Chromium holds of memory. And
// a gesture on a touch pad is made again wherever it had a pause that the page took for its end.
const alone = ['memory.test.mjs', 'slow.test.mjs', 'speed.test.mjs', 'touchpad.test.mjs'];

// A Chromium has one clipboard for all of its contexts, so no two of these run at the same time.
const copying = ['accessible.test.mjs', 'connection.test.mjs', 'editing.test.mjs',
    'files.test.mjs', 'links.test.mjs', 'pictures.test.mjs', 'tools.test.mjs'];

const stopped = new AbortController();
const report = new spec();
report.pipe(process.stdout);
/** What Node counts: tests, passed ones and so on. @type {Map<string, number>} */
const counts = new Map();
/** @type {Set<string>} */
const now = new Set();
let failed = false;

/** @param {string} file */
function inFolder(file) {
    return fileURLToPath(new URL(file, import.meta.url));
}

/** Each file ends with its own counts, which are not from a test. @param {Event} event */
function isCount({ type, data }) {
    if (type !== 'test:diagnostic' || data.file !== undefined) return false;
    const [name, number] = data.message.split(' ');
    if (name !== 'duration_ms') counts.set(name, (counts.get(name) ?? 0) + Number(number));
    return true;
}

/** Why all was stopped has been said once. @param {Event} event */
function isStopped({ type, data }) {
    return type === 'test:fail' && data.details.error.failureType === 'testAborted';
}

/** Runs a file; what it says is printed at its end, in one piece. @param {string} file */
async function runFile(file) {
    /** @type {Event[]} */
    const events = [];
    now.add(file);
    for await (const event of run({ files: [inFolder(file)], signal: stopped.signal })) {
        if (event.type === 'test:fail') failed = true;
        if (!isCount(event) && !isStopped(event)) events.push(event);
    }
    now.delete(file);
    for (const event of events) report.write(event);
}

/** Takes one waiting file after the other. @param {string[]} waiting */
async function work(waiting) {
    while (!stopped.signal.aborted) {
        const copies = [...now].some((file) => copying.includes(file));
        const index = waiting.findIndex((file) => !(copies && copying.includes(file)));
        if (index < 0) return; // what is left is for the one who copies now
        await runFile(waiting.splice(index, 1)[0]);
    }
}

/** @param {string} why */
function stop(why) {
    failed = true;
    console.error(`tests/browser/run.mjs: ${why} Meanwhile ran: ${[...now].join(', ')}.`);
    stopped.abort();
}

const files = process.argv.slice(2).map((file) => path.basename(file));
for (const file of files) {
    const text = readFileSync(inFolder(file), 'utf8');
    if (text.includes('clipboard-') && !copying.includes(file)) {
        throw new Error(`${file} uses the clipboard, so run.mjs has to name it.`);
    }
}
const began_ms = performance.now();
for (const name of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
    process.once(name, () => stop(`This was ended by ${name}.`));
}

for (const file of files.filter((each) => alone.includes(each))) await work([file]);

const others = files.filter((each) => !alone.includes(each));
if (others.length > 0 && !stopped.signal.aborted) {
    // Those that may not run beside each other begin, so that they are not left over.
    others.sort((a, b) => Number(copying.includes(b)) - Number(copying.includes(a)));
    const shared = await chromium.launchServer({ ...options, handleSIGINT: false,
        handleSIGTERM: false, handleSIGHUP: false });
    const ended = (/** @type {number | null} */ code, /** @type {string | null} */ signal) =>
        stop(`Chromium, which the tests share, has ended (${signal ?? `exit status ${code}`}).`);
    shared.process().once('exit', ended);
    process.env[SHARED] = shared.wsEndpoint();
    await Promise.all(Array.from({ length: AT_A_TIME }, () => work(others)));
    shared.process().off('exit', ended);
    await shared.close();
}

counts.set('duration_ms', performance.now() - began_ms);
for (const [name, count] of counts) {
    report.write({ type: 'test:diagnostic', data: { nesting: 0, message: `${name} ${count}` } });
}
report.end();
process.exitCode = failed ? 1 : 0;
