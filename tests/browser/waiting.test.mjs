// What the page says while it waits: for a server that hangs, for a place, for the token.

import assert from 'node:assert/strict';
import { createServer, request as forward } from 'node:http';
import { connect } from 'node:net';
import { after, test } from 'node:test';
import { close, eventually, launch, open, openPage, pattern, startServer, Viewer }
    from './support.mjs';

/** @import { Page } from 'playwright-core' */

after(close);

/** @param {Page} page @param {RegExp} wanted */
function notice(page, wanted) {
    return page.locator('#waiting').filter({ hasText: wanted }).waitFor();
}

/** @param {Page} page */
function isGrey(page) {
    return page.locator('#picture').evaluate((canvas) =>
        getComputedStyle(canvas).filter.includes('grayscale(1)'));
}

/** A page that may not come in, so that its browser complains. @param {string} address */
async function refusedPage(address) {
    const context = await (await launch()).newContext();
    const page = await context.newPage();
    await page.goto(address);
    return { page, context, viewer: new Viewer(page) };
}

test('a server that hangs greys the page; what is done then waits, and is done', async (t) => {
    const { page, viewer, server } = await open(t, [pattern('glider.rle')]);
    assert.equal(await isGrey(page), false);
    await page.locator('#waiting').waitFor({ state: 'hidden' });
    server.child.kill('SIGSTOP');
    try {
        await notice(page, /No answer for \d+ seconds?\. Reconnecting in \d+ seconds?/s);
        assert.ok(await isGrey(page));
        assert.equal(await viewer.text('link-text'), 'no answer');
        await page.locator('#stage').focus();
        await viewer.key('Space', 2);
    } finally {
        server.child.kill('SIGCONT');
    }
    await page.locator('#waiting').waitFor({ state: 'hidden' });
    assert.equal(await isGrey(page), false);
    await viewer.says('link-text', 'connected');
    await viewer.says('generation', '2');
});

test('a universe that gives no sign of life, of which the server tells', async (t) => {
    const { page, viewer, server } = await open(t, [pattern('glider.rle')]);
    /** @type {import('playwright-core').WebSocketRoute | undefined} */
    let route;
    await page.routeWebSocket(/\/socket/, (socket) => {
        route = socket;
        socket.connectToServer();
    });
    await page.goto(server.url);
    await viewer.isOpen(); // what is said before is forgotten when the connection opens
    assert.ok(route);
    route.send('{"is":"stuck","seconds":5}');
    await notice(page, /The universe does not answer.*No answer for 5 seconds/s);
    route.send('{"is":"stuck","seconds":1}');
    await notice(page, /No answer for 1 second\./);
    route.send('{"is":"stuck","seconds":0}');
    await page.locator('#waiting').waitFor({ state: 'hidden' });
});

test('a server that hangs for long is connected to anew, and then by hand', async (t) => {
    // That a connection fails is said on the console by the browser itself.
    const { page, server, oracle } = await open(t, [pattern('glider.rle')], { quiet: true });
    // A connection of less patience than the page's.
    await page.evaluate(async (module) => {
        const { Connection, serverAddress } = await import(module);
        const heard = /** @type {string[]} */ ([]);
        const connection = new Connection(serverAddress('/socket').replace(/^http/, 'ws'),
            { silent_ms: 1500, giveUp_ms: 2000, connect_ms: 500 });
        for (const name of ['open', 'silent', 'closed', 'refused']) {
            connection.addEventListener(name, () => heard.push(name));
        }
        Object.assign(window, { impatient: { connection, heard } });
    }, '/connection.js');
    /** @returns {Promise<string[]>} */
    const heard = () => page.evaluate(() => Reflect.get(window, 'impatient').heard);
    await eventually(async () => assert.deepEqual(await heard(), ['open']));
    server.child.kill('SIGSTOP');
    try {
        await eventually(async () => {
            const all = await heard();
            assert.deepEqual(all.slice(0, 3), ['open', 'silent', 'closed']);
            assert.ok(all.length > 3, 'connecting comes to an end too');
        });
    } finally {
        server.child.kill('SIGCONT');
    }
    await eventually(async () => assert.equal((await heard()).at(-1), 'open'));
    await page.evaluate(() => Reflect.get(window, 'impatient').connection.close());
    await eventually(async () => assert.equal((await oracle.state()).viewers, 2));
});

test('without the token the page says so, and asks for it', async (t) => {
    const token = 'a-token-for-a-test';
    const { viewer: first, server } = await open(t, ['--token', token, pattern('glider.rle')],
        { token });
    await first.says('population', '5');
    const { page, context, viewer } = await refusedPage(new URL('/', server.url).href);
    await notice(page, /Token required/);
    assert.ok(await isGrey(page));
    assert.equal(await viewer.text('link-text'), 'refused');
    await page.waitForTimeout(700); // it has been tried again
    await notice(page, /Token required/);
    const field = page.getByLabel('Token');
    assert.ok(await field.evaluate((input) => input === document.activeElement));
    await field.fill('wrong-token');
    await viewer.key('Enter');
    await notice(page, /Wrong token/);
    await field.fill('not one\u00fc');
    await viewer.key('Enter');
    await notice(page, /Wrong token/);
    // The whole address will do.
    await field.fill(` http://somewhere:8080/#token=${token} `);
    await page.getByRole('button', { name: 'Connect' }).click();
    await viewer.isOpen();
    await page.locator('#waiting').waitFor({ state: 'hidden' });
    await viewer.says('population', '5');
    await viewer.says('role', /watching/);
    await page.reload();
    await viewer.isOpen();
    await context.close();
});

test('a token in the query leaves it, and no request carries it', async (t) => {
    const token = 'a-token-for-a-test';
    const server = await startServer(t, ['--token', token, pattern('glider.rle')]);
    const context = await (await launch()).newContext({ acceptDownloads: true });
    const page = await context.newPage();
    /** @type {string[]} */
    const asked = [];
    page.on('request', (request) => asked.push(request.url()));
    page.on('websocket', (socket) => asked.push(socket.url()));
    await page.goto(new URL(`/?token=${token}&canvas`, server.url).href);
    const viewer = new Viewer(page);
    await viewer.isOpen();
    assert.equal(new URL(page.url()).search, '?canvas=');
    assert.equal(new URL(page.url()).hash, `#token=${token}`);
    await viewer.tab('files');
    const download = page.waitForEvent('download');
    await viewer.press('save');
    asked.push((await download).url());
    assert.ok(asked.some((address) => address.startsWith('ws:')));
    assert.ok(asked.some((address) => address.includes('/saved/')));
    assert.deepEqual(asked.slice(1).filter((address) => address.includes(token)), []);
    await context.close();
});

test('a page for which there is no place says so, and comes in when there is one', async (t) => {
    const { page: full, server } = await open(t, [pattern('glider.rle')]);
    await full.evaluate(async () => {
        const sockets = /** @type {WebSocket[]} */ ([]);
        Object.assign(window, { sockets });
        while (sockets.length < 14) { // with the page and the oracle 16
            const socket = new WebSocket(`ws://${location.host}/socket`, 'lightcone-view');
            sockets.push(socket);
            await new Promise((resolve) => socket.addEventListener('open', resolve));
        }
    });
    const { page, context, viewer } = await refusedPage(server.url);
    await notice(page, /Too many viewers.*16 viewers/s);
    assert.ok(await isGrey(page));
    await full.evaluate(() => Reflect.get(window, 'sockets').forEach(
        (/** @type {WebSocket} */ socket) => socket.close()));
    await page.getByRole('button', { name: 'Retry now' }).click({ timeout: 500 })
        .catch(() => {}); // it may have come in by itself
    await viewer.isOpen();
    await viewer.says('population', '5');
    await context.close();
    const { viewer: next, context: other } = await openPage(server);
    await next.says('role', /watching/);
    await other.close();
});

test('who may only watch cannot take over; who steers can lock', async (t) => {
    const token = 'a-token-for-a-test';
    const watching = 'to-look-on-only';
    const { page, viewer, server } = await open(t,
        ['--token', token, '--watch-token', watching, pattern('glider.rle')], { token });
    // The oracle is there as well.
    const lock = page.locator('#more [data-command="lock"]');
    const other = await openPage(server, { token });
    const onlooker = await openPage(server, { token: watching });
    await onlooker.viewer.says('role-text', 'watching');
    await onlooker.page.locator('#role button:visible').waitFor({ state: 'detached' });
    await onlooker.viewer.key('Space');
    await onlooker.viewer.complains(/can watch, copy and save, but not steer/);
    await other.page.locator('#role [data-command="take"]').waitFor();
    await viewer.press('more-tools');
    assert.equal(await lock.getAttribute('aria-pressed'), 'false');
    await lock.click();
    await viewer.says('role-text', 'steering is locked');
    await other.viewer.says('role-text', 'watching; steering is locked');
    await eventually(async () => assert.equal(await lock.getAttribute('aria-pressed'), 'true'));
    await other.page.locator('#role button:visible').waitFor({ state: 'detached' });
    await other.viewer.key('Space');
    await other.viewer.complains(/has locked it/);
    await lock.click();
    await other.viewer.says('role-text', 'watching');
    await other.viewer.press('take');
    await other.viewer.says('role-text', '');
    await viewer.says('role-text', 'watching');
    await onlooker.context.close();
    await other.context.close();
    await viewer.says('role-text', '');
    assert.deepEqual([...other.complaints, ...onlooker.complaints], []);
});

test('behind a proxy, in a folder of another site, the page is whole', async (t) => {
    const token = 'a-token-for-a-test';
    // The proxy is a page of its own: its origin is known once it listens.
    /** @type {import('./support.mjs').Server | null} */
    let server = null;
    const proxy = createServer((request, response) => {
        const { port } = /** @type {import('./support.mjs').Server} */ (server);
        forward({ port, path: strip(request.url), headers: request.headers }, (answer) => {
            response.writeHead(answer.statusCode ?? 500, answer.headers);
            answer.pipe(response);
        }).end();
    });
    proxy.on('upgrade', (request, socket) => {
        const { port } = /** @type {import('./support.mjs').Server} */ (server);
        const there = connect(port, '127.0.0.1', () => {
            there.write(`GET ${strip(request.url)} HTTP/1.1\r\n`);
            for (let i = 0; i < request.rawHeaders.length; i += 2) {
                there.write(`${request.rawHeaders[i]}: ${request.rawHeaders[i + 1]}\r\n`);
            }
            there.write('\r\n');
            socket.pipe(there).pipe(socket);
        });
        for (const end of [there, socket]) {
            end.on('error', () => {
                there.destroy();
                socket.destroy();
            });
        }
    });
    /** @param {string} [address] */
    const strip = (address = '') => address.replace(/^\/life/, '');
    await new Promise((resolve) => proxy.listen(0, '127.0.0.1', () => resolve(null)));
    t.after(() => {
        proxy.closeAllConnections();
        proxy.close();
    });
    const { port } = /** @type {import('node:net').AddressInfo} */ (proxy.address());
    const origin = `http://localhost:${port}`;
    server = await startServer(t, ['--origin', origin, '--token', token, pattern('glider.rle')]);
    assert.equal(server.url, `${origin}/#token=${token}`);
    const context = await (await launch()).newContext({ acceptDownloads: true });
    const page = await context.newPage();
    await page.goto(`${origin}/life/#token=${token}`);
    const viewer = new Viewer(page);
    await viewer.isOpen();
    await viewer.key('Space');
    await viewer.says('generation', '1');
    await viewer.tab('files');
    const download = page.waitForEvent('download');
    await viewer.press('save');
    assert.ok((await download).url().startsWith(`${origin}/life/saved/`));
    assert.equal(await (await download).failure(), null);
    await context.close();
});
