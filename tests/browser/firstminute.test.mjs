// The first minute of somebody who has never seen the page: what is alive is seen from any
// distance, a pattern stays in view while it grows, and it goes no faster than eyes can follow.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { close, eventually, open, pattern } from './support.mjs';

/** @import { Viewer } from './support.mjs' */

after(close);

/** @param {number[]} colour @returns {number} as WCAG defines it */
function luminance(colour) {
    const [red, green, blue] = colour.map((byte) => {
        const share = byte / 255;
        return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** @param {number[]} a @param {number[]} b */
function contrast(a, b) {
    const [low, high] = [luminance(a), luminance(b)].sort((one, other) => one - other);
    return (high + 0.05) / (low + 0.05);
}

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
        const { viewer, oracle } = await open(t, [], { query });
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
                            const colour = screen.at(x, y).slice(0, 3);
                            if (colour.join() !== dead.join()) lit.push(contrast(colour, dead));
                        }
                    }
                    assert.ok(lit.length >= 1 && lit.length <= 4, `${lit.length} at ${zoom}`);
                    assert.ok(Math.max(...lit) >= 7, `${lit} at ${zoom}, ${off}`);
                });
            }
        }
    });
}

/** @param {Viewer} viewer */
async function seen(viewer) {
    const { x, y, zoom } = await viewer.view();
    const { width, height } = await viewer.stage();
    return {
        left: x - width / zoom / 2, right: x + width / zoom / 2,
        top: y - height / zoom / 2, bottom: y + height / zoom / 2,
    };
}

/** @param {Viewer} viewer @param {import('./support.mjs').Box} box */
async function assertSeen(viewer, box) {
    const { left, right, top, bottom } = await seen(viewer);
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
