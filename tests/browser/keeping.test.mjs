// Nothing that was drawn goes without a word or a way back; and no question is asked for nothing.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { fromRle } from './cells.mjs';
import { close, eventually, open, openPage, pattern } from './support.mjs';

/** @import { Page } from 'playwright-core' */
/** @import { Oracle, Viewer } from './support.mjs' */

after(close);

const block = new Set(['20,20', '21,20', '20,21', '21,21']);
const glider = fromRle('bo$2bo$3o!');

/** Draws a block, by hand. @param {Viewer} viewer */
async function draw(viewer) {
    await viewer.setView({ x: 10, y: 10, zoom: 16 });
    await viewer.key('d');
    await viewer.drag([[20, 20], [21, 20], [21, 21], [20, 21]]);
    await viewer.key('h');
}

/** @param {Page} page */
function question(page) {
    return page.getByRole('dialog', { name: /Close this universe|Back to the start/ });
}

/** @param {Page} page */
async function cancel(page) {
    await question(page).getByRole('button', { name: 'Cancel' }).click();
    await question(page).waitFor({ state: 'detached' });
}

/**
 * Tries every way to close a universe that has been drawn on.
 * @param {Page} page
 * @param {Viewer} viewer
 * @param {Oracle} oracle
 * @param {Set<string>} cells that stay
 */
async function asks(page, viewer, oracle, cells) {
    await viewer.tab('patterns');
    await page.getByRole('button', { name: 'Open Pulsar', exact: true }).click();
    await cancel(page);
    await viewer.key('n');
    await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click();
    await cancel(page);
    const file = { name: 'a.rle', mimeType: 'text/plain', buffer: Buffer.from('3o!') };
    await page.locator('#file').setInputFiles(file);
    await cancel(page);
    await page.evaluate(() => {
        const data = new DataTransfer();
        data.items.add(new File(['3o!'], 'dropped.rle'));
        document.querySelector('#stage')?.dispatchEvent(
            new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
    });
    await cancel(page);
    await oracle.holds(cells);
}

test('what was drawn is known to the server: reload, and another page that takes over',
    async (t) => {
        const { page, viewer, oracle, server } = await open(t, [pattern('glider.rle')]);
        await oracle.until({ unsaved: false, reset_loses: false });
        await draw(viewer);
        const drawn = new Set([...glider, ...block]);
        await oracle.holds(drawn);
        await oracle.until({ unsaved: true, reset_loses: false });
        await page.reload();
        await viewer.isOpen();
        await viewer.says('population', '9');
        await viewer.says('role-text', ''); // the oracle has not got the helm
        await asks(page, viewer, oracle, drawn);
        const other = await openPage(server);
        await other.viewer.press('take');
        await other.viewer.says('role-text', '');
        await asks(other.page, other.viewer, oracle, drawn);
        // Saved, it is closed without a question.
        await other.viewer.tab('files');
        const saved = other.page.waitForEvent('download');
        await other.viewer.press('save');
        await saved;
        await oracle.until({ unsaved: false });
        await other.viewer.tab('patterns');
        await other.page.getByRole('button', { name: 'Open Pulsar', exact: true }).click();
        await other.viewer.says('population', '48');
        await other.context.close();
        assert.deepEqual(other.complaints, []);
    });

test('undo brings back the universe that was closed', async (t) => {
    const { page, viewer, oracle } = await open(t, [pattern('glider.rle')]);
    await draw(viewer);
    await viewer.key('Space', 4);
    await viewer.says('generation', '4');
    await viewer.key('m');
    await oracle.until({ can_undo: true });
    const cells = await oracle.cells();
    await viewer.tab('patterns');
    await page.getByRole('button', { name: 'Open Pulsar', exact: true }).click();
    await question(page).getByRole('button', { name: 'Close it' }).click();
    await viewer.says('population', '48');
    await viewer.says('universe-name', 'pulsar');
    await viewer.key('Space', 3);
    await viewer.says('generation', '3');
    await viewer.press('undo');
    await viewer.says('universe-name', /^glider/);
    await viewer.says('generation', '4');
    await oracle.holds(cells);
    const state = await oracle.until({ unsaved: true, reset_loses: false, can_undo: false });
    assert.equal(state.moments.length, 1);
    await viewer.key('r');
    await oracle.holds(new Set([...glider, ...block]));
});

test('a drawing at the start belongs to it; a later one is asked for, and comes back',
    async (t) => {
        const { page, viewer, oracle } = await open(t, [pattern('glider.rle')]);
        await draw(viewer);
        const start = new Set([...glider, ...block]);
        await oracle.holds(start);
        await viewer.key('Space', 2);
        await viewer.says('generation', '2');
        await viewer.key('r');
        await viewer.says('generation', '0');
        assert.equal(await page.getByRole('dialog').count(), 0);
        await oracle.holds(start);
        await viewer.key('Space', 4);
        await viewer.says('generation', '4');
        await viewer.key('d');
        await viewer.drag([[5, 15], [7, 15]]);
        await viewer.says('population', '12');
        const later = await oracle.cells();
        await oracle.until({ reset_loses: true });
        await viewer.key('r');
        await cancel(page);
        await oracle.holds(later);
        await viewer.key('r');
        await question(page).getByRole('button', { name: 'Go back' }).click();
        await oracle.holds(start);
        await oracle.until({ reset_loses: false, unsaved: true });
        await viewer.key('Control+z');
        await oracle.holds(later);
        await oracle.until({ reset_loses: true, generation: '4' });
    });

test('a stroke that was made while it ran is undone', async (t) => {
    const { viewer, oracle } = await open(t, [pattern('gosper-glider-gun.rle')]);
    await viewer.setView({ x: 18, y: 20, zoom: 8 });
    await viewer.key('Enter');
    await oracle.until({ running: true });
    await viewer.key('d');
    await viewer.drag([[0, 30], [20, 30]]);
    const { generation } = await oracle.until({ can_undo: true });
    await eventually(async () =>
        assert.ok(BigInt((await oracle.state()).generation) > BigInt(generation) + 10n));
    await viewer.key('Control+z');
    const state = await oracle.until({ running: false, can_undo: false });
    assert.ok(BigInt(state.generation) <= BigInt(generation), 'it goes back to before the stroke');
    // What a gun and its gliders have after that many generations, and nothing else.
    const cells = await oracle.cellsIn({ x: 0, y: 0, width: 36, height: 9 });
    assert.ok(cells.size > 20);
    const below = await oracle.cellsIn({ x: -10, y: 29, width: 20, height: 3 });
    for (const cell of ['3,30', '4,30']) assert.ok(!below.has(cell), 'the stroke is gone');
});
