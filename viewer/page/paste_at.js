// Computes where the cells of a pasted clip lie.

/** @import { Cell, Clip, Paste, UniverseInfo } from './types.js' */
import { remainder } from './exact.js';

/**
 * Returns the places at which a clip appears when pasted. On a torus the clip wraps around in each
 * direction in which it fits. The preview does not wrap at edges that are joined with a shift.
 * @param {Clip} clip
 * @param {Cell} corner
 * @param {UniverseInfo | null} universe
 * @returns {Paste}
 */
export function pasteAt(clip, corner, universe) {
    const within = { width: universe?.width ?? 0n, height: universe?.height ?? 0n };
    const torus = /:T\d+,\d+$/.test(universe?.rule_text ?? '');
    /** @param {bigint} start @param {number} length @param {bigint} side */
    const starts = (start, length, side) => {
        if (!torus || side === 0n || length > side) return [start];
        const first = remainder(start, side);
        return first + BigInt(length) > side ? [first, first - side] : [first];
    };
    const across = starts(corner.x, clip.width, within.width);
    const down = starts(corner.y, clip.height, within.height);
    return { clip, within, places: down.flatMap((y) => across.map((x) => ({ x, y }))) };
}
