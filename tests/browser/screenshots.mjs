// Makes the pictures of the viewer, and the two films, that docs/ has.
//
//     node tests/browser/screenshots.mjs build/lightcone docs

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { deflateSync } from 'node:zlib';

/** @import { Page } from 'playwright-core' */
/** @import { Viewer } from './support.mjs' */

const LARGEST_BYTES = 300_000;
const ROOMY_BYTES = 120_000; // fewer are not worth the loss of colours

const [binary, folder] = process.argv.slice(2);
if (folder === undefined) {
    console.error('node tests/browser/screenshots.mjs BINARY FOLDER');
    process.exit(2);
}
process.env.LC_BINARY = path.resolve(binary);
const { close, eventually, openPage, Oracle, pattern, Server } = await import('./support.mjs');
const { crc32, readPng } = await import('./png.mjs');

/**
 * The same picture with a palette of the 256 colours that it has most, which makes it a third as
 * large. The others are hints of grey at the edges of letters; they get the nearest one.
 * @param {Buffer} file
 */
function withPalette(file) {
    const { width, height, at } = readPng(file);
    const pixels = new Uint32Array(width * height);
    /** @type {Map<number, number>} */
    const counts = new Map();
    for (let i = 0; i < pixels.length; i++) {
        const [red, green, blue] = at(i % width, Math.floor(i / width));
        const colour = red << 16 | green << 8 | blue;
        pixels[i] = colour;
        counts.set(colour, (counts.get(colour) ?? 0) + 1);
    }
    const parts = (/** @type {number} */ colour) => [colour >> 16, colour >> 8 & 255, colour & 255];
    const most = [...counts].sort((a, b) => b[1] - a[1]).map(([colour]) => colour);
    const palette = most.slice(0, 256);
    const indices = new Map(palette.map((colour, index) => [colour, index]));
    for (const colour of most.slice(256)) {
        const wanted = parts(colour);
        const apart = palette.map((each) => parts(each).reduce((sum, value, i) =>
            sum + (value - wanted[i]) ** 2, 0));
        indices.set(colour, apart.indexOf(Math.min(...apart)));
    }
    const raw = Buffer.alloc((width + 1) * height);
    pixels.forEach((colour, i) => {
        raw[i + Math.floor(i / width) + 1] = /** @type {number} */ (indices.get(colour));
    });
    const header = Buffer.alloc(13);
    header.writeUInt32BE(width, 0);
    header.writeUInt32BE(height, 4);
    header.set([8, 3], 8);
    return Buffer.concat([file.subarray(0, 8), chunk('IHDR', header),
        chunk('PLTE', Buffer.from(palette.flatMap(parts))),
        chunk('IDAT', deflateSync(raw, { level: 9 })), chunk('IEND', Buffer.alloc(0))]);
}

/** @param {string} kind @param {Buffer} data */
function chunk(kind, data) {
    const bytes = Buffer.alloc(12 + data.length);
    bytes.writeUInt32BE(data.length, 0);
    bytes.write(kind, 4, 'latin1');
    data.copy(bytes, 8);
    bytes.writeUInt32BE(crc32(bytes.subarray(4, 8 + data.length)), 8 + data.length);
    return bytes;
}

/**
 * @param {string} name of the file
 * @param {string[]} args of the server
 * @param {object} options of the page
 * @param {(viewer: Viewer, page: Page, oracle: InstanceType<typeof Oracle>) => Promise<void>} act
 */
async function take(name, args, options, act) {
    const server = await Server.start(args);
    const { page, context, viewer } = await openPage(server, {
        viewport: { width: 1280, height: 800 }, ...options,
    });
    const oracle = await Oracle.connect(server);
    await act(viewer, page, oracle);
    await page.waitForLoadState('networkidle');
    // Nobody else watches, and nothing is about to change.
    oracle.close();
    await eventually(async () => assert.equal(await viewer.text('viewers'), ''));
    const whole = await page.screenshot();
    const file = whole.length < ROOMY_BYTES ? whole : withPalette(whole);
    assert.ok(file.length < LARGEST_BYTES, `${name} has ${file.length} bytes`);
    writeFileSync(path.join(folder, name), file);
    console.log(`${path.join(folder, name)}  ${file.length} bytes`);
    await context.close();
    await server.stop();
}

/**
 * Waits until the population is that of a generation.
 * @param {InstanceType<typeof Oracle>} oracle
 * @param {number} generation
 */
function counted(oracle, generation) {
    return oracle.until({ generation: String(generation), population_at: String(generation) });
}

mkdirSync(folder, { recursive: true });

await take('viewer-empty.png', [], {}, async (viewer, page) => {
    await page.locator('#nothing').waitFor();
    await viewer.says('population', '0');
});

await take('viewer-soup.png', [], {}, async (viewer, page, oracle) => {
    await viewer.key('n');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Topology').selectOption('');
    await dialog.getByLabel('Soup width').fill('3000');
    await dialog.getByLabel('Soup height').fill('2200');
    await dialog.getByText('More').click();
    await dialog.getByLabel('Seed').fill('7');
    await dialog.getByRole('button', { name: 'Create' }).click();
    await eventually(async () => assert.ok(Number((await oracle.state()).population) > 1e6));
    await viewer.setView({ x: 0, y: 0, zoom: 1 / 4 });
    await viewer.key('.', 2); // 64 generations at a time, for the graph
    for (let generation = 64; generation <= 1024; generation += 64) {
        await viewer.key('Tab');
        await viewer.says('generation', String(generation));
        await counted(oracle, generation);
    }
});

await take('viewer-edit.png', [pattern('gosper-glider-gun.rle')], {
    permissions: ['clipboard-read', 'clipboard-write'],
}, async (viewer, page) => {
    await viewer.key('Tab', 4);
    await viewer.says('generation', '64');
    await viewer.setView({ x: 20, y: 14, zoom: 16 });
    await viewer.tab('edit');
    await viewer.key('s');
    await viewer.drag([[23, 9], [27, 13]]);
    await viewer.key('Control+c');
    await viewer.says('clip-text', /live cells/);
    await viewer.key('v');
    await viewer.key('x');
    const { x, y } = await viewer.at(10, 21);
    await page.mouse.move(x, y);
});

await take('viewer-library.png', [pattern('acorn.rle')], {}, async (viewer, page) => {
    await viewer.key('.', 6);
    await viewer.key('Tab'); // 1,024 generations
    await viewer.says('generation', '1024');
    await viewer.key('2');
    await viewer.key('/');
    await page.locator('li.pattern').first().waitFor();
    await eventually(async () => {
        const canvases = page.locator('li.pattern canvas');
        const widths = await canvases.evaluateAll((all) => all.filter((each) =>
            each.getBoundingClientRect().bottom < innerHeight).map((each) =>
            /** @type {HTMLCanvasElement} */ (each).width));
        assert.ok(widths.length > 2 && widths.every((width) => width > 1));
    });
});

await take('viewer-touch.png', [pattern('gosper-glider-gun.rle')], {
    viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2,
}, async (viewer) => {
    await viewer.key('.', 3);
    await viewer.key('Tab');
    await viewer.says('generation', '128');
    await viewer.setView({ x: 22, y: 14, zoom: 8 });
    await viewer.press('draw');
});

await take('viewer-ages.png', ['--soup', '0.4', '--seed', '3', '--size', '320x220'], {},
    async (viewer, page, oracle) => {
        await page.locator('#colours').selectOption('comet');
        await viewer.setView({ x: 160, y: 110, zoom: 4 });
        await page.locator('#per-picture').selectOption('1');
        await viewer.key('+', 8);
        await viewer.key('Enter');
        // Each of them is drawn, which takes a busy machine minutes.
        await eventually(async () =>
            assert.ok(Number((await oracle.state()).generation) > 500), 300_000);
        await viewer.key('Enter');
        const { generation } = await oracle.until({ running: false });
        await counted(oracle, Number(generation));
    });

await take('viewer-tools.png', [], {}, async (viewer, page) => {
    await viewer.setView({ x: 0, y: 0, zoom: 16 });
    await page.locator('button[data-command="more-tools"]').click();
    await page.locator('#symmetry').selectOption({ index: 7 });
    await page.locator('#more [data-command="ellipse"]').click();
    await viewer.drag([[2, 3], [10, 13]]);
    await viewer.key('q');
    await viewer.drag([[4, 0], [7, 1]]);
    await page.locator('button[data-command="more-tools"]').click();
});

await take('viewer-rule.png', [pattern('gosper-glider-gun.rle')], { colorScheme: 'light' },
    async (viewer, page, oracle) => {
        await viewer.key('Tab', 4);
        await counted(oracle, 64);
        await page.locator('button[data-command="change"]:visible').click();
        await page.getByRole('dialog').getByLabel('Rule').fill('B36/S23');
        await page.getByRole('dialog').getByText(/HighLife\. A dead cell/).waitFor();
    });

await take('viewer-light.png', [pattern('lidka.rle')], { colorScheme: 'light' },
    async (viewer, page, oracle) => {
        await viewer.key('.', 5);
        for (let leap = 1; leap <= 12; leap++) {
            await viewer.key('Tab'); // 512 generations
            await counted(oracle, 512 * leap);
        }
        await viewer.key('f');
        await viewer.view();
    });

await take('viewer-map.png', ['--soup', '0.3', '--seed', '5', '--size', '2048x2048',
    '--topology', 'torus'], {}, async (viewer, page, oracle) => {
    await viewer.key('.', 4);
    await viewer.key('Tab');
    await counted(oracle, 256);
    await page.locator('#colours').selectOption('amber');
    await viewer.setView({ x: 700, y: 900, zoom: 8 });
    await page.locator('#map').waitFor();
});

/**
 * A film as the command makes it: README.md shows both, and the first one's command.
 * @param {string} name of the file
 * @param {string[]} args of `lightcone run`
 */
function takeFilm(name, args) {
    const file = path.join(folder, name);
    execFileSync(path.resolve(binary), ['run', ...args, '-q', '--film', file]);
    const { size } = statSync(file);
    assert.ok(size < LARGEST_BYTES, `${name} has ${size} bytes`);
    console.log(`${file}  ${size} bytes`);
}

takeFilm('gun.png', ['gosper-glider-gun', '-g', '179', '--theme', 'comet',
    '--area', '-3,-3,68x38', '--scale', '10', '--rate', '20']);

// A program that shows only the first picture of a film shows areas, and not the soup before them.
const checkpoint = path.join(mkdtempSync(path.join(tmpdir(), 'lightcone-')), 'day-night.lcs');
execFileSync(path.resolve(binary), ['run', '--soup', '0.5', '--size', '240x160',
    '--rule', 'Day & Night', '-g', '240', '-q', '-o', checkpoint]);
takeFilm('day-night.png', [checkpoint, '-g', '600', '--every', '60', '--theme', 'embers',
    '--scale', '3', '--rate', '2']);
rmSync(path.dirname(checkpoint), { recursive: true });
await close();
