// Shapes that are drawn by two corners, as areas of cells. Threads: any.
#ifndef LC_EDIT_SHAPE_AREAS_H
#define LC_EDIT_SHAPE_AREAS_H

#include "edit/edits.h"

#define LC_ELLIPSE_ROWS_MAX (INT64_C(1) << 18)

typedef enum lc_shape { LC_SHAPE_RECTANGLE, LC_SHAPE_ELLIPSE } lc_shape;

// "rectangle", "ellipse"; false, and nothing written, for any other name.
bool lc_shape_named(const char *name, lc_shape *shape);

// The areas of a shape that fills a rectangle from edge to edge. `thickness_cells`: of its outline;
// 0: it is filled. A cell belongs to an ellipse if its middle does. The caller frees *areas with
// free(). Returns LC_OK; LC_ERROR_LIMIT (an ellipse of more than LC_ELLIPSE_ROWS_MAX rows);
// LC_ERROR_MEMORY. On error *areas is NULL. Width and height are 1 or more, and the rectangle is
// within LC_UNIVERSE_REACH.
lc_status lc_shape_rectangles(lc_shape shape, const lc_rectangle *rectangle,
                              int64_t thickness_cells, lc_rectangle **areas, size_t *count,
                              lc_message *message);

#endif
