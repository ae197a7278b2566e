// Over a slow line: what is pressed shows soon, since no more is under way than takes a moment, and
// what rests is shown as it is. Its times are printed, not judged; with LC_TEST_LONG=1 they are of
// more tries.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import net from 'node:net';
import { after, test } from 'node:test';
import { close, eventually, launch, openPage, pattern, startServer } from './support.mjs';

after(close);

const PIECE_MS = 5;
const tries = process.env.LC_TEST_LONG === '1' ? 5 : 1;

/**
 * A line to a port of this machine. What comes from there comes slowly, all connections together,
 * and little of it waits; everything is under way for a while, and so is a connection's first word.
 * @param {import('node:test').TestContext} t
 * @param {number} port
 * @param {{bits_a_second: number, round_trip_ms?: number}} line
 */
async function slowLine(t, port, { bits_a_second, round_trip_ms = 0 }) {
    /** @typedef {{near: net.Socket, far: net.Socket, waiting: Buffer[], bytes: number}} Pair */
    /** @type {Set<Pair>} */
    const pairs = new Set();
    const later = (/** @type {() => void} */ what, ms = round_trip_ms / 2) => {
        if (ms > 0) setTimeout(what, ms); // those of the same length keep their order
        else what();
    };
    const proxy = net.createServer((near) => {
        const far = net.connect(port, '127.0.0.1');
        /** @type {Pair} */
        const pair = { near, far, waiting: [], bytes: 0 };
        pairs.add(pair);
        far.on('data', (/** @type {Buffer} */ piece) => {
            pair.waiting.push(piece);
            pair.bytes += piece.length;
            far.pause();
        });
        let ready = round_trip_ms === 0;
        /** @type {Buffer[]} */
        let early = [];
        const up = (/** @type {Buffer} */ piece) => later(() => far.write(piece));
        near.on('data', (/** @type {Buffer} */ piece) => {
            if (ready) up(piece);
            else early.push(piece);
        });
        later(() => {
            ready = true;
            for (const piece of early) up(piece);
            early = [];
        }, round_trip_ms);
        const end = () => {
            pairs.delete(pair);
            near.destroy();
            far.destroy();
        };
        near.on('close', end).on('error', end);
        far.on('error', end).on('close', () => {
            if (pair.bytes === 0) later(end);
        });
    });
    let before_ms = performance.now();
    const timer = setInterval(() => {
        const now_ms = performance.now();
        let room = Math.floor(bits_a_second / 8 * Math.min(50, now_ms - before_ms) / 1000);
        before_ms = now_ms;
        // Each has its share; what those with little to send leave is for the others.
        const busy = [...pairs].filter(({ bytes }) => bytes > 0).sort((x, y) => x.bytes - y.bytes);
        for (const [i, pair] of busy.entries()) {
            const bytes = Math.min(pair.bytes, Math.floor(room / (busy.length - i)));
            if (bytes === 0) continue;
            const all = Buffer.concat(pair.waiting);
            const piece = all.subarray(0, bytes);
            later(() => pair.near.write(piece));
            pair.waiting = [all.subarray(bytes)];
            pair.bytes -= bytes;
            room -= bytes;
            if (pair.bytes === 0) pair.far.resume();
        }
    }, PIECE_MS);
    proxy.listen(0, '127.0.0.1');
    await once(proxy, 'listening');
    t.after(() => {
        clearInterval(timer);
        proxy.close();
    });
    return /** @type {import('node:net').AddressInfo} */ (proxy.address()).port;
}

test('over 1.6 Mbit/s with 150 ms there and back, from nothing to the first picture', async (t) => {
    const server = await startServer(t, [pattern('acorn.rle')]);
    const line = { bits_a_second: 1.6e6, round_trip_ms: 150 };
    const url = `http://127.0.0.1:${await slowLine(t, server.port, line)}/`;
    const times_ms = [];
    for (let i = 0; i < tries; i++) {
        const context = await (await launch()).newContext({ reducedMotion: 'reduce' });
        const page = await context.newPage();
        await page.goto(url, { waitUntil: 'commit' });
        times_ms.push(await page.evaluate(async (first) => {
            const { picture } = await import(first);
            if (!picture.frame) {
                await new Promise((resolve) => {
                    picture.addEventListener('drawn', resolve, { once: true });
                });
            }
            return performance.now();
        }, '/first.js'));
        await context.close();
    }
    times_ms.sort((a, b) => a - b);
    t.diagnostic('from nothing to the first picture: median ' +
        `${times_ms[tries >> 1].toFixed(0)} ms, ${times_ms[0].toFixed(0)} to ` +
        `${times_ms[tries - 1].toFixed(0)} ms`);
});

test('over 1 Mbit/s pause shows soon, and then every cell', async (t) => {
    const server = await startServer(t,
        ['--soup', '0.4', '--seed', '1', '--size', '1600x1200', '--start']);
    server.url = `http://127.0.0.1:${await slowLine(t, server.port, { bits_a_second: 1e6 })}/`;
    const { page, viewer, context, complaints } = await openPage(server,
        { viewport: { width: 1280, height: 800 } });
    t.after(async () => {
        await context.close();
        assert.deepEqual(complaints, []);
    });
    const scale = () => page.evaluate(async (main) => {
        const { picture } = await import(main);
        return picture.frame?.scale ?? -1;
    }, '/main.js');
    await eventually(async () => assert.ok(await scale() > 0)); // all of it
    await viewer.setView({ x: 800, y: 600, zoom: 1 });
    const times_ms = await page.evaluate(async ([main, count]) => {
        const { connection } = await import(/** @type {string} */ (main));
        const times = [];
        for (let i = 0; i < count; i++) {
            for (const message of ['pause', 'run']) {
                const began = performance.now();
                const heard = new Promise((resolve) => {
                    const look = (/** @type {any} */ { detail }) => {
                        if (detail.running !== (message === 'run')) return;
                        connection.removeEventListener('state', look);
                        resolve(null);
                    };
                    connection.addEventListener('state', look);
                });
                connection.send({ do: message });
                await heard;
                if (message === 'pause') times.push(performance.now() - began);
            }
            await new Promise((resolve) => setTimeout(resolve, 1500));
        }
        connection.send({ do: 'pause' });
        return times.sort((a, b) => a - b);
    }, /** @type {const} */ (['/main.js', tries]));
    t.diagnostic('from Pause until it shows over 1 Mbit/s: median ' +
        `${times_ms[tries >> 1].toFixed(0)} ms, at most ${times_ms[tries - 1].toFixed(0)} ms`);
    await eventually(async () => assert.equal(await scale(), 0));
});

test('over 200 kbit/s a picture that takes seconds is no silence', async (t) => {
    const server = await startServer(t,
        ['--soup', '0.5', '--seed', '1', '--size', '1600x1200']);
    server.url = `http://127.0.0.1:${await slowLine(t, server.port, { bits_a_second: 2e5 })}/`;
    const { page, viewer, context, complaints } = await openPage(server,
        { viewport: { width: 1280, height: 800 } });
    t.after(async () => {
        await context.close();
        assert.deepEqual(complaints, []);
    });
    await page.evaluate(async (main) => {
        const { connection } = await import(main);
        Object.assign(window, { silences: 0 });
        connection.addEventListener('silent', (/** @type {any} */ { detail }) => {
            if (detail) Reflect.set(window, 'silences', Reflect.get(window, 'silences') + 1);
        });
    }, '/main.js');
    for (const [x, y] of [[700, 500], [900, 700]]) {
        await viewer.setView({ x, y, zoom: 1 });
        const began_ms = performance.now();
        await eventually(async () => {
            const { frame, seen } = await page.evaluate(async (main) => {
                const { camera, picture } = await import(main);
                const { x = 0, y = 0, width = 0, height = 0, scale = -1 } = picture.frame ?? {};
                const { visible: seen } = camera;
                return {
                    frame: { x: Number(x), y: Number(y), width, height, scale },
                    seen: {
                        x: Number(seen.x), y: Number(seen.y), width: Number(seen.width),
                        height: Number(seen.height),
                    },
                };
            }, '/main.js');
            assert.ok(frame.scale === 0 && frame.x <= seen.x && frame.y <= seen.y &&
                frame.x + frame.width >= seen.x + seen.width &&
                frame.y + frame.height >= seen.y + seen.height,
            `every cell: ${JSON.stringify({ frame, seen })}`);
        });
        t.diagnostic(`every cell after ${(performance.now() - began_ms).toFixed(0)} ms`);
    }
    assert.equal(await page.evaluate(() => Reflect.get(window, 'silences')), 0);
});
