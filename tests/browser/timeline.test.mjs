// The time line: playing, scrubbing and stepping through a timeline, running on from a frame and
// coming back, by buttons and by keys. Each frame's cells are those of a Life of the tests' own.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { fromRle, life, moved, places, sorted } from './cells.mjs';
import { close, eventually, open, openPage, pattern } from './support.mjs';

/** @import { Page } from 'playwright-core' */
/** @import { Cells } from './cells.mjs' */
/** @import { Oracle, Viewer } from './support.mjs' */

const LAST = 40;
const EVERY = 5;
const folder = mkdtempSync(path.join(tmpdir(), 'lightcone-timeline-'));
const file = path.join(folder, 'recorded.lct');
const start = fromRle(readFileSync(pattern('r-pentomino.rle'), 'utf8'));

before(() => {
    execFileSync(process.env.LC_BINARY ?? '', ['run', pattern('r-pentomino.rle'), '-q',
        '-g', String(LAST * EVERY), '--record', file, '--every', String(EVERY)]);
});
after(async () => {
    rmSync(folder, { recursive: true });
    await close();
});

/** Cells without where they lie. @param {Cells} cells */
function shape(cells) {
    const all = places(cells);
    const left = Math.min(...all.map(([x]) => x));
    const top = Math.min(...all.map(([, y]) => y));
    return sorted(moved(cells, (x, y) => [x - left, y - top]));
}

/**
 * Waits until that frame is to be seen, and looks at it.
 * @param {Viewer} viewer
 * @param {Oracle} oracle
 * @param {number} frame
 */
async function shows(viewer, oracle, frame) {
    const cells = life(start, frame * EVERY);
    await viewer.says('frame-number', String(frame));
    await viewer.says('generation', String(frame * EVERY));
    await viewer.says('frame-generation', String(frame * EVERY));
    await viewer.says('population', String(cells.size));
    assert.deepEqual(shape(await oracle.cells()), shape(cells));
}

/** @param {Page} page @returns {Promise<string | null>} what a screen reader says of the slider */
function spoken(page) {
    return page.locator('#frame').getAttribute('aria-valuetext');
}

test('keys step through the frames, and the view stays where it is', async (t) => {
    const { page, viewer, oracle } = await open(t, [file]);
    await shows(viewer, oracle, 0);
    await viewer.says('frame-most', String(LAST));
    await viewer.setView({ x: 3, y: 4, zoom: 4 });
    const view = await viewer.view();
    await viewer.key('PageDown', 3);
    await shows(viewer, oracle, 3);
    await viewer.key('PageUp');
    await shows(viewer, oracle, 2);
    await viewer.key('End');
    await shows(viewer, oracle, LAST);
    await viewer.key('PageDown'); // there is no other one
    await shows(viewer, oracle, LAST);
    assert.equal(await spoken(page), 'Frame 40 of 40, generation 200');
    await viewer.key('Home');
    await shows(viewer, oracle, 0);
    assert.deepEqual(await viewer.view(), view);
    // The slider has keys of its own.
    await page.locator('#frame').focus();
    await viewer.key('ArrowRight', 5);
    await shows(viewer, oracle, 5);
    await viewer.key('End');
    await shows(viewer, oracle, LAST);
});

test('buttons do the same, and what cannot be done is grey', async (t) => {
    const { page, viewer, oracle } = await open(t, [file, '--frame', '2']);
    await shows(viewer, oracle, 2);
    await viewer.press('frame-back');
    await shows(viewer, oracle, 1);
    await viewer.press('frame-first');
    await shows(viewer, oracle, 0);
    assert.ok(await page.locator('#timeline button[data-command="frame-back"]').isDisabled());
    await viewer.press('frame-next');
    await shows(viewer, oracle, 1);
    await viewer.press('frame-last');
    await shows(viewer, oracle, LAST);
    assert.ok(await page.locator('#timeline button[data-command="frame-next"]').isDisabled());
});

test('it plays to the end, backwards, and round and round', async (t) => {
    const { page, viewer, oracle } = await open(t, [file]);
    await page.locator('#frame-speed').selectOption('60');
    await viewer.key('k');
    await shows(viewer, oracle, LAST);
    await page.getByRole('button', { name: 'Play', exact: true }).waitFor();
    await viewer.key('j');
    await shows(viewer, oracle, 0);
    await viewer.press('loop');
    await page.locator('button[data-command="loop"][aria-pressed="true"]').waitFor();
    await viewer.press('play');
    const pause = page.getByRole('button', { name: 'Pause the timeline' });
    await pause.waitFor();
    let before_it = 0;
    await eventually(async () => {
        const { frame } = (await oracle.state()).timeline;
        const wrapped = frame < before_it;
        before_it = frame;
        assert.ok(wrapped, 'it begins again');
    });
    // Enter pauses whatever moves.
    await page.locator('#stage').focus();
    await viewer.key('Enter');
    await eventually(async () => {
        const { running, timeline } = await oracle.state();
        assert.deepEqual([running, timeline.playing], [false, 'no']);
    });
    await shows(viewer, oracle, (await oracle.state()).timeline.frame);
    // While it plays, + and - are its own.
    const { speed: kept } = await oracle.state();
    await viewer.key('k');
    await pause.waitFor();
    await viewer.key('-');
    await eventually(async () => {
        const { speed, timeline } = await oracle.state();
        assert.deepEqual([speed, timeline.frames_per_second], [kept, 30]);
    });
    await viewer.key('k');
    await pause.waitFor({ state: 'detached' });
});

test('scrubbing ends at the newest place', async (t) => {
    const { page, viewer, oracle } = await open(t, [file]);
    await shows(viewer, oracle, 0);
    const box = await page.locator('#frame').boundingBox();
    assert.ok(box);
    const y = box.y + box.height / 2;
    await page.mouse.move(box.x + 8, y);
    await page.mouse.down();
    for (const share of [0.2, 0.9, 0.4, 0.7]) {
        await page.mouse.move(box.x + box.width * share, y, { steps: 12 });
    }
    await page.mouse.up();
    const frame = await page.locator('#frame').evaluate((slider) =>
        slider instanceof HTMLInputElement ? slider.valueAsNumber : -1);
    assert.ok(frame > 20 && frame < LAST, `frame ${frame} is where the pointer is`);
    await shows(viewer, oracle, frame);
});

test('from any frame it runs on, and comes back', async (t) => {
    const { page, viewer, oracle } = await open(t, [file]);
    const back = page.getByRole('button', { name: 'Back to frame 7' });
    await page.locator('#frame').fill('7');
    await shows(viewer, oracle, 7);
    assert.ok(await back.isHidden());
    await page.locator('#stage').focus();
    await viewer.key('Space', 2);
    await viewer.says('generation', '37');
    assert.deepEqual(shape(await oracle.cells()), shape(life(start, 37)));
    await back.click();
    await shows(viewer, oracle, 7);
    await back.waitFor({ state: 'hidden' });
    // R leads back, too; and so does the frame before.
    for (const key of ['r', 'PageUp']) {
        await viewer.key('Tab'); // 2^4 generations
        await viewer.says('generation', '51');
        await viewer.key(key);
        await shows(viewer, oracle, 7);
    }
    // What was drawn is not lost without a question.
    await viewer.setView({ x: 0, y: 0, zoom: 8 });
    await viewer.key('d');
    await viewer.drag([[20, 20], [20, 25]]);
    await back.waitFor();
    await viewer.key('PageDown');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await oracle.until({ can_undo: true });
    await viewer.says('frame-number', '7');
    await viewer.key('PageDown');
    await page.getByRole('button', { name: 'Go back' }).click();
    await shows(viewer, oracle, 8);
    await viewer.key('PageDown');
    await shows(viewer, oracle, 9);
});

test('an onlooker sees the frame of the one who steers', async (t) => {
    const { server, viewer, oracle } = await open(t, [file]);
    const other = await openPage(server);
    t.after(() => other.context.close());
    await viewer.key('PageDown', 6);
    await shows(viewer, oracle, 6);
    await shows(other.viewer, oracle, 6);
    await other.viewer.key('PageDown');
    await other.viewer.complains(/Another viewer is steering/);
    await other.page.locator('#frame').fill('30');
    await other.viewer.complains(/Another viewer is steering/);
    await shows(other.viewer, oracle, 6);
    await viewer.key('Space');
    await other.viewer.says('generation', '31');
    assert.deepEqual(other.complaints, []);
});

test('a dropped timeline plays, one that is cut off as far as it is whole', async (t) => {
    const { page, viewer, oracle } = await open(t, [pattern('glider.rle')]);
    const strip = page.locator('#timeline');
    await viewer.says('generation', '0');
    assert.ok(await strip.isHidden());
    const bytes = readFileSync(file);
    const drop = async (/** @type {string} */ name, /** @type {Buffer} */ content) => {
        const dataTransfer = await page.evaluateHandle(([file_name, text]) => {
            const data = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
            const transfer = new DataTransfer();
            transfer.items.add(new File([data], file_name));
            return transfer;
        }, [name, content.toString('base64')]);
        await page.dispatchEvent('#stage', 'drop', { dataTransfer });
    };
    await drop('recorded.lct', bytes);
    await viewer.says('universe-name', 'recorded.lct');
    await strip.waitFor();
    await shows(viewer, oracle, 0);
    await viewer.key('End');
    await shows(viewer, oracle, LAST);
    await drop('cut.lct', bytes.subarray(0, bytes.length / 2));
    await viewer.complains(/truncated/);
    await viewer.says('universe-name', 'cut.lct');
    const frames = await eventually(async () => {
        const { name, timeline } = await oracle.universe();
        assert.equal(name, 'cut.lct');
        return timeline.frames;
    });
    assert.ok(frames > 1 && frames < LAST);
    await viewer.key('End');
    await shows(viewer, oracle, frames - 1);
    assert.ok(await page.locator('#timeline-cut').isVisible());
    await drop('bad.mc', Buffer.from('[M2]\n#FRAMES 0 0 7\n*$\n#FRAME 3 1\n'));
    await viewer.complains(/^bad\.mc, line 4: frames must come one after the other.*\.$/);
    await shows(viewer, oracle, frames - 1);
    await viewer.tab('files');
    const [chooser] = await Promise.all([page.waitForEvent('filechooser'), viewer.press('open')]);
    await chooser.setFiles(pattern('lwss.rle'));
    await viewer.says('universe-name', 'lwss.rle');
    await strip.waitFor({ state: 'hidden' });
});

test('the time line fits on every page', async (t) => {
    const { page, viewer } = await open(t, [file]);
    for (const width of [1600, 1000, 700, 390, 320]) {
        await page.setViewportSize({ width, height: 640 });
        await viewer.view();
        const outside = await page.locator('#timeline *:visible').evaluateAll((all) =>
            all.filter((each) => {
                const { left, right } = each.getBoundingClientRect();
                return left < 0 || right > innerWidth;
            }).map((each) => each.outerHTML.slice(0, 80)));
        assert.deepEqual(outside, [], `${width} pixels`);
        const slider = await page.locator('#frame').boundingBox();
        assert.ok(slider && slider.width > 100, `the slider on ${width} pixels`);
    }
});
