// Editing: what is done on the page by mouse and keys, and the cells that the server holds then.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { block, fromRle, moved, places } from './cells.mjs';
import { close, eventually, open, openNear, pattern, put } from './support.mjs';

/** @import { TestContext } from 'node:test' */
/** @import { Cells } from './cells.mjs' */

after(close);

const glider = fromRle('bo$2bo$3o!');

/** With the clipboard. @param {TestContext} t @param {string[]} [args] */
function openHere(t, args) {
    return openNear(t, args, { permissions: ['clipboard-read', 'clipboard-write'] });
}

test('draw, erase, undo and redo', async (t) => {
    const { page, viewer, oracle } = await openHere(t);
    await viewer.key('d');
    await viewer.click(2, 3);
    await oracle.holds(new Set(['2,3']));
    await viewer.drag([[-5, 0], [5, 0]]);
    const all = new Set(['2,3', ...block(-5, 0, 11, 1)]);
    await oracle.holds(all);
    await viewer.says('population', '12');
    // A quick hand: the places between two events are drawn too.
    await viewer.press('erase');
    await viewer.drag([[-2, -2], [2, 2]]);
    const erased = new Set([...all].filter((cell) => cell !== '0,0'));
    await oracle.holds(erased);
    await viewer.key('Control+z');
    await oracle.holds(all);
    await viewer.press('undo');
    await oracle.holds(new Set(['2,3']));
    await viewer.key('Control+z');
    await oracle.holds(new Set());
    await oracle.until({ can_undo: false, can_redo: true });
    await page.locator('button[data-command="undo"]:disabled').first().waitFor();
    await viewer.key('Control+y');
    await viewer.key('Control+Shift+z');
    await oracle.holds(all);
    await viewer.press('redo');
    await oracle.holds(erased);
    await oracle.until({ can_undo: true, can_redo: false });
    // After a step, undo goes back to what had been edited.
    await viewer.key('Space');
    await oracle.until({ generation: '1', can_undo: true });
    await viewer.key('Control+z');
    await oracle.until({ generation: '0' });
    await oracle.holds(erased);
});

test('Shift draws with the eraser; what is drawn while it runs lives on', async (t) => {
    const { page, viewer, oracle } = await openHere(t);
    await viewer.key('d');
    await viewer.drag([[0, 0], [3, 0]]);
    await page.keyboard.down('Shift');
    await viewer.drag([[1, 0], [2, 0]]);
    await page.keyboard.up('Shift');
    await oracle.holds(new Set(['0,0', '3,0']));
    // A block, because where all has died nothing runs on.
    await viewer.drag([[-8, -5], [-7, -5], [-7, -4], [-8, -4]]);
    const still = block(-8, -5, 2, 2);
    await oracle.holds(new Set(['0,0', '3,0', ...still]));
    await viewer.key('Enter');
    await oracle.until({ running: true });
    await oracle.holds(still);
    // Three in a row come at once, and turn for ever.
    await viewer.key('l');
    await viewer.drag([[10, 5], [12, 5]]);
    await eventually(async () => assert.equal((await oracle.cells()).size, 7));
    const { generation } = await oracle.state();
    await eventually(async () => assert.notEqual((await oracle.state()).generation, generation));
    await viewer.key('Enter');
    await oracle.until({ running: false });
    const cells = await oracle.cells();
    assert.equal(cells.size, 7);
    for (const cell of ['11,5', ...still]) assert.ok(cells.has(cell), cell);
});

test('lines are straight and hold both ends', async (t) => {
    const { viewer, oracle } = await openHere(t);
    await viewer.key('l');
    await viewer.drag([[-4, -2], [4, 2]]);
    await eventually(async () => assert.equal((await oracle.cells()).size, 9));
    const line = places(await oracle.cells());
    for (const [x, y] of line) assert.ok(Math.abs(y - x / 2) <= 0.5, `${x}, ${y}`);
    await viewer.key('Control+z');
    await oracle.holds(new Set());
    await viewer.drag([[3, 7], [3, -7]]);
    await oracle.holds(block(3, -7, 1, 15));
    await viewer.drag([[-6, 6], [-9, 9]]);
    await oracle.holds(new Set([...block(3, -7, 1, 15), '-6,6', '-7,7', '-8,8', '-9,9']));
});

test('select, fill, clear inside and outside', async (t) => {
    const { page, viewer, oracle } = await openHere(t);
    await viewer.tab('edit');
    await viewer.key('s');
    await viewer.drag([[-10, -8], [9, 7]]);
    await viewer.says('selection-text', '20 × 16 cells at \u221210, \u22128');
    await page.locator('#density').fill('30');
    await page.locator('#stage').focus();
    await viewer.key('u');
    await eventually(async () => assert.ok((await oracle.cells()).size > 40));
    const filled = await oracle.cells();
    // 320 cells at 30 %: 96, and less than 45 away from it in all but one of 10^7 tries.
    assert.ok(Math.abs(filled.size - 96) < 45, `${filled.size}`);
    for (const [x, y] of places(filled)) assert.ok(x >= -10 && x < 10 && y >= -8 && y < 8);
    await viewer.drag([[-3, -3], [3, 3]]);
    await viewer.says('selection-text', /^7 × 7/);
    await viewer.key('Delete');
    const inside = block(-3, -3, 7, 7);
    const holed = new Set([...filled].filter((cell) => !inside.has(cell)));
    await oracle.holds(holed);
    await viewer.key('Control+z');
    await oracle.holds(filled);
    await viewer.key('Shift+Delete');
    await oracle.holds(new Set([...filled].filter((cell) => inside.has(cell))));
    await viewer.press('undo');
    await oracle.holds(filled);
    await viewer.press('clear');
    await oracle.holds(holed);
    await viewer.press('undo');
    await viewer.press('clear-outside');
    await eventually(async () => assert.ok((await oracle.cells()).size <= 49));
    await viewer.press('undo');
    await oracle.holds(filled);
    // Select all is the box of what lives.
    await viewer.key('Control+a');
    const { box } = await oracle.ask({ do: 'box' });
    await viewer.says('selection-text', new RegExp(`^${box.width} × ${box.height} `));
    await viewer.press('fill');
    await eventually(async () => assert.notDeepEqual(await oracle.cells(), filled));
    await viewer.key('Escape');
    await viewer.says('selection-text', 'Nothing is selected.');
    await viewer.key('Delete');
    await viewer.complains(/Select a rectangle first/);
});

test('copy, cut, turn, flip and paste, with a preview under the pointer', async (t) => {
    const opened = await openHere(t);
    const { page, viewer, oracle } = opened;
    await put(opened, glider);
    await viewer.key('s');
    await viewer.drag([[0, 0], [2, 2]]);
    await viewer.key('Control+c');
    await viewer.says('clip-text', '3 × 3, 5 live cells');
    await oracle.holds(glider);
    await viewer.key('v');
    const corner = await viewer.at(10, 5);
    await page.mouse.move(corner.x, corner.y);
    // Its middle is under the pointer: the top left corner is at 9, 4.
    await preview(opened, moved(glider, (x, y) => [x + 9, y + 4]));
    await viewer.key('>');
    await preview(opened, moved(glider, (x, y) => [9 + 2 - y, 4 + x]));
    await viewer.key('<');
    await viewer.key('<');
    await preview(opened, moved(glider, (x, y) => [9 + y, 4 + 2 - x]));
    await viewer.key('>');
    await viewer.key('x');
    await preview(opened, moved(glider, (x, y) => [9 + 2 - x, 4 + y]));
    await viewer.key('y');
    await preview(opened, moved(glider, (x, y) => [9 + 2 - x, 4 + 2 - y]));
    await viewer.click(10, 5);
    const pasted = moved(glider, (x, y) => [9 + 2 - x, 4 + 2 - y]);
    await oracle.holds(new Set([...glider, ...pasted]));
    await preview(opened, new Set());
    await viewer.key('Control+z');
    await oracle.holds(glider);

    await viewer.key('s');
    await viewer.drag([[0, 0], [1, 2]]);
    await viewer.key('Control+x');
    const left = moved(glider, (x, y) => [x, y]);
    const cut = new Set([...left].filter((cell) => !block(0, 0, 2, 3).has(cell)));
    await oracle.holds(cut);
    await viewer.says('clip-text', '2 × 3, 3 live cells');
    await viewer.press('undo');
    await oracle.holds(glider);
});

/**
 * Waits until the preview shows these cells and no other ones.
 * @param {Awaited<ReturnType<typeof openNear>>} opened
 * @param {Cells} cells
 */
async function preview({ viewer }, cells) {
    const stage = await viewer.stage();
    const first = await viewer.at(0, 0);
    const points = places(block(6, 0, 18, 16)).map(([x, y]) => ({
        cell: `${x},${y}`,
        px: Math.round(first.x - stage.x) + 16 * x, py: Math.round(first.y - stage.y) + 16 * y,
    }));
    await eventually(async () => {
        const screen = await viewer.screen();
        const [dead] = await viewer.palette();
        const shown = points.filter(({ px, py }) => {
            const colour = screen.at(px, py);
            // Red is what the accent has and cells have not.
            return colour[0] > dead[0] + 100 && colour[0] > colour[2] + 30;
        }).map(({ cell }) => cell);
        assert.deepEqual(shown.sort(), [...cells].sort());
    });
}

for (const [mode, merge] of /** @type {const} */ ([
    ['or', (/** @type {boolean} */ old, /** @type {boolean} */ clip) => old || clip],
    ['copy', (/** @type {boolean} */ _, /** @type {boolean} */ clip) => clip],
    ['xor', (/** @type {boolean} */ old, /** @type {boolean} */ clip) => old !== clip],
])) {
    test(`pasting in the mode "${mode}"; with Shift the clip stays in the hand`, async (t) => {
        const opened = await openHere(t);
        const { page, viewer, oracle } = opened;
        const old = block(-4, -4, 9, 9);
        await put(opened, glider);
        await viewer.tab('edit');
        await viewer.key('s');
        await viewer.drag([[0, 0], [2, 2]]);
        await viewer.press('copy');
        await viewer.says('clip-text', /^3 × 3/);
        await put(opened, old);
        await page.locator('#paste-mode').selectOption(mode);
        await viewer.press('paste');
        await page.keyboard.down('Shift');
        await viewer.click(5, 5);
        await viewer.click(-5, 0);
        await page.keyboard.up('Shift');
        const wanted = new Set(old);
        for (const [left, top] of [[4, 4], [-6, -1]]) {
            for (const cell of block(left, top, 3, 3)) {
                const [x, y] = cell.split(',').map(Number);
                const alive = merge(wanted.has(cell), glider.has(`${x - left},${y - top}`));
                if (alive) wanted.add(cell);
                else wanted.delete(cell);
            }
        }
        await oracle.holds(wanted);
        await viewer.key('Escape');
        await viewer.key('Control+z', 2);
        await oracle.holds(old);
    });
}

test('all of it without a mouse', async (t) => {
    const { viewer, oracle } = await openHere(t);
    await viewer.key('d');
    await viewer.key('c');
    await viewer.key('Shift+ArrowRight', 3);
    await viewer.key('Shift+ArrowDown', 2);
    await viewer.key('c');
    await oracle.holds(new Set(['0,0', '3,2']));
    await viewer.key('l');
    await viewer.key('c');
    await viewer.key('Shift+ArrowLeft', 5);
    await viewer.key('c');
    await oracle.holds(new Set(['0,0', ...block(-2, 2, 6, 1)]));
    await viewer.key('s');
    await viewer.key('c');
    await viewer.key('Shift+ArrowRight', 5);
    await viewer.key('Shift+ArrowUp', 2);
    await viewer.key('c');
    await viewer.says('selection-text', '6 × 3 cells at \u22122, 0');
    await viewer.key('Control+x');
    await oracle.holds(new Set());
    await viewer.says('clip-text', '6 × 3, 7 live cells');
    await viewer.key('v');
    await viewer.key('c');
    await eventually(async () => assert.equal((await oracle.cells()).size, 7));
});

test('a long stroke is undone at once, and edits of a torus wrap nothing', async (t) => {
    const { viewer, oracle } = await openHere(t, ['--size', '40x30']);
    await viewer.setView({ x: 20, y: 15, zoom: 8 });
    await viewer.key('d');
    await viewer.drag([[2, 2], [37, 2], [37, 27], [2, 27], [2, 2]]);
    const frame = new Set([...block(2, 2, 36, 1), ...block(2, 27, 36, 1), ...block(2, 2, 1, 26),
        ...block(37, 2, 1, 26)]);
    await oracle.holds(frame);
    // What is beyond the edge is not there to be drawn on.
    await viewer.drag([[35, 10], [45, 10]]);
    await oracle.holds(new Set([...frame, ...block(35, 10, 5, 1)]));
    await viewer.key('Control+z', 2);
    await oracle.holds(new Set());
});

test('a pattern of a file is where the page shows it', async (t) => {
    const { page, viewer, oracle } = await open(t, [pattern('pulsar.rle')]);
    await viewer.key('g');
    await viewer.key('4');
    await eventually(async () => assert.equal((await viewer.view()).zoom, 8));
    const cells = await oracle.cells();
    const stage = await viewer.stage();
    const palette = await viewer.palette();
    const first = await viewer.at(0, 0);
    await page.mouse.move(0, 0);
    await eventually(async () => {
        const screen = await viewer.screen();
        for (const [x, y] of places(cells)) {
            const [px, py] = [first.x - stage.x + 8 * x, first.y - stage.y + 8 * y];
            assert.deepEqual(screen.at(Math.round(px), Math.round(py)), palette[255]);
        }
    });
    // And a click on a cell that lives is a click on that cell.
    await viewer.key('e');
    const [[x, y]] = places(cells);
    await viewer.click(x, y);
    await oracle.holds(new Set([...cells].filter((cell) => cell !== `${x},${y}`)));
});

/**
 * Takes a text in hand, as from the clipboard of the system.
 * @param {Awaited<ReturnType<typeof openNear>>} opened
 * @param {string} text
 */
async function hold({ page, viewer }, text) {
    await page.evaluate((rle) => navigator.clipboard.writeText(rle), text);
    await page.locator('#stage').focus();
    await viewer.key('Control+v');
    await page.waitForFunction(() =>
        /** @type {HTMLElement} */ (document.querySelector('#stage')).dataset.tool === 'paste');
}

test('on a torus a clip goes on at the opposite edge, and its preview too', async (t) => {
    const opened = await openHere(t, ['--size', '24x16']);
    const { page, viewer, oracle } = opened;
    await viewer.setView({ x: 12, y: 8, zoom: 16 });
    await hold(opened, 'x = 3, y = 3, rule = B3/S23\nbo$2bo$3o!');
    const corner = await viewer.at(23, 15);
    await page.mouse.move(corner.x, corner.y);
    const wanted = moved(glider, (x, y) => [(x + 22) % 24, (y + 14) % 16]);
    await preview(opened, new Set([...wanted].filter((cell) => cell.split(',')[0] !== '0')));
    await viewer.click(23, 15);
    await oracle.holds(wanted);
    assert.equal(await page.locator('.toast').count(), 0, 'nothing is lost, nothing is said');
    await viewer.key('Control+z');
    await oracle.holds(new Set());
});

test('a clip that does not fit says what it lost, and can be undone at once', async (t) => {
    const opened = await openHere(t, ['--topology', 'P20,20']);
    const { page, viewer, oracle } = opened;
    await viewer.setView({ x: 10, y: 10, zoom: 16 });
    await hold(opened, 'x = 3, y = 3, rule = B3/S23\nbo$2bo$3o!');
    await viewer.click(19, 5); // its right column is beyond the edge
    await oracle.holds(new Set(['19,4', '18,6', '19,6']));
    const toast = page.locator('.toast').filter({ hasText: '2 live cells of the clip' });
    await toast.getByRole('button', { name: 'Undo' }).click();
    await oracle.holds(new Set());
    await toast.waitFor({ state: 'detached' });
});

test('a pattern of another rule offers its rule', async (t) => {
    const opened = await openHere(t, ['--size', '60x40']);
    const { page, viewer, oracle } = opened;
    await viewer.setView({ x: 30, y: 20, zoom: 8 });
    await viewer.key('d');
    await viewer.drag([[3, 3], [6, 3]]);
    await hold(opened, 'x = 3, y = 3, rule = B36/S23\nbo$2bo$3o!');
    const toast = page.locator('.toast').filter({ hasText: 'uses the rule B36/S23' });
    await toast.getByRole('button', { name: 'Use B36/S23' }).click();
    await eventually(async () => assert.match((await oracle.universe()).rule_text,
        /^B36\/S23:T60,40$/));
    await viewer.says('universe-facts', /B36\/S23/);
    await oracle.holds(block(3, 3, 4, 1));
    await viewer.click(20, 20);
    const all = new Set([...block(3, 3, 4, 1), ...moved(glider, (x, y) => [x + 19, y + 19])]);
    await oracle.holds(all);
    // Undone with it: the paste, and then the rule.
    await viewer.key('Control+z', 2);
    await eventually(async () => assert.equal((await oracle.universe()).rule, 'B3/S23'));
    await oracle.holds(block(3, 3, 4, 1));
    // The same rule is no news.
    await hold(opened, 'x = 3, y = 3, rule = B3/S23\n3o!');
    assert.equal(await page.locator('.toast').count(), 0);
    // A file brings its rule; the old one is a press away.
    await page.locator('#file').setInputFiles({
        name: 'high.rle', mimeType: 'text/plain',
        buffer: Buffer.from('x = 3, y = 3, rule = B36/S23\nbo$2bo$3o!'),
    });
    await page.getByRole('dialog').getByRole('button', { name: 'Close it' }).click();
    const news = page.locator('.toast').filter({ hasText: 'changed the rule to B36/S23' });
    await news.getByRole('button', { name: 'Use B3/S23' }).click();
    await eventually(async () => assert.equal((await oracle.universe()).rule, 'B3/S23'));
    await oracle.holds(glider);
});

test('an edit that takes long can be cancelled', async (t) => {
    const { page, viewer, oracle } = await open(t, [pattern('glider.rle'), '--engine', 'hashlife']);
    await viewer.says('population', '5');
    // It would take minutes.
    await page.evaluate(async (main) => {
        const { connection } = await import(main);
        connection.send({ do: 'invert', x: -9, y: -9, width: 2 ** 20, height: 2 ** 20 });
    }, '/main.js');
    await viewer.says('busy', 'changing cells');
    const cancel = page.locator('#cancel-busy');
    await cancel.waitFor();
    await cancel.click();
    await cancel.waitFor({ state: 'hidden' });
    await viewer.complains(/[Cc]ancelled/);
    await page.locator('#busy').waitFor({ state: 'hidden' });
    await oracle.until({ busy: '', may_cancel: false, population: '5' });
    assert.equal(await cancel.isVisible(), false);
});
