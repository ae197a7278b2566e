// What is saved of the selection as a picture, and films of exactly so many generations.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, test } from 'node:test';
import { fromRle, life, moved, places } from './cells.mjs';
import { readApng, readChunks } from './png.mjs';
import { close, download, eventually, open, pattern } from './support.mjs';

/** @import { Page } from 'playwright-core' */
/** @import { Cells } from './cells.mjs' */

after(close);

const start = fromRle(readFileSync(pattern('r-pentomino.rle'), 'utf8'));

/**
 * Selects a square round the R-pentomino.
 * @param {import('node:test').TestContext} t
 * @param {string[]} options of the server
 */
async function openSelected(t, ...options) {
    const opened = await open(t, [...options, pattern('r-pentomino.rle')],
        { colours: 'sea' });
    const { viewer } = opened;
    await viewer.setView({ x: 0, y: 0, zoom: 16 });
    await viewer.key('s');
    await viewer.drag([[-16, -15], [15, 16]]);
    await viewer.tab('files');
    return opened;
}

/** @param {Page} page @param {Record<string, string>} values by their labels */
async function askForFilm(page, values) {
    await page.locator('button[data-command="film"]:visible').click();
    const dialog = page.getByRole('dialog');
    for (const [label, value] of Object.entries(values)) {
        await dialog.getByLabel(label, { exact: true }).fill(value);
    }
    return dialog.getByRole('button', { name: 'Make the film' });
}

test('a film of the selection has every generation that was asked for', async (t) => {
    const { page, oracle } = await openSelected(t);
    const first = await oracle.cells();
    const make = await askForFilm(page, {
        'Frames': '12', 'Generations per frame': '2', 'Frames per second': '20',
    });
    const { name, bytes } = await download(page, () => make.click());
    assert.match(name, /^r-pentomino-\d+\.apng$/);
    const { width, height, frames } = readApng(bytes);
    assert.deepEqual([width, height], [512, 512]);
    assert.equal(frames.length, 12);
    frames.forEach(({ levels, delay_ms }, i) => {
        assert.equal(delay_ms, 50);
        const wanted = life(first, 2 * i);
        for (let y = 0; y < 32; y++) {
            for (let x = 0; x < 32; x++) {
                const level = levels[(16 * y + 8) * width + 16 * x + 8];
                assert.equal(level, wanted.has(`${x - 16},${y - 15}`) ? 255 : 0, `${i}: ${x} ${y}`);
            }
        }
    });
    // And it is where it was.
    await oracle.until({ generation: '0', running: false, moments: [] });
    await oracle.holds(first);
});

test('a film of the view, from which it does not go back; and one that is cancelled', async (t) => {
    const { page, viewer, oracle } = await openSelected(t);
    const make = await askForFilm(page, { 'Frames': '5' });
    const dialog = page.getByRole('dialog');
    await dialog.locator('select').selectOption('view');
    await dialog.getByLabel('Return to').uncheck();
    const { bytes } = await download(page, () => make.click());
    const size = await viewer.stage();
    const { width, height, frames } = readApng(bytes);
    assert.deepEqual([width, height], [size.width, size.height].map(Math.round));
    assert.equal(frames.length, 5);
    const later = life(start, 4);
    await eventually(async () => assert.equal((await oracle.cells()).size, later.size));
    await oracle.until({ generation: '4', running: false });

    let saved = 0;
    page.on('download', () => ++saved);
    const again = await askForFilm(page, { 'Frames': '9000' });
    await again.click();
    await page.locator('dialog progress').waitFor();
    // At once, in the page: a hand would take as long as the film.
    await page.waitForFunction(() => {
        const bar = document.querySelector('dialog progress');
        const cancel = [...document.querySelectorAll('dialog button')]
            .find(({ textContent }) => textContent === 'Cancel');
        if (!(bar instanceof HTMLProgressElement && bar.value > 3)) return false;
        if (cancel instanceof HTMLElement) cancel.click();
        return true;
    });
    await oracle.until({ generation: '4', running: false, moments: [] });
    await eventually(async () => assert.equal((await oracle.cells()).size, later.size));
    assert.equal(saved, 0);
});

test('a film that is cancelled in the middle of a step is not saved', async (t) => {
    const { page, oracle } = await openSelected(t, '--engine', 'scalar', '--size', '4096x4096');
    const first = await oracle.cells();
    let saved = 0;
    page.on('download', () => ++saved);
    // A step of minutes.
    const make = await askForFilm(page, { 'Generations per frame': '100000' });
    await make.click();
    await eventually(async () => assert.notEqual((await oracle.state()).generation, '0'));
    await page.getByRole('button', { name: 'Cancel' }).click();
    await oracle.until({ generation: '0', running: false, moments: [] });
    await oracle.holds(first);
    await page.locator('dialog').waitFor({ state: 'detached' });
    assert.equal(saved, 0);
});

test('where everything dies, the last picture stays to the end', async (t) => {
    const { page, viewer } = await open(t, []);
    await viewer.setView({ x: 0, y: 0, zoom: 16 });
    await viewer.key('d');
    await viewer.drag([[0, 0], [1, 0]]);
    await viewer.key('s');
    await viewer.drag([[-3, -3], [3, 3]]);
    await viewer.tab('files');
    const make = await askForFilm(page, { 'Frames': '10', 'Frames per second': '10' });
    const { bytes } = await download(page, () => make.click());
    const { frames } = readApng(bytes);
    assert.deepEqual(frames.map(({ delay_ms }) => delay_ms), [100, 900]);
    await viewer.complains(/All cells have died/);
});

test('the selection as PNG and as SVG', async (t) => {
    const { page, viewer, oracle } = await openSelected(t);
    const cells = await oracle.cells();
    const png = await download(page, () => viewer.press('export-png'));
    assert.equal(png.name, 'r-pentomino-0.png');
    assert.deepEqual(readChunks(png.bytes).map(({ kind }) => kind),
        ['IHDR', 'PLTE', 'IDAT', 'IEND']);
    const palette = await viewer.palette();
    const seen = await page.evaluate(async (text) => {
        const image = new Image();
        image.src = `data:image/png;base64,${text}`;
        await image.decode();
        const canvas = new OffscreenCanvas(image.width, image.height);
        const context = canvas.getContext('2d', { willReadFrequently: true });
        context?.drawImage(image, 0, 0);
        return Array.from({ length: 32 * 32 }, (_, i) => [...context?.getImageData(
            16 * (i % 32) + 8, 16 * Math.floor(i / 32) + 8, 1, 1).data.slice(0, 3) ?? []]);
    }, png.bytes.toString('base64'));
    seen.forEach((colour, i) => {
        const alive = cells.has(`${i % 32 - 16},${Math.floor(i / 32) - 15}`);
        assert.deepEqual(colour, palette[alive ? 255 : 0], `${i}`);
    });

    const svg = await download(page, () => viewer.press('export-svg'));
    assert.equal(svg.name, 'r-pentomino-0.svg');
    const text = svg.bytes.toString();
    assert.match(text, /viewBox="0 0 32 32"/);
    /** @type {Cells} */
    const drawn = new Set();
    for (const [, x, y, length] of text.matchAll(/M(\d+) (\d+)h(\d+)v1/g)) {
        for (let i = 0; i < Number(length); i++) drawn.add(`${Number(x) + i},${y}`);
    }
    assert.deepEqual([...moved(drawn, (x, y) => [x - 16, y - 15])].sort(), [...cells].sort());
    assert.equal(places(drawn).length, 5);
});

test('pictures of very large selections: squares of cells, or a word', async (t) => {
    const { page, viewer } = await open(t, ['--size', '40000x20000']);
    await viewer.tab('edit');
    await viewer.key('Control+a');
    await viewer.says('selection-text', /^40000 × 20000/);
    await viewer.tab('files');
    const { bytes } = await download(page, () => viewer.press('export-png'));
    const header = readChunks(bytes)[0].data;
    assert.deepEqual([header.readUInt32BE(0), header.readUInt32BE(4)], [5000, 2500]);
    await viewer.press('export-svg');
    await viewer.complains(/An SVG file can have at most 8.?192 cells per side/);
});
