// Draws the picture with WebGL2. The frame is uploaded unchanged as an integer texture. If the
// frame has one bit per square, the shader unpacks the bits. A pixel of the canvas shows the mean
// density of the area that it covers. Values in a frame are square roots of densities. The shader
// therefore squares the values, computes their mean weighted by area, and takes the square root of
// the mean. Ages are not averaged. If the frame has ages, a pixel shows the highest byte of the
// squares that it covers. If the pixel covers live cells, the highest byte is that of the oldest
// live cell.

/** @import { Colour, Frame, Palette, UniverseInfo } from './types.js' */
/** @import { Placement } from './geometry.js' */
import { apart } from './exact.js';
import { universeEdges } from './geometry.js';
import { rowBytes } from './protocol.js';

const VERTEX_SHADER = `#version 300 es
void main() { // draws one triangle that covers the whole canvas
    vec2 corner = vec2(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0);
    gl_Position = vec4(corner, 0.0, 1.0);
}`;

const FRAGMENT_SHADER = `#version 300 es
precision highp float;
precision highp int;
precision highp usampler2D;

uniform usampler2D frame;
uniform sampler2D palette;
uniform ivec2 frameSize;  // in squares
uniform bool packed;      // whether a square has one bit instead of one byte
uniform bool ages;        // whether bytes are encoded as in ages.js
uniform vec2 frameStart;  // top left corner of the canvas, in squares of the frame
uniform float step;       // squares per pixel
uniform float canvasHeight;
uniform vec4 edges;       // edges of the universe in pixels: left, top, right, bottom
uniform vec2 gridStart;   // top left corner of the canvas in cells, modulo ten
uniform float cellPixels;
uniform float linePixels;
uniform float gridStrength;
uniform vec4 gridColour, gridStrongColour, outsideColour, edgeColour;
out vec4 colour;

const float SLIVER = 1e-3;

float tone(ivec2 square) {
    if (any(lessThan(square, ivec2(0))) || any(greaterThanEqual(square, frameSize))) return 0.0;
    if (!packed) return float(texelFetch(frame, square, 0).r) / 255.0;
    uint bits = texelFetch(frame, ivec2(square.x >> 3, square.y), 0).r;
    return float((bits >> uint(square.x & 7)) & 1u);
}

float share(vec2 low) {
    float sum = 0.0;
    float highest = 0.0;
    if (step > 3.0) { // a pixel has many squares only until a coarser frame arrives
        for (int i = 0; i < 16; i++) {
            vec2 at = low + (vec2(i & 3, i >> 2) + 0.5) * (step / 4.0);
            float value = tone(ivec2(floor(at)));
            highest = max(highest, value);
            sum += value * value;
        }
        return ages ? highest * highest : sum / 16.0;
    }
    vec2 high = low + step;
    ivec2 first = ivec2(floor(low + SLIVER));
    ivec2 end = max(ivec2(ceil(high - SLIVER)), first + 1);
    if (end == first + 1) {
        float value = tone(first);
        return value * value;
    }
    float area = 0.0;
    for (int y = first.y; y < end.y; y++) {
        for (int x = first.x; x < end.x; x++) {
            vec2 square = vec2(x, y);
            vec2 overlap = max(min(high, square + 1.0) - max(low, square), vec2(0.0));
            float value = tone(ivec2(x, y));
            highest = max(highest, value);
            sum += overlap.x * overlap.y * value * value;
            area += overlap.x * overlap.y;
        }
    }
    return ages ? highest * highest : sum / area;
}

void main() {
    vec2 pixel = vec2(gl_FragCoord.x, canvasHeight - gl_FragCoord.y);
    if (any(lessThan(pixel, edges.xy)) || any(greaterThan(pixel, edges.zw))) {
        bool near = all(greaterThan(pixel, edges.xy - linePixels)) &&
            all(lessThan(pixel, edges.zw + linePixels));
        colour = near ? edgeColour : outsideColour;
        return;
    }
    vec2 corner = floor(pixel);
    float alive = share(frameStart + corner * step);
    int level = alive > 0.0 ? max(1, int(round(sqrt(alive) * 255.0))) : 0;
    colour = texelFetch(palette, ivec2(level, ages ? 1 : 0), 0);
    if (gridStrength > 0.0) {
        vec2 cell = gridStart + corner / cellPixels + SLIVER;
        vec2 number = floor(cell);
        bvec2 line = lessThan((cell - number) * cellPixels, vec2(linePixels + SLIVER));
        bvec2 strong = equal(mod(number, 10.0), vec2(0.0));
        if (any(line)) {
            vec4 over = (line.x && strong.x) || (line.y && strong.y) ? gridStrongColour
                : gridColour;
            colour.rgb = mix(colour.rgb, over.rgb, over.a * gridStrength);
        }
    }
}`;

/**
 * Compiles a shader.
 * @param {WebGL2RenderingContext} gl
 * @param {number} kind of shader
 * @param {string} text source code
 */
function compile(gl, kind, text) {
    const shader = gl.createShader(kind);
    if (!shader) throw new Error('Cannot create a shader.');
    gl.shaderSource(shader, text);
    gl.compileShader(shader);
    return shader;
}

/** @param {WebGL2RenderingContext} gl */
function link(gl) {
    const program = gl.createProgram();
    const shaders = [compile(gl, gl.VERTEX_SHADER, VERTEX_SHADER),
        compile(gl, gl.FRAGMENT_SHADER, FRAGMENT_SHADER)];
    for (const shader of shaders) gl.attachShader(program, shader);
    gl.linkProgram(program);
    if (!gl.getProgramParameter(program, gl.LINK_STATUS)) {
        const logs = shaders.map((shader) => gl.getShaderInfoLog(shader)).join('');
        throw new Error(gl.getProgramInfoLog(program) + logs);
    }
    for (const shader of shaders) gl.deleteShader(shader);
    return program;
}

/**
 * Creates a texture without interpolation.
 * @param {WebGL2RenderingContext} gl
 * @param {number} unit texture unit
 */
function makeTexture(gl, unit) {
    const texture = gl.createTexture();
    gl.activeTexture(gl.TEXTURE0 + unit);
    gl.bindTexture(gl.TEXTURE_2D, texture);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE);
}

export class PictureWebgl {
    #gl;
    /** The locations of the shader's uniforms. @type {Map<string, WebGLUniformLocation | null>} */
    #places = new Map();
    /** @type {WebGLProgram | null} */
    #program = null;
    /** @type {Frame | null} */
    #frame = null;
    /** @type {Palette | null} */
    #palette = null;
    #texture = { width: 0, height: 0 };
    #lost = false;

    /**
     * @param {HTMLCanvasElement} canvas
     * @param {() => void} restored called after a lost context was restored; the caller then draws
     *     again
     * @param {(gl: WebGL2RenderingContext) => boolean} refused returns whether to reject a context
     * @throws {Error} if WebGL2 is missing or `refused` rejects the context
     */
    constructor(canvas, restored, refused) {
        const gl = canvas.getContext('webgl2', { alpha: false, antialias: false, depth: false });
        if (!gl) throw new Error('This browser does not support WebGL2.');
        this.#gl = gl;
        if (refused(gl)) {
            this.destroy();
            throw new Error('WebGL2 has no GPU.');
        }
        this.#prepare();
        canvas.addEventListener('webglcontextlost', (event) => {
            event.preventDefault();
            this.#lost = true;
        });
        canvas.addEventListener('webglcontextrestored', () => {
            this.#lost = false;
            this.#prepare();
            if (this.#palette) this.setPalette(this.#palette);
            this.setFrame(this.#frame);
            restored();
        });
    }

    /** Largest width or height of a frame, in squares. */
    get largestSide() {
        return /** @type {number} */ (this.#gl.getParameter(this.#gl.MAX_TEXTURE_SIZE)) || 2048;
    }

    /** @param {Palette} palette */
    setPalette(palette) {
        const gl = this.#gl;
        this.#palette = palette;
        gl.activeTexture(gl.TEXTURE1);
        const rows = new Uint8Array(2 * 256 * 4);
        rows.set(palette.levels);
        rows.set(palette.ages, 256 * 4);
        gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA8, 256, 2, 0, gl.RGBA, gl.UNSIGNED_BYTE, rows);
    }

    /** @param {Frame | null} frame */
    setFrame(frame) {
        const gl = this.#gl;
        this.#frame = frame;
        if (!frame) return;
        const width = rowBytes(frame.width, frame.bits);
        const { height, pixels } = frame;
        gl.activeTexture(gl.TEXTURE0);
        if (width === this.#texture.width && height === this.#texture.height) {
            gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, 0, width, height, gl.RED_INTEGER,
                gl.UNSIGNED_BYTE, pixels);
            return;
        }
        this.#texture = { width, height };
        gl.texImage2D(gl.TEXTURE_2D, 0, gl.R8UI, width, height, 0, gl.RED_INTEGER,
            gl.UNSIGNED_BYTE, pixels);
    }

    /**
     * Draws the picture.
     * @param {Placement} placement
     * @param {UniverseInfo | null} universe
     * @param {number} grid opacity of the grid lines, 0 to 1
     */
    draw(placement, universe, grid) {
        const palette = this.#palette;
        if (this.#lost || !palette) return;
        const gl = this.#gl;
        const { width, height, at, left, top, cell_px, line_px } = placement;
        const frame = this.#frame;
        const side = 2 ** (frame?.scale ?? 0);
        const edges = universeEdges(placement, universe);
        gl.viewport(0, 0, width, height);
        gl.useProgram(this.#program);
        gl.uniform1i(this.#at('frame'), 0);
        gl.uniform1i(this.#at('palette'), 1);
        gl.uniform2i(this.#at('frameSize'), frame?.width ?? 0, frame?.height ?? 0);
        gl.uniform1i(this.#at('packed'), frame?.bits === 1 ? 1 : 0);
        gl.uniform1i(this.#at('ages'), frame?.ages ? 1 : 0);
        gl.uniform2f(this.#at('frameStart'), (left - apart(frame?.x ?? at.x, at.x)) / side,
            (top - apart(frame?.y ?? at.y, at.y)) / side);
        gl.uniform1f(this.#at('step'), 1 / (cell_px * side));
        gl.uniform1f(this.#at('canvasHeight'), height);
        gl.uniform4f(this.#at('edges'), edges.x0, edges.y0, edges.x1, edges.y1);
        const [tens_x, tens_y] = [left + Number(at.x % 10n), top + Number(at.y % 10n)];
        gl.uniform2f(this.#at('gridStart'), tens_x - Math.floor(tens_x / 10) * 10,
            tens_y - Math.floor(tens_y / 10) * 10);
        gl.uniform1f(this.#at('cellPixels'), cell_px);
        gl.uniform1f(this.#at('linePixels'), line_px);
        gl.uniform1f(this.#at('gridStrength'), grid);
        this.#setColour('gridColour', palette.grid);
        this.#setColour('gridStrongColour', palette.gridStrong);
        this.#setColour('outsideColour', palette.outside);
        this.#setColour('edgeColour', palette.edge);
        gl.drawArrays(gl.TRIANGLES, 0, 3);
    }

    /** Waits until drawing has finished, so that the caller can measure the time. */
    finish() {
        this.#gl.finish();
    }

    /** Releases the context. After this call nothing can be drawn. */
    destroy() {
        this.#lost = true;
        this.#gl.getExtension('WEBGL_lose_context')?.loseContext();
    }

    #prepare() {
        const gl = this.#gl;
        this.#program = link(gl);
        this.#places.clear();
        this.#texture = { width: 0, height: 0 };
        makeTexture(gl, 0);
        makeTexture(gl, 1);
        gl.pixelStorei(gl.UNPACK_ALIGNMENT, 1);
        // Give the texture an image. The shader needs an image even if it reads no square of the
        // texture.
        gl.activeTexture(gl.TEXTURE0);
        gl.texImage2D(gl.TEXTURE_2D, 0, gl.R8UI, 1, 1, 0, gl.RED_INTEGER, gl.UNSIGNED_BYTE,
            new Uint8Array(1));
    }

    /** Returns the location of a uniform. @param {string} name of a uniform */
    #at(name) {
        if (!this.#places.has(name) && this.#program) {
            this.#places.set(name, this.#gl.getUniformLocation(this.#program, name));
        }
        return this.#places.get(name) ?? null;
    }

    /**
     * Sets a uniform to a colour.
     * @param {string} name
     * @param {Colour} colour
     */
    #setColour(name, [red, green, blue, alpha]) {
        this.#gl.uniform4f(this.#at(name), red / 255, green / 255, blue / 255, alpha / 255);
    }
}
