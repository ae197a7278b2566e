// Types of the data that the modules of the page exchange. Contains no code.

/**
 * A point: the cell (x, y), and the position (fx, fy) in the cell. `fx` and `fy` are at least 0 and
 * below 1.
 * @typedef {{x: bigint, y: bigint, fx: number, fy: number}} Spot
 */

/**
 * A view: the point at the centre of the canvas, and `zoom` in CSS pixels per cell. With zoom 8 a
 * cell is 8 pixels wide; with zoom 1/8 a pixel is as wide as 8 cells.
 * @typedef {Spot & {zoom: number}} View
 */

/** @typedef {{width: number, height: number}} Size */

/**
 * A rectangle of cells.
 * @typedef {{x: bigint, y: bigint, width: bigint, height: bigint}} Box
 */

/** @typedef {{x: bigint, y: bigint}} Cell */

/**
 * A rectangle of cells in coordinates relative to a reference cell.
 * @typedef {{x: number, y: number, width: number, height: number}} Area
 */

/**
 * An area that the page requests from the server. The area has `width` x `height` squares, each
 * 2^scale cells wide and high. The top left cell is (x, y).
 * @typedef {{x: bigint, y: bigint, scale: number, width: number, height: number}} Look
 */

/**
 * A picture from the server. The picture has `width` x `height` squares, each 2^scale cells wide
 * and high. The top left cell is (x, y). If `bits` is 1, a row of `pixels` has ceil(width / 8)
 * bytes, lowest bit first. If `bits` is 8, a row of `pixels` has `width` bytes.
 * @typedef {object} Frame
 * @property {number} number
 * @property {number} look number of the request for this area
 * @property {number} scale
 * @property {bigint} x
 * @property {bigint} y
 * @property {number} width
 * @property {number} height
 * @property {bigint} generation
 * @property {1 | 8} bits
 * @property {boolean} ages whether the bytes are encoded as in ages.js
 * @property {Uint8Array} pixels
 */

/**
 * A thumbnail of a pattern of the library.
 * @typedef {object} Thumbnail
 * @property {number} pattern number of the pattern in the library
 * @property {number} scale
 * @property {number} width
 * @property {number} height
 * @property {1 | 8} bits
 * @property {Uint8Array} pixels in the format of a Frame
 */

/**
 * The cells that were copied last. `pixels` has a byte per cell, 0 or 1, row by row. `pixels` is
 * missing if the clip is too large to send.
 * @typedef {object} Clip
 * @property {number} width
 * @property {number} height
 * @property {string} population
 * @property {string} [rle]
 * @property {string} [rule] the rule, if the clip was read from a text that names a rule
 * @property {Uint8Array} [pixels]
 */

/**
 * The `hello` message.
 * @typedef {{protocol: number, version: string, key: string | null}} Hello
 */

/**
 * The `universe` message. `width` or `height` is 0 if the universe is unbounded in that direction.
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
 * @property {Box | null} box bounding box of the live cells; null if there are none or the box is
 *     not known yet
 * @property {TimelineInfo | null} timeline
 */

/**
 * The timeline of a universe. Frames are numbered from 0. `first` and `last` are the generations of
 * the first and the last frame. If the file is truncated or damaged, `cut` says why.
 * @typedef {object} TimelineInfo
 * @property {number} frames
 * @property {string} every generations between two frames
 * @property {string} first
 * @property {string} last
 * @property {string | null} cut
 */

/**
 * A snapshot that the user has taken.
 * @typedef {{id: number, generation: string, population: string | null}} Moment
 */

/**
 * The state of a timeline. `frame` is the frame shown last, and `generation` is the generation of
 * this frame. `left` is true if the universe has left the timeline after this frame.
 * @typedef {object} TimelineState
 * @property {number} frame
 * @property {string} generation
 * @property {boolean} left
 * @property {'forwards' | 'backwards' | 'no'} playing
 * @property {number} frames_per_second
 * @property {boolean} loop
 */

/**
 * The history: the generations that the server can go to, from `first` to `last`. While the server
 * goes to a generation, `to` is this generation and `share` is the fraction of the work done.
 * `playing` is true while the history plays backwards. `line` changes when later generations are
 * discarded.
 * @typedef {object} PastState
 * @property {string} first
 * @property {string} last
 * @property {number} line
 * @property {string | null} to
 * @property {number} share
 * @property {boolean} playing
 * @property {number} kept number of snapshots
 * @property {number} bytes size of all snapshots
 * @property {boolean} too_large whether the universe is too large for snapshots
 */

/**
 * The final behaviour of a universe. In all generations from `from` on it repeats itself, or
 * consists of objects that never meet, among them `spaceships`. `period` is '0' if it is above
 * 2^64 - 1.
 * @typedef {{dead: boolean, from: string, period: string, spaceships: string}} Settled
 */

/**
 * The `state` message.
 * @typedef {object} State
 * @property {string} generation
 * @property {number} revision number of changes of the cells so far
 * @property {string | null} population
 * @property {string} [population_at]
 * @property {number} population_age seconds since `population` was up to date; 0 if `population` is
 *     up to date
 * @property {boolean} running
 * @property {number | null} speed
 * @property {string | null} generations_per_picture
 * @property {number} generations_per_second
 * @property {number | null} cells_per_second
 * @property {boolean} editor whether this client steers
 * @property {boolean} may_steer whether the token allows this client to steer
 * @property {boolean} locked whether other clients are kept from taking over the steering
 * @property {number} viewers
 * @property {boolean} can_undo
 * @property {boolean} can_redo
 * @property {boolean} unsaved whether cells were edited since the universe was opened or saved
 * @property {boolean} reset_loses whether a reset would lose edits
 * @property {Box | null} box
 * @property {Settled | null} settled what the universe has settled into; null if it has not, as far
 *     as the server knows
 * @property {Moment[]} moments
 * @property {PastState} past
 * @property {TimelineState | null} timeline
 * @property {string} busy name of a long operation in progress, such as "opening acorn.rle"
 * @property {boolean} may_cancel whether the message `cancel` stops this operation
 */

/**
 * The overlay above the picture.
 * @typedef {object} Overlay
 * @property {Box | null} [selection]
 * @property {Paste | null} [paste]
 * @property {{at: Cell, areas: Area[], alive: boolean} | null} [sketch] areas relative to `at`
 * @property {Box | null} [hover] cells that the tool would change
 * @property {import('./shapes.js').Symmetric | null} [axes]
 * @property {Label[] | null} [labels]
 */

/**
 * A text beside a box of cells.
 * @typedef {{box: Box, text: string}} Label
 */

/**
 * The preview of a clip before it is pasted. `places` has the positions of the clip's top left
 * cell, more than one if the clip wraps around the universe. `within` is the size of the universe,
 * 0 in an unbounded direction. The preview ends at the edges of the universe.
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
 * The callbacks of a tool. A drag pans the view if `begin` is missing or returns false.
 * `cancel` ends a drag that has become a pinch or was interrupted by the system.
 * @typedef {object} ToolCallbacks
 * @property {(cell: Cell, event: PointerEvent) => boolean | void} [begin]
 * @property {(cell: Cell, event: PointerEvent) => void} [move]
 * @property {(cell: Cell) => void} [end]
 * @property {() => void} [cancel]
 * @property {(cell: Cell | null) => void} [hover] called with null if the pointer has left the
 *     canvas
 */

/** @typedef {[red: number, green: number, blue: number, alpha: number]} Colour 0 to 255 each */

/**
 * The colours of the picture.
 * @typedef {object} Palette
 * @property {'dark' | 'light'} name
 * @property {Uint8Array} levels 256 colours of 4 bytes, from level 0, all dead, to 255, all alive
 * @property {boolean} has_ages whether the palette needs pictures with ages
 * @property {Uint8Array} ages 256 colours of 4 bytes, for pictures with ages
 * @property {Colour} grid
 * @property {Colour} gridStrong every tenth grid line
 * @property {Colour} outside area beyond the edges of a bounded universe
 * @property {Colour} edge border of a bounded universe
 * @property {Colour} accent selection, preview, pointer
 */

export {};
