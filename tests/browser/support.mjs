// What every test of the page needs: a server of its own, a page in Chromium, and an oracle that
// asks the server what it holds, so that it can be compared with what the page shows.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { close, launch } from './browsers.mjs';
import { places } from './cells.mjs';
import { eventually, WAIT_MS } from './eventually.mjs';
import { Oracle } from './oracle.mjs';
import { readPng } from './png.mjs';

export { close, eventually, launch, Oracle };

/** @import { BrowserContextOptions, Page } from 'playwright-core' */
/** @import { TestContext } from 'node:test' */
/** @import { Cells } from './cells.mjs' */

/** @typedef {{x: number, y: number, width: number, height: number}} Box */
/** @typedef {{x: number, y: number}} Point */
/** @typedef {{x: number, y: number, zoom: number}} View near 0, where doubles are exact */
/** @typedef {{x: bigint, y: bigint, fx: number, fy: number, zoom: number}} ExactView */

/** @param {View} view @returns {ExactView} as the page has it */
export function exactView({ x, y, zoom }) {
    const [left, top] = [Math.floor(x), Math.floor(y)];
    return { x: BigInt(left), y: BigInt(top), fx: x - left, fy: y - top, zoom };
}

/** @param {ExactView} view @returns {View} */
export function roundedView({ x, y, fx, fy, zoom }) {
    return { x: Number(x) + fx, y: Number(y) + fy, zoom };
}

const binary = process.env.LC_BINARY ?? '';
const patterns = fileURLToPath(new URL('../../patterns/', import.meta.url));

/** @param {string} name of a pattern of the library, in whatever category's folder it is */
export function pattern(name) {
    const folder = readdirSync(patterns).find((each) =>
        existsSync(path.join(patterns, each, name)));
    assert.ok(folder !== undefined, `the library has no ${name}`);
    return path.join(patterns, folder, name);
}

/**
 * @param {Point} is
 * @param {Point} wanted
 * @param {number} [far] in cells
 */
export function assertNear(is, wanted, far = 1e-6) {
    const apart = Math.hypot(is.x - wanted.x, is.y - wanted.y);
    assert.ok(apart <= far, `${is.x}, ${is.y} instead of ${wanted.x}, ${wanted.y}`);
}

/** Servers that run. @type {Set<import('node:child_process').ChildProcess>} */
const running = new Set();

// However this process ends, they do not outlive it.
process.once('exit', () => {
    for (const child of running) child.kill();
});
for (const name of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
    process.once(name, () => process.exit(1));
}

/** `lightcone view` in a process of its own. */
export class Server {
    /**
     * @param {string[]} args
     * @param {number} [port]
     */
    static async start(args, port = 0) {
        assert.ok(existsSync(binary), 'LC_BINARY is the path of lightcone');
        const folder = mkdtempSync(path.join(tmpdir(), 'lightcone-page-'));
        const child = spawn(binary, ['view', '--port', String(port), '--no-open',
            '--patterns', folder, ...args], {
            stdio: ['ignore', 'pipe', 'pipe'],
            env: { ...process.env, XDG_STATE_HOME: path.join(folder, 'state') },
        });
        const errors = /** @type {string[]} */ ([]);
        child.stderr.on('data', (data) => errors.push(String(data)));
        running.add(child);
        const ended = once(child, 'exit').finally(() => running.delete(child));
        let first = '';
        for await (const line of createInterface({ input: child.stdout })) {
            const url = line.match(/^open\s+(http\S+)/)?.[1];
            if (url) first = url;
            const other = line.match(/^ +or\s+(http\S+)/)?.[1];
            if (first && (other || line.startsWith('stop'))) {
                return new Server(child, first, ended, errors, folder, other);
            }
        }
        throw new Error(`The server did not say where it is. ${errors.join('')}`);
    }

    /**
     * @param {import('node:child_process').ChildProcess} child
     * @param {string} url
     * @param {Promise<any[]>} ended
     * @param {string[]} errors
     * @param {string} folder of the user's patterns
     * @param {string} [direct] where it listens, if `url` is that of a proxy
     */
    constructor(child, url, ended, errors, folder, direct = url) {
        this.child = child;
        this.url = url;
        this.port = Number(new URL(direct).port);
        this.ended = ended;
        this.errors = errors;
        this.folder = folder;
        this.is_wanted = true;
        child.stdout?.resume();
    }

    /** As Ctrl-C does. It must end well. */
    async stop() {
        this.is_wanted = false;
        this.child.kill('SIGINT');
        const [code, signal] = await this.ended;
        rmSync(this.folder, { recursive: true, force: true });
        assert.deepEqual([code, signal], [0, null], `how the server ended ${this.errors.join('')}`);
    }
}

/** The page, as a person uses it, and as the tests look into it. */
export class Viewer {
    /** @param {Page} page */
    constructor(page) {
        this.page = page;
    }

    /**
     * Presses a button of the page; where there are several of the same, the first one to be seen.
     * @param {string} command
     */
    async press(command) {
        await this.page.locator(`button[data-command="${command}"]:visible`).first()
            .click({ timeout: WAIT_MS });
    }

    /** Shows a page of the panel. @param {'now' | 'patterns' | 'edit' | 'files'} name */
    async tab(name) {
        await this.page.locator(`#tab-${name}`).click({ timeout: WAIT_MS });
    }

    /** @param {string} key @param {number} [times] */
    async key(key, times = 1) {
        for (; times > 0; times--) await this.page.keyboard.press(key);
    }

    /** @param {string} id @returns {Promise<string>} the text, without its thin spaces */
    async text(id) {
        const text = await this.page.locator(`#${id}`).textContent();
        return (text ?? '').replace(/\u202f/g, '').trim();
    }

    /** Waits until the page has its socket. */
    async isOpen() {
        await this.page.waitForFunction(() => document.body.dataset.link === 'open');
    }

    /** Waits until an element says so. @param {string} id @param {string | RegExp} wanted */
    async says(id, wanted) {
        await eventually(async () => {
            const text = await this.text(id);
            if (typeof wanted === 'string') assert.equal(text, wanted, `#${id}`);
            else assert.match(text, wanted, `#${id}`);
        });
    }

    /** Waits for a short message at the foot of the page, and closes it. @param {RegExp} wanted */
    async complains(wanted) {
        const toast = this.page.locator('.toast').filter({ hasText: wanted }).first();
        await toast.waitFor({ timeout: WAIT_MS });
        await toast.getByRole('button', { name: 'Close' }).click();
    }

    /** @returns {Promise<View>} what is seen, when nothing moves */
    async view() {
        return roundedView(await this.exactView());
    }

    /** @returns {Promise<ExactView>} the same, wherever it is */
    exactView() {
        return eventually(async () => {
            const { view, moving } = await this.page.evaluate(async (main) => {
                const { camera } = await import(main);
                return { view: camera.view, moving: camera.moving };
            }, '/main.js');
            assert.ok(!moving, 'the view comes to rest');
            return view;
        });
    }

    /** @param {View | ExactView} view */
    async setView(view) {
        await this.page.evaluate(async ([main, to]) => {
            const { camera } = await import(String(main));
            camera.setView(to);
        }, /** @type {const} */ (['/main.js', 'fx' in view ? view : exactView(view)]));
    }

    /** What is seen, in cells. */
    async seen() {
        const { x, y, zoom } = await this.view();
        const { width, height } = await this.stage();
        return {
            left: x - width / zoom / 2, right: x + width / zoom / 2,
            top: y - height / zoom / 2, bottom: y + height / zoom / 2,
        };
    }

    /** @returns {Promise<Box>} the picture on the page, in whole pixels as it is drawn */
    stage() {
        return this.page.evaluate(async (main) => {
            const { x, y } = /** @type {Element} */ (document.querySelector('#picture'))
                .getBoundingClientRect();
            const { width, height } = (await import(main)).camera.size;
            return { x, y, width, height };
        }, '/main.js');
    }

    /**
     * Where the middle of a cell is on the page.
     * @param {number} x
     * @param {number} y
     * @returns {Promise<Point>}
     */
    async at(x, y) {
        const stage = await this.stage();
        const view = await this.view();
        return {
            x: stage.x + stage.width / 2 + (x + 0.5 - view.x) * view.zoom,
            y: stage.y + stage.height / 2 + (y + 0.5 - view.y) * view.zoom,
        };
    }

    /**
     * The cell at a place of the page, with its fraction.
     * @param {Point} point
     * @returns {Promise<Point>}
     */
    async cellAt(point) {
        const stage = await this.stage();
        const view = await this.view();
        return {
            x: view.x + (point.x - stage.x - stage.width / 2) / view.zoom,
            y: view.y + (point.y - stage.y - stage.height / 2) / view.zoom,
        };
    }

    /**
     * Drags the mouse over cells.
     * @param {number[][]} cells x and y of each
     * @param {{button?: 'left' | 'middle' | 'right'}} [options]
     */
    async drag(cells, options = {}) {
        const { mouse } = this.page;
        const points = [];
        for (const [x, y] of cells) points.push(await this.at(x, y));
        await mouse.move(points[0].x, points[0].y);
        await mouse.down(options);
        for (const { x, y } of points.slice(1)) await mouse.move(x, y, { steps: 4 });
        await mouse.up(options);
    }

    /** @param {number} x @param {number} y of a cell, to be clicked on */
    async click(x, y) {
        const point = await this.at(x, y);
        await this.page.mouse.click(point.x, point.y);
    }

    /** What is to be seen where the picture is, as the screen shows it. */
    async screen() {
        const clip = await this.stage();
        return readPng(await this.page.screenshot({ clip, animations: 'allow' }));
    }

    /** @returns {Promise<number[][]>} the colours of the levels 0 to 255 */
    palette() {
        return this.page.evaluate(async (main) => {
            const { colours } = await import(main);
            const levels = /** @type {Uint8Array} */ (colours.palette.levels);
            return Array.from({ length: 256 }, (_, i) => [...levels.slice(4 * i, 4 * i + 3)]);
        }, '/main.js');
    }
}

/**
 * A page at a server.
 * @param {Server} server
 * @param {BrowserContextOptions & {query?: string, token?: string, quiet?: boolean,
 *        colours?: string, script?: () => void, before?: (page: Page) => Promise<void>}} [options]
 *        `quiet`: errors on the console are no news; `colours`: the theme that the user of the
 *        page has chosen; `script` runs before the page's own; `before` is called with a page that
 *        has no address yet
 */
export async function openPage(server, options = {}) {
    const { query = '', token = '', quiet = false, colours, script, before,
        ...rest } = options;
    const context = await (await launch()).newContext({
        viewport: { width: 1120, height: 760 }, reducedMotion: 'reduce', colorScheme: 'dark',
        ...rest,
    });
    context.setDefaultTimeout(WAIT_MS);
    if (script) await context.addInitScript(script);
    if (colours) {
        await context.addInitScript((theme) => {
            if (localStorage.getItem('lightcone.colours') !== null) return;
            localStorage.setItem('lightcone.colours', theme);
        }, colours);
    }
    const page = await context.newPage();
    await before?.(page);
    /** @type {string[]} */
    const complaints = [];
    page.on('pageerror', (error) => complaints.push(String(error)));
    page.on('console', (message) => {
        const bad = ['error', 'warning'].includes(message.type());
        // Where WebGL is in software, Chromium tells of what its own compositor does.
        const own = /GL Driver Message .*ReadPixels/.test(message.text());
        if (bad && !own && !quiet) complaints.push(`${message.type()}: ${message.text()}`);
    });
    page.on('request', (request) => {
        const url = new URL(request.url());
        const here = url.host === new URL(server.url).host;
        if (!here && !['blob:', 'data:'].includes(url.protocol)) complaints.push(url.href);
    });
    page.on('requestfailed', (request) => {
        // It was stopped before it left the browser.
        if (request.failure()?.errorText !== 'csp') return;
        complaints.splice(complaints.indexOf(request.url()), 1);
    });
    const hash = token ? `#token=${token}` : '';
    await page.goto(new URL(`/${query}${hash}`, server.url).href);
    const viewer = new Viewer(page);
    await viewer.isOpen();
    return { page, context, complaints, viewer };
}

/**
 * A server with a page and an oracle. When the test ends, all of it ends, and must end well: the
 * page said nothing bad on its console, and asked nobody but the server.
 * @param {TestContext} t
 * @param {string[]} args of the server
 * @param {Parameters<typeof openPage>[1]} [options]
 */
export async function open(t, args, options) {
    const server = await Server.start(args);
    /** @type {Awaited<ReturnType<typeof openPage>> | null} */
    let opened = null;
    /** @type {Oracle | null} */
    let oracle = null;
    // The page goes first: one that is still loading when its server stops would complain.
    t.after(async () => {
        await opened?.context.close();
        oracle?.close();
        await server.stop();
        assert.deepEqual(opened?.complaints ?? [], []);
    });
    opened = await openPage(server, options);
    oracle = await Oracle.connect(server, options?.token);
    // Whoever waits on a page for a server that has died learns of it.
    server.ended.then(() => server.is_wanted ? close() : undefined);
    return { server, oracle, ...opened };
}

/**
 * The same, and cells of 16 pixels round a place are seen.
 * @param {TestContext} t
 * @param {string[]} [args]
 * @param {Parameters<typeof openPage>[1] & {at?: Point}} [options]
 */
export async function openNear(t, args = [], { at = { x: 0, y: 0 }, ...options } = {}) {
    const opened = await open(t, args, options);
    await opened.viewer.setView({ ...at, zoom: 16 });
    return opened;
}

/**
 * Puts cells on an empty universe, without the page's tools.
 * @param {{page: Page, oracle: Oracle}} opened
 * @param {Cells} cells
 */
export async function put({ page, oracle }, cells) {
    const runs = places(cells).flatMap(([x, y]) => [x, y, 1]);
    await page.evaluate(async ([main, message]) => {
        const { connection } = await import(/** @type {string} */ (main));
        await connection.request(message);
    }, ['/main.js', { do: 'cells', alive: true, stroke: 0, runs }]);
    await oracle.holds(cells);
}

/**
 * What is downloaded when something is pressed.
 * @param {Page} page
 * @param {() => Promise<unknown>} press
 */
export async function download(page, press) {
    const [file] = await Promise.all([page.waitForEvent('download'), press()]);
    return { name: file.suggestedFilename(), bytes: await buffer(await file.createReadStream()) };
}

/**
 * A server that is stopped when the test ends, if it has not been yet, and must end well.
 * @param {TestContext} t
 * @param {string[]} args
 * @param {number} [port]
 */
export async function startServer(t, args, port) {
    const server = await Server.start(args, port);
    t.after(() => server.stop());
    return server;
}
