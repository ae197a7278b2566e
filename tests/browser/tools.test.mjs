// Tools and what is done with a selection, by mouse and by keys, against the cells that the server
// holds then.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { block, fromRle, life, moved } from './cells.mjs';
import { close, eventually, open, openNear, openPage, pattern, put } from './support.mjs';

/** @import { Cells } from './cells.mjs' */

after(close);

const glider = fromRle('bo$2bo$3o!');

/** @param {Cells} cells @param {(x: number, y: number) => [number, number]} how */
function withImage(cells, how) {
    return new Set([...cells, ...moved(cells, how)]);
}

/** @param {number} x @param {number} y @param {number} width @param {number} height */
function rim(x, y, width, height) {
    const inner = block(x + 1, y + 1, Math.max(0, width - 2), Math.max(0, height - 2));
    return new Set([...block(x, y, width, height)].filter((cell) => !inner.has(cell)));
}

test('the pencil: the first cell of a stroke decides what it does', async (t) => {
    const { viewer, oracle } = await openNear(t);
    await viewer.key('d');
    await viewer.click(2, 3);
    await oracle.holds(new Set(['2,3']));
    await viewer.click(2, 3);
    await oracle.holds(new Set());
    await viewer.drag([[-3, 0], [3, 0]]);
    await oracle.holds(block(-3, 0, 7, 1));
    // From a live cell over live and dead ones.
    await viewer.drag([[0, 0], [6, 0]]);
    await oracle.holds(block(-3, 0, 3, 1));
    await viewer.key('Control+z');
    await oracle.holds(block(-3, 0, 7, 1));
    await viewer.drag([[-3, 2], [-3, -2]]);
    await oracle.holds(new Set([...block(-3, 0, 7, 1), ...block(-3, -2, 1, 5)]));
});

test('rectangles, ellipses and lines, filled or not, with a brush', async (t) => {
    const { page, viewer, oracle } = await openNear(t);
    await viewer.key('q');
    await viewer.drag([[-10, -5], [-2, 3]]);
    await oracle.holds(rim(-10, -5, 9, 9));
    await viewer.press('more-tools');
    await page.locator('#filled').check();
    await viewer.press('ellipse');
    assert.ok(await page.locator('#more').isHidden());
    await viewer.drag([[8, 8], [4, 4]]);
    const disc = fromRle('b3o$5o$5o$5o$b3o!', 4, 4);
    await oracle.holds(new Set([...rim(-10, -5, 9, 9), ...disc]));
    await viewer.key('Control+z', 2);
    await oracle.holds(new Set());
    // With Ctrl it is as wide as high; with Shift it erases.
    await viewer.key('q');
    await page.keyboard.down('Control');
    await viewer.drag([[0, 0], [5, 2]]);
    await page.keyboard.up('Control');
    await oracle.holds(block(0, 0, 6, 6));
    await page.keyboard.down('Shift');
    await viewer.drag([[1, 1], [4, 4]]);
    await page.keyboard.up('Shift');
    await oracle.holds(rim(0, 0, 6, 6));
    await viewer.key('Control+z', 2);
    await viewer.key('}', 2);
    await viewer.says('brush-text', '3 cells');
    await viewer.key('l');
    await viewer.drag([[-4, 0], [4, 0]]);
    await oracle.holds(block(-5, -1, 11, 3));
});

test('symmetries while drawing, about a chosen centre', async (t) => {
    const { page, viewer, oracle } = await openNear(t);
    const symmetry = page.locator('#symmetry');
    /** @type {[string, number[][]][]} images of (3, 1) about the middle of cell 0, 0 */
    const images = [
        ['x', [[3, 1], [-3, 1]]], ['y', [[3, 1], [3, -1]]],
        ['both', [[3, 1], [-3, 1], [3, -1], [-3, -1]]], ['diagonal', [[3, 1], [1, 3]]],
        ['turn-2', [[3, 1], [-3, -1]]], ['turn-4', [[3, 1], [-1, 3], [-3, -1], [1, -3]]],
        ['all', [[3, 1], [-3, 1], [3, -1], [-3, -1], [1, 3], [-1, 3], [1, -3], [-1, -3]]],
    ];
    await viewer.key('d');
    for (const [name, cells] of images) {
        await viewer.key('\\');
        assert.equal(await symmetry.inputValue(), name);
        await viewer.click(3, 1);
        await oracle.holds(new Set(cells.map(([x, y]) => `${x},${y}`)));
        await viewer.key('Control+z');
        await oracle.holds(new Set());
    }
    // About the middle of the selection, which is a corner of cells; and a shape.
    await viewer.key('s');
    await viewer.drag([[2, -3], [5, 0]]);
    await viewer.key('|');
    await viewer.key('Escape');
    await viewer.key('q');
    await viewer.drag([[4, -3], [6, -2]]);
    const quarter = rim(4, -3, 3, 2);
    let wanted = withImage(quarter, (x, y) => [7 - x, y]);
    wanted = withImage(wanted, (x, y) => [x, -3 - y]);
    wanted = withImage(wanted, (x, y) => [y + 5, x - 5]);
    await oracle.holds(wanted);
});

test('drawing with a symmetry goes on at the opposite edge of a torus', async (t) => {
    const { page, viewer, oracle } =
        await openNear(t, ['--size', '24x16'], { at: { x: 12, y: 8 } });
    await viewer.key('d');
    await viewer.press('more-tools');
    await page.locator('#symmetry').selectOption('x');
    await viewer.key('Escape');
    const corner = await viewer.at(20, 5);
    await page.mouse.move(corner.x, corner.y);
    await viewer.key('|'); // the centre: cell 20, 5
    await viewer.click(14, 5);
    await oracle.holds(new Set(['14,5', '2,5']));
    await viewer.key('Control+z');
    await viewer.key('q');
    await viewer.key('\\', 7); // none
    assert.equal(await page.locator('#symmetry').inputValue(), 'none');
    await viewer.drag([[22, 14], [25, 17]]);
    await oracle.holds(moved(rim(22, 14, 4, 4), (x, y) => [x % 24, y % 16]));
});

test('filling up to the border, in the selection, and what has no border', async (t) => {
    const opened = await openNear(t);
    const { viewer, oracle } = opened;
    await put(opened, rim(-5, -5, 11, 11));
    await viewer.key('#');
    await viewer.click(0, 0);
    await oracle.holds(block(-5, -5, 11, 11));
    // What lives and hangs together goes.
    await viewer.click(2, 2);
    await oracle.holds(new Set());
    await viewer.press('undo');
    await viewer.press('undo');
    await oracle.holds(rim(-5, -5, 11, 11));
    await viewer.click(10, 0);
    await viewer.complains(/not closed/);
    await viewer.key('s');
    await viewer.drag([[6, -2], [9, 2]]);
    await viewer.key('#');
    await viewer.click(8, 0);
    await oracle.holds(new Set([...rim(-5, -5, 11, 11), ...block(6, -2, 4, 5)]));
});

test('a stamp pastes again and again', async (t) => {
    const opened = await openNear(t);
    const { viewer, oracle } = opened;
    await put(opened, glider);
    await viewer.key('s');
    await viewer.drag([[0, 0], [2, 2]]);
    await viewer.press('copy');
    await viewer.says('clip-text', /^3 × 3/);
    await viewer.key('z');
    await viewer.click(-8, 0);
    await viewer.click(8, 0);
    // Along a drag, side by side.
    await viewer.drag([[-8, 8], [-2, 8]]);
    const wanted = [[0, 0], [-9, -1], [7, -1], [-9, 7], [-6, 7], [-3, 7]]
        .flatMap(([left, top]) => [...moved(glider, (x, y) => [x + left, y + top])]);
    await oracle.holds(new Set(wanted));
});

test('a selection is moved, copied, turned and flipped in place', async (t) => {
    const opened = await openNear(t);
    const { page, viewer, oracle } = opened;
    await put(opened, glider);
    await viewer.key('s');
    await viewer.drag([[0, 0], [2, 2]]);
    await viewer.key(';');
    await viewer.drag([[1, 1], [6, 4]]);
    const there = moved(glider, (x, y) => [x + 5, y + 3]);
    await oracle.holds(there);
    await viewer.says('selection-text', '3 × 3 cells at 5, 3');
    await page.keyboard.down('Alt');
    await viewer.drag([[0, 0], [0, -6]]);
    await page.keyboard.up('Alt');
    const both = new Set([...there, ...moved(glider, (x, y) => [x + 5, y - 3])]);
    await oracle.holds(both);
    await viewer.press('undo');
    await oracle.holds(there);
    // By keys alone: the selection is at 5, -3 now.
    await viewer.key('Control+z');
    await oracle.holds(glider);
    await viewer.key('s');
    await viewer.drag([[0, 0], [2, 2]]);
    await viewer.key('>');
    await oracle.holds(moved(glider, (x, y) => [2 - y, x]));
    await viewer.key('<');
    await viewer.key('x');
    await oracle.holds(moved(glider, (x, y) => [2 - x, y]));
    await viewer.key('x');
    await viewer.press('cells-flip-y');
    await oracle.holds(moved(glider, (x, y) => [x, 2 - y]));
    await viewer.key('y');
    await oracle.holds(glider);
    // Pressed again before the first turn is told of, also where that has another shape.
    await viewer.drag([[0, 0], [4, 2]]);
    for (const [key, cells] of /** @type {const} */ ([
        ['>', moved(glider, (x, y) => [4 - x, 2 - y])], ['<', glider],
    ])) {
        await page.evaluate((name) => {
            for (const type of ['keydown', 'keyup', 'keydown', 'keyup']) {
                document.querySelector('#stage')?.dispatchEvent(
                    new KeyboardEvent(type, { key: name, bubbles: true, cancelable: true }));
            }
        }, key);
        await oracle.holds(cells);
        await viewer.says('selection-text', '5 × 3 cells at 0, 0');
    }
    await viewer.key(';');
    await viewer.key('c');
    await viewer.key('Shift+ArrowLeft', 4);
    await viewer.key('c');
    await oracle.holds(moved(glider, (x, y) => [x - 4, y]));
});

test('across the seam of a torus a selection stays whole', async (t) => {
    const opened = await openNear(t, ['--size', '24x16'], { at: { x: 12, y: 8 } });
    const { viewer, oracle } = opened;
    await put(opened, moved(glider, (x, y) => [x + 18, y + 10]));
    await viewer.key('s');
    await viewer.drag([[18, 10], [20, 12]]);
    await viewer.key(';');
    await viewer.drag([[19, 11], [24, 16]]);
    await oracle.holds(moved(glider, (x, y) => [(x + 23) % 24, (y + 15) % 16]));
    await viewer.key('>');
    await oracle.holds(moved(glider, (x, y) => [(23 + 2 - y) % 24, (15 + x) % 16]));
    await viewer.key('!');
    await eventually(async () => assert.equal((await oracle.cells()).size, 4));
    await viewer.key('Control+z', 3);
    await oracle.holds(moved(glider, (x, y) => [x + 18, y + 10]));
});

test('what a move loses beyond an edge is said', async (t) => {
    const opened = await openNear(t, ['--topology', 'P20,20'], { at: { x: 10, y: 10 } });
    const { page, viewer, oracle } = opened;
    await put(opened, moved(glider, (x, y) => [x + 10, y + 10]));
    await viewer.key('s');
    await viewer.drag([[10, 10], [12, 12]]);
    await viewer.key(';');
    await viewer.drag([[11, 11], [19, 11]]);
    const toast = page.locator('.toast').filter({ hasText: '2 live cells were beyond the edge' });
    await toast.getByRole('button', { name: 'Undo' }).click();
    await oracle.holds(moved(glider, (x, y) => [x + 10, y + 10]));
});

test('invert, shrink, advance inside and outside, fill with a symmetry', async (t) => {
    const opened = await openNear(t);
    const { page, viewer, oracle } = opened;
    const far = moved(glider, (x, y) => [x + 10, y]);
    await put(opened, new Set([...glider, ...far]));
    await viewer.tab('edit');
    await viewer.key('s');
    await viewer.drag([[-4, -4], [6, 6]]);
    await viewer.key('*');
    await viewer.says('selection-text', '3 × 3 cells at 0, 0');
    await viewer.drag([[-4, -4], [6, 6]]);
    await viewer.press('advance-inside');
    await oracle.holds(new Set([...life(glider, 1), ...far]));
    await viewer.press('advance-outside');
    await oracle.holds(new Set([...life(glider, 1), ...life(far, 1)]));
    await oracle.until({ generation: '0' });
    await viewer.key('Control+z', 2);
    await oracle.holds(new Set([...glider, ...far]));
    await viewer.key('!');
    const inverted = new Set([...block(-4, -4, 11, 11)].filter((cell) => !glider.has(cell)));
    await oracle.holds(new Set([...inverted, ...far]));
    await viewer.key('Control+z');
    await page.locator('#fill-symmetry').selectOption('turn-4');
    await viewer.press('fill');
    await eventually(async () => assert.ok((await oracle.cells()).size > 20));
    const filled = new Set([...await oracle.cells()].filter((cell) => !far.has(cell)));
    assert.deepEqual([...moved(filled, (x, y) => [2 - y, x])].sort(), [...filled].sort());
    await viewer.drag([[-4, -4], [6, 5]]);
    await viewer.press('fill');
    await viewer.complains(/needs a square/);
});

test('tools by keys, from one end to the other', async (t) => {
    const { viewer, oracle } = await openNear(t);
    for (const [key, cells] of /** @type {[string, Cells][]} */ ([
        ['q', rim(0, 0, 4, 4)], ['i', fromRle('b2o$o2bo$o2bo$b2o!')],
    ])) {
        await viewer.key(key);
        await viewer.key('c');
        await viewer.key('Shift+ArrowRight', 3);
        await viewer.key('Shift+ArrowDown', 3);
        await viewer.key('c');
        await oracle.holds(cells);
        await viewer.key('Shift+ArrowLeft', 2);
        await viewer.key('Shift+ArrowUp', 2);
        await viewer.key('#');
        await viewer.key('c');
        await eventually(async () => assert.ok((await oracle.cells()).size >= 12));
        await viewer.key('Control+z', 2);
        await oracle.holds(new Set());
        await viewer.key('Shift+ArrowLeft');
        await viewer.key('Shift+ArrowUp');
    }
});

test('no key has two meanings', async (t) => {
    const { page } = await open(t, []);
    const keys = await page.evaluate(async (table) => {
        const { commands } = await import(table);
        return commands.flatMap((/** @type {{keys: string[]}} */ command) => command.keys);
    }, '/keys.js');
    assert.ok(keys.length > 60);
    assert.deepEqual(keys.filter((/** @type {string} */ key, /** @type {number} */ i) =>
        keys.indexOf(key) !== i), []);
});

test('those who watch are told that they may not', async (t) => {
    const { server, oracle, viewer } = await openNear(t);
    await viewer.key('d');
    await viewer.click(0, 0);
    await oracle.holds(new Set(['0,0']));
    const second = await openPage(server);
    await second.viewer.setView({ x: 0, y: 0, zoom: 16 });
    for (const key of ['d', 'q', 'i', '#']) {
        await second.viewer.key(key);
        await second.viewer.click(0, 0);
        await second.viewer.complains(/Another viewer is steering/);
    }
    await second.viewer.key('s');
    await second.viewer.drag([[-2, -2], [2, 2]]);
    for (const key of ['!', ')', '(', '>', ';']) {
        await second.viewer.key(key);
        await second.viewer.complains(/Another viewer is steering/);
    }
    await second.viewer.key('*');
    await second.viewer.says('selection-text', '1 × 1 cells at 0, 0');
    await oracle.holds(new Set(['0,0']));
    await second.context.close();
    assert.deepEqual(second.complaints, []);
});

test('go to a cell, and the map', async (t) => {
    const opened = await openNear(t, ['--size', '2000x1000'], { at: { x: 100, y: 100 } });
    const { page, viewer } = opened;
    await viewer.key('Control+g');
    const dialog = page.getByRole('dialog');
    await dialog.locator('input').fill('1500, 700');
    await page.keyboard.press('Enter');
    await eventually(async () => {
        const { x, y } = await viewer.view();
        assert.deepEqual([x, y], [1500.5, 700.5]);
    });
    await viewer.key('Control+g');
    await dialog.locator('input').fill('here');
    await page.keyboard.press('Enter');
    assert.ok(await dialog.isVisible(), 'that is no place');
    await page.keyboard.press('Escape');
    const map = page.locator('#map');
    await map.waitFor();
    const { x, y, width, height } = /** @type {{x: number, y: number, width: number,
        height: number}} */ (await map.boundingBox());
    assert.ok(Math.abs(width / height - 2) < 0.1);
    await page.mouse.click(x + width / 4, y + height / 4);
    await eventually(async () => {
        const view = await viewer.view();
        assert.ok(Math.abs(view.x - 500) < 20 && Math.abs(view.y - 250) < 20, JSON.stringify(view));
    });
    await viewer.key('f');
    await map.waitFor({ state: 'hidden' });
    await viewer.setView({ x: 100, y: 100, zoom: 16 });
    await map.waitFor();
    // It may hide while it is held.
    await page.mouse.move(x + width / 2, y + height / 2);
    await page.mouse.down();
    const held = await viewer.view();
    await viewer.key("'");
    await map.waitFor({ state: 'hidden' });
    await page.mouse.move(x + width / 3, y + height / 3, { steps: 3 });
    await page.mouse.up();
    assert.deepEqual(await viewer.view(), held);
});

for (const [width, height] of [[320, 640], [700, 900], [1060, 640]]) {
    test(`every tool can be reached at ${width} pixels`, async (t) => {
        // A universe that is not empty has no word in its middle.
        const { page, viewer, oracle } = await open(t, [pattern('r-pentomino.rle')], {
            viewport: { width, height }, hasTouch: width === 320, isMobile: width === 320,
        });
        await viewer.setView({ x: 0, y: 0, zoom: 16 });
        const wide = await page.evaluate(() => document.documentElement.scrollWidth);
        assert.ok(wide <= width, `${wide}`);
        for (const tool of ['draw', 'erase', 'select', 'hand']) {
            await viewer.press(tool);
            assert.equal(await page.locator('#stage').getAttribute('data-tool'), tool);
        }
        for (const tool of ['line', 'flood', 'ellipse']) {
            await viewer.press('more-tools');
            const sheet = await page.locator('#more').boundingBox();
            assert.ok(sheet !== null && sheet.x >= 0 && sheet.x + sheet.width <= width &&
                sheet.y >= 0 && sheet.y + sheet.height <= height, JSON.stringify(sheet));
            for (const button of await page.locator('#more button, #more select').all()) {
                const box = await button.boundingBox();
                const least_px = width > 320 ? 0 : 43.9;
                assert.ok(box !== null && Math.min(box.width, box.height) >= least_px,
                    `${await button.textContent()} ${JSON.stringify(box)}`);
            }
            await page.locator(`#more [data-command="${tool}"]`).click();
            assert.equal(await page.locator('#stage').getAttribute('data-tool'), tool);
            const label = await page.locator('[data-command="more-tools"]')
                .getAttribute('aria-label');
            assert.match(label ?? '', /^More: .* is in use$/);
        }
        const before = await oracle.cells();
        await viewer.drag([[4, -2], [8, 2]]);
        await oracle.holds(new Set([...before, ...fromRle('b3o$o3bo$o3bo$o3bo$b3o!', 4, -2)]));
        // The sheet closes by its button, by Escape, and by a press beside it.
        for (const end of [() => viewer.press('more-tools'), () => viewer.key('Escape'),
            () => page.mouse.click(5, 60)]) {
            await viewer.press('more-tools');
            await page.locator('#more').waitFor();
            await end();
            await page.locator('#more').waitFor({ state: 'hidden' });
        }
    });
}
