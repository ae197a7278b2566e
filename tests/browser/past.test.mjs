// The line of time: stepping back, going along it with the pointer and by keys, playing backwards,
// what was drawn on the way, generations a picture, and the chart with its files. Each generation's
// cells are those of a Life of the tests' own.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, test } from 'node:test';
import { fromRle, life, shape, sorted } from './cells.mjs';
import { readPng } from './png.mjs';
import { close, download, eventually, open, openPage, pattern } from './support.mjs';

/** @import { Page } from 'playwright-core' */
/** @import { Oracle, Viewer } from './support.mjs' */

const file = pattern('r-pentomino.rle');
const start = fromRle(readFileSync(file, 'utf8'));

after(close);

/**
 * Waits until that generation is there, and looks at it.
 * @param {Viewer} viewer
 * @param {Oracle} oracle
 * @param {number} generation
 */
async function shows(viewer, oracle, generation) {
    await viewer.says('generation', String(generation));
    await eventually(async () => assert.equal((await oracle.state()).past.to, null));
    assert.deepEqual(shape(await oracle.cells()), shape(life(start, generation)));
}

/**
 * Runs to generation 16 * steps.
 * @param {Viewer} viewer
 * @param {number} steps
 */
async function runTo(viewer, steps) {
    for (let i = 1; i <= steps; i++) {
        await viewer.key('Tab');
        await viewer.says('generation', String(16 * i));
    }
}

/**
 * Where a generation is on the chart.
 * @param {Page} page
 * @param {number} part 0 to 1 from the first to the last
 */
async function placeOf(page, part) {
    const box = await page.locator('#graph').boundingBox();
    assert.ok(box);
    return { x: box.x + 48 + part * (box.width - 62), y: box.y + box.height / 2 };
}

test('keys step back and ahead, and buttons do the same', async (t) => {
    const { page, viewer, oracle } = await open(t, [file]);
    await viewer.says('generation', '0');
    const back = page.locator('#past button[data-command="frame-back"]');
    assert.ok(await back.isDisabled());
    await runTo(viewer, 5);
    await viewer.key('PageUp');
    await shows(viewer, oracle, 79);
    await viewer.key('PageUp', 3);
    await shows(viewer, oracle, 76);
    await viewer.key('PageDown', 2);
    await shows(viewer, oracle, 78);
    await viewer.key('Home');
    await shows(viewer, oracle, 0);
    await eventually(async () => assert.ok(await back.isDisabled()));
    await viewer.key('End');
    await shows(viewer, oracle, 80);
    await viewer.key('PageDown'); // on to where nobody has been
    await shows(viewer, oracle, 81);
    await viewer.press('frame-back');
    await shows(viewer, oracle, 80);
    await viewer.press('frame-first');
    await shows(viewer, oracle, 0);
    await viewer.press('frame-next');
    await shows(viewer, oracle, 1);
    await viewer.press('frame-last');
    await shows(viewer, oracle, 81);
});

test('the chart is a slider, for the pointer and for keys', async (t) => {
    const { page, viewer, oracle } = await open(t, [file]);
    await runTo(viewer, 10);
    const graph = page.locator('#graph');
    const half = await placeOf(page, 0.5);
    await page.mouse.move(half.x, half.y);
    await viewer.says('graph-text', /^\d+ at generation \d+$/);
    await page.mouse.down();
    await page.mouse.up();
    await eventually(async () => {
        const { generation } = await oracle.state();
        assert.ok(Math.abs(Number(generation) - 80) <= 1, generation);
    });
    // Dragged along, it ends where the pointer does.
    await page.mouse.move(half.x, half.y);
    await page.mouse.down();
    for (const part of [0.2, 0.9, 0.1, 1]) {
        const { x, y } = await placeOf(page, part);
        await page.mouse.move(x, y, { steps: 8 });
    }
    await page.mouse.up();
    await shows(viewer, oracle, 160);
    await graph.focus();
    await viewer.key('ArrowLeft', 2);
    await shows(viewer, oracle, 158);
    await viewer.key('PageDown');
    await shows(viewer, oracle, 142);
    await viewer.key('ArrowRight');
    await shows(viewer, oracle, 143);
    await viewer.key('Home');
    await shows(viewer, oracle, 0);
    await eventually(async () => assert.match(await graph.getAttribute('aria-valuetext') ?? '',
        /^Generation 0 of 160, 5 live cells; lowest \d+, highest \d+$/));
    assert.deepEqual(await Promise.all(['aria-valuemin', 'aria-valuemax', 'aria-valuenow', 'role']
        .map((name) => graph.getAttribute(name))), ['0', '160', '0', 'slider']);
});

test('it plays backwards to the start, and pauses on the way', async (t) => {
    const { page, viewer, oracle } = await open(t, [file, '--speed', '200']);
    await runTo(viewer, 12);
    await viewer.key('j');
    await shows(viewer, oracle, 0);
    await eventually(async () => assert.equal((await oracle.state()).past.playing, false));
    await viewer.key('End');
    await shows(viewer, oracle, 192);
    await page.locator('#speed').fill('3'); // ten generations a second
    await oracle.until({ speed: 10 });
    await viewer.press('play-back');
    const pause = page.getByRole('button', { name: 'Stop playing backwards' });
    await pause.waitFor();
    await eventually(async () => assert.ok(Number((await oracle.state()).generation) < 190));
    await page.locator('#stage').focus();
    await viewer.key('Enter'); // pauses whatever moves
    await pause.waitFor({ state: 'detached' });
    await eventually(async () => assert.equal((await oracle.state()).past.playing, false));
    const { generation } = await oracle.state();
    assert.ok(Number(generation) > 0);
    await shows(viewer, oracle, Number(generation));
});

test('what was drawn is there again, and undo brings back where one was', async (t) => {
    const { viewer, oracle } = await open(t, [file]);
    await runTo(viewer, 2);
    await viewer.setView({ x: 0, y: 0, zoom: 8 });
    const before = (await oracle.cells()).size;
    await viewer.key('d');
    await viewer.drag([[-25, 5], [-25, 9]]);
    const drawn = await eventually(async () => {
        const cells = sorted(await oracle.cells());
        assert.equal(cells.length, before + 5);
        return cells;
    });
    await viewer.key('h');
    await viewer.key('Space', 2);
    await viewer.says('generation', '34');
    const later = sorted(await oracle.cells());
    await viewer.key('PageUp', 2);
    await viewer.says('generation', '32');
    await eventually(async () => assert.deepEqual(sorted(await oracle.cells()), drawn));
    await viewer.key('PageUp');
    await shows(viewer, oracle, 31); // it was not there yet
    await viewer.key('End');
    await viewer.says('generation', '34');
    await eventually(async () => assert.deepEqual(sorted(await oracle.cells()), later));
    await viewer.key('Home');
    await shows(viewer, oracle, 0);
    await viewer.key('Control+z');
    await viewer.says('generation', '34');
    await eventually(async () => assert.deepEqual(sorted(await oracle.cells()), later));
    // Who runs on past it from before makes another future.
    await viewer.key('Home');
    await shows(viewer, oracle, 0);
    await runTo(viewer, 3);
    await shows(viewer, oracle, 48);
    await viewer.key('PageUp');
    await shows(viewer, oracle, 47);
});

test('a picture comes every so many generations', async (t) => {
    const { page, viewer, oracle } = await open(t, [file]);
    await viewer.says('generation', '0');
    await page.locator('#per-picture').selectOption('4');
    await oracle.until({ generations_per_picture: '4' });
    await page.locator('#stage').focus();
    await viewer.key('Enter');
    await eventually(async () => assert.ok(Number((await oracle.state()).generation) >= 40));
    await viewer.key('Enter');
    await oracle.until({ running: false });
    const { generation } = await oracle.state();
    assert.equal(Number(generation) % 4, 0);
    await shows(viewer, oracle, Number(generation));
    await viewer.key('PageUp'); // a step is as long
    await shows(viewer, oracle, Number(generation) - 4);
    await page.locator('#per-picture').selectOption('');
    await oracle.until({ generations_per_picture: null });
});

test('the speed counts pictures where each is so many generations', async (t) => {
    const { page, viewer, oracle } = await open(t, [file, '--speed', '30']);
    const speed = page.locator('#speed');
    await viewer.says('speed-text', '30/s');
    assert.equal(await speed.getAttribute('aria-valuetext'), '30 generations per second');
    await page.locator('#per-picture').selectOption('1024');
    await eventually(async () => assert.match(await speed.getAttribute('aria-valuetext') ?? '',
        /^30 pictures per second, one every 1.024 generations$/));
    await page.locator('#stage').focus();
    await viewer.key('Enter');
    // One a second of those would take half a minute for 30 generations a second.
    await eventually(async () =>
        assert.ok(BigInt((await oracle.state()).generation) >= 20n * 1024n));
    await viewer.key('Enter');
    await viewer.key('?');
    await page.getByRole('dialog').getByText(/The speed then counts pictures/).waitFor();
});

test('each step back counts, also while no state has told of the first', async (t) => {
    const { page, viewer, oracle } = await open(t, [file]);
    await runTo(viewer, 4);
    // The first while it still runs, the others when it has come to its end, all before the server
    // has heard of one.
    await page.evaluate(async () => {
        const { connection } = await import(/** @type {string} */ ('/main.js'));
        const state = await new Promise((resolve) => {
            connection.addEventListener('state', (/** @type {CustomEvent} */ { detail }) =>
                resolve(detail), { once: true });
            connection.send({ do: 'follow', on: true });
            connection.send({ do: 'pause' });
        });
        const tell = (/** @type {boolean} */ running) => connection.dispatchEvent(
            new CustomEvent('state', { detail: { ...state, running } }));
        const back = () => document.body.dispatchEvent(
            new KeyboardEvent('keydown', { key: 'PageUp', bubbles: true }));
        tell(true);
        back();
        tell(false);
        for (let i = 0; i < 3; i++) back();
    });
    await shows(viewer, oracle, 60);
});

test('an onlooker sees it all and may not do it', async (t) => {
    const { server, viewer, oracle } = await open(t, [file]);
    const other = await openPage(server);
    t.after(() => other.context.close());
    await runTo(viewer, 4);
    await viewer.key('PageUp', 4);
    await shows(viewer, oracle, 60);
    await other.viewer.says('generation', '60');
    await other.viewer.key('PageUp');
    await other.viewer.complains(/Another viewer is steering/);
    await other.page.locator('#graph').focus();
    await other.viewer.key('Home');
    await other.viewer.complains(/Another viewer is steering/);
    assert.ok(await other.page.locator('#per-picture').isDisabled());
    await shows(viewer, oracle, 60);
    assert.deepEqual(other.complaints, []);
});

test('the population is saved as a table and as a picture, and the axis is one or the other',
    async (t) => {
        const { page, viewer } = await open(t, [file]);
        await runTo(viewer, 6);
        await viewer.says('population', String(life(start, 96).size));
        const save = (/** @type {string} */ id) =>
            download(page, () => page.locator(`#${id}`).click());
        const table = await save('graph-csv');
        assert.equal(table.name, 'r-pentomino-population.csv');
        const [head, ...rows] = table.bytes.toString().trimEnd().split('\r\n');
        assert.equal(head, 'generation,population');
        const values = rows.map((row) => row.split(',').map(Number));
        assert.deepEqual(values.at(0), [0, 5]);
        assert.deepEqual(values.at(-1), [96, life(start, 96).size]);
        for (const [generation, population] of values) {
            assert.equal(population, life(start, generation).size);
        }
        const picture = async () => {
            const { name, bytes } = await save('graph-png');
            assert.equal(name, 'r-pentomino-population.png');
            const { width, height, at } = readPng(bytes);
            assert.deepEqual([width, height], [1600, 800]);
            const colours = new Set();
            for (let x = 0; x < width; x += 7) {
                for (let y = 0; y < height; y += 7) colours.add(at(x, y).join());
            }
            assert.ok(colours.size > 3, 'something is drawn');
            return bytes;
        };
        const linear = await picture();
        const log = page.locator('#graph-log');
        await log.click();
        assert.equal(await log.getAttribute('aria-pressed'), 'true');
        assert.ok(!(await picture()).equals(linear), 'the logarithmic one is another one');
        await log.click();
        assert.ok((await picture()).equals(linear));
        // A page that comes later has the same line.
        await page.reload();
        await viewer.says('generation', '96');
        await eventually(async () => {
            const again = await save('graph-csv');
            assert.ok(again.bytes.toString().startsWith('generation,population\r\n0,5\r\n'));
        });
    });

test('it can be put away, and stays away', async (t) => {
    const { page, viewer } = await open(t, [file]);
    const strip = page.locator('#past');
    await strip.waitFor();
    await viewer.key('7');
    await strip.waitFor({ state: 'hidden' });
    await page.reload();
    await viewer.says('generation', '0');
    assert.ok(await strip.isHidden());
    await viewer.tab('now');
    await page.locator('#panel button[data-command="time"]').click();
    await strip.waitFor();
});
