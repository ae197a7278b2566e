// Runs files of tests, each with a Chromium of its own: a Chromium has one clipboard, and one that
// crashes takes no other file's tests with it. Files that measure or depend on times run first, one
// at a time and with nothing beside them; of all others two run at a time. That took 200 s on two
// cores; three at a time took 174 to 183 s, but then a page may wait for seconds; with one Chromium
// it was 215 s, since files that use the clipboard waited for each other (27 November 2026).
//
//     node tests/browser/run.mjs FILE.test.mjs ...

import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';

/** @typedef {{type: string, data: any}} Event */

const AT_A_TIME = 2;

// A neighbour would change what they measure: their times, and what Chromium holds of memory. And
// a gesture on a touch pad is made again wherever it had a pause that the page took for its end.
const alone = ['memory.test.mjs', 'slow.test.mjs', 'speed.test.mjs', 'touchpad.test.mjs'];

const long = ['accessible.test.mjs', 'pictures.test.mjs', 'firstminute.test.mjs'];

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
    for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) {
        if (!stopped.signal.aborted) await runFile(file);
    }
}

const files = process.argv.slice(2).map((file) => path.basename(file));
const began_ms = performance.now();
for (const name of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
    process.once(name, () => {
        failed = true;
        console.error(`tests/browser/run.mjs: ended by ${name} while ${[...now].join(', ')} ran`);
        stopped.abort();
    });
}
await work(files.filter((each) => alone.includes(each)));
// Those that take longest begin, so that nobody waits for them at the end.
const others = [...long.filter((each) => files.includes(each)),
    ...files.filter((each) => !alone.includes(each) && !long.includes(each))];
await Promise.all(Array.from({ length: AT_A_TIME }, () => work(others)));

counts.set('duration_ms', performance.now() - began_ms);
for (const [name, count] of counts) {
    report.write({ type: 'test:diagnostic', data: { nesting: 0, message: `${name} ${count}` } });
}
report.end();
process.exitCode = failed ? 1 : 0;
