// Which Chromium a file of tests uses: the one that run.mjs has started for all of them, or one of
// its own.

import { chromium } from 'playwright-core';

/** @import { Browser, LaunchOptions } from 'playwright-core' */

/** Where the shared Chromium listens, in the environment of those who share it. */
export const SHARED = 'LC_SHARED_CHROMIUM';

// Each window would load two pages of Chromium's own behind its line of addresses, which takes as
// long as a page of ours. The last switch of this name counts, so what Playwright turns off and a
// test could see stands here again.
const features_off = [
    'WebUIOmniboxPopup', 'WebUIOmniboxAimPopup', 'WebUIOmniboxFullPopup',
    'AimEnabled', 'AvoidUnnecessaryBeforeUnloadCheckSync', 'DestroyProfileOnBrowserClose',
    'HttpsFirstBalancedModeAutoEnable', 'HttpsUpgrades', 'LensOverlay', 'MediaRouter',
    'NetworkTimeServiceQuerying', 'OptimizationHints', 'PaintHolding', 'PreconnectToSearch',
    'ThirdPartyStoragePartitioning',
];

/** @type {LaunchOptions} */
export const options = {
    executablePath: process.env.LC_CHROMIUM ?? '/usr/bin/chromium',
    // As on a machine without a GPU; WebGL is there, in software, for the tests that want it.
    args: ['--no-sandbox', '--disable-gpu', '--enable-unsafe-swiftshader',
        '--force-color-profile=srgb', `--disable-features=${features_off.join()}`],
};

/** @type {Browser | null} */
let browser = null;

export async function launch() {
    const shared = process.env[SHARED];
    browser ??= shared ? await chromium.connect(shared) : await chromium.launch(options);
    return browser;
}

/**
 * To be called at the end of a file of tests: `after(close)`. Of a shared Chromium it closes the
 * contexts of this file only.
 */
export async function close() {
    await browser?.close();
    browser = null;
}
