// Computes the positions of a clip's cells when the clip is pasted.

/** @import { Cell, Clip, Paste, UniverseInfo } from './types.js' */
import { remainder } from './exact.js';

/**
 * Returns the positions at which a pasted clip appears. On a torus the clip wraps around in each
 * direction in which it fits. At edges that are joined with a shift, the preview does not show the
 * clip on the other side.
 * @param {Clip} clip
 * @param {Cell} corner
 * @param {UniverseInfo | null} universe
 * @returns {Paste}
 */
export function pasteAt(clip, corner, universe) {
    const within = { width: universe?.width ?? 0n, height: universe?.height ?? 0n };
    const torus = /:T\d+,\d+$/.test(universe?.rule_text ?? '');
    /**
     * Returns the x or y coordinates of all places at which the clip appears.
     * @param {bigint} start
     * @param {number} length
     * @param {bigint} side
     */
    const starts = (start, length, side) => {
        if (!torus || side === 0n || length > side) return [start];
        const first = remainder(start, side);
        return first + BigInt(length) > side ? [first, first - side] : [first];
    };
    const across = starts(corner.x, clip.width, within.width);
    const down = starts(corner.y, clip.height, within.height);
    return { clip, within, places: down.flatMap((y) => across.map((x) => ({ x, y }))) };
}
