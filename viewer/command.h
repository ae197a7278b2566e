// What a client may ask for, parsed and checked: see docs/viewer-protocol.md.
#ifndef LC_VIEWER_COMMAND_H
#define LC_VIEWER_COMMAND_H

#include "lightcone/edits.h"
#include "lightcone/lightcone.h"

enum {
    LC_VIEW_TEXT_BYTES_MAX = 2 << 20,   // of a text message
    LC_VIEW_FILE_BYTES_MAX = 256 << 20, // of a file that a client sends
    LC_VIEW_SIDE_PIXELS_MAX = 8192,
    LC_VIEW_PIXELS_MAX = 1 << 24,
    LC_VIEW_NEAR_SCALE_MAX = 15, // up to there places are those of cells, beyond it of squares
    LC_VIEW_SCALE_MAX = LC_WIDE_REACH_LOG2,
    LC_VIEW_RUNS_MAX = 4096,
    LC_VIEW_RUN_CELLS_MAX = 65536,
    LC_VIEW_THICKNESS_MAX = 4096, // cells, of an outline
};

typedef enum lc_view_do {
    LC_DO_LOOK,
    LC_DO_DRAWN,
    LC_DO_TAKE,
    LC_DO_LOCK,
    LC_DO_RUN,
    LC_DO_PAUSE,
    LC_DO_STEP,
    LC_DO_SPEED,
    LC_DO_PICTURES,
    LC_DO_RESET,
    LC_DO_GO,
    LC_DO_BACK,
    LC_DO_REWIND,
    LC_DO_PAST,
    LC_DO_KEEP,
    LC_DO_RETURN,
    LC_DO_FORGET,
    LC_DO_FRAME,
    LC_DO_PLAY,
    LC_DO_PLAYER,
    LC_DO_NEW,
    LC_DO_RULE,
    LC_DO_OPEN,
    LC_DO_CELLS,
    LC_DO_FILL,
    LC_DO_CLEAR,
    LC_DO_PASTE,
    LC_DO_SHAPE,
    LC_DO_FLOOD,
    LC_DO_INVERT,
    LC_DO_MOVE,
    LC_DO_TURN_CELLS,
    LC_DO_ADVANCE,
    LC_DO_UNDO,
    LC_DO_REDO,
    LC_DO_COPY,
    LC_DO_CUT,
    LC_DO_CLIP,
    LC_DO_TURN,
    LC_DO_PATTERNS,
    LC_DO_RULES,
    LC_DO_EXPLAIN,
    LC_DO_THUMBNAIL,
    LC_DO_SAVE,
    LC_DO_BOX,
    LC_DO_FOLLOW,
    LC_DO_SHRINK,
    LC_DO_PICTURE,
    LC_DO_IDENTIFY,
    LC_DO_OBJECTS,
    LC_DO_CANCEL,
} lc_view_do;

typedef enum lc_view_deflate {
    LC_DEFLATE_AUTO,
    LC_DEFLATE_ALWAYS,
    LC_DEFLATE_NEVER
} lc_view_deflate;

// Where a client looks.
typedef struct lc_look {
    uint32_t number;
    int64_t x, y; // the first square's corner; beyond LC_VIEW_NEAR_SCALE_MAX its column and row
    int scale;    // squares of 2^scale cells a side
    int width, height;
    int frames; // most a second
    lc_view_deflate deflate;
    bool pieces; // large messages may come in several
    bool ages;   // pictures of them: the corner is one of squares, a multiple of their side
} lc_look;

typedef struct lc_view_command {
    lc_view_do what;
    bool has_id;
    int64_t id;
    lc_look look;         // LOOK, PICTURE
    uint32_t frame;       // DRAWN
    uint32_t held_ms;     // DRAWN: how long the client had it before; 0: it does not say
    lc_count generations; // STEP, BACK; PICTURES: from one to the next, 0 as it happens; GO: which;
                          // SAVE: how far a timeline goes
    lc_count every;       // SAVE: from one frame of a timeline to the next
    double speed;         // SPEED: generations a second, 0 for full speed; PLAYER: frames, or 0
    uint64_t shown;       // FRAME: of the timeline
    uint32_t moment;      // RETURN, FORGET
    uint32_t pattern;     // OPEN, CLIP, THUMBNAIL; 0: none
    const lc_rule *rule;  // NEW, RULE, EXPLAIN
    lc_topology topology; // NEW, RULE, EXPLAIN
    bool has_rule, has_topology; // RULE: what is to be another one
    double density;              // NEW, FILL
    uint64_t seed;               // NEW, FILL
    lc_rectangle area; // of an edit, a copy; PASTE: its corner; NEW: the soup's size, or 0
    // CELLS, SHAPE: alive; CLEAR, ADVANCE: outside; FOLLOW, LOCK: on; MOVE: copies; PLAY:
    // backwards; PLAYER: loop; RULE: only try; PICTURE: at rest; SAVE: it is no file of the user's;
    // CANCEL: an identification
    bool flag;
    bool has_flag;             // PLAYER; CELLS, SHAPE: without it the first cell decides
    uint32_t stroke;           // CELLS, SHAPE
    uint32_t undone_stroke;    // UNDO: nothing but that; 0: whatever was last
    lc_edit_symmetry symmetry; // CELLS, SHAPE; FILL: only its kind
    bool wraps;                // CELLS, SHAPE: goes on at opposite edges
    lc_edit_shape shape;       // SHAPE
    int64_t thickness_cells;   // SHAPE: of its outline; 0: it is filled
    int64_t at_x, at_y;        // FLOOD: where; MOVE: how far
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

// Reads a text message. LC_ERROR_FORMAT with a sentence for the client, or LC_ERROR_MEMORY; after
// an error *command holds the id, if the message had one, and nothing that has to be freed.
lc_status lc_view_command_parse(lc_view_command *command, const char *text, size_t size_bytes,
                                lc_message *message);
void lc_view_command_free(lc_view_command *command);

// Whether only the client that steers may ask for it.
bool lc_view_do_steers(lc_view_do what);

#endif
