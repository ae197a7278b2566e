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

// Returns whether only the client that steers can give that command.
bool lc_view_do_steers(lc_view_do what);

#endif
