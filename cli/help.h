// The help texts of most commands. The source files of `bench` and `gallery` define their help.
#ifndef LC_CLI_HELP_H
#define LC_CLI_HELP_H

extern const char lc_help_census[];
extern const char lc_help_convert[];
extern const char lc_help_devices[];
extern const char lc_help_find[];
extern const char lc_help_help[];
extern const char lc_help_info[];
extern const char lc_help_identify[];
extern const char lc_help_patterns[];
extern const char lc_help_rules[];
extern const char lc_help_run[];
extern const char lc_help_show[];
extern const char lc_help_tune[];
extern const char lc_help_version[];
extern const char lc_help_view[];

// Prints a help text on stdout. Returns LC_EXIT_OK.
int lc_help_print(const char *text);

#endif
