#pragma once
/// libedit's readline interface. Its settings are C globals, which Swift does not let one touch: they are set
/// here.
#include <editline/readline.h>

/// Prepares for reading lines. `generator` gives the words that `text` may become, one at each call, from
/// `state` 0 on, each to be freed by libedit; NULL ends them.
void line_edit_begin(const char *name, char *(*generator)(const char *text, int state));

/// The line as it is being written, up to the cursor: `length` bytes.
const char *line_edit_line(int *length);

/// The last line of the history; NULL without one.
const char *line_edit_last(void);

/// What is written behind a word that was completed; 0 for nothing.
void line_edit_append(char character);
