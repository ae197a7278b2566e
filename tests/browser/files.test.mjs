// What comes in and goes out: the clipboard, dropped files, the library, saved files, recordings.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { fromRle, life, moved, places, sorted } from './cells.mjs';
import { readApng, readPng } from './png.mjs';
import { close, download, eventually, open, pattern } from './support.mjs';

/** @import { Page } from 'playwright-core' */
/** @import { Cells } from './cells.mjs' */
/** @import { Viewer } from './support.mjs' */

after(close);

const clipboard = { permissions: ['clipboard-read', 'clipboard-write'] };
const glider = fromRle('bo$2bo$3o!');

/** Cells without where they lie. @param {Cells} cells */
function shape(cells) {
    const all = places(cells);
    const left = Math.min(...all.map(([x]) => x));
    const top = Math.min(...all.map(([, y]) => y));
    return sorted(moved(cells, (x, y) => [x - left, y - top]));
}

/**
 * Lets a file fall on the page.
 * @param {Page} page
 * @param {string} name
 * @param {Buffer} bytes
 */
async function drop(page, name, bytes) {
    const dataTransfer = await page.evaluateHandle(([file_name, text]) => {
        const data = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
        const transfer = new DataTransfer();
        transfer.items.add(new File([data], file_name));
        return transfer;
    }, [name, bytes.toString('base64')]);
    await page.dispatchEvent('#stage', 'dragover', { dataTransfer });
    await page.locator('#drop-hint').waitFor();
    await page.dispatchEvent('#stage', 'drop', { dataTransfer });
    await page.locator('#drop-hint').waitFor({ state: 'hidden' });
}

test('RLE text goes to the clipboard', async (t) => {
    const { page, viewer } = await open(t, [pattern('gosper-glider-gun.rle')], clipboard);
    await viewer.key('Control+a');
    await viewer.says('selection-text', /^36 × 9/);
    await viewer.key('Control+c');
    await viewer.says('clip-text', '36 × 9, 36 live cells');
    const text = await eventually(async () => {
        const found = await page.evaluate(() => navigator.clipboard.readText());
        assert.match(found, /^x = 36, y = 9/m);
        return found;
    });
    const file = readFileSync(pattern('gosper-glider-gun.rle'), 'utf8');
    assert.deepEqual(shape(fromRle(text)), shape(fromRle(file)));
});

test('a pattern on the clipboard is pasted where the click is, by Ctrl+V and by V', async (t) => {
    const { page, viewer, oracle } = await open(t, [], clipboard);
    await viewer.setView({ x: 0, y: 0, zoom: 16 });
    const write = (/** @type {string} */ text) =>
        page.evaluate((each) => navigator.clipboard.writeText(each), text);
    await write('#C a comment\nx = 3, y = 3, rule = B3/S23\nbo$2bo$3o!\n');
    await viewer.key('v');
    await viewer.says('clip-text', '3 × 3, 5 live cells');
    await viewer.click(-4, 2);
    const first = moved(glider, (x, y) => [x - 5, y + 1]);
    await oracle.holds(first);
    await write('!Name: plain text\n.O\n..O\nOOO\nOOO\n');
    await viewer.key('Control+v');
    await viewer.says('clip-text', '3 × 4, 8 live cells');
    await viewer.click(6, 2);
    const second = fromRle('bo$2bo$3o$3o!', 5, 0);
    await oracle.holds(new Set([...first, ...second]));
    await write('This is no pattern.');
    await viewer.key('Control+v');
    await viewer.complains(/./);
    await oracle.holds(new Set([...first, ...second]));
    // Without the clipboard, the text is typed.
    await viewer.tab('edit');
    await viewer.press('paste-text');
    await page.locator('dialog textarea').fill('3o!');
    await page.getByRole('button', { name: 'Use pattern' }).click();
    await viewer.says('clip-text', '3 × 1, 3 live cells');
    await viewer.key('Escape');
});

test('a dropped pattern is opened, and so is one that was chosen', async (t) => {
    const { page, viewer, oracle } = await open(t, [pattern('glider.rle')]);
    await drop(page, 'pulsar.rle', readFileSync(pattern('pulsar.rle')));
    await viewer.says('universe-name', 'pulsar.rle');
    await viewer.says('population', '48');
    assert.deepEqual(shape(await oracle.cells()),
        shape(fromRle(readFileSync(pattern('pulsar.rle'), 'utf8'))));
    await viewer.tab('files');
    const [chooser] = await Promise.all([page.waitForEvent('filechooser'), viewer.press('open')]);
    await chooser.setFiles(pattern('lwss.rle'));
    await viewer.says('universe-name', 'lwss.rle');
    await viewer.says('population', '9');
    await drop(page, 'letter.txt', Buffer.from('Dear Sir or Madam,\n'));
    await viewer.complains(/./);
    await viewer.says('universe-name', 'lwss.rle');
    await viewer.says('population', '9');
});

test('a checkpoint is saved, and goes on where it was when it is dropped', async (t) => {
    const { page, viewer, oracle } = await open(t, [pattern('r-pentomino.rle')]);
    await viewer.key('Tab', 3);
    await viewer.says('generation', '48');
    const cells = await oracle.cells();
    await viewer.tab('files');
    await page.locator('#save-format').selectOption('checkpoint');
    const { name, bytes } = await download(page, () => viewer.press('save'));
    assert.match(name, /\.lcs$/);
    await viewer.press('reset');
    await viewer.says('generation', '0');
    await drop(page, name, bytes);
    await viewer.says('generation', '48');
    await oracle.holds(cells);
});

test('what takes long to save stops nobody, and can be cancelled', async (t) => {
    const { page, viewer, oracle } = await open(t,
        ['--soup', '0.4', '--seed', '1', '--size', '16384x16384', '--rule', 'B3/S23', '--start']);
    await viewer.tab('files');
    await page.locator('#save-format').selectOption('rle');
    assert.ok(await page.locator('#saving').isHidden());
    await viewer.press('save');
    // At once, in the page: a hand may take as long as the file.
    await page.waitForFunction(() => {
        const cancel = document.querySelector('#cancel-save');
        if (!(cancel instanceof HTMLElement && cancel.checkVisibility())) return false;
        cancel.click();
        return true;
    });
    await page.locator('#saving').waitFor({ state: 'hidden' });
    await page.locator('#announcer', { hasText: 'Saving was cancelled.' })
        .waitFor({ state: 'attached' });
    // It has run on.
    await oracle.until({ running: true });
    await viewer.key('Enter');
    await oracle.until({ running: false });
    // What is not cancelled is whole.
    await page.locator('#save-format').selectOption('checkpoint');
    const { bytes } = await download(page, () => viewer.press('save'));
    assert.ok(bytes.length > 16384 * 16384 / 80, `${bytes.length} bytes`);
    await page.locator('#saving').waitFor({ state: 'hidden' });
});

test('saved files hold the cells', async (t) => {
    const { page, viewer, oracle } = await open(t, [pattern('acorn.rle')]);
    await viewer.key('Tab', 2);
    await viewer.says('generation', '32');
    const cells = await oracle.cells();
    const { box } = await oracle.ask({ do: 'box' });
    await viewer.tab('files');
    const save = async (/** @type {string} */ format) => {
        await page.locator('#save-format').selectOption(format);
        return download(page, () => viewer.press('save'));
    };
    const rle = await save('rle');
    assert.equal(rle.name, 'acorn.rle');
    assert.deepEqual(shape(fromRle(rle.bytes.toString())), shape(cells));
    const text = await save('cells');
    const rows = text.bytes.toString().split('\n').filter((row) => !row.startsWith('!'));
    const written = new Set(rows.flatMap((row, y) => [...row].flatMap((letter, x) =>
        letter === 'O' ? [`${x},${y}`] : [])));
    assert.deepEqual(shape(written), shape(cells));
    const life106 = (await save('life106')).bytes.toString();
    const lines = life106.split('\n').filter((line) => /^-?\d/.test(line));
    assert.deepEqual(shape(new Set(lines.map((line) => line.trim().split(/\s+/).join()))),
        shape(cells));
    const picture = readPng((await save('png')).bytes);
    assert.deepEqual([picture.width, picture.height], [box.width, box.height]);
    const is = new Set();
    // A live cell has the colour of one that is known to live.
    const [known] = places(cells);
    const colour = picture.at(known[0] - box.x, known[1] - box.y).join();
    for (let y = 0; y < box.height; y++) {
        for (let x = 0; x < box.width; x++) {
            if (picture.at(x, y).join() === colour) is.add(`${box.x + x},${box.y + y}`);
        }
    }
    assert.deepEqual(sorted(is), sorted(cells));
});

/**
 * Saves a timeline by the page's dialog, and presses `Save the timeline`.
 * @param {Page} page
 * @param {Viewer} viewer
 * @param {number} generations
 * @param {number} every
 */
async function askForTimeline(page, viewer, generations, every) {
    await viewer.tab('files');
    await page.locator('#save-format').selectOption('timeline');
    await viewer.press('save');
    await page.getByLabel('Generations from here on').fill(String(generations));
    await page.getByLabel('Generations from one frame to the next').fill(String(every));
    return page.getByRole('button', { name: 'Save the timeline' });
}

test('a timeline is saved: each frame holds the cells of its generation', async (t) => {
    const { page, viewer, oracle } = await open(t, [pattern('r-pentomino.rle')]);
    await viewer.key('Tab');
    await viewer.says('generation', '16');
    const save = await askForTimeline(page, viewer, 60, 61);
    await save.click(); // it would have one frame: the dialog stays
    assert.ok(await save.isVisible());
    await page.getByLabel('Generations from one frame to the next').fill('25');
    await page.locator('dialog', { hasText: '3 frames: generations 16 to 66' }).waitFor();
    const { name, bytes } = await download(page, () => save.click());
    assert.equal(name, 'r-pentomino.lct');
    // The universe has not moved.
    await viewer.says('generation', '16');
    const start = fromRle(readFileSync(pattern('r-pentomino.rle'), 'utf8'));
    assert.deepEqual(shape(await oracle.cells()), shape(life(start, 16)));
    // The command reads it, and the page opens it.
    const folder = mkdtempSync(path.join(tmpdir(), 'lightcone-saved-'));
    t.after(() => rmSync(folder, { recursive: true }));
    const file = path.join(folder, name);
    writeFileSync(file, bytes);
    for (const generation of [16, 41, 66]) {
        const rle = execFileSync(process.env.LC_BINARY ?? '',
            ['convert', file, '-', '--at', String(generation), '--to', 'rle'],
            { encoding: 'utf8' });
        assert.deepEqual(shape(fromRle(rle)), shape(life(start, generation)));
    }
    await drop(page, name, bytes);
    await viewer.says('frame-most', '2');
    await viewer.says('generation', '16');
});

test('a timeline that takes long is cancelled, and what is seen goes on', async (t) => {
    const { page, viewer, oracle } = await open(t,
        ['--soup', '0.4', '--seed', '1', '--size', '2048x2048', '--rule', 'B3/S23', '--start']);
    const save = await askForTimeline(page, viewer, 2 ** 40, 1);
    await save.click();
    await page.locator('#saving').waitFor();
    await page.locator('#cancel-save').click();
    await page.locator('#saving').waitFor({ state: 'hidden' });
    await page.locator('#announcer', { hasText: 'Saving was cancelled.' })
        .waitFor({ state: 'attached' });
    await oracle.until({ running: true });
});

for (const query of ['?webgl', '?canvas']) {
    test(`the picture that is saved is the one that is seen ${query}`, async (t) => {
        const { page, viewer, oracle } = await open(t, [pattern('pulsar.rle')], { query });
        await viewer.key('g');
        await viewer.setView({ x: 0, y: 0, zoom: 4 });
        await viewer.tab('files');
        const cells = await oracle.cells();
        await eventually(async () => {
            const { name, bytes } = await download(page, () => viewer.press('picture'));
            assert.equal(name, 'pulsar-0.png');
            const picture = readPng(bytes);
            const screen = await viewer.screen();
            assert.deepEqual([picture.width, picture.height], [screen.width, screen.height]);
            const palette = await viewer.palette();
            const first = await viewer.at(0, 0);
            const stage = await viewer.stage();
            for (const [x, y] of places(cells)) {
                const at = /** @type {const} */ ([Math.floor(first.x - stage.x) + 4 * x,
                    Math.floor(first.y - stage.y) + 4 * y]);
                assert.deepEqual(picture.at(...at), palette[255]);
                assert.deepEqual(screen.at(...at), palette[255]);
            }
        });
    });
}

test('a recording is an animated PNG of what was seen', async (t) => {
    const { page, viewer } = await open(t, [pattern('r-pentomino.rle')], { colours: 'sea' });
    await viewer.tab('files');
    await viewer.key('4');
    await viewer.says('scale', '8:1');
    const { x: left, y: top } = await viewer.view();
    const size = await viewer.stage();
    await page.locator('#stage').focus();
    await viewer.press('record');
    for (let generation = 1; generation <= 6; generation++) {
        await viewer.says('record-text', new RegExp(`^${generation} frame`));
        await viewer.key('Space');
        await viewer.says('generation', String(generation));
    }
    await viewer.says('record-text', /^7 frames/);
    const { name, bytes } = await download(page, () => viewer.press('record'));
    assert.equal(name, 'r-pentomino-6.apng');
    const { width, height, palette, frames } = readApng(bytes);
    assert.deepEqual([width, height], [size.width, size.height].map(Math.round));
    assert.equal(frames.length, 7);
    assert.ok(palette.length === 3 * 256);
    assert.ok(frames.slice(0, -1).every(({ delay_ms }) => delay_ms >= 1));
    // The cells of each frame: its pixels at the middles of the cells.
    const start = fromRle(readFileSync(pattern('r-pentomino.rle'), 'utf8'));
    frames.forEach(({ levels }, generation) => {
        const cells = new Set();
        for (let y = -15; y < 15; y++) {
            for (let x = -15; x < 15; x++) {
                const px = Math.floor(width / 2 + (x + 0.5 - left) * 8);
                const py = Math.floor(height / 2 + (y + 0.5 - top) * 8);
                if (levels[py * width + px] === 255) cells.add(`${x},${y}`);
            }
        }
        assert.deepEqual(shape(cells), shape(life(start, generation)), `frame ${generation}`);
    });
    // The browser can show it too.
    const shown = await page.evaluate(async (text) => {
        const image = new Image();
        image.src = `data:image/png;base64,${text}`;
        await image.decode();
        return [image.naturalWidth, image.naturalHeight];
    }, bytes.toString('base64'));
    assert.deepEqual(shown, [width, height]);
});
