// Two fingers on a touch pad zoom, pinch and pan. Which steps are one gesture the page tells by the
// time between them, so this needs a machine that has nothing else to do.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { assertNear, close, open, pattern } from './support.mjs';

/** @import { Page } from 'playwright-core' */
/** @import { Point } from './support.mjs' */

after(close);

/**
 * Two fingers on a touch pad, as the browser tells of them: a stream of steps.
 * @param {Page} page
 * @param {number[][]} steps x and y of each, in pixels
 * @param {'Shift' | 'Control' | ''} [held] Control: they pinch
 * @returns {Promise<number>} the longest time that may have been between two steps, in ms
 */
async function swipe(page, steps, held = '') {
    let longest_ms = 0;
    let before_ms = performance.now();
    if (held) await page.keyboard.down(held);
    for (const [x, y] of steps) {
        const begun_ms = performance.now();
        await page.mouse.wheel(x, y);
        longest_ms = Math.max(longest_ms, performance.now() - before_ms);
        before_ms = begun_ms;
    }
    if (held) await page.keyboard.up(held);
    await page.waitForTimeout(250); // the hand leaves it
    return longest_ms;
}

test('a touch pad: small steps zoom continuously, a pinch too; sideways or Shift pans',
    async (t) => {
        const { page, viewer } = await open(t, [pattern('acorn.rle')]);
        const stage = await viewer.stage();
        const point = { x: Math.round(stage.x + 300), y: Math.round(stage.y + 200) };
        await page.mouse.move(point.x, point.y);
        const begin = { x: 3, y: 5, zoom: 4 };
        /**
         * From the same view; again where this machine was so slow that the page saw two gestures.
         * @param {number[][]} steps
         * @param {'Shift' | 'Control' | ''} [held]
         * @returns {Promise<Point>} the cell that was under the pointer
         */
        const gesture = async (steps, held) => {
            await viewer.setView(begin);
            const under = await viewer.cellAt(point);
            return await swipe(page, steps, held) < 170 ? under : gesture(steps, held);
        };
        // Towards the hand: a little at a time, 240 pixels for a doubling.
        let under = await gesture([[0, -3], [0, -5], [0, -4]]);
        const { zoom } = await viewer.view();
        assert.ok(Math.abs(Math.log2(zoom / 4) - 12 / 240) < 1e-6, `${zoom}`);
        assertNear(await viewer.cellAt(point), under);
        // A gentle swipe with its long end crosses two doublings and not twelve, also where its
        // middle is as quick as a wheel's notch.
        under = await gesture([2, 8, 20, 60, 90, 120, 90, 50, 24, 10, 4, 2].map((y) => [0, y]));
        assert.ok(Math.abs(Math.log2((await viewer.view()).zoom / 4) + 2) < 1e-6);
        assertNear(await viewer.cellAt(point), under);
        // A pinch is quicker, and a finger that slips a little sideways does no harm.
        under = await gesture(Array(10).fill([0, -7]), 'Control');
        assert.ok(Math.abs((await viewer.view()).zoom / 4 - Math.exp(0.7)) < 1e-6);
        assertNear(await viewer.cellAt(point), under);
        under = await gesture([[1, -8], [2, -20], [3, -20], [-1, -12]]);
        assert.ok(Math.abs(Math.log2((await viewer.view()).zoom / 4) - 60 / 240) < 1e-6);
        assertNear(await viewer.cellAt(point), under);
        // Two axes pan, to the end of the gesture.
        await gesture([[8, 2], [30, 10], [20, 12], [2, 20], [0, 16]]);
        assert.deepEqual(await viewer.view(), { x: 3 + 60 / 4, y: 5 + 60 / 4, zoom: 4 });
        // With Shift everything does; the wheel then goes sideways.
        await gesture([[0, 10], [4, 30]], 'Shift');
        const panned = await viewer.view();
        assert.equal(panned.zoom, 4);
        assert.equal(panned.x - 3 + panned.y - 5, (10 + 34) / 4);
        await gesture([[0, 120]], 'Shift');
        assert.deepEqual(await viewer.view(), { x: 3 + 120 / 4, y: 5, zoom: 4 });
        // And a wheel is a wheel again.
        await swipe(page, [[0, -120]]);
        assert.equal((await viewer.view()).zoom, 8);
        await swipe(page, [[0, 120], [0, 120]], 'Control');
        assert.equal((await viewer.view()).zoom, 2);
    });
