// The shapes of what the parts of the page pass to each other. Nothing here runs.

/**
 * A place in a cell: cell (x, y), and how far into it, 0 to before 1.
 * @typedef {{x: bigint, y: bigint, fx: number, fy: number}} Spot
 */

/**
 * What is visible: the spot at the middle of the canvas. `zoom` is CSS pixels a cell: with 8 a cell
 * is 8 pixels wide, with 1/8 a pixel is 8 cells wide.
 * @typedef {Spot & {zoom: number}} View
 */

/** @typedef {{width: number, height: number}} Size */

/**
 * A rectangle of cells.
 * @typedef {{x: bigint, y: bigint, width: bigint, height: bigint}} Box
 */

/** @typedef {{x: bigint, y: bigint}} Cell */

/**
 * A rectangle as seen from some cell, which is (0, 0) there.
 * @typedef {{x: number, y: number, width: number, height: number}} Area
 */

/**
 * What is asked of the server: squares of 2^scale cells, `width` x `height` of them from cell
 * (x, y).
 * @typedef {{x: bigint, y: bigint, scale: number, width: number, height: number}} Look
 */

/**
 * A picture as it came. (x, y) is in cells, width and height are in squares of 2^scale cells. With
 * 1 bit, a row of `pixels` has ceil(width / 8) bytes, lowest bit first; with 8 bits, width bytes.
 * @typedef {object} Frame
 * @property {number} number
 * @property {number} look
 * @property {number} scale
 * @property {bigint} x
 * @property {bigint} y
 * @property {number} width
 * @property {number} height
 * @property {bigint} generation
 * @property {1 | 8} bits
 * @property {boolean} ages its bytes are those of ages.js
 * @property {Uint8Array} pixels
 */

/**
 * A picture of a pattern of the library.
 * @typedef {object} Thumbnail
 * @property {number} pattern
 * @property {number} scale
 * @property {number} width
 * @property {number} height
 * @property {1 | 8} bits
 * @property {Uint8Array} pixels as in a frame
 */

/**
 * What was copied last. `pixels` has a byte a cell, 0 or 1, row by row; it is missing if the clip
 * is too large to send.
 * @typedef {object} Clip
 * @property {number} width
 * @property {number} height
 * @property {string} population
 * @property {string} [rle]
 * @property {string} [rule] that its text named
 * @property {Uint8Array} [pixels]
 */

/**
 * The `hello` message.
 * @typedef {{protocol: number, version: string, key: string | null}} Hello
 */

/**
 * The `universe` message. Width or height is 0 if it is unbounded in that direction.
 * @typedef {object} UniverseInfo
 * @property {string} name
 * @property {string} comments
 * @property {string} rule
 * @property {string} topology
 * @property {string} rule_text
 * @property {bigint} width
 * @property {bigint} height
 * @property {string} engine
 * @property {string} settings
 * @property {number} memory_limit
 * @property {Box | null} box all that lives, where it took no time to find
 * @property {TimelineInfo | null} timeline
 */

/**
 * The timeline that a universe is a frame of. Frames are numbered from 0; `first` and `last` are
 * their generations; `cut` says why the file has no more, if it ends early.
 * @typedef {object} TimelineInfo
 * @property {number} frames
 * @property {string} every
 * @property {string} first
 * @property {string} last
 * @property {string | null} cut
 */

/** @typedef {{id: number, generation: string, population: string | null}} Moment */

/**
 * Which frame was shown last, its generation, and whether the universe has gone on from there.
 * @typedef {object} TimelineState
 * @property {number} frame
 * @property {string} generation
 * @property {boolean} left
 * @property {'forwards' | 'backwards' | 'no'} playing
 * @property {number} frames_per_second
 * @property {boolean} loop
 */

/**
 * Which generations can be gone to; where it is going, if it is, and how much of the way is behind;
 * whether it plays backwards. `line` is another number when what was ahead is forgotten.
 * @typedef {object} PastState
 * @property {string} first
 * @property {string} last
 * @property {number} line
 * @property {string | null} to
 * @property {number} share
 * @property {boolean} playing
 * @property {number} kept
 * @property {number} bytes
 * @property {boolean} too_large
 */

/**
 * The `state` message.
 * @typedef {object} State
 * @property {string} generation
 * @property {string | null} population
 * @property {string} [population_at]
 * @property {number} population_age for how many seconds it has been older than the cells; 0: never
 * @property {boolean} running
 * @property {number | null} speed
 * @property {string | null} generations_per_picture
 * @property {number} generations_per_second
 * @property {number | null} cells_per_second
 * @property {boolean} editor
 * @property {boolean} may_steer else it only watches, for good
 * @property {boolean} locked nobody may take over from the editor
 * @property {number} viewers
 * @property {boolean} can_undo
 * @property {boolean} can_redo
 * @property {boolean} unsaved cells were changed by hand since it was opened or saved
 * @property {boolean} reset_loses some of them since the start, or they could not be kept
 * @property {Box | null} box
 * @property {Moment[]} moments
 * @property {PastState} past
 * @property {TimelineState | null} timeline
 * @property {string} busy
 * @property {boolean} may_cancel whether `cancel` ends that
 */

/**
 * What is drawn above the picture.
 * @typedef {object} Overlay
 * @property {Box | null} [selection]
 * @property {Paste | null} [paste]
 * @property {{at: Cell, areas: Area[], alive: boolean} | null} [sketch] areas as seen from `at`
 * @property {Box | null} [hover] what the tool would change
 * @property {import('./shapes.js').Symmetric | null} [axes]
 */

/**
 * A clip about to be pasted. Its top left is at (x, y), and where opposite edges are joined also at
 * the other places; of it counts what is in a universe of that size (0: no end).
 * @typedef {object} Paste
 * @property {Clip} clip
 * @property {Cell[]} places
 * @property {{width: bigint, height: bigint}} within
 */

/**
 * @typedef {'hand' | 'draw' | 'erase' | 'line' | 'rectangle' | 'ellipse' | 'flood' | 'select' |
 *     'move' | 'paste' | 'stamp'} Tool
 */

/**
 * What a tool is told. If there is no `begin`, or it returns false, the
 * drag pans. `cancel` ends a drag that turned out to be a pinch or was taken away by the system.
 * @typedef {object} ToolCallbacks
 * @property {(cell: Cell, event: PointerEvent) => boolean | void} [begin]
 * @property {(cell: Cell, event: PointerEvent) => void} [move]
 * @property {(cell: Cell) => void} [end]
 * @property {() => void} [cancel]
 * @property {(cell: Cell | null) => void} [hover] null: the pointer has left
 */

/** @typedef {[red: number, green: number, blue: number, alpha: number]} Colour 0 to 255 each */

/**
 * The colours of the picture.
 * @typedef {object} Palette
 * @property {'dark' | 'light'} name
 * @property {Uint8Array} levels 256 colours of 4 bytes: level 0 is dead, 255 all alive
 * @property {boolean} has_ages it shows how old cells are, or where life was
 * @property {Uint8Array} ages 256 colours of 4 bytes, of pictures of ages
 * @property {Colour} grid
 * @property {Colour} gridStrong every tenth line
 * @property {Colour} outside what lies beyond a bounded universe
 * @property {Colour} edge its border
 * @property {Colour} accent selection, preview, pointer
 */

export {};
