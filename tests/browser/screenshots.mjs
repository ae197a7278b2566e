// Makes the pictures of the viewer that docs/ has.
//
//     node tests/browser/screenshots.mjs build/lightcone docs

import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { deflateSync } from 'node:zlib';

/** @import { Page } from 'playwright-core' */
/** @import { Viewer } from './support.mjs' */

const LARGEST_BYTES = 300_000;

const [binary, folder] = process.argv.slice(2);
if (folder === undefined) {
    console.error('node tests/browser/screenshots.mjs BINARY FOLDER');
    process.exit(2);
}
process.env.LC_BINARY = path.resolve(binary);
const { close, eventually, openPage, Oracle, pattern, Server } = await import('./support.mjs');
const { crc32, readPng } = await import('./png.mjs');

/**
 * The same picture with a palette of the colours that it has most, which makes it a third as large.
 * @param {Buffer} file
 */
function withPalette(file) {
    const { width, height, at } = readPng(file);
    // As exact as 256 colours can be: those of it that are the most frequent.
    for (let bits = 8; ; bits--) {
        const mask = 0xff << (8 - bits) & 0xff;
        const half = bits === 8 ? 0 : 1 << (7 - bits);
        /** @type {Map<number, number>} */
        const known = new Map();
        const raw = Buffer.alloc((width + 1) * height);
        for (let y = 0; y < height && known.size <= 256; y++) {
            for (let x = 0; x < width; x++) {
                const [red, green, blue] = at(x, y).map((value) => value & mask);
                const colour = red << 16 | green << 8 | blue;
                let index = known.get(colour);
                if (index === undefined) known.set(colour, index = known.size);
                raw[y * (width + 1) + 1 + x] = index;
            }
        }
        if (known.size > 256) continue;
        const palette = Buffer.from([...known.keys()].flatMap((colour) =>
            [colour >> 16, colour >> 8, colour].map((value) => (value & 0xff) | half)));
        const header = Buffer.alloc(13);
        header.writeUInt32BE(width, 0);
        header.writeUInt32BE(height, 4);
        header.set([8, 3], 8);
        return Buffer.concat([file.subarray(0, 8), chunk('IHDR', header), chunk('PLTE', palette),
            chunk('IDAT', deflateSync(raw, { level: 9 })), chunk('IEND', Buffer.alloc(0))]);
    }
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
    await oracle.page.context().close();
    await eventually(async () => assert.equal(await viewer.text('viewers'), ''));
    const file = withPalette(await page.screenshot());
    assert.ok(file.length < LARGEST_BYTES, `${name} has ${file.length} bytes`);
    writeFileSync(path.join(folder, name), file);
    console.log(`${path.join(folder, name)}  ${file.length} bytes`);
    await context.close();
    await server.stop();
}

mkdirSync(folder, { recursive: true });

await take('viewer-soup.png', [], {}, async (viewer, page, oracle) => {
    await viewer.key('n');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Soup’s width').fill('2200');
    await dialog.getByLabel('Soup’s height').fill('1800');
    await dialog.getByLabel('Seed').fill('7');
    await dialog.getByRole('button', { name: 'Make it' }).click();
    await eventually(async () => assert.ok(Number((await oracle.state()).population) > 1e6));
    await viewer.key('.', 7);
    await viewer.key('Tab'); // 2,048 generations
    await eventually(async () => assert.equal((await oracle.state()).generation, '2048'), 300_000);
    await viewer.setView({ x: 0, y: 0, zoom: 1 / 4 });
    await viewer.says('generation', '2048');
    await viewer.says('population', /^\d+$/);
});

await take('viewer-edit.png', [pattern('gosper-glider-gun.rle')], {
    permissions: ['clipboard-read', 'clipboard-write'],
}, async (viewer, page) => {
    await viewer.key('Tab', 4);
    await viewer.says('generation', '64');
    await viewer.setView({ x: 20, y: 14, zoom: 16 });
    await viewer.tab('edit');
    await viewer.key('s');
    await viewer.drag([[23, 5], [32, 14]]);
    await viewer.key('Control+c');
    await viewer.says('clip-text', /live cells/);
    await viewer.key('v');
    await viewer.key('x');
    const { x, y } = await viewer.at(6, 20);
    await page.mouse.move(x, y);
});

await take('viewer-library.png', [pattern('acorn.rle')], {}, async (viewer, page) => {
    await viewer.key('.', 6);
    await viewer.key('Tab'); // 1,024 generations
    await viewer.says('generation', '1024');
    await viewer.key('f');
    await viewer.key('/');
    await page.locator('li.pattern').first().waitFor();
    await eventually(async () => {
        const widths = await page.locator('li.pattern canvas').evaluateAll((all) => all.filter((each) =>
            each.getBoundingClientRect().bottom < innerHeight).map((each) =>
            /** @type {HTMLCanvasElement} */ (each).width));
        assert.ok(widths.length > 4 && widths.every((width) => width > 1));
    });
});

await take('viewer-touch.png', [pattern('lidka.rle')], {
    viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2,
}, async (viewer) => {
    await viewer.key('.', 6);
    await viewer.key('Tab', 3);
    await viewer.says('generation', '3072');
    await viewer.key('f');
});

await close();
