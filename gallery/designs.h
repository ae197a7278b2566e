// The table of designs, in the order in which `lightcone gallery list` shows them.
#ifndef LC_GALLERY_DESIGNS_H
#define LC_GALLERY_DESIGNS_H

#include "design.h"

// The i-th design of the table; NULL past the last.
const lc_design *lc_gallery_at(size_t index);
// Author and title of the document that the i-th design is from; designs from one document stand
// together.
const char *lc_gallery_document_at(size_t index);

#endif
