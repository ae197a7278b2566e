// Every state of the page in front of axe-core: WCAG A and AA up to 2.2, in both schemes and in
// forced colours. It finds what a program can find; the other tests use the page by its names.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { after, test } from 'node:test';
import { close, eventually, launch, open, openPage, pattern } from './support.mjs';

/** @import { BrowserContextOptions, Page } from 'playwright-core' */
/** @import { Viewer } from './support.mjs' */

after(close);

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/**
 * What axe-core finds, a line each.
 * @param {Page} page
 * @param {string} state as the message names it
 */
async function check(page, state) {
    if (!await page.evaluate(() => 'axe' in window)) await page.evaluate(axe);
    const found = await page.evaluate(async (only) => {
        const { violations, passes } = await Reflect.get(window, 'axe').run(document,
            // Of what is right it need not name every element: that takes as long as looking.
            { runOnly: { type: 'tag', values: only }, resultTypes: ['violations'] });
        return {
            rules: passes.length,
            faults: violations.flatMap((/** @type {any} */ { id, nodes }) =>
                nodes.map((/** @type {any} */ { html, failureSummary }) =>
                    `${id}: ${html.slice(0, 160)} ${failureSummary}`)),
        };
    }, tags);
    assert.ok(found.rules > 10, `${state}: axe-core looked at something`);
    assert.deepEqual(found.faults, [], state);
}

/** @type {[string, BrowserContextOptions][]} */
const looks = [
    ['dark', { colorScheme: 'dark' }],
    ['light', { colorScheme: 'light' }],
    ['forced colours', { forcedColors: 'active' }],
    ['a phone', { viewport: { width: 320, height: 568 }, hasTouch: true, isMobile: true }],
];

for (const [look, options] of looks) {
    test(`${look}: no state of the page has a fault that axe-core knows`, async (t) => {
        const { page, viewer, server } = await open(t, [pattern('gosper-glider-gun.rle')], {
            permissions: ['clipboard-read', 'clipboard-write'], ...options,
        });
        await viewer.says('population', '36');
        await check(page, 'a pattern');
        for (const name of /** @type {const} */ (['now', 'edit', 'files'])) {
            if (await page.locator('#panel').isHidden()) await viewer.press('panel');
            await viewer.tab(name);
            await check(page, `the panel's page ${name}`);
        }
        await viewer.key('m');
        await viewer.tab('now');
        await page.getByRole('button', { name: 'Back to generation 0' }).waitFor();
        await viewer.key('Enter');
        await check(page, 'running, with a moment');
        await viewer.key('Enter');
        if (look === 'a phone') await viewer.press('panel');
        await selected(viewer);
        await check(page, 'a selection');
        await viewer.key('8');
        await viewer.says('identity-text', /./);
        await viewer.key('9');
        await viewer.says('labels-text', /in view/);
        await check(page, 'an identified selection, and labels');
        await viewer.key('9');
        if (look === 'a phone') await viewer.press('panel');
        await viewer.press('more-tools');
        await check(page, 'more tools');
        await viewer.key('Escape');
        await viewer.key('\\');
        await viewer.key('q');
        await check(page, 'another tool, with a symmetry');
        await viewer.key('Control+c');
        await viewer.key('v');
        await check(page, 'a clip at the pointer');
        await viewer.key('Escape', 2);
        for (const [key, name] of [['n', 'new'], ['?', 'help'], ['Control+g', 'go to']]) {
            await viewer.key(key);
            await page.locator('dialog[open]').waitFor();
            await check(page, `the dialog ${name}`);
            await viewer.key('Escape');
            await page.locator('dialog[open]').waitFor({ state: 'detached' });
        }
        if (await page.locator('#panel').isHidden()) await viewer.press('panel');
        await viewer.tab('files');
        await viewer.press('film');
        await check(page, 'the dialog film');
        await viewer.key('Escape');
        // Last: once its list of patterns is there, axe-core takes twice as long for each state.
        await viewer.tab('patterns');
        await page.locator('li.pattern').first().waitFor();
        await check(page, "the panel's page patterns");
        const onlooker = await openPage(server, { ...options });
        await onlooker.viewer.says('role', /watching/);
        await onlooker.viewer.key('Enter');
        await onlooker.page.locator('.toast').first().waitFor();
        await check(onlooker.page, 'an onlooker who was told no');
        await onlooker.context.close();
    });

    test(`${look}: nor has an empty universe, or one that is not there`, async (t) => {
        const token = 'a-token-for-a-test';
        const { page, viewer, server } = await open(t, ['--token', token],
            { token, quiet: true, ...options });
        await viewer.says('population', '0');
        await check(page, 'empty');
        const context = await (await launch()).newContext({ ...options });
        const outside = await context.newPage();
        await outside.goto(new URL('/', server.url).href);
        await outside.getByLabel('Token').waitFor();
        await check(outside, 'without the token');
        await context.close();
        server.child.kill('SIGSTOP');
        try {
            await page.locator('#waiting').filter({ hasText: /No answer/ }).waitFor();
            await check(page, 'a server that hangs');
        } finally {
            server.child.kill('SIGCONT');
        }
        await page.locator('#waiting').waitFor({ state: 'hidden' });
    });
}

/** @param {Viewer} viewer */
async function selected(viewer) {
    await viewer.key('s');
    await viewer.setView({ x: 18, y: 5, zoom: 8 });
    await viewer.drag([[10, 2], [20, 7]]);
    await eventually(async () => assert.match(await viewer.text('selection-text'), /11/));
}
