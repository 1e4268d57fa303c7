#include "CLineEdit.h"
#include <locale.h>

static char *(*words)(const char *, int);

static char **complete(const char *text, int start, int end) {
    (void)start, (void)end;
    // Not the names of files where nothing else is known.
    rl_attempted_completion_over = 1;
    return rl_completion_matches(text, words);
}

void line_edit_begin(const char *name, char *(*generator)(const char *, int)) {
    static char breaks[] = " \t\n";
    setlocale(LC_CTYPE, "");
    words = generator;
    rl_readline_name = name;
    rl_initialize();
    rl_attempted_completion_function = complete;
    rl_basic_word_break_characters = breaks;
    rl_completer_word_break_characters = breaks;
    using_history();
    stifle_history(1000);
}

const char *line_edit_line(int *length) {
    *length = rl_point;
    return rl_line_buffer;
}

const char *line_edit_last(void) {
    HIST_ENTRY *entry = history_length > 0 ? history_get(history_base + history_length - 1) : 0;
    return entry ? entry->line : 0;
}

void line_edit_append(char character) { rl_completion_append_character = character; }
