// Colours that say how long cells have lived, where life was and what has changed: the ten themes,
// the pixels of both renderers against ages counted here, the legend, films.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, test } from 'node:test';
import { fromRle, life } from './cells.mjs';
import { contrast } from './contrast.mjs';
import { readApng } from './png.mjs';
import { close, download, eventually, open, pattern } from './support.mjs';

/** @import { Page } from 'playwright-core' */
/** @import { Viewer } from './support.mjs' */

after(close);

const main = '/main.js';

/**
 * @param {Page} page
 * @returns {Promise<number[][]>} the colours of the bytes of ages
 */
function agesOf(page) {
    return page.evaluate(async (path) => {
        const { colours } = await import(path);
        const all = /** @type {Uint8Array} */ (colours.palette.ages);
        return Array.from({ length: 256 }, (_, i) => [...all.subarray(4 * i, 4 * i + 3)]);
    }, main);
}

/**
 * The byte of a cell, as docs/viewer-protocol.md says.
 * @param {boolean} alive
 * @param {number} age
 */
function byteOf(alive, age) {
    const step = Math.floor((alive ? 8 : 12) * Math.log2(1 + age) + 1e-9);
    if (alive) return 64 + 4 * Math.floor(Math.min(127, step) * 3 / 8) + 3;
    return Math.min(63, Math.floor((Math.max(0, 127 - step) + 1) / 2));
}

/**
 * @param {Set<string>} start
 * @param {number} generations each of which is looked at
 * @returns {Map<string, number>} the bytes of all cells that are not 0
 */
function bytesAfter(start, generations) {
    /** @type {Map<string, {alive: boolean, since: number}>} */
    const known = new Map();
    for (let i = 0; i <= generations; i++) {
        const cells = life(start, i);
        for (const cell of cells) {
            if (!known.get(cell)?.alive) known.set(cell, { alive: true, since: i });
        }
        for (const [cell, { alive }] of known) {
            if (alive && !cells.has(cell)) known.set(cell, { alive: false, since: i });
        }
    }
    return new Map([...known].map(([cell, { alive, since }]) =>
        [cell, byteOf(alive, generations - since)]));
}

const generations = 12;
const rle = readFileSync(pattern('r-pentomino.rle'), 'utf8');

/**
 * Steps one generation at a time, each of which is shown.
 * @param {Viewer} viewer
 */
async function stepAll(viewer) {
    for (let i = 1; i <= generations; i++) {
        await viewer.key('Space');
        await viewer.says('generation', String(i));
    }
}

/**
 * Where cell 0, 0 of the pattern is.
 * @param {import('./support.mjs').Oracle} oracle
 */
async function cornerOf(oracle) {
    const cells = [...await oracle.cells()].map((cell) => cell.split(',').map(Number));
    return [Math.min(...cells.map(([x]) => x)), Math.min(...cells.map(([, y]) => y))];
}

for (const query of ['?webgl', '?canvas']) {
    test(`near, each cell has the colour of its age, and trails fade ${query}`, async (t) => {
        const { page, viewer, oracle } = await open(t, [pattern('r-pentomino.rle')], { query });
        const [dx, dy] = await cornerOf(oracle);
        await viewer.key('g');
        await viewer.tab('now');
        await page.locator('#colours').selectOption('comet');
        await page.locator('#stage').focus();
        await viewer.key('4');
        await viewer.says('scale', '8:1');
        await stepAll(viewer);
        const start = fromRle(rle);
        const left = Math.min(...[...start].map((cell) => Number(cell.split(',')[0])));
        const top = Math.min(...[...start].map((cell) => Number(cell.split(',')[1])));
        const bytes = bytesAfter(start, generations);
        const palette = await agesOf(page);
        const stage = await viewer.stage();
        const first = await viewer.at(dx, dy);
        await eventually(async () => {
            const screen = await viewer.screen();
            let trails = 0;
            for (let y = -12; y < 12; y++) {
                for (let x = -12; x < 12; x++) {
                    const [px, py] = [first.x - stage.x + 8 * x, first.y - stage.y + 8 * y];
                    const byte = bytes.get(`${x + left},${y + top}`) ?? 0;
                    trails += byte > 0 && byte < 64 ? 1 : 0;
                    assert.deepEqual(screen.at(Math.round(px), Math.round(py)), palette[byte],
                        `cell ${x}, ${y}`);
                }
            }
            assert.ok(trails > 5, 'there are trails');
        });
    });

    test(`far away colours are those of ages, too, down to a single cell ${query}`, async (t) => {
        const args = ['--soup', '0.3', '--seed', '4', '--size', '2000x1600'];
        const { page, viewer } = await open(t, args, { query });
        await page.evaluate(async (path) => {
            const { colours } = await import(path);
            colours.chooseCells('heat');
        }, main);
        await viewer.setView({ x: 1000, y: 800, zoom: 1 / 4 });
        const palette = await agesOf(page);
        const known = new Set(palette.map((colour) => colour.join()));
        const live = new Set(palette.slice(64).map((colour) => colour.join()));
        await stepAll(viewer);
        await eventually(async () => {
            const screen = await viewer.screen();
            let alive = 0;
            const { width, height } = screen;
            for (let y = height / 2 - 80; y < height / 2 + 80; y++) {
                for (let x = width / 2 - 80; x < width / 2 + 80; x++) {
                    const colour = screen.at(Math.round(x), Math.round(y)).join();
                    assert.ok(known.has(colour), colour);
                    alive += live.has(colour) ? 1 : 0;
                }
            }
            assert.ok(alive > 10000, `${alive} pixels are alive`);
        });
    });
}

test('ten themes, dark and light: what lives is clear to see, some are for the colour-blind',
    async (t) => {
        const { page, viewer } = await open(t, [pattern('glider.rle')]);
        const options = page.locator('#colours option');
        assert.equal(await options.count(), 10);
        assert.ok(await page.locator('#colours option', { hasText: 'colour-blind safe' })
            .count() >= 3);
        const ids = await options.evaluateAll((all) => all.map((one) => one.getAttribute('value')));
        /** @type {string[]} */
        const weak = [];
        for (const scheme of ['dark', 'light']) {
            const found = new Set();
            for (const id of ids) {
                const made = await page.evaluate(async ([path, name, cells]) => {
                    const { colours } = await import(path);
                    colours.choose(name);
                    colours.chooseCells(cells);
                    const three = (/** @type {Uint8Array} */ all) => Array.from({ length: 256 },
                        (_, i) => [...all.subarray(4 * i, 4 * i + 3)]);
                    const { palette } = colours;
                    return {
                        levels: three(palette.levels), ages: three(palette.ages),
                        has_ages: palette.has_ages,
                    };
                }, [main, scheme, id ?? '']);
                const { levels, ages, has_ages } = made;
                for (let level = 1; level < 256; level++) {
                    const ratio = contrast(levels[level], levels[0]);
                    if (ratio < 7) weak.push(`${id} ${scheme} level ${level}: ${ratio}`);
                }
                for (let byte = 64; byte < 256; byte++) {
                    const ratio = contrast(ages[byte], ages[0]);
                    const least = byte % 4 === 3 ? 4.5 : 3;
                    if (ratio >= (has_ages ? least : 7)) continue;
                    weak.push(`${id} ${scheme} ${byte}: ${ratio}`);
                }
                found.add(JSON.stringify([levels, ages]));
            }
            assert.equal(found.size, 10);
        }
        assert.deepEqual(weak, []);
        await viewer.key('a');
        assert.equal(await page.locator('#colours').inputValue(), 'sea'); // after the last
        await viewer.key('a');
        assert.equal(await page.locator('#colours').inputValue(), 'ink');
    });

test('patterns and small boards begin with ages, larger ones without; a choice is kept',
    async (t) => {
        const { page, viewer, oracle } = await open(t, []);
        const theme = (/** @type {string} */ wanted) => eventually(async () => {
            const { id, ages } = await page.evaluate(async (path) => {
                const { colours } = await import(path);
                return { id: colours.cells.id, ages: colours.palette.has_ages };
            }, main);
            assert.deepEqual([id, ages], [wanted, wanted === 'comet']);
            assert.equal(await page.locator('#colours').inputValue(), wanted);
        });
        const board = async (/** @type {string} */ rule) => {
            assert.equal((await oracle.ask({ do: 'new', rule, density: 0.3, seed: '1' })).is,
                'done');
            await viewer.says('universe-facts', new RegExp(rule.split(':')[0]));
        };
        await theme('comet'); // nothing lives yet
        await oracle.ask({ do: 'take' });
        await board('B3/S23:T2049,2048');
        await theme('sea');
        await board('B36/S23:T2048,2048');
        await theme('comet');
        await board('B3/S23:T2049,2048');
        await theme('sea');
        // A plane of which the server does not say at once how large the pattern is.
        await oracle.ask({ do: 'new', rule: 'B36/S23', density: 0.5, seed: '1', width: 3000,
            height: 3000 });
        await viewer.says('universe-facts', /B36.S23/);
        await viewer.says('population', /^\d+$/);
        await theme('sea');
        await board('B3/S23:T20,20');
        await theme('comet');
        await page.locator('#colours').selectOption('amber');
        await board('B36/S23:T30,20');
        await theme('amber');
        await page.reload();
        await viewer.isOpen();
        await theme('amber');
        const large = await open(t, ['--soup', '0.4', '--size', '2100x2000']);
        await large.viewer.says('colours-text', /^Live cells\. When zoomed out/);
        const gun = await open(t, [pattern('gosper-glider-gun.rle')]);
        await gun.viewer.says('colours-text', /^Live cells, and where cells/);
    });

test('the legend says what the colours mean, and the choice outlasts the page', async (t) => {
    const { page, viewer } = await open(t, [pattern('glider.rle')], { colours: 'sea' });
    await viewer.tab('now');
    assert.equal(await page.locator('#legend .bar').count(), 1);
    await page.locator('#colours').selectOption('embers');
    await viewer.says('colours-text', /how long cells have been alive/i);
    assert.deepEqual(await page.locator('#legend .bar').evaluateAll((bars) =>
        bars.map((bar) => bar.getAttribute('aria-label'))),
    ['Ages from 0 to 60,000 generations and more',
        'Trails, which disappear after 1,400 generations']);
    assert.match(await page.locator('#legend').innerText(), /Alive for[^]*60 k[^]*Dead for/);
    await page.reload();
    await eventually(async () =>
        assert.equal(await page.locator('#colours').inputValue(), 'embers'));
    await page.emulateMedia({ forcedColors: 'active' });
    await eventually(async () => assert.ok(await page.locator('#colours').isDisabled()));
});

test('a film has the colours of ages', async (t) => {
    const { page, viewer } = await open(t, [pattern('r-pentomino.rle')]);
    await page.evaluate(async (path) => {
        const { colours } = await import(path);
        colours.chooseCells('embers');
    }, main);
    await viewer.tab('files');
    await page.locator('#stage').focus();
    await viewer.key('Space');
    await viewer.says('generation', '1');
    await viewer.press('record');
    for (let i = 2; i <= 6; i++) {
        await viewer.key('Space');
        await viewer.says('generation', String(i));
        await viewer.says('record-text', new RegExp(`^${i} frame`));
    }
    const film = await download(page, () => viewer.press('record'));
    const { palette, frames } = readApng(film.bytes);
    assert.deepEqual([...palette], (await agesOf(page)).flat());
    const bytes = new Set(bytesAfter(fromRle(rle), 6).values());
    const last = new Set(frames[frames.length - 1].levels);
    for (const byte of bytes) assert.ok(last.has(byte), `${byte} is in the last frame`);
    for (const byte of last) assert.ok(byte === 0 || bytes.has(byte), `${byte} was not expected`);
});

test('a film of exactly so many generations has them, too, and so has a picture', async (t) => {
    const { page, viewer } = await open(t, [pattern('r-pentomino.rle')]);
    await page.evaluate(async (path) => {
        const { colours } = await import(path);
        colours.chooseCells('ice');
    }, main);
    await viewer.tab('files');
    await page.locator('button[data-command="film"]:visible').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Frames', { exact: true }).fill('7');
    const film = await download(page,
        () => dialog.getByRole('button', { name: 'Make the film' }).click());
    const { palette, frames } = readApng(film.bytes);
    assert.deepEqual([...palette], (await agesOf(page)).flat());
    assert.equal(frames.length, 7);
    const bytes = new Set(bytesAfter(fromRle(rle), 6).values());
    const last = new Set(frames[6].levels);
    for (const byte of bytes) assert.ok(last.has(byte), `${byte} is in the last frame`);
    for (const byte of last) assert.ok(byte === 0 || bytes.has(byte), `${byte} was not expected`);
});
