// The first minute of somebody who has never seen the page: what is alive is seen from any
// distance, a pattern stays in view while it grows, and it goes no faster than eyes can follow.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { contrast } from './contrast.mjs';
import { close, eventually, open, pattern } from './support.mjs';

/** @import { Viewer } from './support.mjs' */

after(close);

for (const options of /** @type {import('playwright-core').BrowserContextOptions[]} */ ([
    { colorScheme: 'dark' }, { colorScheme: 'light' },
    { colorScheme: 'dark', forcedColors: 'active' },
    { colorScheme: 'light', forcedColors: 'active' },
])) {
    test(`whatever is alive stands out from what is not: ${Object.values(options)}`, async (t) => {
        const { page, viewer } = await open(t, [pattern('glider.rle')], options);
        const [dead, ...alive] = await viewer.palette();
        for (const [i, colour] of alive.entries()) {
            const found = contrast(colour, dead);
            assert.ok(found >= 7, `level ${i + 1} has a contrast of ${found}`);
        }
        if (!options.forcedColors) return;
        const system = await page.evaluate(() => ['Canvas', 'CanvasText'].map((name) => {
            document.body.style.color = name;
            document.body.style.forcedColorAdjust = 'none';
            const { color } = getComputedStyle(document.body);
            return (color.match(/\d+/g) ?? []).slice(0, 3).map(Number);
        }));
        assert.deepEqual([dead, alive[254]], system);
    });
}

test('the picture changes its colours when the system does', async (t) => {
    const { page, viewer } = await open(t, [pattern('glider.rle')]);
    const before = await viewer.palette();
    await page.emulateMedia({ forcedColors: 'active' });
    await eventually(async () => assert.notDeepEqual(await viewer.palette(), before));
    await page.emulateMedia({ forcedColors: 'none' });
    await eventually(async () => assert.deepEqual(await viewer.palette(), before));
});

for (const query of ['?webgl', '?canvas']) {
    test(`a single cell stands out at any scale ${query}`, async (t) => {
        const { viewer, oracle } = await open(t, [], {
            query, viewport: { width: 1070, height: 420 }, // all its pixels are looked at 21 times
        });
        await oracle.ask({ do: 'take' });
        await oracle.ask({ do: 'cells', alive: true, stroke: 1, runs: [7, 5, 1] });
        await viewer.key('h');
        const [dead] = await viewer.palette();
        for (const zoom of [0.93, 0.71, 0.51, 0.37, 0.2601, 0.031, 0.0017]) {
            for (const off of [0, 0.3 / zoom, 0.61 / zoom]) {
                await viewer.setView({ x: 2 + off, y: 3 + off, zoom });
                await eventually(async () => {
                    const screen = await viewer.screen();
                    const lit = [];
                    for (let y = 0; y < screen.height; y++) {
                        for (let x = 0; x < screen.width; x++) {
                            const colour = screen.at(x, y);
                            if (colour.every((each, i) => each === dead[i])) continue;
                            lit.push(contrast(colour, dead));
                        }
                    }
                    assert.ok(lit.length >= 1 && lit.length <= 4, `${lit.length} at ${zoom}`);
                    assert.ok(Math.max(...lit) >= 7, `${lit} at ${zoom}, ${off}`);
                });
            }
        }
    });
}

/** @param {Viewer} viewer @param {import('./support.mjs').Box} box */
async function assertSeen(viewer, box) {
    const { left, right, top, bottom } = await viewer.seen();
    assert.ok(left <= box.x && top <= box.y && right >= box.x + box.width &&
        bottom >= box.y + box.height, JSON.stringify({ left, right, top, bottom, ...box }));
}

test('what grows stays in view, until somebody moves the view', async (t) => {
    const { page, viewer, oracle } = await open(t, [pattern('acorn.rle')]);
    const fit = page.locator('button[data-command="fit"]').first();
    const begun = await eventually(async () => {
        const view = await viewer.view();
        assert.ok(Number.isInteger(view.zoom) && view.zoom >= 16, `${view.zoom}`);
        return view;
    });
    await viewer.key('.', 7);
    await viewer.key('Tab'); // 2,048 generations
    await viewer.says('generation', '2048');
    const { box } = await oracle.ask({ do: 'box' });
    await eventually(() => assertSeen(viewer, box));
    assert.ok((await viewer.view()).zoom < begun.zoom);
    assert.equal(await fit.getAttribute('aria-pressed'), 'true');
    // Below a pixel a cell it takes the room there is.
    await viewer.key('.', 1);
    await viewer.key('Tab');
    await viewer.says('generation', '6144');
    await viewer.key('f');
    const now = (await oracle.ask({ do: 'box' })).box;
    await eventually(async () => {
        const { width, height } = await viewer.stage();
        const { zoom } = await viewer.view();
        assert.ok(zoom < 1 && zoom > 0.9 * Math.min(width / now.width, height / now.height),
            `${zoom}`);
        await assertSeen(viewer, now);
    });
    // A hand on the view ends that.
    await viewer.key(']');
    assert.equal(await fit.getAttribute('aria-pressed'), 'false');
    // It ends a fit whose box is still being found, too.
    await viewer.key('f');
    await viewer.key(']');
    await oracle.ask({ do: 'box' });
    assert.equal(await fit.getAttribute('aria-pressed'), 'false');
    const view = await viewer.view();
    await viewer.key('Tab');
    await viewer.says('generation', '10240');
    assert.deepEqual(await viewer.view(), view);
    await viewer.press('fit');
    assert.equal(await fit.getAttribute('aria-pressed'), 'true');
    await eventually(async () => assertSeen(viewer, (await oracle.ask({ do: 'box' })).box));
});

test('the view stays where it is while something is drawn, and follows a smaller stage',
    async (t) => {
        const { page, viewer, oracle } = await open(t, [pattern('r-pentomino.rle')]);
        const stage = await viewer.stage();
        await page.mouse.move(stage.x + 30, stage.y + 30);
        await viewer.key('d');
        await page.mouse.down();
        const view = await viewer.view();
        await oracle.ask({ do: 'take' });
        await oracle.ask({ do: 'step', generations: '500' });
        await viewer.says('generation', '500');
        assert.deepEqual(await viewer.view(), view);
        await page.mouse.up();
        await oracle.ask({ do: 'step', generations: '20' });
        const { box } = await oracle.ask({ do: 'box' });
        await eventually(() => assertSeen(viewer, box));
        await page.setViewportSize({ width: 700, height: 500 });
        await eventually(() => assertSeen(viewer, box));
    });

test('patterns go at a pace that eyes can follow; --speed says another one', async (t) => {
    const { page, viewer, oracle } = await open(t, [pattern('acorn.rle')]);
    assert.equal((await oracle.until({ speed: 30, running: false })).generation, '0');
    await viewer.says('speed-text', '30/s');
    await viewer.key('+');
    await oracle.until({ speed: 60 });
    // Who has chosen a speed keeps it.
    await viewer.key('/');
    await page.getByRole('button', { name: 'Open Glider', exact: true }).click();
    await eventually(async () => assert.match((await oracle.universe()).name, /glider/));
    await oracle.until({ speed: 60 });
    const other = await open(t, [pattern('acorn.rle'), '--speed', 'max']);
    await other.oracle.until({ speed: null });
    const large = await open(t, ['--soup', '0.4', '--size', '4096']);
    await large.oracle.until({ speed: null });
});

test('where nothing lives the pencil is in hand, and one line says how to begin', async (t) => {
    const { page, viewer, oracle } = await open(t, []);
    const line = page.locator('#nothing');
    await line.waitFor();
    assert.match(await viewer.text('nothing-text'), /Draw here, choose a pattern, or drop a file/);
    const pressed = (/** @type {string} */ tool) => page
        .locator(`#tools button[data-command="${tool}"]`).getAttribute('aria-pressed');
    assert.equal(await pressed('draw'), 'true');
    await eventually(async () =>
        assert.ok((await viewer.view()).zoom >= 8, 'cells can be drawn'));
    // It does not stand in the way.
    await viewer.drag([[-3, 0], [3, 0]]);
    await oracle.holds(new Set([-3, -2, -1, 0, 1, 2, 3].map((x) => `${x},0`)));
    await line.waitFor({ state: 'hidden' });
    await viewer.key('Control+z');
    await line.waitFor();
    await viewer.key('Control+y');
    await line.waitFor({ state: 'hidden' });
    await viewer.key('Enter');
    await oracle.until({ running: true, speed: 30 });
    await viewer.key('Enter');
    await viewer.key('r');
    await viewer.key('Control+z');
    // Its buttons lead on.
    const other = await open(t, []);
    await other.page.locator('#nothing').getByRole('button', { name: 'Patterns' }).click();
    await other.page.getByRole('button', { name: 'Open Glider', exact: true }).click();
    await other.page.locator('#nothing').waitFor({ state: 'hidden' });
    await eventually(async () => assert.equal(await other.page
        .locator('#tools button[data-command="hand"]').getAttribute('aria-pressed'), 'true'));
    // Who has chosen a tool keeps it.
    const third = await open(t, []);
    await third.page.locator('#nothing').waitFor();
    await third.viewer.key('s');
    await third.viewer.key('/');
    await third.page.getByRole('button', { name: 'Open Glider', exact: true }).click();
    await third.viewer.says('population', '5');
    assert.equal(await third.page.locator('#tools button[data-command="select"]')
        .getAttribute('aria-pressed'), 'true');
});

test('the line comes back after what left no cell behind', async (t) => {
    const { page, viewer, oracle } = await open(t, []);
    const line = page.locator('#nothing');
    await line.waitFor();
    for (const tool of ['s', 'e']) {
        await viewer.key(tool);
        await viewer.click(-9, -9);
        await line.waitFor();
    }
    // What is undone at once may never have been told of as alive.
    await viewer.key('d');
    for (let i = 0; i < 10; i++) {
        await viewer.click(-9, -9);
        await viewer.key('Control+z');
        await line.waitFor();
    }
    await oracle.holds(new Set());
});

test('on a slim page strokes go through the line that says how to begin, and beside its buttons',
    async (t) => {
        const { page, viewer, oracle } = await open(t, [], {
            viewport: { width: 320, height: 640 },
        });
        await page.locator('#nothing').waitFor();
        const left = (/** @type {{x: number, y: number, width: number, height: number}} */ box) =>
            ({ x: box.x - 30, y: box.y + box.height / 2 });
        const places = [
            await page.locator('#nothing-text').boundingBox(),
            await page.locator('#nothing').getByRole('button', { name: 'Open file' }).boundingBox(),
        ].map((box) => box && (box.x > 60 ? left(box) : { x: box.x + 40, y: box.y + 12 }));
        for (const place of places) {
            assert.ok(place);
            const { x, y } = await viewer.cellAt(place);
            await viewer.click(Math.floor(x), Math.floor(y));
            await oracle.holds(new Set([`${Math.floor(x)},${Math.floor(y)}`]));
            await viewer.key('Control+z');
            await oracle.holds(new Set());
            await page.locator('#nothing').waitFor();
        }
    });

test('life that has died out is told of, with ways back; an onlooker is offered nothing',
    async (t) => {
        const { page, viewer, oracle } = await open(t, []);
        const drawn = new Set(['0,0', '1,0']);
        const line = page.locator('#nothing');
        const reset = line.getByRole('button', { name: 'Reset to the start' });
        await line.waitFor();
        assert.ok(!await reset.isVisible());
        await viewer.drag([[0, 0], [1, 0]]);
        await viewer.says('population', '2');
        /** @type {[() => Promise<void>, RegExp][]} */
        const ways = [
            [() => viewer.key('Control+z'),
                / to the start; Undo \(Ctrl Z\) restores your drawing\.$/],
            [() => reset.click(), / to the start\.$/],
            [() => viewer.key('r'), /^All cells have died\. Reset \(R\) returns to the start/],
        ];
        for (const [way, says] of ways) {
            await viewer.press('run');
            await line.waitFor();
            await viewer.says('generation', /^[1-9]\d*$/);
            await viewer.says('nothing-text', says);
            await way();
            await line.waitFor({ state: 'hidden' });
            await oracle.holds(drawn);
        }
        // What is taken away by hand has not died.
        await oracle.until({ generation: '0' });
        await viewer.key('e');
        await viewer.drag([[0, 0], [1, 0]]);
        await line.waitFor();
        await viewer.says('nothing-text', /^Draw here, /);
        await viewer.key('Control+z');
        await line.waitFor({ state: 'hidden' });
        await viewer.key('Space');
        await viewer.says('nothing-text', /^All cells have died/);
        await oracle.ask({ do: 'take' });
        await viewer.says('nothing-text', 'All cells have died.');
        assert.ok(!await page.locator('#nothing-buttons').isVisible());
        await oracle.ask({ do: 'new', rule: 'B3/S23' });
        await viewer.says('nothing-text', 'There are no live cells yet.');
    });

test('Patterns and New are in the bar, and what is used less is behind More', async (t) => {
    const { page, viewer, oracle } = await open(t, [pattern('r-pentomino.rle')]);
    const bar = page.locator('#bar');
    await bar.getByRole('button', { name: 'Patterns' }).click();
    await page.locator('li.pattern').first().waitFor();
    await bar.getByRole('button', { name: 'New universe' }).click();
    await page.getByRole('dialog').waitFor();
    await viewer.key('Escape');
    const hidden = ['leap', 'keep', 'line', 'follow', 'lock'];
    for (const command of hidden) {
        assert.equal(await bar.locator(`[data-command="${command}"]`).count(), 0, command);
    }
    // By the keyboard alone.
    const more = bar.getByRole('button', { name: /^More/ });
    const sheet = page.locator('#more');
    const at = () => page.evaluate(() => document.activeElement?.getAttribute('data-command'));
    assert.equal(await more.getAttribute('aria-controls'), 'more');
    await viewer.key('`');
    await sheet.waitFor();
    assert.equal(await more.getAttribute('aria-expanded'), 'true');
    const commands = await sheet.locator('button:enabled').evaluateAll((all) =>
        all.map((each) => each.getAttribute('data-command')));
    for (const command of hidden) assert.ok(commands.includes(command), command);
    for (const command of [...commands, commands[0]]) {
        assert.equal(await at(), command);
        await viewer.key('ArrowDown');
    }
    await viewer.key('ArrowUp', 2);
    assert.equal(await at(), commands.at(-1));
    await viewer.key('ArrowDown');
    assert.equal(await at(), 'leap');
    await viewer.key('Enter');
    await viewer.says('generation', '16');
    await page.getByRole('button', { name: 'Jump 16 generations' }).waitFor();
    // Escape closes it from its fields, too, and the button has the focus again.
    for (const field of ['#filled', '#symmetry', '#brush', '[data-command="keep"]']) {
        await sheet.locator(field).focus();
        await viewer.key('Escape');
        await sheet.waitFor({ state: 'hidden' });
        assert.equal(await at(), 'more-tools');
        assert.equal(await more.getAttribute('aria-expanded'), 'false');
        await more.press('Enter');
        await sheet.waitFor();
    }
    await viewer.key('Escape');
    // Keys lead there as they did.
    await page.locator('#stage').focus();
    await viewer.key('Tab');
    await viewer.says('generation', '32');
    await viewer.key('m');
    await oracle.until({ moments: [{ id: 1, generation: '32',
        population: (await oracle.state()).population }] });
    await viewer.key('l');
    assert.equal(await page.locator('#stage').getAttribute('data-tool'), 'line');
    assert.match(await more.getAttribute('aria-label') ?? '', /^More: Draw a line is in use$/);
    await viewer.key('o');
    assert.equal(await sheet.locator('[data-command="follow"]').getAttribute('aria-pressed'),
        'true');
});

test('New offers a torus that is seen whole, and no number of twenty digits', async (t) => {
    const { page, viewer, oracle } = await open(t, [pattern('glider.rle')]);
    await viewer.key('n');
    const dialog = page.getByRole('dialog');
    assert.equal(await dialog.getByLabel('Topology').inputValue(), 'T');
    const stage = await viewer.stage();
    const width = Number(await dialog.getByLabel('Width', { exact: true }).inputValue());
    assert.ok(width > stage.width / 4 && width <= stage.width / 2, `${width}`);
    assert.ok(!await dialog.getByLabel('Seed').isVisible());
    await dialog.getByRole('button', { name: 'Create' }).click();
    await eventually(async () => {
        assert.equal((await oracle.universe()).width, width);
        assert.ok((await viewer.view()).zoom >= 2);
    });
    await oracle.until({ speed: 30, running: false });
});

test('the rule field completes names, explains, and says where a rule is wrong', async (t) => {
    const { page, viewer } = await open(t, [pattern('glider.rle')]);
    await viewer.tab('now');
    await viewer.press('change');
    const dialog = page.getByRole('dialog');
    const rule = dialog.getByLabel('Rule');
    const says = (/** @type {RegExp} */ text) => dialog.getByText(text).waitFor();
    await says(/^Life\. A dead cell becomes alive if 3 of its eight neighbours are alive; a live/);
    const names = await dialog.locator('datalist option')
        .evaluateAll((all) => all.map((each) => each.getAttribute('value')));
    assert.ok(names.includes('HighLife') && names.length > 50);
    for (const [text, words] of /** @type {[string, RegExp][]} */ ([
        ['highlife', /^B36\/S23: HighLife\. .* if 3 or 6 of its eight .* with 2 or 3\.$/],
        ['B2/S', /Seeds\. .* if 2 of .*; a live cell always dies\.$/],
        ['B3/S012345678', /a live cell never dies\.$/],
        ['B2/S34H', /of its six neighbours/],
        ['B/S1', /^No cell is ever born; a live cell survives with 1\.$/],
        ['B2-a/S12', /if 2 \(not as a\) of/],
        ['W30', /Wolfram/],
        ['B01/S', /Empty space becomes alive/],
    ])) {
        await rule.fill(text);
        await says(words);
        assert.equal(await rule.getAttribute('aria-invalid'), 'false');
    }
    await rule.fill('B3/S2q');
    await says(/at character 6: 2 neighbours have no arrangement/);
    assert.equal(await dialog.locator('mark').textContent(), 'q');
    await dialog.getByRole('button', { name: 'Change' }).click();
    assert.ok(await dialog.isVisible(), 'what is wrong is not sent');
    // A rule that cannot live on a surface is told of as well.
    await rule.fill('W30');
    await dialog.getByLabel('Topology').selectOption('K');
    await says(/edges of this Klein bottle/);
});

test('the topology changes in place: what does not fit is said before, undo brings it back',
    async (t) => {
        const { page, viewer, oracle } = await open(t, [pattern('gosper-glider-gun.rle')]);
        const before = await oracle.cells();
        await viewer.tab('now');
        const change = async (/** @type {string} */ width, /** @type {RegExp} */ text) => {
            await viewer.press('change');
            const dialog = page.getByRole('dialog');
            await dialog.getByLabel('Topology').selectOption('T');
            await dialog.getByLabel('Width', { exact: true }).fill(width);
            await dialog.getByLabel('Height', { exact: true }).fill('50');
            await dialog.getByText(text).waitFor();
            await dialog.getByRole('button', { name: 'Change' }).click();
            await viewer.says('universe-facts', new RegExp(`torus ${width} x 50`));
        };
        await change('20', /^[1-9]\d? live cells do not fit .* Undo brings them back\.$/);
        assert.ok((await oracle.cells()).size < before.size);
        await viewer.press('undo');
        await oracle.holds(before);
        await viewer.says('universe-facts', /infinite plane/);
        await change('60', /^All live cells fit\.$/);
        assert.equal((await oracle.cells()).size, before.size);
        await viewer.press('undo');
        await oracle.holds(before);
    });

test('words stand below the icons where there is room for all of them', async (t) => {
    const { page } = await open(t, [pattern('glider.rle')], {
        viewport: { width: 1600, height: 800 },
    });
    const word = page.locator('#bar .word').first();
    await word.waitFor();
    assert.equal(await word.textContent(), 'Run');
    for (const width of [1250, 1100, 900, 500]) {
        await page.setViewportSize({ width, height: 800 });
        await eventually(async () => {
            const { shown, room } = await page.locator('#bar').evaluate((bar) => ({
                shown: [...bar.querySelectorAll('.word')].some((each) => each.checkVisibility()),
                room: bar.scrollWidth <= bar.clientWidth,
            }));
            assert.ok(room, `${width}`);
            assert.ok(!shown || width > 800, `${width}`);
        });
    }
    await page.setViewportSize({ width: 1600, height: 800 });
    await word.waitFor();
    await page.keyboard.press('Enter');
    await eventually(async () => assert.equal(await word.textContent(), 'Pause'));
    // The word is part of the name, for those who speak to the page.
    const wrong = await page.locator('#bar button').evaluateAll((all) => all.filter((each) => {
        const [shown, name] = [each.querySelector('.word')?.textContent ?? '',
            each.getAttribute('aria-label') ?? ''];
        return !name.toLowerCase().includes(shown.toLowerCase());
    }).map((each) => each.outerHTML));
    assert.deepEqual(wrong, []);
});
