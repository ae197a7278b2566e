// How far two colours stand apart, as WCAG defines it.

/** @param {number[]} colour @returns {number} */
function luminance(colour) {
    const [red, green, blue] = colour.map((byte) => {
        const share = byte / 255;
        return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** @param {number[]} a @param {number[]} b @returns {number} 1 to 21 */
export function contrast(a, b) {
    const [low, high] = [luminance(a), luminance(b)].sort((one, other) => one - other);
    return (high + 0.05) / (low + 0.05);
}
