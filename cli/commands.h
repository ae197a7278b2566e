// The commands. The source file of a command has the command's name. The table of commands is in
// main.c.
#ifndef LC_CLI_COMMANDS_H
#define LC_CLI_COMMANDS_H

// argv[0] is the command's name and argv[argc] is NULL. Each function returns an exit code
// (exit_code.h).
int lc_cli_run(int argc, char **argv);
int lc_cli_show(int argc, char **argv);
int lc_cli_info(int argc, char **argv);
int lc_cli_identify(int argc, char **argv);
int lc_cli_census(int argc, char **argv);
int lc_cli_find(int argc, char **argv);
int lc_cli_convert(int argc, char **argv);
int lc_cli_devices(int argc, char **argv);
int lc_cli_bench(int argc, char **argv);
int lc_cli_gallery(int argc, char **argv);
int lc_cli_tune(int argc, char **argv);
int lc_cli_view(int argc, char **argv);
int lc_cli_patterns(int argc, char **argv);
int lc_cli_rules(int argc, char **argv);

// `lightcone gallery bench`.
int lc_cli_gallery_bench(int argc, char **argv);

// Runs `lightcone run` with the given engine, and refuses the option --engine.
int lc_cli_run_by(const char *engine, int argc, char **argv);

#endif
