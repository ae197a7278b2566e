// For what comes to hold a little later.

export const WAIT_MS = 30_000;

/**
 * Tries something until it holds.
 * @template T
 * @param {() => T | Promise<T>} check throws where it does not hold yet
 * @param {number} [wait_ms] for this long; then what it threw is thrown
 * @returns {Promise<T>}
 */
export async function eventually(check, wait_ms = WAIT_MS) {
    const end = performance.now() + wait_ms;
    for (;;) {
        try {
            return await check();
        } catch (error) {
            if (performance.now() > end) throw error;
        }
        await new Promise((resolve) => setTimeout(resolve, 20));
    }
}
