// The commands; each is in the file of its name, and main.c has the table of them.
#ifndef LC_CLI_COMMANDS_H
#define LC_CLI_COMMANDS_H

// argv[0] is the command's name, argv[argc] is NULL. Each returns the exit code (exit_code.h).
int lc_cli_run(int argc, char **argv);
int lc_cli_show(int argc, char **argv);
int lc_cli_info(int argc, char **argv);
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

// lc_cli_run with this engine, whatever its name; --engine is then refused.
int lc_cli_run_by(const char *engine, int argc, char **argv);

#endif
