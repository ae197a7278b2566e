// Support for tests of checkpoints: a file in its own folder, read and written as bytes.
#ifndef LC_TESTS_SUPPORT_CHECKPOINT_H
#define LC_TESTS_SUPPORT_CHECKPOINT_H

#include "lightcone/lightcone.h"

// Create and remove the folder. Removing fails if a temporary file was left behind.
int test_checkpoint_set_up(void **state);
int test_checkpoint_tear_down(void **state);

extern char test_folder[];        // folder of the file
extern char test_checkpoint[128]; // its path

void test_checkpoint_write(const lc_universe *universe);
lc_status test_checkpoint_restore(lc_universe **universe, const char *engine,
                                  uint64_t max_memory_bytes, lc_message *message);

// Returns the whole file in memory with room for 16 more bytes. The caller frees it with free().
uint8_t *test_checkpoint_bytes(size_t *size_bytes);
uint8_t *test_file_bytes(const char *path, size_t *size_bytes); // the same for any file
void test_checkpoint_replace(const uint8_t *bytes, size_t size_bytes);

// Replaces the file and fails unless restoring it returns LC_ERROR_FORMAT. Returns the offset in
// the message. `what` and `at` are for this test's own message.
uint64_t test_checkpoint_refused(const uint8_t *bytes, size_t size_bytes, const char *what,
                                 size_t at);

// Fails unless two universes have the same cells. At most 12,800 columns may have live cells.
void test_checkpoint_same(const lc_universe *a, const lc_universe *b);

void test_put(uint8_t *bytes, uint64_t value, int count);
uint64_t test_take(const uint8_t *bytes, int count);

#endif
