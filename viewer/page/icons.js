// The icons on the buttons. An icon consists of strokes in a square of 20 x 20 units, in the colour
// of the text.

/**
 * The paths of each icon. A path that begins with `F` is filled. A path without `F` at its start is
 * drawn as lines.
 * @type {Record<string, string>}
 */
const paths = {
    run: 'F M6 3.8 v12.4 a.6 .6 0 0 0 .92 .5 l9.6 -6.2 a.6 .6 0 0 0 0 -1 l-9.6 -6.2 a.6 ' +
        '.6 0 0 0 -.92 .5z',
    pause: 'F M5.5 4 h3 v12 h-3z M11.5 4 h3 v12 h-3z',
    step: 'M6 4.5 l7 5.5 -7 5.5z M15.5 4.5 v11',
    play: 'F M7 5 v10 a.5 .5 0 0 0 .8 .4 l7 -5 a.5 .5 0 0 0 0 -.8 l-7 -5 a.5 .5 0 0 0 -.8 .4z',
    'play-back': 'F M13 5 v10 a.5 .5 0 0 1 -.8 .4 l-7 -5 a.5 .5 0 0 1 0 -.8 l7 -5 a.5 .5 0 0 1 ' +
        '.8 .4z',
    'frame-first': 'M5 4.5 v11 M15 4.5 l-7 5.5 7 5.5z',
    'frame-back': 'M12.5 4.5 l-6 5.5 6 5.5',
    'frame-next': 'M7.5 4.5 l6 5.5 -6 5.5',
    'frame-last': 'M15 4.5 v11 M5 4.5 l7 5.5 -7 5.5z',
    'frame-return': 'M8 5 l-4 4 4 4 M4.2 9 h8.3 a3.5 3.5 0 0 1 0 7 h-3',
    loop: 'M3.5 9.5 v-1 a3 3 0 0 1 3 -3 h9.5 M13.5 3 l2.7 2.5 -2.7 2.5 M16.5 10.5 v1 a3 3 0 0 1 ' +
        '-3 3 h-9.5 M6.5 17 l-2.7 -2.5 2.7 -2.5',
    time: 'M3 16.5 h14 M3.5 13 l4 -5 3.5 3 5.5 -7',
    leap: 'M3 4.5 l6.5 5.5 -6.5 5.5z M10 4.5 l6.5 5.5 -6.5 5.5z',
    reset: 'M4.5 4 v4.2 h4.2 M4.8 8 a6 6 0 1 1 -.6 3.6',
    keep: 'M5.5 3.5 h9 v13 l-4.5 -3.4 -4.5 3.4z',
    hand: 'M10 2.6 v14.8 M2.6 10 h14.8 M8 4.6 l2 -2 2 2 M8 15.4 l2 2 2 -2 M4.6 8 l-2 2 2 ' +
        '2 M15.4 8 l2 2 -2 2',
    draw: 'M3.5 16.5 l.8 -3.6 8.9 -8.9 a1.6 1.6 0 0 1 2.3 0 l.5 .5 a1.6 1.6 0 0 1 0 2.3 ' +
        'l-8.9 8.9z M11.6 5.6 l2.8 2.8',
    erase: 'M7.5 16.5 l-4 -4 a1.3 1.3 0 0 1 0 -1.8 l6.9 -6.9 a1.3 1.3 0 0 1 1.8 0 l4 4 ' +
        'a1.3 1.3 0 0 1 0 1.8 l-6.9 6.9z M7 7.5 l5.6 5.6 M9.5 16.5 h7',
    line: 'M4.5 15.5 l11 -11 M3 14 h3 v3 h-3z M14 3 h3 v3 h-3z',
    rectangle: 'M3.5 5 h13 v10 h-13z',
    ellipse: 'M17 10 a7 5 0 1 1 -14 0 a7 5 0 0 1 14 0z',
    flood: 'M9 3.5 l6.5 6.5 -5.5 5.5 a1 1 0 0 1 -1.4 0 l-4.6 -4.6 a1 1 0 0 1 0 -1.4 z M4 10 h11 ' +
        'M17 13 c1.6 2.4 1 3.6 0 3.6 s-1.6 -1.2 0 -3.6z',
    move: 'M5.5 5.5 h9 v9 h-9z M10 1.5 v2 M10 16.5 v2 M1.5 10 h2 M16.5 10 h2',
    stamp: 'M8.5 9.5 c.4 -2 -1 -2.6 -1 -4.2 a2.5 2.5 0 0 1 5 0 c0 1.6 -1.4 2.2 -1 4.2 h3.5 v3.5 ' +
        'h-10 v-3.5z M4 16.5 h12',
    'more-tools': 'F M6.2 10 a1.6 1.6 0 1 1 -3.2 0 a1.6 1.6 0 0 1 3.2 0z M11.6 10 a1.6 1.6 0 1 1 ' +
        '-3.2 0 a1.6 1.6 0 0 1 3.2 0z M17 10 a1.6 1.6 0 1 1 -3.2 0 a1.6 1.6 0 0 1 3.2 0z',
    'symmetry-centre': 'M10 2.5 v15 M2.5 10 h15 M13.5 10 a3.5 3.5 0 1 1 -7 0 a3.5 3.5 0 0 1 7 0z',
    'go-to': 'M10 17.5 c-3.6 -4.2 -5 -6.4 -5 -9 a5 5 0 0 1 10 0 c0 2.6 -1.4 4.8 -5 9z M11.6 8.4 ' +
        'a1.6 1.6 0 1 1 -3.2 0 a1.6 1.6 0 0 1 3.2 0z',
    labels: 'M3.5 4.5 h8 l5 5.5 -5 5.5 h-8z M7.2 10 a.7 .7 0 1 1 -1.4 0 a.7 .7 0 0 1 1.4 0z',
    map: 'M3 4.5 h14 v11 h-14z M9 8.5 h5 v4 h-5z',
    invert: 'M3.5 3.5 h13 v13 h-13z M16.5 3.5 l-13 13 M9.5 16.5 l7 -7 M6.5 16.5 l10 -10 ' +
        'M12.8 16.5 l3.7 -3.7',
    shrink: 'M3 3 l4 4 M7 3.5 v3.5 h-3.5 M17 3 l-4 4 M13 3.5 v3.5 h3.5 M3 17 l4 -4 M7 16.5 v-3.5 ' +
        'h-3.5 M17 17 l-4 -4 M13 16.5 v-3.5 h3.5',
    identify: 'M13 8.5 a4.7 4.7 0 1 1 -9.4 0 a4.7 4.7 0 0 1 9.4 0z M12 12 l4.5 4.5 M7 7.4 a1.5 ' +
        '1.5 0 1 1 2.2 1.3 c-.6 .3 -.8 .6 -.8 1.1 M8.4 11 v.2',
    'advance-inside': 'M3.5 3.5 h13 v13 h-13z M7 7 l4 3 -4 3z M13 7 v6',
    'advance-outside': 'M6.5 6.5 h7 v7 h-7z M2 3 h9 M11 1 l2.5 2 -2.5 2 M2 17 h9 M11 15 l2.5 2 ' +
        '-2.5 2',
    select: 'M3.5 6.5 v-3 h3 M9 3.5 h2 M13.5 3.5 h3 v3 M16.5 9 v2 M16.5 13.5 v3 h-3 M11 ' +
        '16.5 h-2 M6.5 16.5 h-3 v-3 M3.5 11 v-2',
    paste: 'M7 4.5 h-2.5 v12 h11 v-12 h-2.5 M7 3 h6 v3.2 h-6z M7.5 10 h5 M7.5 13 h5',
    undo: 'M7.5 4 l-4 3.8 4 3.8 M3.8 7.8 h7.7 a4.2 4.2 0 0 1 0 8.4 h-4',
    redo: 'M12.5 4 l4 3.8 -4 3.8 M16.2 7.8 h-7.7 a4.2 4.2 0 0 0 0 8.4 h4',
    'zoom-in': 'M13 8.5 a4.7 4.7 0 1 1 -9.4 0 a4.7 4.7 0 0 1 9.4 0z M12 12 l4.5 4.5 M6.2 8.5 ' +
        'h4.4 M8.4 6.3 v4.4',
    'zoom-out': 'M13 8.5 a4.7 4.7 0 1 1 -9.4 0 a4.7 4.7 0 0 1 9.4 0z M12 12 l4.5 4.5 M6.2 8.5 h4.4',
    fit: 'M3.5 7.5 v-4 h4 M12.5 3.5 h4 v4 M16.5 12.5 v4 h-4 M7.5 16.5 h-4 v-4 M8 8 h4 v4 h-4z',
    follow: 'M14.5 10 a4.5 4.5 0 1 1 -9 0 a4.5 4.5 0 0 1 9 0z M10 2.5 v4 M10 13.5 v4 M2.5 ' +
        '10 h4 M13.5 10 h4',
    grid: 'M3.5 3.5 h13 v13 h-13z M7.8 3.5 v13 M12.2 3.5 v13 M3.5 7.8 h13 M3.5 12.2 h13',
    theme: 'M16.4 11.6 a6.6 6.6 0 0 1 -8 -8 a6.6 6.6 0 1 0 8 8z',
    'full-screen': 'M3.5 7.5 v-4 h4 M12.5 3.5 h4 v4 M16.5 12.5 v4 h-4 M7.5 16.5 h-4 v-4',
    help: 'M7.3 7.4 a2.8 2.8 0 1 1 4.1 2.5 c-1 .6 -1.4 1.1 -1.4 2.3 M10 15.4 v.2',
    panel: 'M3 4 h14 v12 h-14z M12 4 v12',
    'select-all': 'M3.5 3.5 h13 v13 h-13z M7 7 h6 v6 h-6z',
    copy: 'M7 7 h9.5 v9.5 h-9.5z M13 7 v-3.5 h-9.5 v9.5 h3.5',
    cut: 'M7.6 14 a2.1 2.1 0 1 1 -4.2 0 a2.1 2.1 0 0 1 4.2 0z M16.6 14 a2.1 2.1 0 1 1 ' +
        '-4.2 0 a2.1 2.1 0 0 1 4.2 0z M6.6 12.4 l6.6 -9 M13.4 12.4 l-6.6 -9',
    clear: 'M4 5.5 h12 M8 5.5 v-2 h4 v2 M5.5 5.5 l.8 11 h7.4 l.8 -11 M8.5 8.5 v5 M11.5 8.5 v5',
    'clear-outside': 'M7 7 h6 v6 h-6z M3 3 l1.8 1.8 M17 3 l-1.8 1.8 M3 17 l1.8 -1.8 M17 17 l-1.8 ' +
        '-1.8',
    fill: 'M4 4 h12 v12 h-12z M7 7 v.2 M10.5 8.5 v.2 M13 6.8 v.2 M7.6 12.8 v.2 M12.6 12 ' +
        'v.2 M10 11 v.2',
    'turn-left': 'M4.5 4 v4.2 h4.2 M4.8 8 a6 6 0 1 1 -.6 3.6',
    'turn-right': 'M15.5 4 v4.2 h-4.2 M15.2 8 a6 6 0 1 0 .6 3.6',
    'flip-x': 'M10 2.5 v15 M7.5 5 l-5 10 h5z M12.5 5 l5 10 h-5z',
    'flip-y': 'M2.5 10 h15 M5 7.5 l10 -5 v5z M5 12.5 l10 5 v-5z',
    'cells-turn-left': 'M4.5 3 v4.2 h4.2 M4.8 7 a6 6 0 1 1 -.6 3.6 M8.5 9 h3 v3 h-3z',
    'cells-turn-right': 'M15.5 3 v4.2 h-4.2 M15.2 7 a6 6 0 1 0 .6 3.6 M8.5 9 h3 v3 h-3z',
    'cells-flip-x': 'M10 2.5 v15 M7.5 6 h-5 v8 h5z M12.5 6 h5 v8 h-5z',
    'cells-flip-y': 'M2.5 10 h15 M6 7.5 v-5 h8 v5z M6 12.5 v5 h8 v-5z',
    film: 'M3 4.5 h14 v11 h-14z M6 4.5 v11 M14 4.5 v11 M3 8.2 h3 M3 11.8 h3 M14 8.2 h3 M14 11.8 h3',
    'export-png': 'M3.5 6.5 v-3 h3 M13.5 3.5 h3 v3 M16.5 13.5 v3 h-3 M6.5 16.5 h-3 v-3 M6 13 l3 ' +
        '-3.5 2.2 2.2 1.3 -1.4 1.8 2.4',
    'export-svg': 'M3.5 6.5 v-3 h3 M13.5 3.5 h3 v3 M16.5 13.5 v3 h-3 M6.5 16.5 h-3 v-3 M6.5 13 ' +
        'c0 -6 7 0 7 -6',
    'paste-text': 'M4 5 h12 M4 8.4 h12 M4 11.7 h8 M4 15 h5',
    new: 'M10 4 v12 M4 10 h12',
    open: 'M3 15.5 v-11 h5 l1.6 2 h6.9 v9z',
    save: 'M10 3 v9.5 M6 9 l4 4 4 -4 M3.5 16.5 h13',
    link: 'M8.5 11.5 a3 3 0 0 0 4.2 0 l2.8 -2.8 a3 3 0 0 0 -4.2 -4.2 l-1.3 1.3 M11.5 8.5 a3 3 ' +
        '0 0 0 -4.2 0 l-2.8 2.8 a3 3 0 0 0 4.2 4.2 l1.3 -1.3',
    patterns: 'M3.5 4 h5 v5 h-5z M11.5 4 h5 v5 h-5z M3.5 11.5 h5 v5 h-5z M11.5 11.5 h5 v5 h-5z',
    change: 'M4 7 h9.5 M11 4 l3 3 -3 3 M16 13 h-9.5 M9 10 l-3 3 3 3',
    picture: 'M3 4.5 h14 v11 h-14z M3 13 l4 -4 3.4 3.4 2.2 -2.2 4.4 4.3',
    record: 'F M15 10 a5 5 0 1 1 -10 0 a5 5 0 0 1 10 0z',
    stop: 'F M5 5 h10 v10 h-10z',
    lock: 'M5 9 h10 v7.5 h-10z M7 9 v-2.5 a3 3 0 0 1 6 0 v2.5',
    take: 'M10 3 v9.5 M6 7 l4 -4 4 4 M3.5 16.5 h13',
    close: 'M5 5 l10 10 M15 5 l-10 10',
    unselect: 'M5 5 l10 10 M15 5 l-10 10',
};

const namespace = 'http://www.w3.org/2000/svg';

/**
 * Makes an icon.
 * @param {string} name
 * @returns {SVGSVGElement}
 */
export function icon(name) {
    const drawing = document.createElementNS(namespace, 'svg');
    drawing.setAttribute('viewBox', '0 0 20 20');
    drawing.setAttribute('aria-hidden', 'true');
    drawing.setAttribute('class', 'icon');
    const path = document.createElementNS(namespace, 'path');
    const text = paths[name] ?? '';
    const filled = text.startsWith('F ');
    path.setAttribute('d', filled ? text.slice(2) : text);
    path.setAttribute('class', filled ? 'filled' : 'drawn');
    drawing.append(path);
    return drawing;
}

/**
 * Puts another icon on a button.
 * @param {Element} button
 * @param {string} name
 */
export function setIcon(button, name) {
    if (button.getAttribute('data-icon') === name) return;
    button.setAttribute('data-icon', name);
    button.querySelector('svg')?.remove();
    button.prepend(icon(name));
}
