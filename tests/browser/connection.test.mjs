// The connection: lost and found again, several pages at one server, and bad words in dialogs.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { close, eventually, open, openPage, Oracle, pattern, startServer } from './support.mjs';

/** @import { Page } from 'playwright-core' */

after(close);

test('the server goes and comes back: the page says so, and goes on', async (t) => {
    const args = ['--soup', '0.3', '--seed', '3', '--size', '300x200'];
    // That a connection fails is said on the console by the browser itself.
    const { page, viewer, server } = await open(t, args, {
        quiet: true, permissions: ['clipboard-read', 'clipboard-write'],
    });
    await viewer.setView({ x: 77, y: 55, zoom: 4 });
    await viewer.key('Space', 3);
    await viewer.says('generation', '3');
    await viewer.key('s');
    await viewer.drag([[60, 50], [69, 59]]);
    await viewer.key('Control+c');
    await viewer.says('clip-text', /^10 × 10/);
    await viewer.key('Escape');
    const clip = await viewer.text('clip-text');
    await server.stop();
    await viewer.says('link-text', 'connecting');
    await page.locator('#waiting').filter({ hasText: /Connection lost.*Retry/ }).waitFor();
    await viewer.key('Space');
    await viewer.complains(/Not connected.*Nothing was done/);

    const second = await startServer(t, args, server.port);
    await viewer.says('link-text', 'connected');
    await viewer.says('generation', '0');
    assert.deepEqual(await viewer.view(), { x: 77, y: 55, zoom: 4 }, 'it looks where it looked');
    await viewer.key('Space');
    await viewer.says('generation', '1');
    await eventually(async () => {
        const shown = await page.evaluate(async (main) =>
            String((await import(main)).picture.frame.generation), '/main.js');
        assert.equal(shown, '1', 'new pictures come');
    });
    // What was copied is still there.
    assert.equal(await viewer.text('clip-text'), clip);
    const oracle = await Oracle.connect(second);
    oracle.close();
    await viewer.key('v');
    await viewer.click(80, 60);
    await viewer.key('Control+z');
});

test('two pages: one steers, the other one takes over', async (t) => {
    const { server, viewer: first } = await open(t, [pattern('glider.rle')]);
    const { viewer: second, context, complaints } = await openPage(server);
    await second.says('role-text', 'watching');
    await first.says('role-text', '');
    await first.key('Space');
    await first.says('generation', '1');
    await second.says('generation', '1');
    await second.key('Space');
    await second.complains(/Another viewer is steering/);
    await second.press('take');
    await first.says('role-text', 'watching');
    await second.says('role-text', '');
    await second.key('Space', 2);
    await first.says('generation', '3');
    await first.key('d');
    await first.drag([[5, 5], [8, 5]]); // moves the view: this page does not draw now
    await first.complains(/Another viewer is steering/);
    await second.says('population', '5');
    // The one who steered leaves, and the other one can go on.
    await context.close();
    assert.deepEqual(complaints, []);
    await eventually(async () => {
        // The button goes when it is given back by itself, which may be just now.
        await first.page.locator('button[data-command="take"]:visible').first()
            .click({ timeout: 200 }).catch(() => {});
        assert.equal(await first.text('role-text'), '');
    });
    await first.key('Space');
    await first.says('generation', '4');
});

test('a reload keeps the helm, its lock, the view and the tool', async (t) => {
    const { page, viewer, server, oracle } = await open(t, [pattern('glider.rle')]);
    const { viewer: other, context, complaints } = await openPage(server);
    await other.says('role-text', 'watching');
    await viewer.press('more-tools');
    await viewer.press('lock');
    await viewer.press('more-tools');
    await oracle.until({ locked: true });
    await viewer.setView({ x: 30, y: -7, zoom: 8 });
    await viewer.key('d');
    await page.reload();
    await viewer.isOpen();
    await viewer.says('role-text', 'steering is locked');
    await other.says('role-text', 'watching; steering is locked');
    assert.deepEqual(await viewer.view(), { x: 30, y: -7, zoom: 8 });
    await page.locator('#stage[data-tool="draw"]').waitFor();
    // What was looked at is shown, and drawn on.
    await viewer.drag([[30, -7], [32, -7]]);
    await viewer.says('population', '8');
    // A view of all that lives is one of that again.
    await viewer.key('f');
    await viewer.key('h');
    await page.reload();
    await viewer.isOpen();
    await page.locator('button[data-command="fit"][aria-pressed="true"]').first().waitFor();
    await page.locator('#stage[data-tool="hand"]').waitFor();
    // An onlooker that is reloaded is one again.
    await other.page.reload();
    await other.says('role-text', 'watching; steering is locked');
    // Another universe is seen as a whole.
    await viewer.setView({ x: 300, y: 300, zoom: 8 });
    await viewer.tab('patterns');
    await page.getByRole('button', { name: 'Open Pulsar', exact: true }).click();
    await page.getByRole('button', { name: 'Close it' }).click();
    await viewer.says('universe-name', 'pulsar');
    await viewer.setView({ x: 300, y: 300, zoom: 8 });
    await page.evaluate(() => window.addEventListener('pagehide', () => {
        const place = sessionStorage.getItem('lightcone.place') ?? '';
        sessionStorage.setItem('lightcone.place', place.replace('pulsar', 'another'));
    }));
    await page.reload();
    await viewer.isOpen();
    await page.locator('button[data-command="fit"][aria-pressed="true"]').first().waitFor();
    await context.close();
    assert.deepEqual(complaints, []);
});

/**
 * Makes a universe by the dialog.
 * @param {Page} page
 * @param {(dialog: import('playwright-core').Locator) => Promise<void>} fill
 */
async function make(page, fill) {
    await page.locator('#stage').focus();
    await page.keyboard.press('n');
    const dialog = page.getByRole('dialog');
    await fill(dialog);
    await dialog.getByRole('button', { name: 'Create' }).click();
}

test('another universe by the dialog', async (t) => {
    const { page, viewer, oracle } = await open(t, [pattern('glider.rle')]);
    await make(page, async (dialog) => {
        await dialog.getByLabel('Rule').fill('B36/S23');
        await dialog.getByLabel('Topology').selectOption('K');
        await dialog.getByLabel('Width', { exact: true }).fill('120');
        await dialog.getByLabel('Height', { exact: true }).fill('80');
        await dialog.getByText('More').click();
        await dialog.getByLabel('Seed').fill('12');
    });
    await eventually(async () => {
        const { rule, width, height, topology } = await oracle.universe();
        assert.deepEqual([rule, width, height], ['B36/S23', 120, 80]);
        assert.match(topology, /Klein/);
    });
    const { population } = await eventually(async () => {
        const state = await oracle.state();
        assert.ok(Math.abs(Number(state.population) - 0.37 * 9600) < 300, state.population);
        return state;
    });
    await viewer.says('population', population);
    await viewer.tab('now');
    assert.match(await viewer.text('universe-facts'), /B36\/S23/);
    const view = await viewer.view();
    assert.deepEqual([view.x, view.y], [60, 40]);
});

test('messages are whole sentences, and say what to do', async (t) => {
    const { page } = await open(t, [pattern('glider.rle')]);
    const said = await page.evaluate(async (module) => {
        const { asSentence } = await import(module);
        return ['nothing is alive: draw something, or open a pattern', 'There is no connection.',
            'out of memory: 65536 x 65536 cells need 1.0 GiB and the limit is 200.0 MiB',
            'out of memory for a thumbnail', '"rule" has to be a string',
            'at most 2^24 a side and 2^30 in all', 'acorn.rle is not a pattern',
            'the file soup-123456.rle cannot be read', 'is it full?',
        ].map((text) => asSentence(text).replaceAll('\u202f', ' '));
    }, '/sentences.js');
    assert.deepEqual(said, ['Nothing is alive: draw something, or open a pattern.',
        'There is no connection.',
        'Out of memory: 65 536 × 65 536 cells need 1.0 GiB and the limit is 200.0 MiB. Make it ' +
            'smaller, or start lightcone with a larger limit (--max-memory).',
        'Out of memory for a thumbnail. Close other programs, or make the universe smaller.',
        '"rule" has to be a string.', 'At most 2²⁴ a side and 2³⁰ in all.',
        'acorn.rle is not a pattern.', 'The file soup-123456.rle cannot be read.', 'Is it full?']);
});

test('a file that cannot be opened is named, and what is wrong with it', async (t) => {
    const { page, viewer } = await open(t, [pattern('glider.rle')]);
    const file = (/** @type {string} */ text) =>
        ({ name: 'a.rle', mimeType: 'text/plain', buffer: Buffer.from(text) });
    await page.locator('#file').setInputFiles(file(''));
    await viewer.complains(/^a\.rle is empty\./);
    assert.equal(await page.locator('.toast').count(), 0);
    await page.locator('#file').setInputFiles(file('x = 3, y = 3\n2?o'));
    await viewer.complains(/^a\.rle, line 2: /);
    assert.equal(await viewer.text('population'), '5');
});

test('what cannot be made is refused in a sentence, and nothing changes', async (t) => {
    const { page, viewer, oracle } = await open(t, [pattern('glider.rle')]);
    await make(page, async (dialog) => {
        await dialog.getByLabel('Rule').fill('B9/S23');
        await dialog.getByText(/^The rule, at character 2: .* not 9\./).waitFor();
    });
    await viewer.key('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await make(page, async (dialog) => {
        await dialog.getByLabel('Rule').fill('B03/S23'); // so that nothing stays empty
        await dialog.getByLabel('Topology').selectOption('T');
        await dialog.getByLabel('Width', { exact: true }).fill('99999999999');
        await dialog.getByLabel('Height', { exact: true }).fill('99999999999');
    });
    await viewer.complains(/^99\s.*999 × 99\s.* any memory could hold\. Make it smaller, .*\.$/);
    // The browser itself holds back what is no number.
    await make(page, async (dialog) => {
        await dialog.getByText('More').click();
        await dialog.getByLabel('Seed').fill('twelve');
    });
    assert.ok(await page.getByRole('dialog').isVisible());
    await viewer.key('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await viewer.tab('edit');
    await viewer.press('paste-text');
    await page.locator('dialog textarea').fill('x = 3, y = 3, rule = B3/S23\n' +
        '999999999999999999999o!');
    await page.getByRole('button', { name: 'Use pattern' }).click();
    await viewer.complains(/[a-z].*[a-z]/);
    await viewer.key('b');
    await viewer.complains(/Take a snapshot first/);
    assert.equal((await oracle.state()).generation, '0');
    assert.equal((await oracle.cells()).size, 5);
    await viewer.key('Space');
    await viewer.says('generation', '1');
});

test('the sheet of keys lists them, and every key that it lists is one', async (t) => {
    const { page, viewer } = await open(t, [pattern('glider.rle')]);
    await viewer.key('?');
    const sheet = page.getByRole('dialog', { name: 'Keys' });
    await sheet.waitFor();
    const keys = await sheet.locator('kbd').allTextContents();
    for (const key of ['Enter', 'Space', 'Tab', 'F', 'G', '+', '1', 'Ctrl', 'Esc']) {
        assert.ok(keys.includes(key), key);
    }
    await viewer.key('Space'); // it is the sheet's: nothing steps
    await viewer.key('Escape');
    await sheet.waitFor({ state: 'detached' });
    await viewer.says('generation', '0');
    await page.locator('#stage').focus();
    await viewer.key('Space');
    await viewer.says('generation', '1');
});

test('the panel folds away, full screen comes and goes', async (t) => {
    const { page, viewer } = await open(t, [pattern('glider.rle')]);
    const wide = (await viewer.stage()).width;
    await viewer.key('p');
    await page.locator('#panel').waitFor({ state: 'hidden' });
    await eventually(async () => assert.ok((await viewer.stage()).width > wide + 100));
    await viewer.press('panel');
    await eventually(async () => assert.equal((await viewer.stage()).width, wide));
    await viewer.press('full-screen');
    await page.waitForFunction(() => document.fullscreenElement !== null);
    await viewer.press('full-screen');
    await page.waitForFunction(() => document.fullscreenElement === null);
});
