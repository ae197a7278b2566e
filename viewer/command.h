// Commands of clients, parsed and checked. docs/viewer-protocol.md describes them.
#ifndef LC_VIEWER_COMMAND_H
#define LC_VIEWER_COMMAND_H

#include "lightcone/edits.h"
#include "lightcone/lightcone.h"

enum {
    LC_VIEW_TEXT_BYTES_MAX = 2 << 20,   // of a text message
    LC_VIEW_FILE_BYTES_MAX = 256 << 20, // of a file that a client sends
    LC_VIEW_SIDE_PIXELS_MAX = 8192,
    LC_VIEW_PIXELS_MAX = 1 << 24,
    LC_VIEW_NEAR_SCALE_MAX = 15, // up to it, coordinates count cells; beyond it, pixels
    LC_VIEW_SCALE_MAX = LC_WIDE_REACH_LOG2,
    LC_VIEW_RUNS_MAX = 4096,
    LC_VIEW_RUN_CELLS_MAX = 65536,
    LC_VIEW_THICKNESS_MAX = 4096, // cells, of an outline
};

// Permissions and effects of commands.
enum {
    LC_ANYONE = 0,
    LC_STEERS = 1,  // only the client that steers can give the command
    LC_CHANGES = 2, // changes a universe or copies all of its cells
    LC_TRAVELS = 4, // steers, but a travel to another generation goes on during the command
};

// The commands: name in lc_view_do, name in messages, the function of command.c that reads the
// members, what the command may do, and the function of obey.c or obey_*.c that executes the
// command. The hub executes those with NULL.
#define LC_VIEW_COMMANDS(X)                                                                        \
    X(LOOK, "look", look, LC_ANYONE, NULL)                                                         \
    X(DRAWN, "drawn", drawn, LC_ANYONE, NULL)                                                      \
    X(TAKE, "take", nothing_more, LC_ANYONE, NULL)                                                 \
    X(LOCK, "lock", on_or_off, LC_STEERS | LC_TRAVELS, NULL)                                       \
    X(RUN, "run", nothing_more, LC_STEERS | LC_CHANGES, run)                                       \
    X(PAUSE, "pause", nothing_more, LC_STEERS, pause)                                              \
    X(STEP, "step", step, LC_STEERS | LC_CHANGES, step)                                            \
    X(SPEED, "speed", speed, LC_STEERS | LC_TRAVELS, set_speed)                                    \
    X(PICTURES, "pictures", pictures, LC_STEERS | LC_TRAVELS, set_pictures)                        \
    X(RESET, "reset", nothing_more, LC_STEERS | LC_CHANGES, reset)                                 \
    X(GO, "go", go, LC_STEERS | LC_CHANGES | LC_TRAVELS, lc_obey_go)                               \
    X(BACK, "back", step, LC_STEERS | LC_CHANGES | LC_TRAVELS, lc_obey_back)                       \
    X(REWIND, "rewind", nothing_more, LC_STEERS | LC_CHANGES, lc_obey_rewind)                      \
    X(PAST, "past", nothing_more, LC_ANYONE, lc_obey_past)                                         \
    X(KEEP, "keep", nothing_more, LC_STEERS | LC_CHANGES | LC_TRAVELS, keep)                       \
    X(RETURN, "return", snapshot, LC_STEERS, go_back)                                              \
    X(FORGET, "forget", snapshot, LC_STEERS | LC_TRAVELS, forget)                                  \
    X(FRAME, "frame", frame, LC_STEERS, frame)                                                     \
    X(PLAY, "play", play, LC_STEERS, play)                                                         \
    X(PLAYER, "player", player, LC_STEERS | LC_TRAVELS, set_player)                                \
    X(NEW, "new", another, LC_STEERS, make_another)                                                \
    X(RULE, "rule", rule, LC_STEERS | LC_CHANGES, recast)                                          \
    X(OPEN, "open", open, LC_STEERS, open)                                                         \
    X(CELLS, "cells", cells, LC_STEERS | LC_CHANGES, lc_obey_cells)                                \
    X(FILL, "fill", fill, LC_STEERS | LC_CHANGES, lc_obey_fill)                                    \
    X(CLEAR, "clear", clear, LC_STEERS | LC_CHANGES, lc_obey_clear)                                \
    X(PASTE, "paste", paste, LC_STEERS | LC_CHANGES, lc_obey_paste)                                \
    X(SHAPE, "shape", shape, LC_STEERS | LC_CHANGES, lc_obey_shape)                                \
    X(FLOOD, "flood", flood, LC_STEERS | LC_CHANGES, lc_obey_flood)                                \
    X(INVERT, "invert", read_area, LC_STEERS | LC_CHANGES, lc_obey_invert)                         \
    X(MOVE, "move", move, LC_STEERS | LC_CHANGES, lc_obey_move)                                    \
    X(TURN_CELLS, "turn-cells", turn_cells, LC_STEERS | LC_CHANGES, lc_obey_turn_cells)            \
    X(ADVANCE, "advance", clear, LC_STEERS | LC_CHANGES, lc_obey_advance)                          \
    X(UNDO, "undo", undo, LC_STEERS, undo)                                                         \
    X(REDO, "redo", nothing_more, LC_STEERS | LC_CHANGES, redo)                                    \
    X(COPY, "copy", read_area, LC_ANYONE, copy)                                                    \
    X(CUT, "cut", read_area, LC_STEERS | LC_CHANGES, copy)                                         \
    X(CLIP, "clip", clip, LC_ANYONE, clip)                                                         \
    X(TURN, "turn", turn, LC_ANYONE, turn)                                                         \
    X(PATTERNS, "patterns", nothing_more, LC_ANYONE, lc_obey_patterns)                             \
    X(RULES, "rules", nothing_more, LC_ANYONE, list_rules)                                         \
    X(EXPLAIN, "explain", read_rule, LC_ANYONE, explain)                                           \
    X(THUMBNAIL, "thumbnail", read_pattern, LC_ANYONE, lc_obey_thumbnail)                          \
    X(SAVE, "save", save, LC_ANYONE, lc_obey_save)                                                 \
    X(BOX, "box", nothing_more, LC_ANYONE, say_box)                                                \
    X(FOLLOW, "follow", on_or_off, LC_ANYONE, follow)                                              \
    X(SHRINK, "shrink", read_area, LC_ANYONE, lc_obey_shrink)                                      \
    X(PICTURE, "picture", picture, LC_ANYONE, picture)                                             \
    X(IDENTIFY, "identify", read_area_if, LC_ANYONE, lc_obey_identify)                             \
    X(OBJECTS, "objects", read_area, LC_ANYONE, lc_obey_objects)                                   \
    X(CANCEL, "cancel", cancel, LC_ANYONE, lc_obey_cancel)

typedef enum lc_view_do {
#define LC_DO_ENUM(id, name, read, flags, obey) LC_DO_##id,
    LC_VIEW_COMMANDS(LC_DO_ENUM)
#undef LC_DO_ENUM
} lc_view_do;

typedef enum lc_view_deflate {
    LC_DEFLATE_AUTO,
    LC_DEFLATE_ALWAYS,
    LC_DEFLATE_NEVER
} lc_view_deflate;

// A client's view.
typedef struct lc_look {
    uint32_t number;
    int64_t x, y; // upper left corner, in cells; beyond LC_VIEW_NEAR_SCALE_MAX, in pixels
    int scale;    // a pixel is a square of 2^scale cells a side
    int width, height;
    int frames; // at most, a second
    lc_view_deflate deflate;
    bool pieces; // the client accepts large messages in several pieces
    bool ages;   // show ages; x and y are then multiples of a pixel's side
} lc_look;

typedef struct lc_view_command {
    lc_view_do what;
    bool has_id;
    int64_t id;
    lc_look look;         // LOOK, PICTURE
    uint32_t frame;       // DRAWN
    uint32_t held_ms;     // DRAWN: time from arrival to drawing; 0: not stated
    lc_count generations; // STEP, BACK: how many; PICTURES: from one to the next, 0: not set; GO:
                          // the generation; SAVE: length of a timeline
    lc_count every;       // SAVE: generations between frames of a timeline
    double speed;        // SPEED: generations a second, 0: full speed; PLAYER: frames, 0: as before
    uint64_t shown;      // FRAME: number of the frame in the timeline
    uint32_t snapshot;   // RETURN, FORGET
    uint32_t pattern;    // OPEN, CLIP, THUMBNAIL; 0: none
    const lc_rule *rule; // NEW, RULE, EXPLAIN
    lc_topology topology;        // NEW, RULE, EXPLAIN
    bool has_rule, has_topology; // RULE: the command changes it
    double density;              // NEW, FILL
    uint64_t seed;               // NEW, FILL
    lc_rectangle area; // of an edit or a copy; PASTE: its corner; NEW: size of the soup, or 0
    // CELLS, SHAPE: alive; CLEAR, ADVANCE: outside; FOLLOW, LOCK: on; MOVE: copies; PLAY:
    // backwards; PLAYER: loop; RULE: only try; PICTURE: at rest; SAVE: aside, which does not count
    // as saving; CANCEL: an identification
    bool flag;
    bool has_flag;             // PLAYER; CELLS, SHAPE: false: the first cell decides
    uint32_t stroke;           // CELLS, SHAPE
    uint32_t undone_stroke;    // UNDO: only this stroke; 0: the last edit
    lc_edit_symmetry symmetry; // CELLS, SHAPE; FILL: only its kind
    bool wraps;                // CELLS, SHAPE: continues at opposite edges
    lc_edit_shape shape;       // SHAPE
    int64_t thickness_cells;   // SHAPE: of its outline; 0: filled
    int64_t at_x, at_y;        // FLOOD: start cell; MOVE: distance
    bool has_area;             // FLOOD, IDENTIFY
    lc_rectangle *runs;        // CELLS: one row high; owned
    size_t run_count;
    lc_paste_mode mode; // PASTE, MOVE
    lc_turn turning;    // TURN, TURN_CELLS
    lc_format format;   // SAVE
    char *text;         // CLIP: a pattern file; OPEN: the file's name; owned
    size_t text_bytes;
    size_t file_bytes;   // OPEN with a file: its size; 0: a pattern of the library
    unsigned char *file; // its bytes, once they have arrived; owned
} lc_view_command;

// Parses a text message. Returns LC_OK; LC_ERROR_FORMAT, with a message for the client;
// LC_ERROR_MEMORY. On error *command holds the id, if the message has one, and owns no memory.
lc_status lc_view_command_parse(lc_view_command *command, const char *text, size_t size_bytes,
                                lc_message *message);
void lc_view_command_free(lc_view_command *command);

// Returns whether the command has all of the flags LC_STEERS, LC_CHANGES ...
bool lc_view_do_has(lc_view_do what, unsigned flags);

#endif
