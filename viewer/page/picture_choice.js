// Chooses the renderer. The page uses WebGL2 if WebGL2 runs on a GPU. If WebGL2 runs on the CPU,
// the 2D canvas is several times faster. The name of the WebGL renderer may show that the renderer
// runs on the CPU. If the name of the renderer reveals nothing, the page measures the first
// pictures and switches to the 2D canvas if these pictures are slow.

const SOFTWARE = /swiftshader|llvmpipe|softpipe|swrast|basic render|software/i;
const NAMELESS = /^(WebKit WebGL|Mozilla|)$/;

const WARMING = 2;
const TRIED = 5;
const SLOW_MS = 30;

/**
 * Returns the name of the WebGL renderer, or an empty or general name if the browser hides it.
 * @param {WebGL2RenderingContext} gl
 * @returns {string}
 */
function rendererName(gl) {
    const plain = String(gl.getParameter(gl.RENDERER) ?? '');
    // Use the extension only if it is needed, because some browsers print a warning when a page
    // uses it.
    if (!NAMELESS.test(plain)) return plain;
    const info = gl.getExtension('WEBGL_debug_renderer_info');
    return info ? String(gl.getParameter(info.UNMASKED_RENDERER_WEBGL) ?? '') : plain;
}

/**
 * Returns whether WebGL runs on the CPU, judged by the name of the renderer.
 * @param {WebGL2RenderingContext} gl
 */
export function isSoftware(gl) {
    return SOFTWARE.test(rendererName(gl));
}

/** Measures how long the first pictures of each size take. */
export class Trial {
    /** @type {number[]} */
    #times_ms = [];
    #pixels = 0;

    /**
     * Starts the measurement again if the canvas has become larger.
     * @param {{width: number, height: number}} size
     */
    begin({ width, height }) {
        if (width * height <= this.#pixels) return;
        this.#pixels = width * height;
        this.#times_ms = [];
    }

    get going() {
        return this.#times_ms.length < WARMING + TRIED;
    }

    /** Adds the drawing time of a picture to the measurement. @param {number} time_ms */
    add(time_ms) {
        if (this.going) this.#times_ms.push(time_ms);
    }

    /**
     * Whether most pictures were slow. The first pictures do not count, because they create shaders
     * and textures.
     */
    get failed() {
        if (this.going) return false;
        const times_ms = this.#times_ms.slice(WARMING).sort((a, b) => a - b);
        return times_ms[TRIED >> 1] > SLOW_MS;
    }
}
