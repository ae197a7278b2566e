// Cells far from 0: the page names, shows, draws and copies each of them exactly, beyond the 2^53
// up to which its numbers are exact, to 2^62, where universes end.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { block, fromRle, runsOf, sorted } from './cells.mjs';
import { close, eventually, open } from './support.mjs';

/** @import { Oracle, Viewer } from './support.mjs' */
/** @import { Cells } from './cells.mjs' */
/** @import { TestContext } from 'node:test' */

/** @typedef {{x: bigint, y: bigint}} Place */

after(close);

const glider = fromRle('bo$2bo$3o!');
const away = 2n ** 60n;

/**
 * A universe with a glider at a place.
 * @param {TestContext} t
 * @param {Place} place
 * @param {string[]} [args]
 * @param {Parameters<typeof open>[2]} [options]
 */
async function openAt(t, place, args = ['--engine', 'hashlife'], options = {}) {
    const folder = mkdtempSync(path.join(tmpdir(), 'lightcone-far-'));
    t.after(() => rmSync(folder, { recursive: true }));
    const file = path.join(folder, 'far.life');
    const lines = sorted(glider).map((cell) => {
        const [x, y] = cell.split(',').map(BigInt);
        return `${place.x + x} ${place.y + y}`;
    });
    writeFileSync(file, `#Life 1.06\n${lines.join('\n')}\n`);
    return open(t, [...args, file], options);
}

/** Goes to a cell by its coordinates. @param {Viewer} viewer @param {string} text */
async function goTo(viewer, text) {
    await viewer.key('Control+g');
    await viewer.page.getByRole('dialog').locator('input').fill(text);
    await viewer.key('Enter');
    await viewer.page.getByRole('dialog').waitFor({ state: 'detached' });
}

/**
 * The live cells round a place, as seen from it, as the server has them.
 * @param {Oracle} oracle
 * @param {Place} place
 * @returns {Promise<Cells>}
 */
async function cellsAt(oracle, place) {
    const clip = await oracle.ask({
        do: 'copy', x: String(place.x - 40n), y: String(place.y - 40n), width: 81, height: 81,
    });
    assert.equal(clip.is, 'clip', clip.text);
    /** @type {Cells} */
    const cells = new Set();
    runsOf(clip.rle, -40, -40, (x, y, length) => {
        for (let i = 0; i < length; i++) cells.add(`${x + i},${y}`);
    });
    return cells;
}

/**
 * @param {Oracle} oracle
 * @param {Place} place
 * @param {Iterable<string>} wanted
 */
async function holdsAt(oracle, place, wanted) {
    await eventually(async () =>
        assert.deepEqual(sorted(await cellsAt(oracle, place)), sorted(new Set(wanted))));
}

/**
 * The cells round a place that do not look dead, as seen from it.
 * @param {Viewer} viewer
 * @param {Place} place
 */
async function litAt(viewer, place) {
    const { x, y, fx, fy, zoom } = await viewer.exactView();
    const [dead] = await viewer.palette();
    const screen = await viewer.screen();
    /** @type {Cells} */
    const lit = new Set();
    const far = Math.min(12, Math.floor(Math.min(screen.width, screen.height) / 2 / zoom) - 1);
    for (let down = -far; down <= far; down++) {
        for (let right = -far; right <= far; right++) {
            const px = screen.width / 2 + (Number(place.x - x) + right + 0.5 - fx) * zoom;
            const py = screen.height / 2 + (Number(place.y - y) + down + 0.5 - fy) * zoom;
            const colour = screen.at(Math.floor(px), Math.floor(py));
            if (colour.some((each, i) => each !== dead[i])) lit.add(`${right},${down}`);
        }
    }
    return lit;
}

/** @param {Viewer} viewer @param {Place} place @param {Iterable<string>} wanted */
async function showsAt(viewer, place, wanted) {
    await eventually(async () =>
        assert.deepEqual(sorted(await litAt(viewer, place)), sorted(new Set(wanted))));
}

/**
 * Drags the mouse over cells round the middle of the view.
 * @param {Viewer} viewer
 * @param {number[][]} cells x and y of each, as seen from the cell in the middle
 */
async function drag(viewer, cells) {
    const { fx, fy, zoom } = await viewer.exactView();
    const stage = await viewer.stage();
    const points = cells.map(([x, y]) => [stage.x + stage.width / 2 + (x + 0.5 - fx) * zoom,
        stage.y + stage.height / 2 + (y + 0.5 - fy) * zoom]);
    const { mouse } = viewer.page;
    await mouse.move(points[0][0], points[0][1]);
    await mouse.down();
    for (const [x, y] of points.slice(1)) await mouse.move(x, y, { steps: 4 });
    await mouse.up();
}

/** Looks at a cell. @param {Viewer} viewer @param {Place} place @param {number} [zoom] */
async function lookAt(viewer, { x, y }, zoom = 16) {
    await viewer.setView({ x, y, fx: 0.5, fy: 0.5, zoom });
}

for (const query of ['?canvas', '?webgl']) {
    test(`far away the picture is in its place at each scale (${query})`, async (t) => {
        const place = { x: away + 3n, y: -away - 5n };
        const { viewer } = await openAt(t, place, undefined, { query });
        await viewer.key('f');
        await showsAt(viewer, place, glider);
        for (const zoom of [8, 16, 32]) {
            await lookAt(viewer, place, zoom);
            await showsAt(viewer, place, glider);
        }
        // Every tenth line of the grid is that of a multiple of ten, as near 0.
        const screen = await viewer.screen();
        const lines = Array.from({ length: 20 }, (_, right) => {
            const left = Math.floor(screen.width / 2 + (right - 9.5) * 32);
            return screen.at(left, Math.round(screen.height / 2 + 4 * 32)).join();
        });
        const strong = [...lines.keys()].filter((right) => lines[right] !== lines[2]);
        assert.deepEqual(strong, [0, 10], `${(place.x - 9n) % 10n} is 0`);
        // In and in: from all of it to single cells, by steps.
        await lookAt(viewer, place, 2 ** -15);
        await viewer.key(']', 19);
        await eventually(async () => assert.equal((await viewer.exactView()).zoom, 16));
        const { x, y } = await viewer.exactView();
        assert.deepEqual({ x, y }, place);
        await showsAt(viewer, place, glider);
        await viewer.key(']', 2);
        await viewer.says('scale', '64:1');
        await viewer.key('1');
        await viewer.says('scale', '1:1');
        await viewer.key('4');
        // By one cell.
        await drag(viewer, [[0, 0], [-1, 0]]);
        await eventually(async () =>
            assert.deepEqual((await viewer.exactView()).x, place.x + 1n));
        await showsAt(viewer, place, glider);
    });
}

test('go to any cell of a plane, as it is printed too, and to none beyond it', async (t) => {
    const { page, viewer } = await openAt(t, { x: 288230376151711700n, y: 7n });
    await goTo(viewer, '288230376151711700, 7');
    await viewer.key('5');
    await showsAt(viewer, { x: 288230376151711700n, y: 7n }, glider);
    const stage = await viewer.stage();
    await page.mouse.move(stage.x + stage.width / 2, stage.y + stage.height / 2);
    await viewer.says('pointer-cell', '288230376151711700, 7');
    const printed = await page.locator('#pointer-cell').textContent();
    assert.match(printed ?? '', /^288\u202f230\u202f376\u202f151\u202f711\u202f700, 7$/);
    await viewer.key('0');
    await goTo(viewer, printed ?? '');
    await page.mouse.move(stage.x + stage.width / 2, stage.y + stage.height / 2 + 1);
    await viewer.says('pointer-cell', '288230376151711700, 7');
    for (const [text, wanted] of [
        ['4611686018427387902, -4611686018427387903', 4611686018427387902n],
        ['(9007199254740993; 1)', 9007199254740993n]]) {
        await goTo(viewer, String(text));
        assert.equal((await viewer.exactView()).x, wanted);
    }
    await viewer.key('Control+g');
    const input = page.getByRole('dialog').locator('input');
    await input.fill('0, 4611686018427387903');
    await viewer.key('Enter');
    assert.equal((await input.evaluate((field) =>
        /** @type {HTMLInputElement} */ (field).validationMessage)).replace(/\u202f/g, ''),
    'Out of range: y must be from −4611686018427387903 to 4611686018427387902.');
});

for (const [name, place] of /** @type {const} */ ([
    ['2^53', { x: 2n ** 53n + 11n, y: -(2n ** 53n) - 7n }],
    ['2^61', { x: -(2n ** 61n) - 1n, y: 2n ** 61n + 1n }],
    ['2^62', { x: 2n ** 62n - 60n, y: 2n ** 62n - 60n }]])) {
    test(`pencil, line, shapes and their images at ${name}`, async (t) => {
        const { viewer, oracle } = await open(t, ['--engine', 'hashlife']);
        await lookAt(viewer, place);
        await viewer.key('l');
        await drag(viewer, [[-5, -3], [5, 2]]);
        const line = ['-5,-3', '-4,-3', '-3,-2', '-2,-2', '-1,-1', '0,-1', '1,0', '2,0', '3,1',
            '4,1', '5,2'];
        await eventually(async () => assert.equal((await cellsAt(oracle, place)).size, 11));
        const drawn = await cellsAt(oracle, place);
        for (const end of [line[0], line[10]]) assert.ok(drawn.has(end), end);
        await showsAt(viewer, place, drawn);
        await viewer.key('Control+z');
        await holdsAt(oracle, place, []);
        await viewer.key('d');
        await drag(viewer, [[-2, 4], [3, 4]]);
        await holdsAt(oracle, place, block(-2, 4, 6, 1));
        await viewer.key('Control+z');
        await viewer.key('q');
        await drag(viewer, [[2, 2], [4, 4]]);
        const rim = [...block(2, 2, 3, 3)].filter((cell) => cell !== '3,3');
        await holdsAt(oracle, place, rim);
        await viewer.key('Control+z');
        await holdsAt(oracle, place, []);
        await viewer.key('d');
        await viewer.key('\\', 7);
        await drag(viewer, [[3, 1], [3, 1]]);
        await holdsAt(oracle, place, [
            '3,1', '-3,1', '3,-1', '-3,-1', '1,3', '-1,3', '1,-3', '-1,-3']);
    });
}

test('a line that is too long is refused, however far it is', async (t) => {
    const { viewer, oracle } = await open(t, ['--engine', 'hashlife']);
    await viewer.key('l');
    for (const zoom of [1 / 4096, 2 ** -13]) {
        await lookAt(viewer, { x: away, y: away }, zoom);
        await drag(viewer, [[0, 0], [300 / zoom, 200 / zoom]]);
        await viewer.complains(/The line is too long/);
    }
    await viewer.key('i');
    await lookAt(viewer, { x: 0n, y: 0n }, 2 ** -14);
    await drag(viewer, [[0, 0], [300 * 2 ** 14, 200 * 2 ** 14]]);
    await viewer.complains(/./);
    assert.equal((await oracle.state()).population, '0');
});

test('a glider is followed beyond 2^53, and drawn by the map', async (t) => {
    const place = { x: 2n ** 53n + 1n, y: 2n ** 53n + 1n };
    const { page, viewer } = await openAt(t, place);
    await lookAt(viewer, place);
    await viewer.key('o');
    await viewer.key('Tab'); // 16 generations, 4 cells
    await eventually(async () => {
        const { x, y, fx, fy } = await viewer.exactView();
        assert.deepEqual({ x, y, fx, fy }, { x: place.x + 5n, y: place.y + 5n, fx: 0.5, fy: 0.5 });
    });
    await viewer.key('0');
    const map = page.locator('#map');
    await map.waitFor();
    const { width, height } = /** @type {{width: number, height: number}} */ (
        await map.boundingBox());
    await map.click({ position: { x: width * 0.9, y: height * 0.9 } });
    await eventually(async () => {
        const { x, y } = await viewer.exactView();
        assert.ok(x > 2n ** 52n && y > 2n ** 52n, `${x}, ${y}`);
    });
});

test('links and messages have exact places', async (t) => {
    const { page } = await open(t, []);
    const told = await page.evaluate(async (name) => {
        const {
            apart, boxBetween, decimalText, middleOf, movedBy, readDecimal, readPlaces, remainder,
            runsFrom, squaresOver, toJson,
        } = await import(name);
        const far = 2n ** 61n + 1n;
        const message = { is: 'universe', width: '2305843009213693953', height: 0, box: null };
        readPlaces(message);
        const answer = { is: 'box', box: { x: '-9007199254740993', y: -1, width: 2, height: 3 } };
        readPlaces(answer);
        return {
            apart: apart(far + 5n, far), remainder: [remainder(-1n, 10n), remainder(-far, far)],
            texts: [[far, 0.5], [-far, 0], [-far, 0.25], [-1n, 0.5], [3n, 0], [0n, 0.125],
                [7n, 0.9999999999]].map(([whole, part]) => decimalText(whole, part)),
            read: ['2305843009213693953.5', '-0.5', '-3', '4.', 'x', '1e5', ''].map(readDecimal),
            moved: movedBy({ x: far, y: -far, fx: 0.5, fy: 0.25 }, -0.75, 3.5),
            middle: middleOf({ x: far, y: -4n, width: 3n, height: 2n }),
            box: boxBetween({ x: far, y: 3n }, { x: far - 2n, y: -far }),
            squares: squaresOver({ x: -1n, y: far, width: 2n, height: 1n }, 4), message, answer,
            runs: [runsFrom({ x: 5n, y: -5n }, [1, 2, 3]), runsFrom({ x: far, y: 0n }, [-1, 2, 3])],
            json: toJson({ do: 'x', x: far, y: -5n, runs: [far, 1n, 2], on: true, say: '7' }),
        };
    }, '/exact.js');
    const far = 2n ** 61n + 1n;
    assert.deepEqual(told, {
        apart: 5, remainder: [9n, 0n],
        texts: ['2305843009213693953.5', '-2305843009213693953', '-2305843009213693952.75',
            '-0.5', '3', '0.125', '8'],
        read: [{ whole: far, part: 0.5 }, { whole: -1n, part: 0.5 }, { whole: -3n, part: 0 },
            { whole: 4n, part: 0 }, null, null, null],
        moved: { x: far - 1n, y: -far + 3n, fx: 0.75, fy: 0.75 },
        middle: { x: far + 1n, y: -3n, fx: 0.5, fy: 0 },
        box: { x: far - 2n, y: -far, width: 3n, height: far + 4n },
        squares: { x: -16n, y: far - 1n, scale: 4, width: 2, height: 1 },
        message: { is: 'universe', width: far, height: 0n, box: null },
        answer: { is: 'box', box: { x: -(2n ** 53n) - 1n, y: -1n, width: 2n, height: 3n } },
        runs: [[6, -3, 3], [far - 1n, 2n, 3n]],
        json: '{"do":"x","x":"2305843009213693953","y":-5,"runs":["2305843009213693953",1,2],' +
            '"on":true,"say":"7"}',
    });
});

test('select, copy, paste, move and undo far away', async (t) => {
    const place = { x: -away - 1n, y: away + 1n };
    const { page, viewer, oracle } = await openAt(t, place);
    await lookAt(viewer, place);
    await viewer.key('s');
    await drag(viewer, [[0, 0], [2, 2]]);
    await viewer.says('selection-text', '3 × 3 cells at −1152921504606846977, 1152921504606846977');
    await viewer.key('Control+c');
    await viewer.says('clip-text', '3 × 3, 5 live cells');
    await viewer.key('v');
    await drag(viewer, [[8, 5], [8, 5]]);
    const copy = [...glider].map((cell) => {
        const [x, y] = cell.split(',').map(Number);
        return `${x + 7},${y + 4}`;
    });
    await holdsAt(oracle, place, [...glider, ...copy]);
    await viewer.key('Escape', 2); // nothing is selected, and no tool in hand
    await showsAt(viewer, place, [...glider, ...copy]);
    await viewer.key('Control+z');
    await holdsAt(oracle, place, glider);
    await viewer.key('Control+a');
    await viewer.says('selection-text', '3 × 3 cells at −1152921504606846977, 1152921504606846977');
    await viewer.key(';');
    await drag(viewer, [[1, 1], [-3, 2]]);
    await holdsAt(oracle, place, [...glider].map((cell) => {
        const [x, y] = cell.split(',').map(Number);
        return `${x - 4},${y + 1}`;
    }));
    await viewer.says('selection-text', '3 × 3 cells at −1152921504606846981, 1152921504606846978');
    await page.locator('button[data-command="shrink"]:visible').first().click();
    await viewer.says('selection-text', '3 × 3 cells at −1152921504606846981, 1152921504606846978');
    await viewer.key('Control+z');
    await holdsAt(oracle, place, glider);
});

test('a torus of 2^61 cells a side: its far corner, and what is beyond it', async (t) => {
    const side = 2n ** 61n;
    const { page, viewer, oracle } = await open(t,
        ['--engine', 'hashlife', '--size', `${side}x${side}`]);
    await viewer.key('Control+g');
    const input = page.getByRole('dialog').locator('input');
    await input.fill(`${side}, 0`);
    assert.match(await input.evaluate((field) =>
        /** @type {HTMLInputElement} */ (field).validationMessage),
    /^Out of range: x must be from 0/);
    await viewer.key('Escape');
    const corner = { x: side - 1n, y: side - 1n };
    await goTo(viewer, `${corner.x}, ${corner.y}`);
    await viewer.key('5');
    await viewer.key('d');
    await drag(viewer, [[-1, 0], [0, 0]]);
    await eventually(async () => {
        const { box } = await oracle.ask({ do: 'box' });
        assert.deepEqual(box, { x: String(side - 2n), y: String(side - 1n), width: 2, height: 1 });
    });
    await showsAt(viewer, corner, ['-1,0', '0,0',
        ...sorted(block(-12, -12, 25, 25)).filter((cell) => /^[1-9]|,[1-9]/.test(cell))]);
});

test('beyond 2^62 only squares of cells are seen, and the page says so', async (t) => {
    const { viewer, oracle } = await openAt(t, { x: 2n ** 61n, y: 2n ** 61n });
    await viewer.setView({ x: 2n ** 70n, y: 0n, fx: 0, fy: 0, zoom: 1 });
    await viewer.complains(/Cells farther than 2⁶² from 0, 0 are visible only when zoomed out/);
    const far = await viewer.exactView();
    assert.equal(far.x, 2n ** 70n);
    assert.ok(far.zoom <= 2 ** -14);
    // A hand on single cells stops where they end, and it is seen where that is.
    await lookAt(viewer, { x: 2n ** 62n - 5n, y: 0n }, 16);
    await drag(viewer, [[0, 0], [-20, 0]]);
    await eventually(async () => {
        const { x, zoom } = await viewer.exactView();
        assert.deepEqual([x, zoom], [2n ** 62n, 16]);
    });
    await showsAt(viewer, { x: 2n ** 62n - 2n, y: 0n },
        sorted(block(-12, -12, 25, 25)).filter((cell) => /^[1-9]/.test(cell)));
    assert.equal((await oracle.state()).population, '5');
});
