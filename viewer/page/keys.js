// The table of all commands, and the keyboard handling. For each command the table has the name,
// the keys and the group in the help sheet. Buttons take their names from the table of commands.
// Where possible, keys are the same as in Golly.
//
// A key is written as in KeyboardEvent.key, with the prefixes `Ctrl+` and `Shift+`. On a Mac,
// `Ctrl+` stands for the command key. A key for a character is written as the character without
// `Shift+`, for example `?` instead of `Shift+/`.

/**
 * @typedef {object} Command
 * @property {string} id
 * @property {string} text name on the button
 * @property {string} [word] short name below the icon, shown if there is room
 * @property {string[]} keys
 * @property {string} group in the help sheet; '' for commands without a key
 * @property {boolean} [browser] whether the browser sends an event of its own for the key, as for
 *     copy, cut and paste
 * @property {boolean} [repeats] whether the command repeats while the key is held
 * @property {string} [joins] commands with the same value share a row of the help sheet
 * @property {boolean} [steers] whether the command needs the right to steer
 */

/** @type {Command[]} */
export const commands = [
    { id: 'run', text: 'Run or pause', word: 'Run', keys: ['Enter'],
        group: 'Running', steers: true },
    { id: 'step', text: 'Step one generation', word: 'Step', keys: [' '],
        group: 'Running', repeats: true, steers: true },
    { id: 'leap', text: 'Jump 2ᵏ generations', keys: ['Tab'], group: 'Running',
        steers: true },
    { id: 'leap-shorter', text: 'Shorter jump', keys: [','], group: 'Running', repeats: true },
    { id: 'leap-longer', text: 'Longer jump', keys: ['.'], group: 'Running', repeats: true },
    { id: 'faster', text: 'Faster', keys: ['+', '='], group: 'Running', repeats: true,
        steers: true },
    { id: 'slower', text: 'Slower', keys: ['-', '_'], group: 'Running', repeats: true,
        steers: true },
    { id: 'reset', text: 'Reset to the start', word: 'Reset', keys: ['r'],
        group: 'Running', steers: true },
    { id: 'keep', text: 'Take a snapshot', keys: ['m'],
        group: 'Running', steers: true },
    { id: 'return', text: 'Back to the last snapshot', keys: ['b'], group: 'Running',
        steers: true },

    { id: 'play', text: 'Play or pause', keys: ['k'], group: 'History', steers: true },
    { id: 'play-back', text: 'Play backwards', keys: ['j'], group: 'History', steers: true },
    { id: 'frame-next', text: 'Step forward, or next frame', keys: ['PageDown'], group: 'History',
        repeats: true, steers: true },
    { id: 'frame-back', text: 'Step back, or previous frame', keys: ['PageUp'], group: 'History',
        repeats: true, steers: true },
    { id: 'frame-first', text: 'First generation or frame', keys: ['Home'], group: 'History',
        steers: true },
    { id: 'frame-last', text: 'Last generation or frame', keys: ['End'], group: 'History',
        steers: true },
    { id: 'loop', text: 'Loop', keys: ['w'], group: 'History', steers: true },
    { id: 'time', text: 'Show the history', keys: ['7'], group: 'History' },

    { id: 'fit', text: 'Fit all live cells', word: 'Fit', keys: ['f'], group: 'View' },
    { id: 'follow', text: 'Follow the pattern', keys: ['o'], group: 'View' },
    { id: 'labels', text: 'Label objects', keys: ['9'], group: 'View' },
    { id: 'middle', text: 'Centre on cell 0, 0', keys: ['0'], group: 'View' },
    { id: 'zoom-in', text: 'Zoom in', word: 'In', keys: [']'], group: 'View', repeats: true },
    { id: 'zoom-out', text: 'Zoom out', word: 'Out', keys: ['['], group: 'View', repeats: true },
    { id: 'scale-1', text: 'Scale 1:1', keys: ['1'], group: 'View', joins: 'Scale 1:1 to 32:1' },
    { id: 'scale-2', text: 'Scale 2:1', keys: ['2'], group: 'View', joins: 'Scale 1:1 to 32:1' },
    { id: 'scale-4', text: 'Scale 4:1', keys: ['3'], group: 'View', joins: 'Scale 1:1 to 32:1' },
    { id: 'scale-8', text: 'Scale 8:1', keys: ['4'], group: 'View', joins: 'Scale 1:1 to 32:1' },
    { id: 'scale-16', text: 'Scale 16:1', keys: ['5'], group: 'View',
        joins: 'Scale 1:1 to 32:1' },
    { id: 'scale-32', text: 'Scale 32:1', keys: ['6'], group: 'View',
        joins: 'Scale 1:1 to 32:1' },
    { id: 'pan-left', text: 'Pan left', keys: ['ArrowLeft'], group: 'View', repeats: true,
        joins: 'Pan' },
    { id: 'pan-right', text: 'Pan right', keys: ['ArrowRight'], group: 'View', repeats: true,
        joins: 'Pan' },
    { id: 'pan-up', text: 'Pan up', keys: ['ArrowUp'], group: 'View', repeats: true,
        joins: 'Pan' },
    { id: 'pan-down', text: 'Pan down', keys: ['ArrowDown'], group: 'View', repeats: true,
        joins: 'Pan' },
    { id: 'go-to', text: 'Go to a cell…', keys: ['Ctrl+g'], group: 'View' },
    { id: 'map', text: 'Map', keys: ["'"], group: 'View' },
    { id: 'grid', text: 'Grid lines', word: 'Grid', keys: ['g'], group: 'View' },
    { id: 'theme', text: 'Theme: light or dark', word: 'Theme', keys: ['t'], group: 'View' },
    { id: 'colours-next', text: 'Next colours: ages, trails, …', keys: ['a'], group: 'View',
        repeats: true },
    { id: 'full-screen', text: 'Full screen', word: 'Full', keys: ['F11'], group: 'View' },

    { id: 'hand', text: 'Hand: drag the view', word: 'Hand', keys: ['h'], group: 'Tools' },
    { id: 'draw', text: 'Pencil: draw or erase', word: 'Pencil', keys: ['d'], group: 'Tools' },
    { id: 'erase', text: 'Erase cells', word: 'Erase', keys: ['e'], group: 'Tools' },
    { id: 'line', text: 'Draw a line', keys: ['l'], group: 'Tools' },
    { id: 'rectangle', text: 'Rectangle', keys: ['q'], group: 'Tools' },
    { id: 'ellipse', text: 'Ellipse', keys: ['i'], group: 'Tools' },
    { id: 'flood', text: 'Flood fill', keys: ['#'], group: 'Tools' },
    { id: 'select', text: 'Select a rectangle', word: 'Select', keys: ['s'], group: 'Tools' },
    { id: 'move', text: 'Move the selection', keys: [';'], group: 'Tools', steers: true },
    { id: 'paste', text: 'Paste the clip', word: 'Paste', keys: ['v'], group: 'Tools' },
    { id: 'stamp', text: 'Stamp the clip', keys: ['z'], group: 'Tools' },
    { id: 'brush-larger', text: 'Larger brush', keys: ['}'], group: 'Tools', repeats: true },
    { id: 'brush-smaller', text: 'Smaller brush', keys: ['{'], group: 'Tools', repeats: true },
    { id: 'symmetry-next', text: 'Next symmetry', keys: ['\\'], group: 'Tools' },
    { id: 'symmetry-centre', text: 'Set the centre of symmetry here', keys: ['|'], group: 'Tools' },
    { id: 'more-tools', text: 'More: jump, shapes, lock', word: 'More', keys: ['`'],
        group: 'Tools' },
    { id: 'cursor-left', text: 'Cell pointer left', keys: ['Shift+ArrowLeft'], group: 'Tools',
        repeats: true, joins: 'Move the cell pointer' },
    { id: 'cursor-right', text: 'Cell pointer right', keys: ['Shift+ArrowRight'], group: 'Tools',
        repeats: true, joins: 'Move the cell pointer' },
    { id: 'cursor-up', text: 'Cell pointer up', keys: ['Shift+ArrowUp'], group: 'Tools',
        repeats: true, joins: 'Move the cell pointer' },
    { id: 'cursor-down', text: 'Cell pointer down', keys: ['Shift+ArrowDown'], group: 'Tools',
        repeats: true, joins: 'Move the cell pointer' },
    { id: 'press', text: 'Use the tool at the cell pointer', keys: ['c'], group: 'Tools' },
    { id: 'cancel', text: 'Cancel, or deselect', keys: ['Escape'], group: 'Tools' },

    { id: 'undo', text: 'Undo', word: 'Undo', keys: ['Ctrl+z'],
        group: 'Editing', repeats: true, steers: true },
    { id: 'redo', text: 'Redo', word: 'Redo', keys: ['Ctrl+y', 'Ctrl+Shift+z'],
        group: 'Editing', repeats: true, steers: true },
    { id: 'select-all', text: 'Select all', keys: ['Ctrl+a'], group: 'Editing' },
    { id: 'copy', text: 'Copy', keys: ['Ctrl+c'], group: 'Editing', browser: true },
    { id: 'cut', text: 'Cut', keys: ['Ctrl+x'], group: 'Editing', browser: true },
    { id: 'paste-native', text: 'Paste from the clipboard', keys: ['Ctrl+v'], group: 'Editing',
        browser: true },
    { id: 'clear', text: 'Clear inside', keys: ['Delete', 'Backspace'], group: 'Editing',
        steers: true },
    { id: 'clear-outside', text: 'Clear outside', keys: ['Shift+Delete', 'Shift+Backspace'],
        group: 'Editing', steers: true },
    { id: 'fill', text: 'Random fill', keys: ['u'], group: 'Editing', steers: true },
    { id: 'invert', text: 'Invert', keys: ['!'], group: 'Editing', steers: true },
    { id: 'shrink', text: 'Shrink to live cells', keys: ['*'], group: 'Editing' },
    { id: 'identify', text: 'Identify', keys: ['8'], group: 'Editing' },
    { id: 'advance-inside', text: 'Advance inside', keys: [')'], group: 'Editing', repeats: true,
        steers: true },
    { id: 'advance-outside', text: 'Advance outside', keys: ['('], group: 'Editing', repeats: true,
        steers: true },
    { id: 'flip-x', text: 'Flip left to right', keys: ['x'], group: 'Editing' },
    { id: 'flip-y', text: 'Flip top to bottom', keys: ['y'], group: 'Editing' },
    { id: 'turn-left', text: 'Turn left', keys: ['<'], group: 'Editing' },
    { id: 'turn-right', text: 'Turn right', keys: ['>'], group: 'Editing' },
    { id: 'cells-flip-x', text: 'Flip the selection left to right', keys: [], group: '',
        steers: true },
    { id: 'cells-flip-y', text: 'Flip the selection top to bottom', keys: [], group: '',
        steers: true },
    { id: 'cells-turn-left', text: 'Turn the selection left', keys: [], group: '', steers: true },
    { id: 'cells-turn-right', text: 'Turn the selection right', keys: [], group: '', steers: true },

    { id: 'new', text: 'New universe…', word: 'New', keys: ['n'], group: 'Files and page',
        steers: true },
    { id: 'open', text: 'Open file…', keys: ['Ctrl+o'], group: 'Files and page', steers: true },
    { id: 'save', text: 'Save', keys: ['Ctrl+s'], group: 'Files and page' },
    { id: 'panel', text: 'Panel', word: 'Panel', keys: ['p'], group: 'Files and page' },
    { id: 'patterns', text: 'Patterns', word: 'Patterns', keys: ['/'], group: 'Files and page' },
    { id: 'next-pane', text: 'Next part of the page', keys: ['F6'],
        group: 'Files and page' },
    { id: 'help', text: 'Help: all keys', word: 'Help', keys: ['?'], group: 'Files and page' },

    { id: 'change', text: 'Change rule or topology…', keys: [], group: '', steers: true },
    { id: 'link', text: 'Copy link', keys: [], group: '' },
    { id: 'unselect', text: 'Deselect', keys: [], group: '' },
    { id: 'frame-return', text: 'Back to the timeline', keys: [], group: '', steers: true },
    { id: 'picture', text: 'Save picture', keys: [], group: '' },
    { id: 'record', text: 'Record', keys: [], group: '' },
    { id: 'film', text: 'Film…', keys: [], group: '', steers: true },
    { id: 'export-png', text: 'Selection as PNG', keys: [], group: '' },
    { id: 'export-svg', text: 'Selection as SVG', keys: [], group: '' },
    { id: 'paste-text', text: 'Paste from text…', keys: [], group: '' },
    { id: 'take', text: 'Take over', keys: [], group: '' },
    { id: 'lock', text: 'Lock steering', keys: [], group: '', steers: true },
];

/** @type {Map<string, Command>} */
export const commandOf = new Map(commands.map((command) => [command.id, command]));

const mac = /Mac|iPhone|iPad/.test(navigator.userAgent);

/** @type {Record<string, string>} */
const spoken = {
    ' ': 'Space', 'ArrowLeft': '←', 'ArrowRight': '→', 'ArrowUp': '↑', 'ArrowDown': '↓',
    'Escape': 'Esc', 'Delete': 'Del', 'PageUp': 'Page ↑',
    'PageDown': 'Page ↓', 'Ctrl': mac ? '⌘' : 'Ctrl', '-': '−',
};

/**
 * Returns the names of the keys to press, as labelled on a keyboard.
 * @param {string} key as written in the table
 * @returns {string[]}
 */
export function keyNames(key) {
    const parts = key.length > 1 ? key.split('+') : [key];
    return parts.map((part) => spoken[part] ?? (part.length === 1 ? part.toUpperCase() : part));
}

/** @type {Map<string, Command>} */
const byKey = new Map();
for (const command of commands) for (const key of command.keys) byKey.set(key, command);

/**
 * Returns the key of a keyboard event, written as in the table.
 * @param {KeyboardEvent} event
 * @returns {string}
 */
function written(event) {
    const control = event.ctrlKey || event.metaKey ? 'Ctrl+' : '';
    if (event.key.length > 1) return control + (event.shiftKey ? 'Shift+' : '') + event.key;
    const letter = event.key.toLowerCase();
    // Write `Shift+` only for letters with Ctrl, as for redo. For a key that types a character, the
    // character already depends on Shift.
    const shifted = control !== '' && event.shiftKey && letter !== event.key.toUpperCase();
    const shift = shifted ? 'Shift+' : '';
    return control + shift + letter;
}

const forFocus = new Set(['Enter', ' ', 'Tab']);
const forValues = new Set(['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'Home', 'End']);
const forPages = new Set(['PageUp', 'PageDown', 'Home', 'End']);

/**
 * Returns whether the element with the focus handles a key itself.
 * @param {Element | null} focus
 * @param {string} key
 */
function wanted(focus, key) {
    if (!(focus instanceof HTMLElement) || focus.id === 'stage') return false;
    if (focus === document.body) return key === 'Tab';
    if (focus.id === 'graph' || (focus instanceof HTMLInputElement && focus.type === 'range')) {
        return forFocus.has(key) || forValues.has(key) || forPages.has(key);
    }
    if (forPages.has(key) && focus.closest('#panel') !== null) return true; // scrolls the panel
    if (focus.matches('input, textarea, select, [contenteditable]')) return true;
    return forFocus.has(key) || (forValues.has(key) && focus.matches('[role="tab"]'));
}

/**
 * Listens to the keyboard. If a drawing tool is selected, a drag pans the view while Space is held.
 * With a drawing tool, releasing Space steps the universe, but only if `panned` reports no drag.
 * @param {(command: Command) => void} run runs a command
 * @param {{waits(): boolean, pressed(): void, panned(): boolean}} space
 */
export function listenToKeys(run, space) {
    let held = false;
    window.addEventListener('keydown', (event) => {
        if (event.defaultPrevented || event.isComposing || event.altKey) return;
        const key = written(event);
        const command = byKey.get(key);
        if (command === undefined || command.browser) return;
        if (document.querySelector('dialog[open]') !== null) return;
        if (key !== 'F6' && wanted(document.activeElement, event.key)) return;
        event.preventDefault();
        if (key === ' ' && !event.repeat) {
            held = space.waits();
            space.pressed();
            if (held) return;
        }
        if (event.repeat && (!command.repeats || (key === ' ' && space.panned()))) return;
        if (key === ' ') held = false;
        run(command);
    });
    window.addEventListener('keyup', (event) => {
        if (event.key !== ' ') return;
        const step = held && !space.panned();
        held = false;
        const command = byKey.get(' ');
        if (step && command !== undefined) run(command);
    });
    window.addEventListener('blur', () => {
        held = false;
    });
}
