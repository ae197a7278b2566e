// The page on small screens, for fingers, and in colours that the user has chosen: everything is
// there, large enough, and nothing lies over the pattern.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { close, eventually, open, pattern } from './support.mjs';

/** @import { Page } from 'playwright-core' */
/** @import { Box, Viewer } from './support.mjs' */

after(close);

const phone = { hasTouch: true, isMobile: true };

/** @param {Page} page @param {string} selector @returns {Promise<Box>} */
async function boxOf(page, selector) {
    const box = await page.locator(selector).boundingBox();
    assert.ok(box !== null, selector);
    return box;
}

/** @param {Box} a @param {Box} b */
function overlap(a, b) {
    return a.x < b.x + b.width - 0.5 && b.x < a.x + a.width - 0.5 && a.y < b.y + b.height - 0.5 &&
        b.y < a.y + a.height - 0.5;
}

/**
 * Every control that is to be seen, where it is cut off or too small.
 * @param {Page} page
 * @param {number} least_px
 */
function faults(page, least_px) {
    return page.evaluate((least) => {
        const all = document.querySelectorAll('button, select, input:not([type="checkbox"])');
        return [...all].filter((each) => each.checkVisibility()).flatMap((each) => {
            const { left, right, top, bottom, width, height } = each.getBoundingClientRect();
            const name = each.id || each.getAttribute('data-command') || each.textContent?.trim();
            const scrolls = each.closest('[role="tabpanel"], #folded') !== null;
            const found = [];
            if (!scrolls && (left < -0.5 || right > innerWidth + 0.5 || top < -0.5 ||
                bottom > innerHeight + 0.5)) found.push(`${name} is cut off`);
            if (width < least || height < least) found.push(`${name}: ${width} x ${height}`);
            return found;
        });
    }, least_px);
}

for (const [width, fingers] of /** @type {[number, boolean][]} */ ([
    [400, false], [600, false], [760, false], [900, false], [1120, false], [1920, false],
    [320, true], [390, true], [768, true], [1180, true],
])) {
    const name = `${width} wide${fingers ? ', for fingers' : ''}`;
    test(`the picture keeps its size while the page comes to life, ${name}`, async (t) => {
        const { page, viewer } = await open(t, [pattern('acorn.rle')], {
            viewport: { width, height: 720 }, ...fingers ? phone : {},
            script: () => {
                /** @type {Set<string>} */
                const sizes = new Set();
                Object.assign(window, { sizes });
                const watch = new ResizeObserver(([{ contentRect: { width, height } }]) => {
                    sizes.add(`${width} x ${height}`);
                });
                document.addEventListener('DOMContentLoaded', () => {
                    const stage = document.querySelector('#stage');
                    if (stage !== null) watch.observe(stage);
                });
            },
        });
        await viewer.says('population', '7');
        await viewer.says('viewers', '2 viewers');
        // A change of what is to be seen is told of with the second picture after it.
        await page.evaluate(() => new Promise((done) => {
            requestAnimationFrame(() => requestAnimationFrame(done));
        }));
        const sizes = await page.evaluate(() => [...Reflect.get(window, 'sizes')]);
        assert.equal(sizes.length, 1, sizes.join(', '));
    });
}

for (const [width, height, fingers] of /** @type {[number, number, boolean][]} */ ([
    [320, 568, true], [390, 844, true], [844, 390, true], [640, 800, false], [768, 1024, true],
])) {
    test(`${width} x ${height}: all is there, and nothing is over the pattern`, async (t) => {
        const { page, viewer } = await open(t, [pattern('gosper-glider-gun.rle')], {
            viewport: { width, height }, ...fingers ? phone : {},
        });
        const least_px = fingers ? 43.5 : 20;
        assert.deepEqual(await faults(page, least_px), []);
        // The bar is as few rows as it can be.
        const bar = await boxOf(page, '#bar');
        const rows = width < 544 ? 3 : width < 800 ? 2 : 1;
        assert.ok(bar.height < rows * (fingers ? 52 : 44) + 8, `${bar.height} for ${rows} rows`);
        for (const name of /** @type {const} */ (['edit', 'now', 'files', 'patterns'])) {
            if (await page.locator('#panel').isHidden()) await viewer.press('panel');
            await viewer.tab(name);
            if (name === 'patterns') await page.locator('li.pattern').first().waitFor();
            assert.deepEqual(await faults(page, least_px), []);
            const [stage, panel] = [await boxOf(page, '#stage'), await boxOf(page, '#panel')];
            assert.ok(!overlap(stage, panel), 'the panel is beside or below the picture');
            const { width: across, height: down } = stage;
            assert.ok(across >= 150 && down >= 110, `${across} x ${down}`);
        }
        const sideways = await page.evaluate(() => document.documentElement.scrollWidth);
        assert.equal(sideways, width, 'nothing makes the page wider');
    });
}

test('what can be done with a selection is beside it, on a phone', async (t) => {
    const { page, viewer, oracle } = await open(t, [pattern('gosper-glider-gun.rle')], {
        viewport: { width: 390, height: 844 }, ...phone,
    });
    await viewer.setView({ x: 18, y: 5, zoom: 8 });
    const bar = page.locator('#selection-bar');
    await viewer.press('select');
    assert.ok(await bar.isHidden());
    await viewer.drag([[0, 4], [1, 5]]);
    await bar.waitFor();
    const beside = async (/** @type {number[]} */ [left, top, right, bottom]) => {
        const [a, b] = [await viewer.at(left, top), await viewer.at(right, bottom)];
        const selected = { x: a.x - 4, y: a.y - 4, width: b.x - a.x + 8, height: b.y - a.y + 8 };
        await eventually(async () => {
            const place = await boxOf(page, '#selection-bar');
            const stage = await boxOf(page, '#stage');
            assert.ok(!overlap(place, selected), 'it hides nothing of it');
            assert.ok(place.x >= stage.x && place.x + place.width <= stage.x + stage.width);
            const apart = Math.min(Math.abs(place.y + place.height - selected.y),
                Math.abs(place.y - selected.y - selected.height));
            assert.ok(apart < 20, `${apart} pixels away`);
        });
    };
    await beside([0, 4, 1, 5]);
    // At the upper edge it goes below.
    await viewer.setView({ x: 0, y: 3 + (await viewer.stage()).height / 16, zoom: 8 });
    await beside([0, 4, 1, 5]);
    await viewer.setView({ x: 18, y: 5, zoom: 8 });
    await bar.getByRole('button', { name: 'Clear inside' }).tap();
    await viewer.says('population', '32');
    await viewer.press('undo');
    await viewer.says('population', '36');
    // Where it cannot be seen, it has no bar; and neither while the panel has the buttons.
    await viewer.setView({ x: 1000, y: 5, zoom: 8 });
    await bar.waitFor({ state: 'hidden' });
    await viewer.setView({ x: 18, y: 5, zoom: 8 });
    await bar.waitFor();
    await viewer.press('panel');
    await viewer.tab('edit');
    await bar.waitFor({ state: 'hidden' });
    await viewer.press('panel');
    await bar.getByRole('button', { name: 'Deselect' }).tap();
    await bar.waitFor({ state: 'hidden' });
    assert.equal((await oracle.state()).generation, '0');
});

test('with fingers, help is about fingers first', async (t) => {
    const { page, viewer } = await open(t, [], { viewport: { width: 390, height: 844 }, ...phone });
    await viewer.key('?');
    const sheet = page.getByRole('dialog', { name: 'Help' });
    assert.equal(await sheet.locator('h3').first().textContent(), 'Fingers');
    await sheet.getByText('Two fingers', { exact: true }).waitFor();
});

test('a stroke ends where the picture ends, and goes on where it comes back', async (t) => {
    const { page, viewer, oracle } = await open(t, [], { viewport: { width: 1120, height: 640 } });
    await viewer.setView({ x: 0, y: 0, zoom: 16 });
    const stage = await viewer.stage();
    await viewer.key('d');
    const from = await viewer.at(5, 2);
    const back = await viewer.at(5, 6);
    const right = stage.x + stage.width;
    const edge = Math.floor((await viewer.cellAt({ x: right - 1, y: from.y })).x);
    await page.mouse.move(from.x, from.y);
    await page.mouse.down();
    await page.mouse.move(right + 120, from.y, { steps: 6 }); // over the panel
    await page.mouse.move(right + 120, back.y, { steps: 6 });
    await page.mouse.move(back.x, back.y, { steps: 6 });
    await page.mouse.up();
    const wanted = new Set();
    for (let x = 5; x <= edge; x++) for (const y of [2, 6]) wanted.add(`${x},${y}`);
    await oracle.holds(wanted);
    await viewer.key('Control+z');
    await oracle.holds(new Set());
});

test('in forced colours, what is pressed, done and off is still told apart', async (t) => {
    const { page, viewer } = await open(t, [pattern('glider.rle')], { forcedColors: 'active' });
    const look = (/** @type {string} */ selector) => page.locator(selector).first()
        .evaluate((each) => {
            const { backgroundColor, color, borderColor } = getComputedStyle(each);
            return [backgroundColor, color, borderColor].join();
        });
    const hand = '#tools button[data-command="hand"]';
    const draw = '#tools button[data-command="draw"]';
    const [pressed, other] = [await look(hand), await look(draw)];
    assert.notEqual(pressed, other);
    await viewer.press('draw');
    await page.mouse.move(500, 300);
    assert.deepEqual([await look(hand), await look(draw)], [other, pressed]);
    assert.notEqual(await look('button[data-command="undo"]:disabled'), other);
    const lamp = await page.locator('.lamp').evaluate((each) =>
        getComputedStyle(each).backgroundColor);
    const ground = await page.locator('#status').evaluate((each) =>
        getComputedStyle(each).backgroundColor);
    assert.notEqual(lamp, ground, 'the lamp is seen');
});
