// Identifying the selection or all cells, by button and key, and the word "settled" in the status
// line.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { fromRle } from './cells.mjs';
import { close, eventually, open, openNear, openPage, pattern, put } from './support.mjs';

/** @import { Viewer } from './support.mjs' */

after(close);

const blinker = fromRle('3o!');

/** Waits for the facts and the objects of the result. @param {Viewer} viewer */
async function result(viewer) {
    await viewer.page.locator('#identity').waitFor();
    const rows = await viewer.page.locator('#identity-facts > div').allTextContents();
    const objects = await viewer.page.locator('#identity-objects > li').allTextContents();
    return { rows: rows.map((row) => row.replaceAll('\u202f', '')), objects };
}

/** Selects a rectangle. @param {Viewer} viewer @param {number[][]} corners */
async function select(viewer, corners) {
    await viewer.key('s');
    await viewer.drag(corners);
    await eventually(async () => {
        assert.match(await viewer.text('selection-text'), /cells at/);
    });
}

test('the selection, and without one all cells', async (t) => {
    const { page, viewer, oracle } = await open(t, [pattern('gosper-glider-gun.rle')]);
    await viewer.says('population', '36');
    await viewer.key('8');
    await viewer.says('identity-text', 'Gun, period 30');
    const gun = await result(viewer);
    assert.ok(gun.rows.includes('Population36'), gun.rows.join());
    assert.ok(gun.rows.includes('ExaminedAll cells, generation 0'), gun.rows.join());
    assert.ok(gun.rows.some((row) => row.startsWith('Growth5 cells a period')), gun.rows.join());
    assert.deepEqual(gun.objects, ['1 glider xq4_153']);
    await viewer.says('announcer', /^Gun, period 30, 1 glider\./);
    // The block at its left end is a pattern of its own.
    await viewer.setView({ x: 4, y: 5, zoom: 8 });
    await select(viewer, [[-2, 2], [4, 8]]);
    await page.locator('#tab-edit').click();
    await viewer.press('identify');
    await viewer.says('identity-text', 'Block: still life');
    const block = await result(viewer);
    assert.ok(block.rows.includes('Codexs4_33'), block.rows.join());
    assert.ok(block.rows.includes('Examined7 × 7 cells at −2, 2, generation 0'), block.rows.join());
    assert.deepEqual(block.objects, []);
    assert.ok(await page.locator('#page-now').isVisible());
    // Dead cells are an error, and the last result stays.
    await select(viewer, [[-2, -8], [4, -4]]);
    await viewer.key('8');
    await viewer.complains(/There are no live cells\./);
    await viewer.says('identity-text', 'Block: still life');
    // Another universe is another pattern.
    await oracle.ask({ do: 'take' });
    await oracle.ask({ do: 'new', rule: 'B3/S23' });
    await page.locator('#identity').waitFor({ state: 'hidden' });
});

test('the status line says when the universe has settled, until it is edited', async (t) => {
    const { page, viewer, oracle } = await openNear(t);
    await put({ page, oracle }, new Set([...blinker, ...fromRle('2o$2o!', 8, 8)]));
    await viewer.says('settled', '');
    await viewer.key('Enter');
    await viewer.says('settled', 'settled: period 2');
    await eventually(async () => {
        assert.match(await viewer.text('announcer'), /settled: period 2\./);
    });
    await viewer.key('Enter');
    await viewer.key('r');
    await viewer.says('settled', '');
    await viewer.key(' ');
    await viewer.says('settled', 'settled: period 2');
    // A glider that flies away; then a still life; then nothing.
    const glider = fromRle('bo$2bo$3o!', 20, 20);
    await put({ page, oracle }, new Set([...await oracle.cells(), ...glider]));
    await viewer.says('settled', 'settled: period 4, with 1 spaceship');
    await oracle.ask({ do: 'take' });
    await oracle.ask({ do: 'new', rule: 'B3/S23' });
    await viewer.says('settled', '');
    await oracle.ask({ do: 'cells', alive: true, stroke: 0, runs: [0, 0, 2, 0, 1, 1] });
    await oracle.ask({ do: 'step', generations: '1' });
    await viewer.says('settled', 'settled: still life');
    await oracle.ask({ do: 'clear', x: 0, y: 0, width: 1, height: 2 });
    await oracle.ask({ do: 'step', generations: '1' });
    await viewer.says('settled', 'settled: all cells have died');
});

test('a slim page shows it on the picture, which stays in place', async (t) => {
    const { page, viewer, oracle } = await openNear(t, [],
        { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
    await put({ page, oracle }, blinker);
    const before = await viewer.stage();
    await viewer.key(' ');
    await viewer.says('settled', 'settled: period 2');
    assert.ok(await page.locator('#settled').isVisible());
    assert.deepEqual(await viewer.stage(), before);
    const said = await page.locator('#settled').boundingBox();
    assert.ok(said !== null && said.x >= 0 && said.x + said.width <= 390 && said.y >= before.y);
});
