// The main gestures once more in Firefox, which it is told by WebDriver BiDi.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import puppeteer from 'puppeteer-core';
import { fromRle, life } from './cells.mjs';
import { readPng } from './png.mjs';
import { eventually, Oracle, pattern, startServer } from './support.mjs';

/** @import { TestContext } from 'node:test' */
/** @import { Browser, Page } from 'puppeteer-core' */

/** @type {Browser} */
let firefox;

before(async () => {
    firefox = await puppeteer.launch({
        browser: 'firefox', headless: true,
        executablePath: process.env.LC_FIREFOX ?? '/usr/bin/firefox-esr',
        defaultViewport: { width: 1120, height: 640 },
        extraPrefsFirefox: { 'ui.prefersReducedMotion': 1, 'ui.systemUsesDarkTheme': 1 },
    });
});
after(() => firefox?.close());

/**
 * A server, a page of Firefox at it, and an oracle.
 * @param {TestContext} t
 * @param {string[]} args
 */
async function open(t, args) {
    const server = await startServer(t, args);
    const page = await firefox.newPage();
    /** @type {string[]} */
    const complaints = [];
    page.on('pageerror', (error) => complaints.push(String(error)));
    page.on('console', (message) => {
        if (message.type() === 'error') complaints.push(message.text());
    });
    await page.goto(server.url);
    await page.waitForFunction(() => document.body.dataset.link === 'open');
    const oracle = await Oracle.connect(server);
    t.after(async () => {
        // Firefox may complain that closing the page interrupts its socket.
        const before_closing = [...complaints];
        await page.close();
        oracle.close();
        assert.deepEqual(before_closing, []);
    });
    return { page, oracle };
}

/**
 * Where the middle of a cell is on the page, when the view is at rest.
 * @param {Page} page
 * @param {number} x
 * @param {number} y
 */
function at(page, x, y) {
    return eventually(() => page.evaluate(async ([cell_x, cell_y]) => {
        const { camera } = await import(String('/main.js'));
        const picture = document.querySelector('#picture');
        if (camera.moving || picture === null) throw new Error('the view moves');
        const { left, top } = picture.getBoundingClientRect();
        return {
            x: left + camera.size.width / 2 +
                (cell_x + 0.5 - Number(camera.view.x) - camera.view.fx) * camera.view.zoom,
            y: top + camera.size.height / 2 +
                (cell_y + 0.5 - Number(camera.view.y) - camera.view.fy) * camera.view.zoom,
        };
    }, [x, y]));
}

/** @param {Page} page @returns {Promise<{x: number, y: number, zoom: number}>} */
function viewOf(page) {
    return eventually(() => page.evaluate(async () => {
        const { camera } = await import(String('/main.js'));
        if (camera.moving) throw new Error('the view moves');
        const { x, y, fx, fy, zoom } = camera.view;
        return { x: Number(x) + fx, y: Number(y) + fy, zoom };
    }));
}

/** @param {Page} page @param {{x: number, y: number, zoom: number}} view */
function setView(page, view) {
    return page.evaluate(async (to) => {
        const { camera } = await import(String('/main.js'));
        // A BigInt does not get into this browser.
        const [x, y] = [Math.floor(to.x), Math.floor(to.y)];
        camera.setView({
            x: BigInt(x), y: BigInt(y), fx: to.x - x, fy: to.y - y, zoom: to.zoom,
        });
    }, view);
}

/** @param {Page} page @param {number[][]} cells */
async function drag(page, cells) {
    const points = [];
    for (const [x, y] of cells) points.push(await at(page, x, y));
    await page.mouse.move(points[0].x, points[0].y);
    await page.mouse.down();
    for (const { x, y } of points.slice(1)) await page.mouse.move(x, y, { steps: 4 });
    await page.mouse.up();
}

/** @param {Page} page @param {string} command */
function press(page, command) {
    return page.evaluate((name) => {
        const all = [...document.querySelectorAll(`button[data-command="${name}"]`)];
        const button = all.find((each) => each.checkVisibility());
        if (!(button instanceof HTMLElement)) throw new Error(`there is no button ${name}`);
        button.click();
    }, command);
}

/** @param {Page} page */
async function undo(page) {
    await page.keyboard.down('Control');
    await page.keyboard.press('z');
    await page.keyboard.up('Control');
}

test('Firefox: draw, step, undo, select, copy and paste', async (t) => {
    const { page, oracle } = await open(t, []);
    await setView(page, { x: 0, y: 0, zoom: 16 });
    await page.keyboard.press('d');
    await drag(page, [[-1, 0], [1, 0]]);
    const blinker = new Set(['-1,0', '0,0', '1,0']);
    await oracle.holds(blinker);
    await page.keyboard.press(' ');
    await oracle.until({ generation: '1' });
    await oracle.holds(life(blinker, 1));
    await undo(page);
    await oracle.until({ generation: '0' });
    await oracle.holds(blinker);
    await page.keyboard.press('s');
    await drag(page, [[-1, 0], [1, 0]]);
    await press(page, 'copy');
    await page.waitForFunction(() =>
        /live cells/.test(document.querySelector('#clip-text')?.textContent ?? ''));
    await page.keyboard.press('v');
    const place = await at(page, 1, 8);
    await page.mouse.click(place.x, place.y);
    await eventually(async () => assert.equal((await oracle.cells()).size, 6));
    await undo(page);
    await oracle.holds(blinker);
});

test('Firefox: the wheel zooms where the pointer is, the hand drags, F fits', async (t) => {
    const { page } = await open(t, [pattern('gosper-glider-gun.rle')]);
    await setView(page, { x: 18, y: 5, zoom: 8 });
    const fixed = await at(page, 10, 3);
    await page.mouse.move(fixed.x, fixed.y);
    await page.mouse.wheel({ deltaY: -120 });
    await eventually(async () => assert.ok((await viewOf(page)).zoom > 8));
    const after_wheel = await at(page, 10, 3);
    assert.ok(Math.hypot(after_wheel.x - fixed.x, after_wheel.y - fixed.y) < 1.5,
        'what is under the pointer stays there');
    await setView(page, { x: 18, y: 5, zoom: 8 });
    await page.keyboard.press('h');
    await drag(page, [[10, 3], [14, 6]]);
    await eventually(async () => {
        const { x, y } = await viewOf(page);
        assert.ok(Math.abs(x - 14) < 0.2 && Math.abs(y - 2) < 0.2, `${x}, ${y}`);
    });
    await page.keyboard.press('f');
    await eventually(async () => {
        const { x, y } = await viewOf(page);
        assert.ok(Math.abs(x - 18) < 1 && Math.abs(y - 4.5) < 1, `${x}, ${y}`);
    });
});

test('Firefox: it runs, and the picture is that of the cells', async (t) => {
    const file = pattern('gosper-glider-gun.rle');
    const { page, oracle } = await open(t, [file]);
    // A theme in which all that lives is bright, and all that does not is dark.
    await page.evaluate(() => localStorage.setItem('lightcone.colours', 'sea'));
    await page.reload();
    await page.waitForFunction(() => document.body.dataset.link === 'open');
    const first = await eventually(async () => {
        const generation = await page.evaluate(() =>
            document.querySelector('#generation')?.textContent);
        assert.equal(generation, '0');
        return (await oracle.cells()).size;
    });
    assert.equal(first, fromRle(readFileSync(file, 'utf8')).size);
    await page.keyboard.press('Enter');
    await eventually(async () => assert.ok(Number((await oracle.state()).generation) > 20));
    await page.keyboard.press('Enter');
    const { generation } = await oracle.until({ running: false });
    await eventually(async () => {
        const shown = await page.evaluate(() =>
            document.querySelector('#generation')?.textContent?.replace(/\u202f/g, ''));
        assert.equal(shown, generation);
    });
    // The brightest pixels of the screen are where cells live.
    await setView(page, { x: 18, y: 10, zoom: 8 });
    const cells = await oracle.cellsIn({ x: -8, y: -4, width: 60, height: 20 });
    await eventually(async () => {
        const { x, y } = await at(page, 0, 0);
        const screen = readPng(Buffer.from(await page.screenshot()));
        const light = (/** @type {number} */ cell_x, /** @type {number} */ cell_y) =>
            screen.at(Math.round(x + cell_x * 8), Math.round(y + cell_y * 8))
                .reduce((sum, each) => sum + each);
        let wrong = 0;
        const dead = light(-5, -3);
        for (let cy = 0; cy < 12; cy++) {
            for (let cx = 0; cx < 36; cx++) {
                const lives = Math.abs(light(cx, cy) - dead) > 100;
                wrong += Number(lives !== cells.has(`${cx},${cy}`));
            }
        }
        assert.equal(wrong, 0);
    });
});
