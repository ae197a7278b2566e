// Running, pausing, stepping, speeds, resets and moments, by buttons and by keys: what the page
// shows is what the server says, and the cells are those of a Life of the tests' own.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, test } from 'node:test';
import { fromRle, life, places, sorted } from './cells.mjs';
import { close, eventually, open, pattern } from './support.mjs';

/** @import { Cells } from './cells.mjs' */

after(close);

/**
 * Without where it lies: the file does not say.
 * @param {Cells} cells
 */
function shape(cells) {
    const all = places(cells);
    const left = Math.min(...all.map(([x]) => x));
    const top = Math.min(...all.map(([, y]) => y));
    return sorted(new Set(all.map(([x, y]) => `${x - left},${y - top}`)));
}

const start = fromRle(readFileSync(pattern('r-pentomino.rle'), 'utf8'));

test('steps, long steps, reset and moments by keys', async (t) => {
    const { viewer, oracle } = await open(t, [pattern('r-pentomino.rle')]);
    const is = async (/** @type {number} */ generation) => {
        await oracle.until({ generation: String(generation), running: false });
        await viewer.says('generation', String(generation));
        const cells = life(start, generation);
        await viewer.says('population', String(cells.size));
        assert.deepEqual(shape(await oracle.cells()), shape(cells));
    };
    await is(0);
    await viewer.key('Space');
    await is(1);
    await viewer.key('Space', 4);
    await is(5);
    await viewer.key('Tab'); // 2^4
    await is(21);
    await viewer.key('.', 2);
    await viewer.key('Tab'); // 2^6
    await is(85);
    await viewer.key('m');
    await oracle.until({ moments: [{ id: 1, generation: '85',
        population: String(life(start, 85).size) }] });
    await viewer.key(',', 5);
    await viewer.key('Tab'); // 2^1
    await is(87);
    await viewer.key('b');
    await is(85);
    await viewer.key('r');
    await is(0);
    await viewer.key('b');
    await is(85);
});

test('the same by buttons', async (t) => {
    const { page, viewer, oracle } = await open(t, [pattern('r-pentomino.rle')]);
    await viewer.press('step');
    await viewer.says('generation', '1');
    await viewer.press('more-tools');
    await page.locator('#leap-exponent').selectOption('3');
    await viewer.press('leap');
    await viewer.says('generation', '9');
    assert.deepEqual(shape(await oracle.cells()), shape(life(start, 9)));
    await viewer.press('keep');
    const moment = page.getByRole('button', { name: 'Back to generation 9' });
    await moment.waitFor();
    await viewer.press('run');
    await page.getByRole('button', { name: 'Pause' }).waitFor();
    await eventually(async () => assert.ok(Number((await oracle.state()).generation) > 100));
    await viewer.press('run');
    await oracle.until({ running: false });
    await viewer.says('generation', (await oracle.state()).generation);
    await moment.click();
    await viewer.says('generation', '9');
    assert.deepEqual(shape(await oracle.cells()), shape(life(start, 9)));
    await page.getByRole('button', { name: 'Delete snapshot of generation 9' }).click();
    await oracle.until({ moments: [] });
    await moment.waitFor({ state: 'detached' });
    await viewer.press('reset');
    await viewer.says('generation', '0');
    assert.deepEqual(shape(await oracle.cells()), shape(start));
});

test('run and pause by Enter, and speeds by + and - and by the slider', async (t) => {
    const { page, viewer, oracle } = await open(t, [pattern('glider.rle'), '--speed', 'max']);
    await viewer.says('speed-text', 'max');
    await viewer.key('-', 2);
    await oracle.until({ speed: 5000 });
    await viewer.says('speed-text', '5k/s');
    await viewer.key('+');
    await oracle.until({ speed: 10000 });
    await page.locator('#speed').fill('4');
    await oracle.until({ speed: 20 });
    await viewer.says('speed-text', '20/s');
    await page.locator('#stage').focus();
    const began_ms = performance.now();
    const first = await oracle.state();
    await viewer.key('Enter');
    await eventually(async () => {
        const { generation } = await oracle.state();
        assert.ok(Number(generation) > Number(first.generation) + 40);
    });
    // 40 generations at 20 a second take two seconds, however slow this machine is.
    assert.ok(performance.now() - began_ms > 1500, 'no faster than it was told');
    await viewer.says('generations-rate', /gen\/s$/);
    await viewer.key('Enter');
    await oracle.until({ running: false });
    await viewer.says('generations-rate', 'paused');
    const { generation } = await oracle.state();
    await viewer.says('generation', generation);
    await viewer.says('population', '5');
    await viewer.key('Space');
    await viewer.says('generation', String(Number(generation) + 1));
});

test('the graph tells the population in words', async (t) => {
    const { page, viewer } = await open(t, [pattern('r-pentomino.rle')]);
    for (let i = 0; i < 5; i++) {
        await viewer.key('Tab');
        await viewer.says('generation', String(16 * (i + 1)));
    }
    await viewer.says('graph-text', /^lowest 5, highest \d+$/);
    await eventually(async () => assert.match(
        await page.locator('#graph').getAttribute('aria-valuetext') ?? '',
        /^Generation 80 of 80, \d+ live cells; lowest 5, highest \d+$/));
    const { x, y } = await page.locator('#graph').boundingBox() ?? { x: 0, y: 0 };
    await page.mouse.move(x + 1, y + 10);
    await viewer.says('graph-text', '5 at generation 0');
});

test('a population that is seconds old says so', async (t) => {
    const { page, viewer } = await open(t, [pattern('glider.rle')]);
    await viewer.says('population', '5');
    // Nothing more comes from the server: what it might say is said here.
    await page.evaluate(async (main) => {
        const { connection } = await import(main);
        connection.addEventListener('state', (/** @type {any} */ { detail }) => {
            Reflect.set(window, 'last_state', detail);
        });
        connection.send({ do: 'follow', on: true }); // so that there is another state
    }, '/main.js');
    await page.waitForFunction(() => Reflect.get(window, 'last_state') !== undefined);
    await page.evaluate(async (main) => (await import(main)).connection.close(), '/main.js');
    await page.waitForFunction(() => document.body.dataset.link === 'closed');
    /** @param {Record<string, unknown>} members */
    const tell = (members) => page.evaluate(async ([main, changed]) => {
        const { connection } = await import(/** @type {string} */ (main));
        const detail = Object.assign({}, Reflect.get(window, 'last_state'), changed);
        connection.dispatchEvent(new CustomEvent('state', { detail }));
    }, /** @type {const} */ (['/main.js', members]));
    await tell({ population_age: 0 });
    assert.equal(await page.locator('#population-age').isVisible(), false);
    await tell({ population_age: 12.5 });
    await viewer.says('population-age', /^1[2-9] s ago$/);
    await viewer.says('population', '5');
    await viewer.says('population-age', /^(1[4-9]|[2-9]\d) s ago$/); // it goes on
    // A generation that takes long, and one that is only waited for.
    await tell({ population_age: 0, running: true, speed: null });
    await viewer.says('population-age', /^\d+ s ago$/);
    await tell({ population_age: 0, running: true, speed: 0.1 });
    await viewer.says('population-age', '');
    assert.equal(await page.locator('#population-age').isVisible(), false);
});
