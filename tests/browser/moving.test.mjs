// Looking around: wheel, drag, fingers, fit, follow, scales. What stays under the pointer is
// what was there before.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { assertNear, close, eventually, open, pattern, put } from './support.mjs';

/** @import { CDPSession, Page } from 'playwright-core' */
/** @import { Point, Viewer } from './support.mjs' */

after(close);

for (const motion of /** @type {const} */ (['reduce', 'no-preference'])) {
    test(`the wheel keeps the cell under the pointer (motion: ${motion})`, async (t) => {
        const { page, viewer } = await open(t, [pattern('acorn.rle')], { reducedMotion: motion });
        await viewer.setView({ x: 3, y: 5, zoom: 4 });
        const stage = await viewer.stage();
        // Wheels are at whole pixels.
        const point = { x: Math.round(stage.x + 200), y: Math.round(stage.y + 150) };
        const under = await viewer.cellAt(point);
        await page.mouse.move(point.x, point.y);
        for (const [turn, zoom, text] of /** @type {const} */ ([
            [-120, 8, '8:1'], [-120, 16, '16:1'], [120, 8, '8:1'], [120, 4, '4:1'],
            [120, 2, '2:1'], [120, 1, '1:1'], [120, 1 / 2, '1:2'], [120, 1 / 4, '1:4'],
        ])) {
            await page.mouse.wheel(0, turn);
            await eventually(async () => assert.equal((await viewer.view()).zoom, zoom));
            assertNear(await viewer.cellAt(point), under);
            await viewer.says('scale', text);
        }
        // The limits hold, and there nothing moves any more.
        for (let i = 0; i < 24; i++) await page.mouse.wheel(0, 120);
        await eventually(async () => assert.equal((await viewer.view()).zoom, 2 ** -15));
        const last = await viewer.view();
        await page.mouse.wheel(0, 120);
        assert.deepEqual(await viewer.view(), last);
    });
}

test('a pinch on a touch pad as Safari tells of it', async (t) => {
    const { page, viewer } = await open(t, [pattern('acorn.rle')]);
    await viewer.setView({ x: 3, y: 5, zoom: 4 });
    const stage = await viewer.stage();
    const point = { x: stage.x + 300, y: stage.y + 200 };
    const under = await viewer.cellAt(point);
    const taken = await page.evaluate(({ x, y }) => ['gesturestart', 'gesturechange',
        'gesturechange', 'gestureend'].map((name, i) => {
        const event = new Event(name, { bubbles: true, cancelable: true });
        Object.assign(event, { scale: [1, 1.25, 1.5, 1.5][i], clientX: x, clientY: y });
        return !document.querySelector('#overlay')?.dispatchEvent(event);
    }), point);
    assert.deepEqual(taken, [true, true, true, true], 'the page itself is not zoomed');
    assert.ok(Math.abs((await viewer.view()).zoom - 6) < 1e-9);
    assertNear(await viewer.cellAt(point), under);
});

test('a drag pans, with the left, the middle or the right button, or with Space', async (t) => {
    const { page, viewer, oracle } = await open(t, [pattern('acorn.rle')]);
    await viewer.setView({ x: 0, y: 0, zoom: 8 });
    const old = await oracle.cells();
    const stage = await viewer.stage();
    const pan = async (/** @type {'left' | 'middle' | 'right'} */ button) => {
        const point = { x: stage.x + 300, y: stage.y + 300 };
        const under = await viewer.cellAt(point);
        await page.mouse.move(point.x, point.y);
        await page.mouse.down({ button });
        await page.mouse.move(point.x + 77, point.y - 33, { steps: 5 });
        await page.mouse.up({ button });
        assertNear(await viewer.cellAt({ x: point.x + 77, y: point.y - 33 }), under);
    };
    await pan('left');
    await viewer.key('d');
    await pan('middle');
    await pan('right');
    await page.keyboard.down('Space');
    await pan('left');
    await page.keyboard.up('Space');
    await oracle.holds(old); // nothing was drawn
    await oracle.until({ generation: '0' }); // and Space, with a drag, was no step
});

/**
 * @param {CDPSession} session
 * @param {'touchStart' | 'touchMove' | 'touchEnd'} type
 * @param {Point[]} points
 */
function touch(session, type, points) {
    const touchPoints = points.map(({ x, y }, id) => ({ x: Math.round(x), y: Math.round(y), id }));
    return session.send('Input.dispatchTouchEvent', { type, touchPoints });
}

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

test('fingers: one pans, two pinch and pan, on a phone', async (t) => {
    const { page, viewer } = await open(t, [pattern('acorn.rle')], phone);
    await viewer.setView({ x: 0, y: 0, zoom: 8 });
    const session = await page.context().newCDPSession(page);
    const stage = await viewer.stage();
    const [x, y] = [stage.x + stage.width / 2, stage.y + stage.height / 2];

    const under = await viewer.cellAt({ x, y });
    await touch(session, 'touchStart', [{ x, y }]);
    for (let i = 1; i <= 5; i++) {
        await touch(session, 'touchMove', [{ x: x + 10 * i, y: y + 8 * i }]);
    }
    await touch(session, 'touchEnd', []);
    assertNear(await viewer.cellAt({ x: x + 50, y: y + 40 }), under, 0.2);
    assert.equal((await viewer.view()).zoom, 8);

    // Two fingers, 100 pixels apart and then 200, their middle going 30 to the right.
    const middle = await viewer.cellAt({ x, y });
    const at = (/** @type {number} */ part) => [-1, 1].map((side) =>
        ({ x: x + 30 * part + side * (50 + 50 * part), y }));
    await touch(session, 'touchStart', at(0));
    for (let i = 1; i <= 10; i++) await touch(session, 'touchMove', at(i / 10));
    await touch(session, 'touchEnd', []);
    const { zoom } = await viewer.view();
    assert.ok(Math.abs(zoom - 16) < 0.2, `${zoom}`);
    assertNear(await viewer.cellAt({ x: x + 30, y }), middle, 0.3);
    const visual = await page.evaluate(() => [scrollX, scrollY, visualViewport?.scale]);
    assert.deepEqual(visual, [0, 0, 1], 'the page itself did not move');
});

test('two fingers pan with a tool in the hand, and nothing stays drawn', async (t) => {
    const { page, viewer, oracle } = await open(t, [], phone);
    await viewer.setView({ x: 0, y: 0, zoom: 16 });
    await viewer.press('draw');
    const session = await page.context().newCDPSession(page);
    const stage = await viewer.stage();
    const [x, y] = [stage.x + stage.width / 2 + 3, stage.y + stage.height / 2 + 3];
    await touch(session, 'touchStart', [{ x, y }]);
    await touch(session, 'touchStart', [{ x, y }, { x: x + 100, y }]);
    for (let i = 1; i <= 4; i++) {
        await touch(session, 'touchMove', [{ x, y: y + 16 * i }, { x: x + 100, y: y + 16 * i }]);
    }
    await touch(session, 'touchEnd', []);
    const view = await viewer.view();
    assert.ok(Math.abs(view.y + 4) < 0.3, `${view.y}`);
    await oracle.holds(new Set());
    // Nor is anything from before undone where the first finger has changed no cell.
    await put({ page, oracle }, new Set(['40,40', '41,40', '42,40']));
    await viewer.press('erase');
    await touch(session, 'touchStart', [{ x, y }]);
    await touch(session, 'touchStart', [{ x, y }, { x: x + 100, y }]);
    await touch(session, 'touchEnd', []);
    await viewer.press('draw');
    // One finger draws.
    const one = await viewer.at(2, 3);
    await touch(session, 'touchStart', [one]);
    await touch(session, 'touchMove', [{ x: one.x + 48, y: one.y }]);
    await touch(session, 'touchEnd', []);
    await oracle.holds(new Set(['2,3', '3,3', '4,3', '5,3', '40,40', '41,40', '42,40']));
});

test('fit shows all that lives, by key and by button', async (t) => {
    const { viewer, oracle } = await open(t, [pattern('gosper-glider-gun.rle')]);
    for (const fit of [() => viewer.key('f'), () => viewer.press('fit')]) {
        await viewer.setView({ x: 1e6, y: -1e6, zoom: 1 / 64 });
        await fit();
        const { box } = await oracle.ask({ do: 'box' });
        await eventually(async () => {
            const { left, right, top, bottom } = await viewer.seen();
            assert.ok(left <= box.x && top <= box.y);
            assert.ok(right >= box.x + box.width && bottom >= box.y + box.height);
            const { zoom } = await viewer.view();
            assert.ok(right - left < 6 * box.width, 'and not much more');
            assert.ok(Number.isInteger(zoom));
        });
    }
});

/**
 * The pixels of the screen that are not dark.
 * @param {Viewer} viewer
 */
async function lit(viewer) {
    const screen = await viewer.screen();
    const [dark] = await viewer.palette();
    const places = [];
    for (let y = 0; y < screen.height; y++) {
        for (let x = 0; x < screen.width; x++) {
            const colour = screen.at(x, y);
            if (dark.some((level, i) => Math.abs(level - colour[i]) > 8)) places.push({ x, y });
        }
    }
    return places;
}

test('two cells 10^9 apart are seen at once, and so is a stream of 10^29 gliders', async (t) => {
    const folder = mkdtempSync(path.join(tmpdir(), 'lightcone-far-'));
    t.after(() => rmSync(folder, { recursive: true }));
    const apart = path.join(folder, 'apart.rle');
    writeFileSync(apart, 'x = 0, y = 0, rule = B3/S23\n2o999999996b2o$2o999999996b2o!\n');
    const { viewer } = await open(t, [apart]);
    await viewer.key('f');
    await eventually(async () => {
        const { zoom } = await viewer.view();
        assert.ok(zoom < 2 ** -15 && zoom > 2 ** -25);
        const places = await lit(viewer);
        const { width } = await viewer.stage();
        const across = places.map(({ x }) => x);
        assert.ok(places.length > 1 && places.length < 20, `${places.length} pixels`);
        assert.ok(Math.max(...across) - Math.min(...across) > width / 3);
    });

    const stream = path.join(folder, 'stream.mc');
    execFileSync(/** @type {string} */ (process.env.LC_BINARY),
        ['run', 'gosper-glider-gun', '-g', '10^30', '--engine', 'hashlife', '-q', '-o', stream]);
    const far = await open(t, [stream]);
    await far.viewer.key('f');
    await eventually(async () => {
        const { x, y, zoom } = await far.viewer.view();
        assert.ok(zoom < 2 ** -80 && zoom > 2 ** -100 && x > 1e29 && y > 1e29);
        const places = await lit(far.viewer);
        assert.ok(places.length > 100, `${places.length} pixels`);
        const off = places.map((place) => place.x - place.y);
        assert.ok(Math.max(...off) - Math.min(...off) < 8, 'a line from corner to corner');
    });
    await far.viewer.setView({ x: 18, y: 5, zoom: 8 });
    const { box } = await far.oracle.ask({ do: 'box' });
    assert.ok(box.width > 2e29 && box.x === 0);
    await eventually(async () => assert.ok((await lit(far.viewer)).length > 36 * 30));
});

test('follow keeps the pattern in the middle, until it is dragged away', async (t) => {
    const { page, viewer, oracle } = await open(t, [pattern('glider.rle')]);
    await viewer.setView({ x: 0, y: 0, zoom: 8 });
    await viewer.key('o');
    const follow = page.locator('button[data-command="follow"]').first();
    assert.equal(await follow.getAttribute('aria-pressed'), 'true');
    await viewer.key('Tab', 5); // 80 generations, 20 cells
    await oracle.until({ generation: '80' });
    const middle = async () => {
        const { box } = await oracle.ask({ do: 'box' });
        return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    };
    await eventually(async () => assertNear(await viewer.view(), await middle(), 0.01));
    const stage = await viewer.stage();
    await page.mouse.move(stage.x + 200, stage.y + 200);
    await page.mouse.down();
    await page.mouse.move(stage.x + 280, stage.y + 200, { steps: 3 });
    await page.mouse.up();
    assert.equal(await follow.getAttribute('aria-pressed'), 'false');
    const view = await viewer.view();
    await viewer.key('Tab');
    await viewer.says('generation', '96');
    assert.deepEqual(await viewer.view(), view);
});

test('keys: scales, steps of zoom, arrows, the middle', async (t) => {
    const { viewer } = await open(t, [pattern('acorn.rle')]);
    await viewer.setView({ x: 10, y: 20, zoom: 2 });
    const scale = async (/** @type {string} */ key, /** @type {number} */ zoom) => {
        await viewer.key(key);
        await eventually(async () => assert.deepEqual(await viewer.view(), { x: 10, y: 20, zoom }));
    };
    await scale('1', 1);
    await scale('2', 2);
    await scale('3', 4);
    await scale('4', 8);
    await scale('5', 16);
    await scale('6', 32);
    await scale('[', 16);
    await scale('[', 8);
    await scale(']', 16);
    await viewer.press('zoom-out');
    await viewer.says('scale', '8:1');
    const { width, height } = await viewer.stage();
    await viewer.key('ArrowRight', 2);
    await viewer.key('ArrowUp');
    assertNear(await viewer.view(), { x: 10 + width / 8 / 8 * 2, y: 20 - height / 8 / 8 });
    await viewer.key('ArrowLeft', 2);
    await viewer.key('ArrowDown');
    assertNear(await viewer.view(), { x: 10, y: 20 });
    await viewer.key('0');
    assertNear(await viewer.view(), { x: 0, y: 0 });
});

test('the cell under the pointer is named', async (t) => {
    const { page, viewer } = await open(t, [pattern('acorn.rle')]);
    await viewer.setView({ x: 0, y: 0, zoom: 16 });
    const point = await viewer.at(-7, 12);
    await page.mouse.move(point.x, point.y);
    await viewer.says('pointer-cell', '\u22127, 12');
});
