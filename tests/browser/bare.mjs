// A page that nothing of the test listens to. Playwright has Chromium tell it of every message of a
// WebSocket, as text in base64, which takes longer than receiving and drawing a picture does. So
// whoever measures how quick the page is needs one without that.

import { launch } from './support.mjs';

/** @import { TestContext } from 'node:test' */

/**
 * @typedef {object} BarePage
 * @property {<T, R>(what: (argument: T) => R | Promise<R>, argument: T) => Promise<R>} evaluate
 *     runs in the page
 */

/**
 * @param {TestContext} t at whose end it is closed
 * @param {string} url
 * @param {{width: number, height: number}} viewport
 * @returns {Promise<BarePage>}
 */
export async function openBare(t, url, viewport) {
    const browser = await (await launch()).newBrowserCDPSession();
    const { browserContextId } = await browser.send('Target.createBrowserContext');
    t.after(() => browser.send('Target.disposeBrowserContext', { browserContextId }));
    const { targetId } = await browser.send('Target.createTarget', {
        url: 'about:blank', browserContextId, ...viewport,
    });
    const { sessionId } = await browser.send('Target.attachToTarget', { targetId, flatten: false });
    /** @type {Map<number, (answer: any) => void>} */
    const waiting = new Map();
    browser.on('Target.receivedMessageFromTarget', ({ message }) => {
        const answer = JSON.parse(message);
        waiting.get(answer.id)?.(answer);
        waiting.delete(answer.id);
    });
    let number = 0;
    const send = async (/** @type {string} */ method, /** @type {object} */ params) => {
        const id = ++number;
        const answered = new Promise((resolve) => waiting.set(id, resolve));
        await browser.send('Target.sendMessageToTarget', {
            sessionId, message: JSON.stringify({ id, method, params }),
        });
        const { result, error } = await answered;
        if (error) throw new Error(`${method}: ${error.message}`);
        return result;
    };
    await send('Emulation.setDeviceMetricsOverride', {
        ...viewport, deviceScaleFactor: 1, mobile: false,
    });
    await send('Emulation.setEmulatedMedia', {
        features: [{ name: 'prefers-reduced-motion', value: 'reduce' }],
    });
    await send('Page.navigate', { url });
    return {
        async evaluate(what, argument) {
            const { result, exceptionDetails } = await send('Runtime.evaluate', {
                expression: `(${what})(${JSON.stringify(argument)})`,
                awaitPromise: true, returnByValue: true,
            });
            if (exceptionDetails) throw new Error(exceptionDetails.exception.description);
            return result.value;
        },
    };
}
