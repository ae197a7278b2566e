// How quick the page is. Times are printed, not judged: machines differ, and this one may be busy.
// With LC_TEST_LONG=1 it counts pictures for long enough that the rates can be compared.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { openBare } from './bare.mjs';
import { close, eventually, exactView, open, Oracle, pattern, startServer } from './support.mjs';

after(close);

const counted_ms = process.env.LC_TEST_LONG === '1' ? 3000 : 500;

/** Notes when the first binary message has come and the screen was drawn after it. */
function notePicture() {
    const { WebSocket } = window;
    window.WebSocket = class extends WebSocket {
        /** @param {[string | URL, (string | string[])?]} parts */
        constructor(...parts) {
            super(...parts);
            this.addEventListener('message', ({ data }) => {
                if (typeof data === 'string' || 'picture_ms' in window) return;
                const note = () => Object.assign(window, { picture_ms: performance.now() });
                requestAnimationFrame(() => requestAnimationFrame(note));
            });
        }
    };
}

/**
 * @param {{width: number, height: number, at(x: number, y: number): number[]}} screen
 * @param {number[]} colour
 */
function count({ width, height, at }, colour) {
    let found = 0;
    for (let y = 0; y < height; y++) {
        for (let x = 0; x < width; x++) if (at(x, y).join() === colour.join()) found++;
    }
    return found;
}

test('the first picture comes, and nothing but the server is asked', async (t) => {
    const { page, viewer } = await open(t, [pattern('gosper-glider-gun.rle')], {
        script: notePicture,
    });
    const shown_ms = await eventually(() => page.evaluate(() => {
        const time_ms = Reflect.get(window, 'picture_ms');
        if (time_ms === undefined) throw new Error('There is no picture yet.');
        return time_ms;
    }));
    t.diagnostic(`the first picture, ${shown_ms.toFixed(0)} ms after navigation`);
    const alive = await viewer.palette();
    await eventually(async () => {
        const screen = await viewer.screen();
        assert.ok(count(screen, alive[255]) > 100, 'live cells are to be seen');
    });
    assert.match(await page.title(), /gosper-glider-gun/);
    await viewer.says('universe-name', /gosper-glider-gun/);
    await viewer.says('generation', '0');
    await viewer.says('population', '36');
});

test('from a key press to a changed picture', async (t) => {
    const { page, viewer } = await open(t, ['--soup', '0.4', '--seed', '1', '--size', '1000x1000']);
    await viewer.setView({ x: 500, y: 500, zoom: 1 });
    await viewer.says('scale', '1:1');
    // The time in the page from the event to the drawing of the next generation's picture.
    const times_ms = await page.evaluate(async (main) => {
        const { picture } = await import(main);
        const stage = /** @type {HTMLElement} */ (document.querySelector('#stage'));
        stage.focus();
        const times = [];
        for (let i = 0; i < 20; i++) {
            const wanted = picture.frame.generation + 1n;
            const drawn = new Promise((resolve) => {
                const look = () => {
                    if (picture.frame.generation !== wanted) return;
                    picture.removeEventListener('drawn', look);
                    resolve(performance.now());
                };
                picture.addEventListener('drawn', look);
            });
            const began = performance.now();
            for (const kind of ['keydown', 'keyup']) {
                stage.dispatchEvent(new KeyboardEvent(kind, {
                    key: ' ', code: 'Space', bubbles: true, cancelable: true,
                }));
            }
            times.push(await drawn - began);
        }
        return times.sort((a, b) => a - b);
    }, '/main.js');
    assert.equal(times_ms.length, 20);
    t.diagnostic(`key press to drawn picture: median ${times_ms[10].toFixed(1)} ms, ` +
        `${times_ms[0].toFixed(1)} to ${times_ms[19].toFixed(1)} ms`);
});

for (const query of ['?webgl', '?canvas']) {
    const name = query === '?canvas' ? 'canvas 2D' : 'WebGL2 (in software)';
    test(`pictures a second at 1920 x 1080, ${name}, a gun at 60 generations a second`,
        (t) => run(t, query, [pattern('gosper-glider-gun.rle')], [{ x: 18, y: 5, zoom: 8 }], 60));
    // Soups of Life settle in a second or two, and what only repeats itself is not stepped:
    // millions of generations a second then. This rule never comes to rest.
    test(`pictures a second at 1920 x 1080, ${name}, a soup of 4,096 x 4,096 that never settles`,
        (t) => run(t, query,
            ['--soup', '0.4', '--seed', '1', '--size', '4096x4096', '--rule', 'B2/S:T4096,4096'],
            [null, { x: 2048, y: 2048, zoom: 1 }, { x: 2048, y: 2048, zoom: 1 / 4 }]));
    test(`pictures a second at 1920 x 1080, ${name}, a plane of 10^9 x 10^9`, (t) => {
        const folder = mkdtempSync(path.join(tmpdir(), 'lightcone-wide-'));
        t.after(() => rmSync(folder, { recursive: true }));
        const file = path.join(folder, 'wide.rle');
        // Four R-pentominoes at the corners.
        const two = 'b2o999999996b2o$2o999999997b2o$bo999999998bo';
        writeFileSync(file, `x = 0, y = 0, rule = B3/S23\n${two}999999998$${two}!\n`);
        return run(t, query, [file],
            [{ x: 5e8, y: 5e8, zoom: 2 ** -20 }, { x: 0, y: 0, zoom: 1 }]);
    });
}

/** As a message that has no BigInts. @param {import('./support.mjs').ExactView} view */
function said({ x, y, ...rest }) {
    return { x: String(x), y: String(y), ...rest };
}

/**
 * @param {import('node:test').TestContext} t
 * @param {string} query
 * @param {string[]} args
 * @param {(import('./support.mjs').View | null)[]} views null: all that lives
 * @param {number | null} [speed] generations a second; null: as fast as it goes
 */
async function run(t, query, args, views, speed = null) {
    const server = await startServer(t, [...args, '--start']);
    const page = await openBare(t, server.url + query, { width: 1920, height: 1080 });
    await eventually(async () => assert.ok(await page.evaluate(
        () => document.body.dataset.link === 'open', null)));
    const oracle = await Oracle.connect(server); // the page steers
    t.after(() => oracle.close());
    await page.evaluate(async ([main, message]) => {
        const { connection } = await import(/** @type {string} */ (main));
        await connection.request(message);
        // All of the page for the picture; and what is far away can be shown.
        for (const key of ['p', 'f']) {
            for (const kind of ['keydown', 'keyup']) {
                document.querySelector('#stage')?.dispatchEvent(new KeyboardEvent(kind, {
                    key, code: `Key${key.toUpperCase()}`, bubbles: true, cancelable: true,
                }));
            }
        }
        // Fitting asks for the same; answers come in the order of the questions.
        await connection.request({ do: 'box' });
    }, /** @type {const} */ (['/main.js', { do: 'speed', generations_per_second: speed }]));
    for (const view of views) {
        const { drawn, refreshes, seconds, zoom } = await page.evaluate(async ([main, to, ms]) => {
            const { camera, picture } = await import(/** @type {string} */ (main));
            if (to) camera.setView({ ...to, x: BigInt(to.x), y: BigInt(to.y) });
            let pictures = 0;
            let ticks = 0;
            const add = () => pictures++;
            // Those of the view before are not counted.
            await new Promise((resolve) => setTimeout(resolve, ms / 6));
            await new Promise((resolve) => {
                picture.addEventListener('drawn', resolve, { once: true });
            });
            picture.addEventListener('drawn', add);
            const start = performance.now();
            const lasted_ms = () => performance.now() - start;
            while (lasted_ms() < ms || (pictures === 0 && lasted_ms() < 30_000)) {
                await new Promise(requestAnimationFrame);
                ticks++;
            }
            picture.removeEventListener('drawn', add);
            const end = performance.now();
            return {
                drawn: pictures, refreshes: ticks, seconds: (end - start) / 1000,
                zoom: camera.view.zoom,
            };
        }, /** @type {const} */ (['/main.js', view && said(exactView(view)), counted_ms]));
        assert.ok(drawn > 0, `${drawn} pictures`);
        if (view) assert.equal(zoom, view.zoom);
        const { generations_per_second: rate } = await oracle.state();
        t.diagnostic(`${view ? '' : 'all of it, '}zoom ${Number(zoom.toPrecision(3))}: ` +
            `${(drawn / seconds).toFixed(1)} pictures a second, ` +
            `${(refreshes / seconds).toFixed(1)} refreshes, ${rate.toFixed(0)} generations`);
    }
    await oracle.ask({ do: 'take' });
    await oracle.ask({ do: 'pause' });
    const { generation } = await oracle.until({ running: false });
    await eventually(async () => assert.equal(generation, await page.evaluate(async (main) =>
        String((await import(main)).picture.frame.generation), '/main.js')));
}
