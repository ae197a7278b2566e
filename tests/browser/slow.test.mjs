// Over a slow line: what is pressed shows soon, since no more is under way than takes a moment, and
// what rests is shown as it is. Its times are printed, not judged.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import net from 'node:net';
import { after, test } from 'node:test';
import { close, eventually, openPage, startServer } from './support.mjs';

after(close);

const BYTES_A_SECOND = 1e6 / 8;
const PIECE_MS = 10;

/**
 * A line to a port of this machine. What comes from there comes slowly, and little of it waits.
 * @param {import('node:test').TestContext} t
 * @param {number} port
 */
async function slowLine(t, port) {
    const proxy = net.createServer((near) => {
        const far = net.connect(port, '127.0.0.1');
        /** @type {Buffer[]} */
        let waiting = [];
        let waiting_bytes = 0;
        far.on('data', (/** @type {Buffer} */ piece) => {
            waiting.push(piece);
            waiting_bytes += piece.length;
            far.pause();
        });
        const timer = setInterval(() => {
            const bytes = Math.min(waiting_bytes, BYTES_A_SECOND * PIECE_MS / 1000);
            if (bytes === 0) return;
            const all = Buffer.concat(waiting);
            near.write(all.subarray(0, bytes));
            waiting = [all.subarray(bytes)];
            waiting_bytes -= bytes;
            if (waiting_bytes === 0) far.resume();
        }, PIECE_MS);
        near.pipe(far);
        const end = () => {
            clearInterval(timer);
            near.destroy();
            far.destroy();
        };
        for (const socket of [near, far]) socket.on('close', end).on('error', end);
    });
    proxy.listen(0, '127.0.0.1');
    await once(proxy, 'listening');
    t.after(() => proxy.close());
    return /** @type {import('node:net').AddressInfo} */ (proxy.address()).port;
}

test('over 1 Mbit/s pause shows soon, and then every cell', async (t) => {
    const server = await startServer(t,
        ['--soup', '0.4', '--seed', '1', '--size', '1600x1200', '--start']);
    server.url = `http://127.0.0.1:${await slowLine(t, server.port)}/`;
    const { page, viewer, context, complaints } = await openPage(server,
        { viewport: { width: 1280, height: 800 } });
    t.after(async () => {
        await context.close();
        assert.deepEqual(complaints, []);
    });
    await viewer.setView({ x: 800, y: 600, zoom: 1 });
    const scale = () => page.evaluate(async (main) => {
        const { picture } = await import(main);
        return picture.frame?.scale ?? -1;
    }, '/main.js');
    await eventually(async () => assert.ok(await scale() > 0));
    const times_ms = await page.evaluate(async (main) => {
        const { connection } = await import(main);
        const times = [];
        for (let i = 0; i < 5; i++) {
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
    }, '/main.js');
    t.diagnostic(`from Pause until it shows over 1 Mbit/s: median ${times_ms[2].toFixed(0)} ms, ` +
        `at most ${times_ms[4].toFixed(0)} ms`);
    await eventually(async () => assert.equal(await scale(), 0));
});
