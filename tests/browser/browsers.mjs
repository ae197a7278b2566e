// The Chromium of a file of tests.

import { chromium } from 'playwright-core';

/** @import { Browser, LaunchOptions } from 'playwright-core' */

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
const options = {
    executablePath: process.env.LC_CHROMIUM ?? '/usr/bin/chromium',
    // As on a machine without a GPU; WebGL is there, in software, for the tests that want it.
    args: ['--no-sandbox', '--disable-gpu', '--enable-unsafe-swiftshader',
        '--force-color-profile=srgb', `--disable-features=${features_off.join()}`],
};

/** @type {Browser | null} */
let browser = null;

export async function launch() {
    browser ??= await chromium.launch(options);
    return browser;
}

/** To be called at the end of a file of tests: `after(close)`. */
export async function close() {
    await browser?.close();
    browser = null;
}
