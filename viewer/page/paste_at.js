// Where the cells of a clip come to lie.

/** @import { Cell, Clip, Paste, UniverseInfo } from './types.js' */

/**
 * What of a clip would be pasted where: on a torus it goes on at the opposite edge, in a direction
 * in which it is no larger than the torus. Shifted edges are not joined here.
 * @param {Clip} clip
 * @param {Cell} corner
 * @param {UniverseInfo | null} universe
 * @returns {Paste}
 */
export function pasteAt(clip, corner, universe) {
    const within = { width: universe?.width ?? 0, height: universe?.height ?? 0 };
    const torus = /:T\d+,\d+$/.test(universe?.rule_text ?? '');
    /** @param {number} start @param {number} length @param {number} side */
    const starts = (start, length, side) => {
        if (!torus || side === 0 || length > side) return [start];
        const first = (start % side + side) % side;
        return first + length > side ? [first, first - side] : [first];
    };
    const across = starts(corner.x, clip.width, within.width);
    const down = starts(corner.y, clip.height, within.height);
    return { clip, within, places: down.flatMap((y) => across.map((x) => ({ x, y }))) };
}
