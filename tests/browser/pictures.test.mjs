// The pictures of docs/ can still be made as they are: screenshots.mjs comes to its end, and each
// of them has the size of the one that is there.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { readChunks } from './png.mjs';

/** @param {string} folder @returns {string[]} its pictures, each with its width and height */
function sizes(folder) {
    return readdirSync(folder).filter((name) => /\.png$/.test(name)).sort()
        .map((name) => {
            const { data } = readChunks(readFileSync(path.join(folder, name)))[0];
            return `${name}: ${data.readUInt32BE(0)} x ${data.readUInt32BE(4)}`;
        });
}

test('every picture of docs/ is made', async (t) => {
    const folder = mkdtempSync(path.join(tmpdir(), 'lightcone-pictures-'));
    t.after(() => rmSync(folder, { recursive: true }));
    const here = (/** @type {string} */ name) => fileURLToPath(new URL(name, import.meta.url));
    await promisify(execFile)(process.execPath,
        [here('screenshots.mjs'), process.env.LC_BINARY ?? '', folder]);
    const made = sizes(folder);
    assert.ok(made.length > 0);
    assert.deepEqual(made, sizes(here('../../docs')));
});
