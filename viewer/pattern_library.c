// The list of patterns, from the command's own and the user's folder.
#include "pattern_library.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "pattern_library_facts.h"

enum { FOUND_MAX = 4 * LC_LIBRARY_FILES_MAX }; // files that are opened to recognise patterns

// A file of the user's folder.
typedef struct found {
    char *path;
    uint64_t size_bytes;
    struct timespec changed;
} found;

typedef struct item {
    lc_library_entry entry;
    lc_library_facts facts; // strings of the entry
    const char *text;       // of a built-in pattern; otherwise NULL
    found file;
    bool taken; // is in the next list
} item;

struct lc_library {
    char *folder; // NULL: none
    uint32_t last_id;
    size_t count;
    item **items;
};

static lc_status no_memory(lc_message *message)
{
    return lc_fail(message, LC_ERROR_MEMORY, "out of memory for the library");
}

// Items --------------------------------------------------------------------------------------

static void item_free(item *it)
{
    if (it != NULL) {
        lc_library_facts_free(&it->facts);
        free(it->file.path);
        free(it);
    }
}

// Creates an item from a file or, with `text`, from a built-in pattern. Sets *out to NULL if it is
// not a pattern.
static lc_status item_create(item **out, const char *path, const char *text, const found *file,
                             uint32_t id, lc_message *message)
{
    *out = NULL;
    item *it = calloc(1, sizeof *it);
    if (it == NULL)
        return no_memory(message);
    it->text = text;
    const uint64_t size_bytes = text != NULL ? strlen(text) : file->size_bytes;
    lc_status status = lc_library_facts_read(&it->facts, path, text, size_bytes, message);
    if (status == LC_OK && text == NULL) {
        it->file = *file;
        it->file.path = strdup(file->path);
        if (it->file.path == NULL)
            status = no_memory(message);
    }
    if (status != LC_OK) {
        item_free(it);
        return status == LC_ERROR_MEMORY ? status : LC_OK;
    }
    it->entry = (lc_library_entry){
        .id = id,
        .name = it->facts.name,
        .title = it->facts.title,
        .comments = it->facts.comments,
        .rule = it->facts.rule,
        .width_cells = it->facts.width_cells,
        .height_cells = it->facts.height_cells,
        .yours = text == NULL,
        .author = it->facts.author,
        .kind = lc_pattern_kind_name(it->facts.stated.kind),
        .category = lc_pattern_category(it->facts.stated.kind, it->facts.is_life),
        .speed = it->facts.speed,
        .year = it->facts.stated.year,
        .period = it->facts.stated.period};
    *out = it;
    return LC_OK;
}

// The folder ---------------------------------------------------------------------------------

typedef struct finding {
    size_t count;
    found *files; // FOUND_MAX
    bool failed;  // out of memory
} finding;

static char *path_in(const char *folder, const char *name)
{
    const size_t length = strlen(folder) + strlen(name) + 2;
    char *path = malloc(length);
    if (path != NULL)
        (void)snprintf(path, length, "%s/%s", folder, name);
    return path;
}

static void find_files(finding *f, const char *folder, bool and_below)
{
    DIR *directory = opendir(folder);
    const struct dirent *name;
    if (directory == NULL)
        return;
    while (!f->failed && f->count < FOUND_MAX && (name = readdir(directory)) != NULL) {
        if (name->d_name[0] == '.')
            continue;
        struct stat facts;
        char *path = path_in(folder, name->d_name);
        f->failed = path == NULL;
        if (path != NULL && stat(path, &facts) == 0) { // opening a pipe would block
            if (S_ISDIR(facts.st_mode) && and_below)
                find_files(f, path, false);
            if (S_ISREG(facts.st_mode) && facts.st_size <= LC_LIBRARY_FILE_BYTES_MAX &&
                f->count < FOUND_MAX) {
                f->files[f->count++] = (found){path, (uint64_t)facts.st_size, facts.st_mtim};
                continue;
            }
        }
        free(path);
    }
    (void)closedir(directory);
}

// Orders by name without regard to case, then by path.
static int compare_files(const void *a, const void *b)
{
    const char *one = ((const found *)a)->path, *other = ((const found *)b)->path;
    const int names = strcasecmp(strrchr(one, '/'), strrchr(other, '/'));
    return names != 0 ? names : strcmp(one, other);
}

static int compare_paths(const void *a, const void *b)
{
    return strcmp((*(item *const *)a)->file.path, (*(item *const *)b)->file.path);
}

// Orders the command's patterns first, then by name without regard to case, then by path: names
// have no file suffix.
static int compare_items(const void *a, const void *b)
{
    const item *one = *(item *const *)a, *other = *(item *const *)b;
    if (one->entry.yours != other->entry.yours)
        return one->entry.yours ? 1 : -1;
    const int names = strcasecmp(one->entry.name, other->entry.name);
    return names != 0 || !one->entry.yours ? names : strcmp(one->file.path, other->file.path);
}

static bool is_unchanged(const found *a, const found *b)
{
    return a->size_bytes == b->size_bytes && a->changed.tv_sec == b->changed.tv_sec &&
           a->changed.tv_nsec == b->changed.tv_nsec;
}

// Appends the patterns among the files to `items`, from *count on. `old`: the library's present
// items of the folder, by path.
static lc_status take_files(lc_library *library, const finding *f, item *const *old,
                            size_t old_count, item **items, size_t *count, lc_message *message)
{
    const size_t most = *count + LC_LIBRARY_FILES_MAX;
    for (size_t i = 0; i < f->count && *count < most; i++) {
        const found *file = &f->files[i];
        const item key = {.file = *file}, *pointer = &key;
        item *const *place = bsearch(&pointer, old, old_count, sizeof *old, compare_paths);
        item *const before = place != NULL ? *place : NULL;
        if (before != NULL && is_unchanged(&before->file, file)) {
            before->taken = true;
            items[(*count)++] = before;
            continue;
        }
        item *made;
        const uint32_t id = before != NULL ? before->entry.id : library->last_id + 1;
        lc_status status = item_create(&made, file->path, NULL, file, id, message);
        if (status != LC_OK)
            return status;
        if (made != NULL) {
            items[(*count)++] = made;
            library->last_id = id > library->last_id ? id : library->last_id;
        }
    }
    return LC_OK;
}

lc_status lc_library_refresh(lc_library *library, lc_message *message)
{
    size_t count = 0, inside = 0;
    finding f = {.files = malloc(FOUND_MAX * sizeof *f.files)};
    while (inside < library->count && library->items[inside]->text != NULL)
        inside++;
    item **items = calloc(inside + LC_LIBRARY_FILES_MAX, sizeof *items);
    item **old = calloc(library->count - inside + 1, sizeof *old);
    lc_status status = LC_OK;
    if (f.files != NULL && library->folder != NULL)
        find_files(&f, library->folder, true);
    if (f.files == NULL || items == NULL || old == NULL || f.failed)
        status = no_memory(message);
    for (; status == LC_OK && count < inside; count++) {
        items[count] = library->items[count];
        items[count]->taken = true;
    }
    if (status == LC_OK) {
        const size_t old_count = library->count - inside;
        memcpy(old, library->items + inside, old_count * sizeof *old);
        qsort(old, old_count, sizeof *old, compare_paths);
        qsort(f.files, f.count, sizeof *f.files, compare_files);
        status = take_files(library, &f, old, old_count, items, &count, message);
        qsort(items, count, sizeof *items, compare_items);
    }
    // Frees one of the two lists, with the items that the other does not have.
    for (size_t i = 0; i < count && status != LC_OK; i++)
        if (!items[i]->taken)
            item_free(items[i]);
    for (size_t i = 0; i < library->count; i++)
        if (status == LC_OK && !library->items[i]->taken)
            item_free(library->items[i]);
        else
            library->items[i]->taken = false;
    for (size_t i = 0; i < f.count; i++)
        free(f.files[i].path);
    free(f.files);
    free(old);
    if (status != LC_OK) {
        free(items);
        return status;
    }
    free(library->items);
    library->items = items;
    library->count = count;
    return LC_OK;
}

// The library --------------------------------------------------------------------------------

static lc_status take_texts(lc_library *library, lc_message *message)
{
    const lc_built_in_pattern *patterns = lc_built_in_patterns();
    size_t texts = 0;
    while (patterns[texts].name != NULL)
        texts++;
    library->items = calloc(texts + 1, sizeof *library->items);
    if (library->items == NULL)
        return no_memory(message);
    for (size_t i = 0; i < texts; i++) {
        item *made;
        lc_status status = item_create(&made, patterns[i].name, patterns[i].text, NULL,
                                       library->last_id + 1, message);
        if (status != LC_OK)
            return status;
        if (made != NULL) {
            library->items[library->count++] = made;
            library->last_id++;
        }
    }
    return LC_OK;
}

lc_status lc_library_create(lc_library **out, const char *folder, lc_message *message)
{
    lc_library *library = calloc(1, sizeof *library);
    *out = library;
    if (library == NULL)
        return no_memory(message);
    lc_status status = LC_OK;
    if (folder != NULL) {
        library->folder = strdup(folder);
        if (library->folder == NULL)
            status = no_memory(message);
    }
    if (status == LC_OK)
        status = take_texts(library, message);
    if (status == LC_OK)
        status = lc_library_refresh(library, message);
    if (status != LC_OK)
        lc_library_destroy(out);
    return status;
}

void lc_library_destroy(lc_library **library)
{
    if (library == NULL || *library == NULL)
        return;
    for (size_t i = 0; i < (*library)->count; i++)
        item_free((*library)->items[i]);
    free((*library)->items);
    free((*library)->folder);
    free(*library);
    *library = NULL;
}

const lc_library_entry *lc_library_at(const lc_library *library, size_t index)
{
    return index < library->count ? &library->items[index]->entry : NULL;
}

static const item *find(const lc_library *library, uint32_t id)
{
    for (size_t i = 0; i < library->count; i++)
        if (library->items[i]->entry.id == id)
            return library->items[i];
    return NULL;
}

const lc_library_entry *lc_library_find(const lc_library *library, uint32_t id)
{
    const item *it = find(library, id);
    return it != NULL ? &it->entry : NULL;
}

// Reading ------------------------------------------------------------------------------------

static lc_status fail_errno(lc_message *message)
{
    return lc_fail(message, LC_ERROR_IO, "cannot read the pattern: %s", strerror(errno));
}

// Reads up to *size_bytes bytes, and sets *size_bytes to their number.
static lc_status read_all(int descriptor, void *data, size_t *size_bytes, lc_message *message)
{
    size_t done = 0;
    while (done < *size_bytes) {
        const ssize_t bytes = read(descriptor, (char *)data + done, *size_bytes - done);
        if (bytes < 0 && errno != EINTR)
            return fail_errno(message);
        if (bytes == 0) // the file has become shorter
            break;
        done += bytes > 0 ? (size_t)bytes : 0;
    }
    *size_bytes = done;
    return LC_OK;
}

static lc_status read_file(const char *path, void **data, size_t *size_bytes, lc_message *message)
{
    struct stat facts;
    const int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); // a pipe must not block
    if (descriptor < 0)
        return fail_errno(message);
    lc_status status = LC_OK;
    if (fstat(descriptor, &facts) != 0)
        status = fail_errno(message);
    else if (!S_ISREG(facts.st_mode))
        status = lc_fail(message, LC_ERROR_IO, "the pattern is no longer a file");
    else if (facts.st_size > LC_LIBRARY_FILE_BYTES_MAX)
        status = lc_fail(message, LC_ERROR_LIMIT,
                         "the pattern's file has %lld bytes, and at most 64 MiB are read",
                         (long long)facts.st_size);
    if (status == LC_OK) {
        *size_bytes = (size_t)facts.st_size;
        *data = malloc(*size_bytes + 1);
        status =
            *data == NULL ? no_memory(message) : read_all(descriptor, *data, size_bytes, message);
    }
    (void)close(descriptor);
    if (status != LC_OK) {
        free(*data);
        *data = NULL;
    }
    return status;
}

lc_status lc_library_read(const lc_library *library, uint32_t id, void **data, size_t *size_bytes,
                          lc_message *message)
{
    const item *it = find(library, id);
    *data = NULL;
    *size_bytes = 0;
    if (it == NULL)
        return lc_fail(message, LC_ERROR_ARGUMENT, "the library has no pattern %lu",
                       (unsigned long)id);
    if (it->text == NULL)
        return read_file(it->file.path, data, size_bytes, message);
    *data = strdup(it->text);
    if (*data == NULL)
        return no_memory(message);
    *size_bytes = strlen(it->text);
    return LC_OK;
}
