// Which renderer draws the picture: WebGL2 where a GPU does the work. Where the processor would
// have to run the shader, the 2D canvas is several times faster, so it takes over: at once if the
// browser names such a renderer, else after the first pictures if they are slow.

const SOFTWARE = /swiftshader|llvmpipe|softpipe|swrast|basic render|software/i;
const NAMELESS = /^(WebKit WebGL|Mozilla|)$/;

const WARMING = 2;
const TRIED = 5;
const SLOW_MS = 30;

/**
 * Who draws for WebGL, as far as the browser says.
 * @param {WebGL2RenderingContext} gl
 * @returns {string}
 */
function rendererName(gl) {
    const plain = String(gl.getParameter(gl.RENDERER) ?? '');
    // Asked only where it is needed: some browsers warn of this extension.
    if (!NAMELESS.test(plain)) return plain;
    const info = gl.getExtension('WEBGL_debug_renderer_info');
    return info ? String(gl.getParameter(info.UNMASKED_RENDERER_WEBGL) ?? '') : plain;
}

/**
 * Whether the processor draws for WebGL, and the browser says so.
 * @param {WebGL2RenderingContext} gl
 */
export function isSoftware(gl) {
    return SOFTWARE.test(rendererName(gl));
}

/** Times the first pictures of each size. */
export class Trial {
    /** @type {number[]} */
    #times_ms = [];
    #pixels = 0;

    /**
     * A larger canvas is tried anew.
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

    /** @param {number} time_ms that a picture took until it was done */
    add(time_ms) {
        if (this.going) this.#times_ms.push(time_ms);
    }

    /** Most pictures were slow. The first ones make shaders and textures, and do not count. */
    get failed() {
        if (this.going) return false;
        const times_ms = this.#times_ms.slice(WARMING).sort((a, b) => a - b);
        return times_ms[TRIED >> 1] > SLOW_MS;
    }
}
