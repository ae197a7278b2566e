// Identifying the selection or all cells, by button and key, and the word "settled" in the status
// line.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { fromRle } from './cells.mjs';
import { close, eventually, open, openNear, openPage, pattern, put } from './support.mjs';

/** @import { Page } from 'playwright-core' */
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

/** Keeps the texts that the page draws. It runs before the page's own scripts. */
function keepTexts() {
    /** @type {string[]} */
    let drawn = [];
    const { clearRect, fillText } = CanvasRenderingContext2D.prototype;
    CanvasRenderingContext2D.prototype.clearRect = function clear(...args) {
        if (this.canvas.id === 'overlay') drawn = [];
        return clearRect.apply(this, args);
    };
    CanvasRenderingContext2D.prototype.fillText = function fill(...args) {
        if (this.canvas.id === 'overlay') drawn.push(args[0]);
        return fillText.apply(this, args);
    };
    Reflect.set(window, 'drawnTexts', () => drawn);
}

/** Waits until these labels are drawn. @param {Page} page @param {string[]} wanted sorted */
async function labelled(page, wanted) {
    await eventually(async () => {
        const drawn = await page.evaluate(() => Reflect.get(window, 'drawnTexts')());
        assert.deepEqual(drawn.sort(), wanted);
    });
}

test('objects in view are labelled while nothing changes', async (t) => {
    const { page, viewer, oracle } = await openNear(t, [], { script: keepTexts });
    const ground = new Set([...blinker, ...fromRle('2o$2o!', 8, 8)]);
    await put({ page, oracle }, ground);
    await viewer.key('9');
    await labelled(page, ['blinker', 'block']);
    await viewer.says('labels-text', '2 objects in view.');
    await viewer.says('announcer', '2 objects in view.');
    const button = page.locator('[data-command="labels"]');
    assert.equal(await button.getAttribute('aria-pressed'), 'true');
    // Cells that change lose them, until they are found anew.
    await put({ page, oracle }, new Set([...ground, ...fromRle('bo$2bo$3o!', -9, -9)]));
    await labelled(page, ['blinker', 'block', 'glider']);
    await viewer.key(' ');
    await oracle.until({ generation: '1' });
    await labelled(page, ['blinker', 'block', 'glider']);
    await viewer.key('Enter');
    await labelled(page, []);
    await viewer.says('labels-text', 'Labels appear when the universe is paused.');
    await viewer.key('Enter');
    await viewer.says('labels-text', /objects? in view\./);
    // Only objects in view have labels.
    await viewer.setView({ x: 9, y: 9, zoom: 60 });
    await labelled(page, ['block']);
    await viewer.setView({ x: 5000, y: 9, zoom: 60 });
    await viewer.says('labels-text', 'No objects are in view.');
    await viewer.key('9');
    await viewer.says('labels-text', '');
    await viewer.setView({ x: 9, y: 9, zoom: 60 });
    await labelled(page, []);
});

test('too many cells to label or to identify are said so', async (t) => {
    const { viewer } = await open(t, ['--soup', '0.5', '--size', '1600x1600']);
    await viewer.says('population', /\d/);
    await viewer.key('9');
    await viewer.says('labels-text', /at most 20000 can be examined; zoom in\./);
    await viewer.key('8');
    await viewer.complains(/at most 1.000.000 can be examined; select fewer cells\./);
    await viewer.key('Control+a');
    await viewer.key('8');
    await viewer.complains(/at most 1.000.000 can be examined; select fewer cells\./);
});

test('identifying can be cancelled; a page that may only watch identifies too', async (t) => {
    const [token, watch] = ['a-token-that-steers', 'a-token-that-watches'];
    const { page, viewer, server } = await open(t, [pattern('acorn.rle'), '--size',
        '8192x8192', '--token', token, '--watch-token', watch], { token });
    const other = await openPage(server, { token: watch });
    t.after(() => other.context.close());
    /** @type {import('playwright-core').WebSocketRoute | undefined} */
    let route;
    await page.routeWebSocket(/\/socket/, (socket) => {
        route = socket;
        socket.connectToServer();
    });
    await page.reload();
    await viewer.says('population', /\d/);
    await viewer.key('8');
    await page.locator('#identifying').waitFor();
    assert.ok(await page.locator('#identify-progress').getAttribute('value') !== null);
    // Meanwhile the universe goes on, and the other page gets an answer of its own.
    await viewer.key(' ');
    await viewer.says('generation', '1');
    await other.viewer.key('Control+a');
    await other.viewer.key('8');
    await other.viewer.says('identity-text', 'Settles after 5205 generations');
    await other.viewer.says('identity-facts', /8192 × 8192 cells at 0, 0, generation 1$/);
    await other.viewer.key('9');
    await other.viewer.says('labels-text', /in view\./);
    await page.locator('#cancel-identify').click();
    await page.locator('#identifying').waitFor({ state: 'hidden' });
    await viewer.says('announcer', 'The identification was cancelled.');
    // The server sent this message before it received the cancellation.
    assert.ok(route);
    route.send('{"is":"identifying","seconds":1,"limit":20}');
    await viewer.key(' ');
    await viewer.says('generation', '2');
    assert.ok(await page.locator('#identifying').isHidden());
    assert.ok(await page.locator('#identity').isHidden());
    assert.equal(await page.locator('.toast').count(), 0);
});
