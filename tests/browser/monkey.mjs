// A monkey at the page: random keys, presses of every button, drags with every tool, the wheel,
// sizes, patterns, themes, nonsense in fields, reloads. The page must say nothing bad on its
// console, page and server must answer after each hundred actions, and at the end the cells are
// those of a fresh server to which the same commands are sent.
//
//     tools/test-browser.sh build/lightcone monkey.mjs
//
// LC_TEST_SEED=N: another series of actions; LC_TEST_LONG=1: 5,000 of them. For the night.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { replay, Tape } from './replay.mjs';
import { close, openPage, Oracle, pattern, startServer } from './support.mjs';

/** @import { Page } from 'playwright-core' */
/** @import { Server, Viewer } from './support.mjs' */

after(close);

const seed = Number(process.env.LC_TEST_SEED ?? 1);
const AT_ONCE = 500; // actions with one server
const all = process.env.LC_TEST_LONG ? 5000 : AT_ONCE;
const CHECK_EVERY = 100;
const ANSWER_MS = 10_000;

const begins = [
    [pattern('gosper-glider-gun.rle')],
    ['--engine', 'hashlife', pattern('gosper-glider-gun.rle')],
    ['--soup', '0.3', '--seed', '7', '--size', '200x150'],
    [],
    ['--engine', 'hashlife', '--size', '256x256', '--soup', '0.3', '--seed', '9'],
];

const nonsense = ['', '-1', '0', '1', '7', '40', '1e99', 'abc', 'NaN', '1.5',
    '99999999999999999999', ' ', '💥', '<b>', 'B3/S23', 'B36/S23:T40,30', 'W30', '-5,9', '3,4',
    'gun', 'p30', '%00'];

// What leaves the page, or opens what only the browser can close.
const notPressed = ['F11', 'Control+o'];

/** @param {number} state @returns {() => number} numbers from 0 to 1 */
function randomFrom(state) {
    return () => {
        state = (state + 0x6d2b79f5) | 0;
        let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
        mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
        return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
    };
}

/** What a monkey does with a page. */
class Monkey {
    /** @type {string[]} */
    #keys = [];
    /** What it did last. @type {string[]} */
    did = [];

    /**
     * @param {Viewer} viewer
     * @param {Tape} tape
     * @param {() => number} random
     */
    constructor(viewer, tape, random) {
        this.viewer = viewer;
        this.page = viewer.page;
        this.tape = tape;
        this.random = random;
    }

    /** @param {number} count */
    #below(count) {
        return Math.floor(this.random() * count);
    }

    /** @template T @param {readonly T[]} list */
    #one(list) {
        return list[this.#below(list.length)];
    }

    async readKeys() {
        const found = await this.page.evaluate(async (path) => {
            const { commands } = await import(path);
            return commands.flatMap((/** @type {{keys: string[]}} */ { keys }) => keys);
        }, '/keys.js');
        this.#keys = found.map((/** @type {string} */ key) => key.replace('Ctrl+', 'Control+')
            .replace(/ $/, 'Space')).filter((/** @type {string} */ key) =>
            !notPressed.includes(key));
    }

    /**
     * The middles of what is to be seen of these elements, in an open dialog if there is one.
     * @param {string} selector
     */
    async #places(selector) {
        return this.page.evaluate((query) => {
            const root = document.querySelector('dialog[open]') ?? document;
            return [...root.querySelectorAll(query)].flatMap((each) => {
                const { x, y, width, height } = each.getBoundingClientRect();
                const at = { x: x + width / 2, y: y + height / 2 };
                const top = document.elementFromPoint(at.x, at.y);
                const name = each.getAttribute('data-command') ?? each.id ?? each.textContent;
                return top !== null && each.contains(top) ? [{ ...at, name }] : [];
            });
        }, selector);
    }

    async #pressButton() {
        const found = await this.#places('button:enabled, summary, a');
        if (found.length === 0) return 'no button';
        const { x, y, name } = this.#one(found);
        await this.page.mouse.click(x, y);
        return `press ${name}`;
    }

    /** @returns {Promise<{x: number, y: number}>} on the picture */
    async #spot() {
        const { x, y, width, height } = await this.viewer.stage();
        return { x: x + this.random() * width, y: y + this.random() * height };
    }

    async #key() {
        const key = this.#one(this.#keys);
        const times = 1 + this.#below(3);
        for (let i = 0; i < times; i++) await this.page.keyboard.press(key);
        return `key ${key} x${times}`;
    }

    async #drag() {
        const tool = this.#one(['h', 'd', 'e', 'l', 'q', 'i', '#', 's', ';', 'v', 'z']);
        if (await this.page.locator('dialog[open]').count() === 0) {
            await this.page.locator('#stage').focus();
            await this.page.keyboard.press(tool);
        }
        const held = this.#one(['', '', '', 'Shift', 'Control', 'Alt']);
        const { mouse, keyboard } = this.page;
        const from = await this.#spot();
        await mouse.move(from.x, from.y);
        if (held) await keyboard.down(held);
        const button = this.#one(/** @type {const} */ (['left', 'left', 'left', 'middle']));
        await mouse.down({ button });
        for (let i = this.#below(3); i >= 0; i--) {
            const to = await this.#spot();
            await mouse.move(to.x, to.y, { steps: 3 });
        }
        await mouse.up({ button });
        if (held) await keyboard.up(held);
        return `drag ${tool} ${held} ${button}`;
    }

    async #wheel() {
        const { x, y } = await this.#spot();
        const held = this.#one(['', '', 'Shift', 'Control']);
        await this.page.mouse.move(x, y);
        if (held) await this.page.keyboard.down(held);
        await this.page.mouse.wheel(this.#below(200) - 100, this.#below(1200) - 600);
        if (held) await this.page.keyboard.up(held);
        return `wheel ${held}`;
    }

    async #resize() {
        const [width, height] = this.#one([[1120, 760], [1600, 900], [390, 844], [700, 600],
            [320, 568], [900, 400]]);
        await this.page.setViewportSize({ width, height });
        return `size ${width} x ${height}`;
    }

    async #openPattern() {
        if (await this.page.locator('dialog[open]').count() > 0) return 'a dialog is open';
        await this.page.locator('#stage').focus();
        await this.page.keyboard.press('/');
        const words = this.#one(['gun', 'p30', 'glider', 'rpentomino', 'puffer', 'c/4', 'B36', '']);
        await this.page.keyboard.press('Control+a');
        await this.page.keyboard.insertText(words);
        const found = await this.#places('li.pattern button');
        if (found.length === 0) return `no pattern is ${words}`;
        const { x, y } = this.#one(found);
        await this.page.mouse.click(x, y);
        const sure = this.page.getByRole('button', { name: 'Close it' });
        if (await sure.isVisible()) await this.page.keyboard.press('Enter');
        return `pattern ${words}`;
    }

    async #fill() {
        const found = await this.#places('input:not([type="file"]):enabled, textarea, select');
        if (found.length === 0) return 'no field';
        const { x, y } = this.#one(found);
        const value = this.#one(nonsense);
        const part = this.random();
        const name = await this.page.evaluate(([px, py, share]) => {
            const target = document.elementFromPoint(px, py);
            const field = target?.closest('label')?.querySelector('input, select') ?? target;
            if (field instanceof HTMLSelectElement) {
                field.selectedIndex = Math.floor(share * field.options.length);
                field.dispatchEvent(new Event('change', { bubbles: true }));
            } else if (field instanceof HTMLInputElement && field.type === 'range') {
                field.valueAsNumber = Number(field.min) +
                    Math.round(share * (Number(field.max) - Number(field.min)));
                field.dispatchEvent(new Event('input', { bubbles: true }));
                field.dispatchEvent(new Event('change', { bubbles: true }));
            } else if (field instanceof HTMLInputElement && field.type === 'checkbox') {
                field.click();
            } else if (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) {
                field.focus();
                field.select();
                return 'text';
            }
            return field?.id || field?.tagName || '';
        }, [x, y, part]);
        if (name === 'text') await this.page.keyboard.insertText(value);
        if (this.random() < 0.3) await this.page.keyboard.press('Enter');
        return `fill ${name} with ${JSON.stringify(value)}`;
    }

    async #colour() {
        const id = await this.page.evaluate(async ([path, part]) => {
            const { themes } = await import(String(path));
            return themes[Math.floor(Number(part) * themes.length)].id;
        }, ['/themes.js', this.random()]);
        await this.page.locator('#colours').evaluate((chooser, value) => {
            if (!(chooser instanceof HTMLSelectElement)) return;
            chooser.value = value;
            chooser.dispatchEvent(new Event('change'));
        }, id);
        return `theme ${id}`;
    }

    async #tab() {
        const found = await this.#places('[role="tab"]');
        if (found.length === 0) return 'no tab';
        const { x, y, name } = this.#one(found);
        await this.page.mouse.click(x, y);
        return `${name}`;
    }

    async #escape() {
        for (let i = 0; i < 3; i++) await this.page.keyboard.press('Escape');
        return 'escape';
    }

    async #reload() {
        await this.tape.cut();
        await this.page.reload();
        await this.viewer.isOpen();
        return 'reload';
    }

    async act() {
        const share = this.random();
        /** @type {[number, () => Promise<string>][]} */
        const ways = [
            [0.30, () => this.#key()], [0.53, () => this.#pressButton()],
            [0.70, () => this.#drag()], [0.77, () => this.#wheel()], [0.80, () => this.#resize()],
            [0.84, () => this.#openPattern()], [0.90, () => this.#fill()],
            [0.93, () => this.#colour()], [0.96, () => this.#tab()], [0.99, () => this.#escape()],
            [1, () => this.#reload()],
        ];
        const way = ways.find(([end]) => share < end);
        this.did.push(await (way ?? ways[0])[1]());
        if (this.did.length > 12) this.did.shift();
    }
}

/** @param {Page} page */
async function pageAnswers(page) {
    const link = await Promise.race([page.evaluate(() => document.body.dataset.link),
        new Promise((resolve) => setTimeout(resolve, ANSWER_MS, 'the page does not answer'))]);
    assert.equal(link, 'open');
}

/** What a server holds, and how large. @param {Oracle} client @param {Server} server */
async function held(client, server) {
    const { box } = await client.ask({ do: 'box' });
    const saved = await client.ask({ do: 'save', format: 'macrocell', aside: true });
    if (saved.is !== 'saved') return { box, cells: String(saved.text) };
    const answer = await fetch(new URL(saved.path, server.url));
    const text = await answer.text();
    return { box, cells: text.split('\n').filter((line) => !line.startsWith('#G')).join('\n') };
}

for (let part = 0; part * AT_ONCE < all; part++) {
    const count = Math.min(AT_ONCE, all - part * AT_ONCE);
    const args = [...begins[(part + seed) % begins.length], '--max-memory', '128M'];
    test(`seed ${seed}, part ${part}: ${count} actions`, async (t) => {
        const server = await startServer(t, args);
        const tape = new Tape();
        const opened = await openPage(server, {
            before: async (page) => {
                page.on('dialog', (dialog) => void dialog.accept());
                await page.routeWebSocket(/\/socket/, (socket) => tape.attach(socket));
            },
        });
        const { context, complaints, page, viewer } = opened;
        const monkey = new Monkey(viewer, tape, randomFrom(seed * 1000 + part));
        let state = null;
        try {
            await monkey.readKeys();
            for (let i = 1; i <= count; i++) {
                await monkey.act();
                assert.deepEqual(complaints, [], `after action ${i}`);
                if (i % CHECK_EVERY > 0 && i < count) continue;
                await pageAnswers(page);
                await tape.answers();
            }
            state = await tape.end();
        } catch (error) {
            t.diagnostic(`the last actions: ${monkey.did.join('; ')}`);
            throw error;
        } finally {
            await context.close();
        }
        const oracle = await Oracle.connect(server);
        const wanted = await held(oracle, server);
        const fresh = await startServer(t, args);
        const again = await replay(tape.entries, () => Oracle.connect(fresh));
        const found = await held(again, fresh);
        t.diagnostic(`${count} actions, ${tape.entries.length} entries, generation ${
            state.generation}, population ${state.population}; the slowest state came after ${
            Math.round(tape.slowest_ms)} ms`);
        oracle.close();
        again.close();
        assert.deepEqual(found, wanted);
    });
}
