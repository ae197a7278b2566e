// What the picture shows, pixel by pixel, against the cells that the server holds: near, one to
// one, and far, with WebGL2 and with canvas 2D.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { close, eventually, open, pattern } from './support.mjs';

/** @import { Oracle, Viewer } from './support.mjs' */

after(close);

const SOUP = ['--soup', '0.4', '--seed', '5', '--size', '6000x3000'];

/**
 * Every pixel of the stage against what the cells under it say.
 * @param {Viewer} viewer
 * @param {Oracle} oracle
 * @param {{x: number, y: number, zoom: number}} view its middle is such that pixels and cells meet
 */
async function compare(viewer, oracle, view) {
    await viewer.setView(view);
    const palette = await viewer.palette();
    const stage = await viewer.stage();
    const side = Math.max(1, Math.round(1 / view.zoom));
    // The cell at the left edge, as the page lays cells and pixels over each other.
    const left = Math.round((view.x - stage.width / 2 / view.zoom) * view.zoom) / view.zoom;
    const top = Math.round((view.y - stage.height / 2 / view.zoom) * view.zoom) / view.zoom;
    const box = {
        x: Math.floor(left), y: Math.floor(top),
        width: Math.ceil(stage.width / view.zoom) + side,
        height: Math.ceil(stage.height / view.zoom) + side,
    };
    const cells = await oracle.field(box);
    const level = (/** @type {number} */ x, /** @type {number} */ y) => {
        let alive = 0;
        for (let i = 0; i < side * side; i++) {
            const row = y - box.y + Math.floor(i / side);
            alive += cells[row * box.width + x - box.x + i % side];
        }
        return alive ? Math.max(1, Math.round(255 * Math.sqrt(alive / side ** 2))) : 0;
    };
    await eventually(async () => {
        const screen = await viewer.screen();
        let wrong = 0;
        let first = '';
        for (let py = 0; py < screen.height; py++) {
            // The server asks the oracle whether it is still there; a busy machine takes a minute.
            await new Promise((resolve) => setImmediate(resolve));
            for (let px = 0; px < screen.width; px++) {
                const x = Math.floor(left + px / view.zoom);
                const y = Math.floor(top + py / view.zoom);
                const wanted = palette[level(x, y)];
                const is = screen.at(px, py);
                if (wanted.every((each, i) => each === is[i])) continue;
                first ||= `pixel ${px}, ${py}: ${is}, not ${wanted}, cell ${x}, ${y}`;
                wrong++;
            }
        }
        assert.equal(wrong, 0, `${wrong} pixels of ${screen.width} x ${screen.height}; ${first}`);
    });
    const seen = cells.reduce((sum, each) => sum + each, 0);
    assert.ok(seen > 5, 'something is to be seen');
}

for (const query of ['?webgl', '?canvas']) {
    const name = query === '?canvas' ? 'canvas 2D' : 'WebGL2';
    test(`${name}: pixels at 1:1, 8:1 and 1:4 are the cells`, async (t) => {
        // As small as a stage can be, because all of it is compared again and again.
        const viewport = { width: 1070, height: 420 };
        const { page, viewer, oracle } = await open(t, SOUP, { query, viewport });
        assert.equal(await page.evaluate(async (main) => (await import(main)).picture.renderer,
            '/main.js'), query === '?canvas' ? 'canvas' : 'webgl2');
        await viewer.key('g'); // no grid lines,
        await viewer.key('\''); // and no map before the cells
        await compare(viewer, oracle, { x: 1500, y: 1000, zoom: 1 });
        await compare(viewer, oracle, { x: 700, y: 512, zoom: 8 });
        await compare(viewer, oracle, { x: 3000, y: 1500, zoom: 1 / 4 });
        await viewer.key('Space');
        await viewer.says('generation', '1');
        await compare(viewer, oracle, { x: 1500, y: 1000, zoom: 1 });
    });

    test(`${name}: a single cell is seen from far away, edges are drawn`, async (t) => {
        const { viewer, oracle } = await open(t, ['--size', '4096x4096'], { query });
        const stage = await viewer.stage();
        await oracle.ask({ do: 'take' });
        await oracle.ask({ do: 'cells', alive: true, stroke: 1, runs: [2048, 2048, 1] });
        await oracle.holds(new Set(['2048,2048']));
        const palette = await viewer.palette();
        await viewer.setView({ x: 2048, y: 2048, zoom: 1 / 16 });
        await eventually(async () => {
            const screen = await viewer.screen();
            const [x, y] = [Math.round(stage.width / 2), Math.round(stage.height / 2)];
            const near = [0, 1].flatMap((dx) => [0, 1].map((dy) =>
                screen.at(x + dx - 1, y + dy - 1).join()));
            // One cell of 256: the root of its share is 1/16.
            assert.ok(near.includes(palette[16].join()), near.join(' '));
            const dead = palette[0].join();
            assert.equal(screen.at(x + 20, y).join(), dead);
            // Beyond the edge, 128 pixels away, it is neither dead nor alive.
            const beyond = screen.at(x + 140, y).join();
            assert.ok(!palette.some((colour) => colour.join() === beyond), beyond);
        });
    });

    test(`${name}: grid lines are seen when near, every tenth one stronger`, async (t) => {
        const { viewer } = await open(t, [], { query });
        await viewer.setView({ x: 0, y: 0, zoom: 16 });
        const stage = await viewer.stage();
        const [dead] = await viewer.palette();
        const line = async (/** @type {number} */ cell) => {
            const screen = await viewer.screen();
            const x = 16 * cell - Math.round(-stage.width / 2);
            return screen.at(x, Math.round(stage.height / 2) + 8);
        };
        const apart = (/** @type {number[]} */ colour) =>
            colour.reduce((sum, value, i) => sum + Math.abs(value - dead[i]), 0);
        await eventually(async () => {
            const [weak, strong] = [apart(await line(3)), apart(await line(10))];
            assert.ok(weak > 15 && strong > weak + 15, `${weak}, ${strong}`);
        });
        await viewer.key('g');
        await eventually(async () => assert.equal(apart(await line(10)), 0));
        await viewer.key('g');
        await viewer.key('1');
        await eventually(async () => assert.equal(apart(await line(10)), 0));
    });
}

test('canvas 2D: a pixel shows all squares in it where they are smaller', async (t) => {
    const { viewer, oracle } = await open(t, ['--soup', '0.02', '--seed', '3', '--size', '700x500'],
        { query: '?canvas', viewport: { width: 1070, height: 420 }, colours: 'sea' });
    await viewer.key('\'');
    const palette = await viewer.palette();
    const stage = await viewer.stage();
    const zoom = 0.3; // squares of 2 cells, 0.6 pixels wide
    // Around the left and upper edges; no square's middle is where two pixels meet.
    const [left, top] = [-59.8, -19.8];
    await viewer.setView({
        x: left + stage.width / 2 / zoom, y: top + stage.height / 2 / zoom, zoom,
    });
    const cells = await oracle.cells();
    const level = (/** @type {number} */ column, /** @type {number} */ row) => {
        let alive = 0;
        for (const x of [2 * column, 2 * column + 1]) {
            for (const y of [2 * row, 2 * row + 1]) alive += cells.has(`${x},${y}`) ? 1 : 0;
        }
        return alive && Math.round(255 * Math.sqrt(alive / 4));
    };
    /** The squares whose middle is in a pixel. */
    const squares = (/** @type {number} */ start, /** @type {number} */ pixel) => {
        const found = [];
        const [from, to] = [start + pixel / zoom, start + (pixel + 1) / zoom];
        for (let i = Math.ceil((from - 1) / 2); 2 * i + 1 < to; i++) found.push(i);
        return found;
    };
    const edges = { x0: 18, y0: 6, x1: Math.round(759.8 * zoom), y1: Math.round(519.8 * zoom) };
    await eventually(async () => {
        const screen = await viewer.screen();
        /** @type {string[]} */
        const wrong = [];
        for (let py = edges.y0; py < edges.y1; py++) {
            for (let px = edges.x0; px < edges.x1; px++) {
                const levels = squares(left, px).flatMap((x) =>
                    squares(top, py).map((y) => level(x, y)));
                const mean = levels.reduce((sum, each) => sum + each ** 2, 0) / levels.length;
                const wanted = palette[Math.round(Math.sqrt(mean))].join();
                const is = screen.at(px, py).join();
                if (is !== wanted) wrong.push(`pixel ${px}, ${py}: ${is}, not ${wanted}`);
            }
        }
        const beyond = screen.at(edges.x0 - 3, edges.y0 + 3).join();
        assert.ok(!palette.some((colour) => colour.join() === beyond), 'nothing is drawn beyond');
        assert.equal(wrong.length, 0, `${wrong.length} wrong; ${wrong[0]}`);
    });
    assert.ok(cells.size > 1000, 'something is to be seen');
});

test('running, the picture is of the generation that it says', async (t) => {
    const { page, viewer, oracle } = await open(t, [pattern('acorn.rle'), '--speed', '1000'],
        { viewport: { width: 1070, height: 420 }, colours: 'sea' });
    await viewer.key('Enter');
    await oracle.until({ running: true });
    await eventually(async () => assert.ok(Number((await oracle.state()).generation) > 500));
    await viewer.key('Enter');
    const { generation } = await oracle.until({ running: false });
    await eventually(async () => {
        const shown = await page.evaluate(async (main) =>
            String((await import(main)).picture.frame.generation), '/main.js');
        assert.equal(shown, generation);
    });
    await viewer.key('g');
    await compare(viewer, oracle, { x: 0, y: 0, zoom: 4 });
});
