#include <stddef.h>

/// A file of the repository, as it was when the program was built.
struct embedded_file {
    /// From the repository's root: sql/views/kind_state.sql
    const char *_Nonnull path;
    /// UTF-8, ended by a zero.
    const unsigned char *_Nonnull text;
};

/// All of them, by path.
const struct embedded_file *_Nonnull embedded_files(size_t *_Nonnull count);
