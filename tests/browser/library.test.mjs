// The library: its categories, pictures and what is said of patterns, what is found, keys, opening
// and pasting.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, test } from 'node:test';
import { fromRle, shape } from './cells.mjs';
import { fits, wordsOf } from '../../viewer/page/library_search.js';
import { close, eventually, open, pattern } from './support.mjs';

/** @import { Locator, Page } from 'playwright-core' */

after(close);

/** @param {Page} page @param {string} title */
function row(page, title) {
    return page.locator('li.pattern').filter({
        has: page.getByRole('heading', { name: title, exact: true, level: 3 }),
    });
}

/** @param {Page} page @returns {Promise<string[]>} titles of what is listed, from the top */
function titles(page) {
    return page.locator('li.pattern h3').allTextContents();
}

/** @param {Page} page @param {string} words */
async function find(page, words) {
    await page.locator('#pattern-filter').fill(words);
}

test('every pattern is in a group of its category, with what is known of it', async (t) => {
    const { page, viewer, oracle } = await open(t, []);
    await viewer.tab('patterns');
    await page.locator('li.pattern').first().waitFor();
    const { list } = await oracle.ask({ do: 'patterns' });
    assert.ok(list.length >= 200, `${list.length} patterns`);
    await viewer.says('pattern-count', `${list.length} patterns`);
    assert.equal((await titles(page)).length, list.length);
    const options = await page.locator('#pattern-category option').allTextContents();
    assert.equal(options[0], `All categories (${list.length})`);
    const headings = await page.locator('#patterns > h2').allTextContents();
    assert.deepEqual(headings.map((text) => text.replace(/ (\d+)$/, ' ($1)')), options.slice(1));
    assert.equal(headings.length, 9);
    const guns = list.filter((/** @type {any} */ each) => each.category === 'guns');
    assert.equal(headings[0], `Guns ${guns.length}`);
    const gun = row(page, 'Gosper glider gun');
    await gun.getByText('Gun, period 30, 36 × 9', { exact: true }).waitFor();
    await gun.getByText('Bill Gosper, 1970', { exact: true }).waitFor();
    await gun.getByText(/^Sends out a glider every 30 generations/).waitFor();
    assert.doesNotMatch(String(await gun.textContent()), /facts:/);
    await row(page, 'Copperhead').getByText('Spaceship, c/10 orthogonal, period 10, 6 × 12')
        .waitFor();
    await row(page, 'HighLife replicator').getByText('5 × 5, B36/S23').waitFor();
    await row(page, 'Block').getByText('Still life, 2 × 2', { exact: true }).waitFor();
    // Guns and the like by their periods.
    const periods = guns.map((/** @type {any} */ each) => each.period)
        .sort((/** @type {number} */ one, /** @type {number} */ other) => one - other);
    const shown = await page.locator('#patterns > ul').first().locator('li').allTextContents();
    assert.deepEqual(shown.map((text) => Number(/period (\d+)/.exec(text)?.[1])), periods);
    // One category.
    await page.locator('#pattern-category').selectOption('guns');
    await viewer.says('pattern-count', `${guns.length} patterns`);
    assert.equal(await page.locator('li.pattern').count(), guns.length);
    assert.equal(await row(page, 'Block').count(), 0);
    await find(page, 'p46');
    assert.deepEqual((await titles(page)).sort(), ['New gun', 'P46 gun']);
});

test('words find names, kinds, authors and years; p30 a period, c/4 a speed', async (t) => {
    const { page, viewer, oracle } = await open(t, []);
    await viewer.tab('patterns');
    await page.locator('li.pattern').first().waitFor();
    const { list } = await oracle.ask({ do: 'patterns' });
    /** @param {(each: any) => boolean} fits */
    const titled = (fits) => list.filter(fits)
        .map((/** @type {any} */ each) => each.title).sort();
    /** @type {[string, (each: any) => boolean][]} */
    const cases = [
        ['p30', (each) => each.period === 30],
        ['P3', (each) => each.period === 3],
        ['c/4', (each) => each.speed.startsWith('c/4 ')],
        ['2c/5 tooke', (each) => each.title === '30P5H2V0'],
        ['(2,1)c/6', (each) => each.title === 'Sir Robin'],
        ['dean  HICKERSON 1989', (each) => each.author === 'Dean Hickerson' && each.year === 1989],
        ['diagonal spaceship c/12', (each) => each.kind === 'spaceship' &&
            each.speed === 'c/12 diagonal'],
        ['still lifes snake', (each) => each.category === 'still-lifes' &&
            /snake/i.test(each.title + each.comments)],
        ['B36/S23', (each) => each.rule === 'B36/S23'],
    ];
    for (const [words, fits] of cases) {
        await find(page, words);
        const expected = titled(fits);
        assert.ok(expected.length > 0, words);
        await viewer.says('pattern-count',
            `${expected.length} ${expected.length === 1 ? 'pattern' : 'patterns'}`);
        assert.deepEqual((await titles(page)).sort(), expected, words);
    }
    // What has the name comes before what only mentions it.
    await find(page, 'glider');
    assert.equal((await titles(page))[0], 'Glider');
    await find(page, 'pulsar');
    assert.deepEqual((await titles(page)).slice(0, 2), ['Pulsar', 'Pulsar quadrant']);
    // An exact name first, then a well-known one, whatever the hyphens, spaces and apostrophes.
    for (const [words, title] of [['gun', 'Gosper glider gun'], ['gun p30', 'Gosper glider gun'],
        ['GOSPER gun', 'Gosper glider gun'], ['gosper\u2019s glider-gun', 'Gosper glider gun'],
        ['rpentomino', 'R-pentomino'], ['r pentomino', 'R-pentomino'],
        ['R-Pentomino', 'R-pentomino'], ['koks galaxy', 'Kok\'s galaxy'],
        ['kok\'s-galaxy', 'Kok\'s galaxy'], ['p46gun', 'P46 gun'], ['new gun', 'New gun'],
        ['spaceship', 'Glider']]) {
        await find(page, words);
        assert.equal((await titles(page))[0], title, words);
    }
    // The command finds what the page finds.
    for (const words of ['rpentomino', 'gun', 'gosper\u2019s glider-gun', 'koks galaxy', 'growth',
        'still-life snake', 'glider synthes', 'p30 gun', 'C/4', 'dean hickerson 1989', 'b36', '197',
        '-']) {
        const { stdout } = spawnSync(process.env.LC_BINARY ?? '',
            ['patterns', '--json', '--', ...words.split(' ')], { encoding: 'utf8' });
        const found = JSON.parse(stdout).patterns.map(
            (/** @type {{name: string}} */ { name }) => name).sort();
        assert.ok(found.length > 0, words);
        const fitting = list.filter((/** @type {any} */ each) => fits(each, wordsOf(words)))
            .map((/** @type {any} */ { name }) => name).sort();
        assert.deepEqual(found, fitting, words);
    }
    await find(page, 'no such thing');
    await viewer.says('pattern-count', '0 patterns');
    assert.equal(await page.locator('#patterns > *').count(), 0);
    await find(page, '');
    await viewer.says('pattern-count', `${list.length} patterns`);
});

/** @param {Locator} of a row */
function picture(of) {
    return of.locator('.picture').evaluate((frame) => {
        const canvas = frame.querySelector('canvas');
        if (!(canvas instanceof HTMLCanvasElement)) throw new Error('no canvas');
        const { width, height } = canvas;
        const box = canvas.getBoundingClientRect();
        const room = frame.getBoundingClientRect();
        return {
            width, height, mark: frame.querySelector('span')?.textContent ?? '',
            cell: box.width / width,
            inside: box.left >= room.left && box.right <= room.right && box.top >= room.top &&
                box.bottom <= room.bottom,
        };
    });
}

/** @param {Locator} of a row @returns {Promise<number>} how many pixels of its picture are set */
function dots(of) {
    return of.locator('canvas').evaluate((canvas) => {
        if (!(canvas instanceof HTMLCanvasElement)) return 0;
        const { width, height } = canvas;
        const copy = new OffscreenCanvas(width, height)
            .getContext('2d', { willReadFrequently: true });
        copy?.drawImage(canvas, 0, 0);
        const data = copy?.getImageData(0, 0, width, height).data ?? [];
        return data.filter((value, at) => at % 4 === 3 && value > 0).length;
    });
}

test('cells are equally large in all pictures, and what is not is marked', async (t) => {
    const { page, viewer } = await open(t, []);
    await viewer.tab('patterns');
    const drawn = async (/** @type {string} */ title, /** @type {number} */ width) => {
        await find(page, title);
        await eventually(async () => assert.equal((await picture(row(page, title))).width, width));
        return picture(row(page, title));
    };
    const block = await drawn('Block', 2);
    assert.deepEqual(block, { width: 2, height: 2, mark: '', cell: 4, inside: true });
    for (const [title, width] of /** @type {const} */ ([['Pulsar', 13], ['Glider', 3],
        ['Unix', 8]])) {
        const { cell, mark, inside } = await drawn(title, width);
        assert.deepEqual({ title, cell, mark, inside }, { title, cell: 4, mark: '', inside: true });
    }
    const gun = await drawn('Gosper glider gun', 36);
    assert.deepEqual(gun, { width: 36, height: 9, mark: '1:2', cell: 2, inside: true });
    assert.equal(await dots(row(page, 'Gosper glider gun')), 36);
    const large = await drawn('Day & Night: gun and antigun', 107);
    assert.deepEqual([large.mark, large.cell, large.inside], ['1:8', 0.5, true]);
});

test('arrows go from row to row, and Tab out of the list', async (t) => {
    const { page, viewer } = await open(t, []);
    await viewer.key('/');
    await page.locator('li.pattern').first().waitFor();
    await find(page, 'pulsar');
    const focused = () => page.evaluate(() =>
        document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.id);
    await viewer.key('ArrowDown');
    assert.equal(await focused(), 'Open Pulsar');
    await viewer.key('ArrowDown');
    assert.equal(await focused(), 'Open Pulsar quadrant');
    await viewer.key('Tab');
    assert.equal(await focused(), 'Paste Pulsar quadrant');
    await viewer.key('ArrowUp');
    assert.equal(await focused(), 'Paste Pulsar');
    await viewer.key('End');
    const last = (await titles(page)).at(-1);
    assert.equal(await focused(), `Paste ${last}`);
    await viewer.key('ArrowDown');
    assert.equal(await focused(), `Paste ${last}`);
    await viewer.key('Tab');
    assert.doesNotMatch(String(await focused()), /^(Open|Paste) /);
    await viewer.key('Shift+Tab');
    assert.equal(await focused(), `Paste ${last}`);
    await viewer.key('Home');
    await viewer.key('ArrowUp');
    assert.equal(await focused(), 'pattern-filter');
    await viewer.key('ArrowDown');
    await viewer.key('Escape');
    assert.equal(await focused(), 'pattern-filter');
    assert.equal(await page.locator('#page-patterns').isVisible(), true);
});

test('the list comes when it is first shown, a picture when it is in sight', async (t) => {
    const { page, viewer } = await open(t, [pattern('glider.rle')]);
    assert.equal(await page.locator('li.pattern').count(), 0);
    await viewer.tab('patterns');
    const first = page.locator('li.pattern').first();
    await first.waitFor();
    await eventually(async () => assert.ok((await picture(first)).width > 1));
    const last = page.locator('li.pattern').last();
    assert.equal((await picture(last)).width, 1);
    await last.scrollIntoViewIfNeeded();
    await eventually(async () => assert.ok((await picture(last)).width > 1));
});

test('patterns are opened and pasted', async (t) => {
    const { page, viewer, oracle } = await open(t, []);
    await viewer.setView({ x: 0, y: 0, zoom: 8 });
    await viewer.key('/');
    await page.locator('li.pattern').first().waitFor();
    await find(page, 'gosper glider gun');
    await page.getByRole('button', { name: 'Open Gosper glider gun' }).click();
    await viewer.says('population', '36');
    assert.deepEqual(shape(await oracle.cells()),
        shape(fromRle(readFileSync(pattern('gosper-glider-gun.rle'), 'utf8'))));
    await find(page, 'pulsar');
    await page.getByRole('button', { name: 'Paste Pulsar', exact: true }).click();
    await page.locator('#stage[data-tool="paste"]').waitFor();
    await viewer.setView({ x: 500, y: 500, zoom: 8 });
    await viewer.click(500, 500);
    await viewer.says('population', String(36 + 48));
    await viewer.tab('patterns'); // pasting has shown how a clip is turned
    // What is edited is not thrown away without a question.
    const again = page.getByRole('button', { name: 'Open Pulsar', exact: true });
    await again.click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    await viewer.says('population', String(36 + 48));
    await again.click();
    await page.getByRole('dialog').getByRole('button', { name: 'Close it' }).click();
    await viewer.says('population', '48');
});

test('patterns of the user come first, with what they say of themselves', async (t) => {
    const { page, viewer, server } = await open(t, []);
    writeFileSync(path.join(server.folder, 'mine.rle'), '#N Mine\n#C Found at home.\n' +
        '#O Me, 2026\n#C facts: oscillator, period 2\nx = 3, y = 1\n3o!\n');
    writeFileSync(path.join(server.folder, 'plain.rle'), 'x = 2, y = 1\n2o!\n');
    await viewer.tab('patterns');
    await page.locator('li.pattern').first().waitFor();
    assert.equal(await page.locator('#patterns > h2').first().textContent(), 'Yours 2');
    await row(page, 'Mine').getByText('Oscillator, period 2, 3 × 1', { exact: true }).waitFor();
    await row(page, 'Mine').getByText('Me, 2026', { exact: true }).waitFor();
    await row(page, 'plain').getByText('2 × 1', { exact: true }).waitFor();
    await find(page, 'p2 home');
    assert.deepEqual(await titles(page), ['Mine']);
    await find(page, 'yours');
    assert.deepEqual((await titles(page)).sort(), ['Mine', 'plain']);
});
