// An address that carries a pattern: copied here, opened there, and nothing that was there is lost.
// And the page for a wall.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { close, eventually, open, openPage, Oracle, pattern, Server } from './support.mjs';

/** @import { Viewer } from './support.mjs' */
/** @import { Page, BrowserContextOptions } from 'playwright-core' */

after(close);

/** @type {BrowserContextOptions} */
const clipboard = { permissions: ['clipboard-read', 'clipboard-write'] };

/** @param {Viewer} viewer @param {Page} page @returns {Promise<string>} the link that is copied */
async function copyLink(viewer, page) {
    await viewer.tab('files');
    await viewer.press('link');
    await viewer.complains(/Link copied to the clipboard\./);
    return page.evaluate(() => navigator.clipboard.readText());
}

/** What the address brings, for another server: behind its own. @param {string} link */
function carried(link) {
    return link.slice(link.indexOf('#'));
}

test('a link carries the pattern, its rule, the view, the speed and the theme', async (t) => {
    const { page, viewer, oracle } = await open(t, [pattern('gosper-glider-gun.rle'), '--token',
        'a-secret-token', '--speed', '12'], { ...clipboard, token: 'a-secret-token' });
    const other = await open(t, []);
    await oracle.ask({ do: 'take' });
    await oracle.ask({ do: 'rule', rule: 'B36/S23', topology: 'T80,60' });
    await viewer.says('universe-facts', /torus 80 x 60/);
    await oracle.ask({ do: 'step', generations: '7' });
    await viewer.says('generation', '7');
    await viewer.setView({ x: 20.25, y: -3.5, zoom: 5 });
    await viewer.key('t'); // light
    const cells = await oracle.cells();
    const link = await copyLink(viewer, page);
    assert.ok(link.startsWith(`${new URL(page.url()).origin}/#pattern=`));
    assert.ok(!link.includes('token'), 'the token is nobody else’s');
    assert.ok(link.length < 600, `${link.length}`);
    // Nothing is there: it opens at once, also in a page that is open already.
    await other.page.evaluate((hash) => {
        location.hash = hash;
    }, carried(link));
    await other.oracle.holds(cells);
    const { rule_text } = await other.oracle.universe();
    assert.equal(rule_text, 'B36/S23:T80,60');
    await other.oracle.until({ generation: '7', running: false, speed: 12 });
    await eventually(async () =>
        assert.deepEqual(await other.viewer.view(), { x: 20.25, y: -3.5, zoom: 5 }));
    assert.equal(await other.page.evaluate(() => document.documentElement.dataset.theme), 'light');
    assert.equal(await other.page.evaluate(() => localStorage.getItem('lightcone.theme')), null);
    // A reload does not open it again: that would undo what was done since.
    await other.viewer.key('Space');
    await other.viewer.says('generation', '8');
    assert.ok(!other.page.url().includes('pattern'));
    await other.page.reload();
    await other.viewer.says('generation', '8');
});

test('a link that comes upon a universe asks, and undo brings that back', async (t) => {
    const { page, viewer } = await open(t, [pattern('glider.rle'), '--speed', 'max'], clipboard);
    const link = await copyLink(viewer, page);
    const server = await Server.start([pattern('pulsar.rle')]);
    t.after(() => server.stop());
    const other = await openPage(server, { query: carried(link) });
    t.after(() => other.context.close());
    const oracle = await Oracle.connect(server);
    const pulsar = await oracle.cells();
    assert.equal(pulsar.size, 48);
    const dialog = other.page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await oracle.holds(pulsar);
    await other.page.evaluate((hash) => {
        location.hash = hash;
    }, carried(link));
    await dialog.getByRole('button', { name: 'Open it' }).click();
    await eventually(async () => assert.equal((await oracle.cells()).size, 5));
    await oracle.until({ speed: null });
    await other.viewer.press('undo');
    await oracle.holds(pulsar);
});

test('who only watches opens nothing; a damaged link changes nothing', async (t) => {
    const { page, viewer, oracle } = await open(t, [pattern('glider.rle')], clipboard);
    const link = await copyLink(viewer, page);
    const before = await oracle.cells();
    for (const wrong of ['#pattern=AAAA', '#pattern=%%%', `${carried(link).slice(0, 20)}`]) {
        await page.evaluate((hash) => {
            location.hash = hash;
        }, wrong);
        await viewer.complains(/pattern in this link is damaged/);
    }
    await oracle.ask({ do: 'take' });
    await viewer.says('role', /watching/);
    await page.evaluate((hash) => {
        location.hash = hash;
    }, carried(link));
    await viewer.complains(/Another viewer is steering/);
    await oracle.holds(before);
    // It is opened once this page steers.
    await viewer.press('take');
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    await oracle.holds(before);
});

test('what is too large for an address is told of', async (t) => {
    const { viewer, oracle } = await open(t, ['--soup', '0.5', '--size', '1000'], clipboard);
    await viewer.tab('files');
    await viewer.press('link');
    await viewer.complains(/The link would have .* characters, more than/);
    assert.equal((await oracle.state()).unsaved, false);
    await viewer.key('h');
    await oracle.ask({ do: 'take' });
    await oracle.ask({ do: 'cells', alive: true, stroke: 1, runs: [1, 1, 3] });
    await oracle.until({ unsaved: true });
    await viewer.press('link');
    await viewer.complains(/The link would have/);
    await oracle.until({ unsaved: true }); // a link is no file
});

test('a page for a wall shows the picture alone, runs, and keeps in view what lives',
    async (t) => {
        const { page, viewer, oracle } = await open(t, [pattern('acorn.rle'), '--speed', 'max'],
            { query: '?kiosk' });
        await oracle.until({ running: true });
        for (const id of ['bar', 'panel', 'past', 'status', 'nothing', 'map']) {
            assert.ok(!await page.locator(`#${id}`).isVisible(), id);
        }
        const stage = await viewer.stage();
        assert.deepEqual([stage.width, stage.height], [1120, 760]);
        await viewer.key('Enter');
        await viewer.key('r');
        await viewer.key('Space');
        await eventually(async () => {
            const { generation } = await oracle.state();
            assert.ok(Number(generation) > 6000, generation);
        });
        assert.equal((await oracle.state()).running, true);
        await eventually(async () => {
            const { box } = await oracle.ask({ do: 'box' });
            const { x, y, zoom } = await viewer.view();
            assert.ok(Math.abs(x - box.x - box.width / 2) < stage.width / zoom / 4 &&
                Math.abs(y - box.y - box.height / 2) < stage.height / zoom / 4);
            assert.ok(box.width * zoom <= stage.width * 1.1);
        });
        // Who comes to steer is not hindered.
        await oracle.ask({ do: 'take' });
        await oracle.ask({ do: 'pause' });
        await oracle.until({ running: false });
        await new Promise((resolve) => setTimeout(resolve, 300));
        await oracle.until({ running: false });
    });
