// The page's memory over ten minutes of running, zooming and drawing. Only with LC_TEST_LONG=1;
// LC_TEST_MINUTES makes it shorter, for those who want to see whether the test itself works.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, test } from 'node:test';
import { close, launch, open } from './support.mjs';

after(close);

const minutes = Number(process.env.LC_TEST_MINUTES ?? 10);
const samples = 20;
const tabs = /** @type {const} */ (['now', 'patterns', 'edit']);

/** @param {number[]} values */
function mean(values) {
    return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** What the processes of Chromium hold: arrays and textures are not in the heap of JavaScript. */
async function residentMib() {
    const session = await (await launch()).newBrowserCDPSession();
    const { processInfo } = await session.send('SystemInfo.getProcessInfo');
    await session.detach();
    const kib = processInfo.filter(({ type }) => ['renderer', 'GPU'].includes(type)).map(({ id }) =>
        Number(readFileSync(`/proc/${id}/status`, 'utf8').match(/VmRSS:\s+(\d+)/)?.[1] ?? NaN));
    return kib.reduce((sum, each) => sum + each, 0) / 1024;
}

test('memory is steady', { skip: process.env.LC_TEST_LONG !== '1' }, async (t) => {
    const { page, viewer } = await open(t, ['--soup', '0.4', '--size', '2048x2048', '--start']);
    const session = await page.context().newCDPSession(page);
    await session.send('Performance.enable');
    /** @type {number[]} */
    const heaps_mib = [];
    const begin = performance.now();
    for (let sample = 1; sample <= samples; sample++) {
        const end = begin + sample * minutes * 60_000 / samples;
        for (let i = 0; performance.now() < end; i++) await use(viewer, i);
        await viewer.key('Escape');
        await session.send('HeapProfiler.collectGarbage');
        const { metrics } = await session.send('Performance.getMetrics');
        const of = (/** @type {string} */ name) =>
            metrics.find((each) => each.name === name)?.value ?? NaN;
        heaps_mib.push(of('JSHeapUsedSize') / 2 ** 20);
        t.diagnostic(`${((performance.now() - begin) / 1000).toFixed(0)} s: ` +
            `${heaps_mib[sample - 1].toFixed(2)} MiB heap, ${of('Nodes')} nodes, ` +
            `${of('JSEventListeners')} listeners, ` +
            `${(await residentMib()).toFixed(0)} MiB resident`);
    }
    const part = Math.floor(samples / 3);
    const [first, last] = [mean(heaps_mib.slice(0, part)), mean(heaps_mib.slice(-part))];
    assert.ok(last <= 1.1 * first, `from ${first} MiB to ${last} MiB`);
});

/**
 * A little of what people do.
 * @param {import('./support.mjs').Viewer} viewer
 * @param {number} i
 */
async function use(viewer, i) {
    const { mouse } = viewer.page;
    const stage = await viewer.stage();
    await mouse.move(stage.x + 100 + (i * 37) % 400, stage.y + 100 + (i * 23) % 300);
    await mouse.wheel(0, i % 8 < 4 ? -120 : 120);
    const tool = ['h', 'd', 'e', 'l', 's'][i % 5];
    await viewer.key(tool);
    await mouse.down();
    await mouse.move(stage.x + 150 + (i * 53) % 400, stage.y + 150 + (i * 41) % 300, { steps: 5 });
    await mouse.up();
    if (tool === 's') {
        await viewer.key('u');
        await viewer.key('Escape');
    }
    if (i % 10 === 9) await viewer.key('f');
    if (i % 16 === 15) await viewer.tab(tabs[(i >> 4) % 3]);
    if (i % 50 === 49) await viewer.key('?');
    if (i % 50 === 49) await viewer.key('Escape');
}
