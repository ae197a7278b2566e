// The page comes: alone, and fit for a keyboard and a screen reader.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import {
    close, eventually, launch, open, pattern, roundedView, startServer, Viewer,
} from './support.mjs';

/** @import { Page } from 'playwright-core' */

const pages = /** @type {const} */ (['now', 'patterns', 'edit', 'files']);

after(close);

/** @param {Page} page @returns {Promise<string>} who draws the picture */
function renderer(page) {
    return page.evaluate(async (main) => (await import(main)).picture.renderer, '/main.js');
}

test('where WebGL2 is in software, canvas 2D draws', async (t) => {
    // No GPU is there, and the browser says that SwiftShader draws.
    const { page } = await open(t, [pattern('glider.rle')]);
    assert.equal(await renderer(page), 'canvas');
    // Who wants it all the same may have it.
    const { page: other } = await open(t, [pattern('glider.rle')], { query: '?webgl' });
    assert.equal(await renderer(other), 'webgl2');
});

/** WebGL2 under another name, in which drawing takes a while. */
function pretendSlowGpu() {
    const { getParameter, finish } = WebGL2RenderingContext.prototype;
    Object.assign(WebGL2RenderingContext.prototype, {
        /** @this {WebGL2RenderingContext} @param {number} what */
        getParameter(what) {
            return what === this.RENDERER ? 'A GPU of old' : getParameter.call(this, what);
        },
        /** @this {WebGL2RenderingContext} */
        finish() {
            finish.call(this);
            const end = performance.now() + 40;
            while (performance.now() < end);
        },
    });
}

test('where the first pictures with WebGL2 are slow, canvas 2D takes over', async (t) => {
    const { page, viewer, oracle } = await open(t, [pattern('gosper-glider-gun.rle')], {
        script: pretendSlowGpu, colours: 'sea',
    });
    await viewer.setView({ x: 18, y: 5, zoom: 8 });
    await viewer.key('g');
    await viewer.key('Enter');
    await oracle.until({ running: true });
    await eventually(async () => assert.equal(await renderer(page), 'canvas'));
    await viewer.key('Enter');
    await oracle.until({ running: false });
    await viewer.says('generation', String((await oracle.state()).generation));
    const [cell] = [...await oracle.cellsIn({ x: 0, y: 0, width: 36, height: 9 })]
        .map((text) => text.split(',').map(Number));
    const stage = await viewer.stage();
    const { x, y } = await viewer.at(cell[0], cell[1]);
    const alive = (await viewer.palette())[255];
    await eventually(async () => {
        const screen = await viewer.screen();
        assert.deepEqual(screen.at(Math.round(x - stage.x), Math.round(y - stage.y)), alive);
    });
    assert.equal(await page.locator('#picture').count(), 1);
});

test('a few slow pictures are no reason to take over', async (t) => {
    const { page } = await open(t, [pattern('glider.rle')]);
    const judged = await page.evaluate(async (module) => {
        const { Trial } = await import(module);
        const judge = (/** @type {number[]} */ times_ms) => {
            const trial = new Trial();
            trial.begin({ width: 100, height: 100 });
            for (const time_ms of times_ms) trial.add(time_ms);
            const first = { going: trial.going, failed: trial.failed };
            trial.begin({ width: 100, height: 99 });
            const smaller = trial.going;
            trial.begin({ width: 101, height: 100 });
            return [first.going, first.failed, smaller, trial.going];
        };
        return [judge([500, 500, 2, 3, 90, 2, 90]), judge([500, 500, 90, 3, 90, 2, 90]),
            judge([500, 500, 90, 90, 90])];
    }, '/picture_choice.js');
    assert.deepEqual(judged, [[false, false, false, true], [false, true, false, true],
        [true, false, true, true]]);
});

/** Notes what is said on all sockets, and how far the page was then. */
function noteSockets() {
    const { WebSocket } = window;
    /** @type {unknown[][]} */
    const said = [];
    Object.assign(window, { said, sockets: 0 });
    window.WebSocket = class extends WebSocket {
        /** @param {[string | URL, (string | string[])?]} parts */
        constructor(...parts) {
            super(...parts);
            Reflect.set(window, 'sockets', Reflect.get(window, 'sockets') + 1);
        }

        /** @param {string} message */
        send(message) {
            said.push([JSON.parse(message), 'link' in (document.body?.dataset ?? {})]);
            super.send(message);
        }
    };
}

test('the page goes on with the socket that was opened while it loaded', async (t) => {
    const server = await startServer(t, [pattern('acorn.rle')]);
    const context = await (await launch()).newContext();
    t.after(() => context.close());
    await context.addInitScript(noteSockets);
    const page = await context.newPage();
    await page.route('**/main.js', async (route) => {
        await page.waitForFunction(() => Reflect.get(window, 'said').length > 0);
        await route.continue();
    });
    await page.goto(server.url, { waitUntil: 'commit' });
    await new Viewer(page).says('population', '7');
    await eventually(async () => assert.ok(await page.evaluate(async (main) =>
        (await import(main)).picture.frame !== null, '/main.js')));
    const { said, sockets } = await page.evaluate(() => ({
        said: Reflect.get(window, 'said'), sockets: Reflect.get(window, 'sockets'),
    }));
    assert.equal(sockets, 1);
    // All of its cells, before main.js was there.
    const [look, was_there] = said[0];
    assert.deepEqual([look.do, look.width, look.height, was_there], ['look', 7, 3, false]);
});

test('what lives is seen before main.js is there, and stays where it is', async (t) => {
    const server = await startServer(t, [pattern('acorn.rle')]);
    const context = await (await launch()).newContext();
    t.after(() => context.close());
    const page = await context.newPage();
    /** @type {(value: unknown) => void} */
    let come = () => undefined;
    const time = new Promise((resolve) => {
        come = resolve;
    });
    await page.route('**/main.js', async (route) => {
        await time;
        await route.continue();
    });
    await page.goto(server.url, { waitUntil: 'commit' });
    const look = () => page.evaluate(async (first) => {
        const { camera, picture } = await import(first);
        return { exact: camera.view, width: picture.frame?.width ?? 0 };
    }, '/first.js');
    await eventually(async () => assert.equal((await look()).width, 7));
    const view = roundedView((await look()).exact);
    assert.ok(view.zoom > 10);
    const picture = page.locator('#picture');
    const seen = await picture.screenshot();
    come(null);
    const viewer = new Viewer(page);
    await viewer.isOpen();
    await viewer.says('population', '7');
    await eventually(async () => assert.ok((await look()).width > 7)); // a margin round it
    assert.deepEqual(await viewer.view(), view);
    assert.ok(seen.length > 0);
});

test('no script or picture from elsewhere is let in', async (t) => {
    const { page, server } = await open(t, [], { quiet: true });
    const answer = await page.request.get(server.url);
    const policy = answer.headers()['content-security-policy'];
    assert.match(policy, /default-src 'none'/);
    assert.doesNotMatch(policy, /unsafe/);
    const stopped = await page.evaluate(async () => {
        /** @type {string[]} */
        const found = [];
        document.addEventListener('securitypolicyviolation', (event) => {
            found.push(event.effectiveDirective);
        });
        const script = document.createElement('script');
        script.textContent = 'window.injected = true;';
        document.body.append(script);
        const image = new Image();
        const failed = new Promise((resolve) => image.addEventListener('error', resolve));
        image.src = 'http://192.0.2.1/x.png';
        await failed;
        await fetch('http://192.0.2.1/').catch(() => null);
        // What was stopped is told a little later.
        while (found.length < 3) await new Promise((resolve) => setTimeout(resolve, 10));
        return { found, injected: 'injected' in window };
    });
    assert.equal(stopped.injected, false);
    assert.deepEqual(stopped.found.sort(), ['connect-src', 'img-src', 'script-src-elem']);
});

test('everything has a name for a screen reader', async (t) => {
    const { page, viewer } = await open(t, [pattern('glider.rle')]);
    const session = await page.context().newCDPSession(page);
    for (const name of pages) {
        await viewer.tab(name);
        if (name === 'patterns') await page.locator('li.pattern').first().waitFor();
        const { nodes } = await session.send('Accessibility.getFullAXTree');
        const kinds = ['button', 'slider', 'combobox', 'textbox', 'searchbox', 'tab', 'checkbox',
            'dialog', 'tabpanel', 'group', 'image', 'img'];
        const named = nodes.filter(({ ignored, role }) => !ignored && kinds.includes(role?.value));
        assert.ok(named.length > 25, `${named.length} controls`);
        const nameless = named.filter((node) => !node.name?.value?.trim());
        assert.deepEqual(nameless.map(({ role }) => role?.value), []);
    }
    const ids = await page.evaluate(() =>
        [...document.querySelectorAll('[id]')].map(({ id }) => id));
    assert.equal(new Set(ids).size, ids.length, 'no name of an element is there twice');
});

test('Tab reaches every control, and shows where it is', async (t) => {
    const { page, viewer } = await open(t, [pattern('glider.rle')]);
    for (const name of pages) {
        await viewer.tab(name);
        if (name === 'patterns') await page.locator('li.pattern').first().waitFor();
        const all = await page.evaluate(() => {
            const kinds = 'button:enabled, input:enabled, select:enabled, summary, [tabindex="0"]';
            const found = [...document.querySelectorAll(kinds)].filter((each) =>
                each instanceof HTMLElement && each.tabIndex >= 0 && each.checkVisibility());
            found.forEach((each, index) => each.setAttribute('data-number', String(index)));
            return found.map((each) => each.outerHTML.slice(0, 120));
        });
        await page.locator('#stage').focus();
        /** @type {Set<number>} */
        const reached = new Set();
        const bare = [];
        // F6 leaves the picture, where Tab is a long step; when Tab comes back there, all was seen.
        await viewer.key('F6');
        for (let i = 0; i < all.length + 5; i++) {
            const { number, visible, html } = await focus(page);
            if (number !== null) reached.add(number);
            if (!visible) bare.push(html);
            if (html.includes('id="stage"')) await viewer.key('F6');
            else await viewer.key('Tab');
        }
        assert.deepEqual(all.filter((_, index) => !reached.has(index)), [], `tab ${name}`);
        assert.deepEqual(bare, [], 'the focus is to be seen');
    }
    await viewer.says('generation', '0'); // no Tab was taken for a step
});

/** Where the focus is, and whether that is to be seen. @param {Page} page */
function focus(page) {
    return page.evaluate(() => {
        const here = document.activeElement ?? document.body;
        const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(here);
        const lined = outlineStyle !== 'none' && parseFloat(outlineWidth) > 0;
        const number = here.getAttribute('data-number');
        return {
            number: number === null ? null : Number(number),
            visible: here === document.body || lined || boxShadow !== 'none',
            html: here.outerHTML.slice(0, 120),
        };
    });
}

for (const scheme of /** @type {const} */ (['dark', 'light'])) {
    test(`the page is ${scheme} where the system is, and its text can be read`, async (t) => {
        const { page, viewer } = await open(t, [pattern('glider.rle')], { colorScheme: scheme });
        const theme = () => page.evaluate(() => document.documentElement.dataset.theme);
        assert.equal(await theme(), scheme);
        const [dead] = await viewer.palette();
        assert.equal(dead[0] > 128, scheme === 'light');
        for (const name of pages) {
            await viewer.tab(name);
            if (name === 'patterns') await page.locator('li.pattern').first().waitFor();
            assert.deepEqual(await faint(page), [], `contrast of 4.5 at ${name}`);
        }
        await page.locator('#stage').focus();
        await viewer.key('t');
        assert.notEqual(await theme(), scheme);
        await page.reload();
        await viewer.isOpen();
        assert.notEqual(await theme(), scheme, 'what was chosen is kept');
    });
}

/**
 * Text that stands out from what is behind it less than WCAG 2 asks for.
 * @param {Page} page
 */
function faint(page) {
    return page.evaluate(() => {
        const context = document.createElement('canvas').getContext('2d', {
            willReadFrequently: true,
        });
        if (!context) throw new Error('There is no canvas.');
        const over = (/** @type {string[]} */ colours) => {
            for (const colour of colours) {
                context.fillStyle = colour;
                context.fillRect(0, 0, 1, 1);
            }
            const [red, green, blue] = [...context.getImageData(0, 0, 1, 1).data].map((byte) =>
                byte <= 10 ? byte / 255 / 12.92 : ((byte / 255 + 0.055) / 1.055) ** 2.4);
            return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
        };
        const found = [];
        const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
        for (let text = texts.nextNode(); text; text = texts.nextNode()) {
            const element = text.parentElement;
            if (!element || !text.textContent?.trim() || !element.checkVisibility()) continue;
            if (element.closest('.hidden, :disabled, noscript, option')) continue;
            const backs = [];
            for (let at = /** @type {Element | null} */ (element); at; at = at.parentElement) {
                backs.unshift(getComputedStyle(at).backgroundColor);
            }
            const back = over(['#fff', ...backs]);
            const front = over(['#fff', ...backs, getComputedStyle(element).color]);
            const ratio = (Math.max(back, front) + 0.05) / (Math.min(back, front) + 0.05);
            if (ratio < 4.5) found.push(`${text.textContent.trim().slice(0, 40)}: ${ratio}`);
        }
        return found;
    });
}

test('the tool that was chosen is seen while the pointer is still on its button', async (t) => {
    const { page, viewer } = await open(t, [pattern('glider.rle')]);
    const back = () => page.locator('#tools [data-command="draw"]').evaluate((button) =>
        getComputedStyle(button).backgroundColor);
    const before = await back();
    await viewer.press('draw');
    const under = await back();
    await page.mouse.move(300, 300);
    assert.equal(await back(), under);
    assert.notEqual(under, before);
});

test('without WebGL2 the page draws with canvas 2D', async (t) => {
    const server = await startServer(t, [pattern('glider.rle')]);
    const context = await (await launch()).newContext();
    await context.addInitScript(() => {
        const { getContext } = HTMLCanvasElement.prototype;
        Object.assign(HTMLCanvasElement.prototype, {
            /** @this {HTMLCanvasElement} @param {string} kind @param {any[]} rest */
            getContext(kind, ...rest) {
                return kind.startsWith('webgl') ? null : getContext.call(this, kind, ...rest);
            },
        });
    });
    const page = await context.newPage();
    await page.goto(server.url);
    await page.waitForFunction(() => document.body.dataset.link === 'open');
    assert.equal(await renderer(page), 'canvas');
    await context.close();
});
