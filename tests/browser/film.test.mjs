// Films that the command makes (`run --film`): they have the page's colours, and Chromium plays
// them.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { readApng, readChunks, readPng } from './png.mjs';
import { close, eventually, launch, open } from './support.mjs';

const folder = mkdtempSync(path.join(tmpdir(), 'lightcone-film-'));
const file = path.join(folder, 'film.png');
before(() => assert.ok(process.env.LC_BINARY));
after(async () => {
    rmSync(folder, { recursive: true });
    await close();
});

/** @param {string} args of `lightcone run` */
function film(args) {
    const words = ['run', ...args.split(' '), '--film', file, '-q'];
    execFileSync(process.env.LC_BINARY ?? '', words);
    return readFileSync(file);
}

test('each theme, dark and light, has the colours that the page gives it', async (t) => {
    const { page } = await open(t, []);
    const wanted = await page.evaluate(async () => {
        // Of the one file that has all modules, and these by themselves.
        const [{ makePalette }, { themes }] = await Promise.all(
            ['/colours.js', '/themes.js'].map((name) => import(name)));
        return themes.flatMap((/** @type {any} */ theme) => ['dark', 'light'].map((shade) => {
            const { levels, ages, has_ages } = makePalette(shade, theme);
            const colours = has_ages ? ages : levels;
            const name = shade === 'dark' ? theme.id : `${theme.id}-light`;
            const at = (/** @type {number} */ i) => [...colours.slice(4 * i, 4 * i + 3)];
            return { name, has_ages, colours: Array.from({ length: 256 }, (_, i) => at(i)) };
        }));
    });
    assert.equal(wanted.length, 20);
    for (const { name, has_ages, colours } of wanted) {
        const palette = (/** @type {string} */ scale) => {
            const bytes = film(`glider -g 1 --size 16 --scale ${scale} --theme ${name}`);
            const found = readChunks(bytes).find(({ kind }) => kind === 'PLTE');
            const data = found?.data ?? Buffer.of();
            return Array.from({ length: data.length / 3 },
                (_, i) => [...data.subarray(3 * i, 3 * i + 3)]);
        };
        assert.deepEqual(palette('1:2'), colours, name);
        const single = has_ages ? colours : [colours[0], colours[255]];
        assert.deepEqual(palette('3'), single, `${name}, single cells`);
    }
});

for (const theme of ['sea', 'comet-light']) {
    test(`Chromium plays a film, ${theme}`, async () => {
        const bytes = film(`acorn -g 160 --every 80 --rate 2 --theme ${theme}`);
        const { width, height, palette, frames } = readApng(bytes);
        assert.equal(frames.length, 3);
        frames.forEach(({ delay_ms }) => assert.equal(delay_ms, 500));
        const page = await (await launch()).newPage({ viewport: { width, height } });
        await page.setContent('<body style="margin: 0"><img style="display: block"></body>');
        await page.evaluate((source) => {
            document.images[0].src = source;
            return document.images[0].decode();
        }, `data:image/png;base64,${bytes.toString('base64')}`);
        for (const i of [1, 0, 2]) {
            await eventually(async () => {
                const screen = readPng(await page.screenshot());
                for (let y = 0; y < height; y += 3) {
                    for (let x = 0; x < width; x += 3) {
                        const level = frames[i].levels[y * width + x];
                        assert.deepEqual(screen.at(x, y),
                            [...palette.subarray(3 * level, 3 * level + 3)], `${i}: ${x}, ${y}`);
                    }
                }
            });
        }
        await page.close();
    });
}
