// `lightcone help`: what each command does, on one page of a terminal.
#include <stdio.h>
#include <string.h>

#include "cli.h"

static const char run_text[] =
    "lightcone run [PATTERN | FILE.lcs | -] -g N [options]\n"
    "lightcone run --soup DENSITY [--seed S] --size WxH -g N [options]\n"
    "\n"
    "Evolves a pattern, a soup or a checkpoint by N generations. A pattern is a file, or\n"
    "the name of one that is built in: 'lightcone patterns' lists them.\n"
    "\n"
    "How far\n"
    "  -g, --generations N       N more generations: 1000, 1e6, 2^20-1, 10k, 3M\n"
    "      --until N             on to generation N instead\n"
    "\n"
    "The universe\n"
    "  -r, --rule RULE           B3/S23, 23/3, HighLife, B36/S23:T100,200 ...\n"
    "  -s, --size WxH            bounded, a torus unless --topology says otherwise;\n"
    "                            N is NxN; 0 is unbounded in that direction\n"
    "      --topology TOPOLOGY   torus, klein, cross, sphere (with --size); plane (with\n"
    "                            --size it has edges, else it is infinite); infinite;\n"
    "                            or a full T30+5,20, K30*,20, P30,20 ...\n"
    "      --soup DENSITY        random cells, alive with this probability: 0.5, 37%; a\n"
    "                            multiple of 2^-16, or within 1 % of one\n"
    "      --seed S              which soup (0)\n"
    "\n"
    "The work\n"
    "      --engine ENGINE       see 'lightcone devices' (auto)\n"
    "      --cpu LEVEL           see 'lightcone devices' (the fastest)\n"
    "  -t, --threads N           0: one for each CPU (0)\n"
    "      --max-memory SIZE     for the universe: 8G, 512M, 75% (50%; a GPU's own: all)\n"
    "      --audit N             about every N generations compute a patch again,\n"
    "                            slowly, and stop if it differs\n"
    "\n"
    "What comes out\n"
    "  -o, --output OUT          the last generation: .rle .cells .lif .life .png .lcs\n"
    "                            by the name's ending, text also .gz; RLE without one\n"
    "                            and on -, which is stdout\n"
    "      --output-format F     rle, cells, life105, life106, png, lcs\n"
    "      --checkpoint FILE.lcs save all there now and then, and at the end;\n"
    "                            'lightcone run FILE.lcs' resumes\n"
    "      --checkpoint-every E  60s, 5m, 1h, or a number of generations (60s)\n"
    "      --stats FILE.csv      generation, population, bounding box, hash\n"
    "      --every N             a row each N generations (1). Engines are fastest with\n"
    "                            many generations at a time: each row costs that speed,\n"
    "                            so say --every 1000 or more where speed matters\n"
    "      --json                the result as JSON\n"
    "  -q, --quiet               no result and no progress\n"
    "      --progress            progress even if stderr is no terminal\n"
    "      --no-progress         no progress even if it is one\n"
    "\n"
    "Ctrl-C finishes the pass in hand, saves and ends with 130; again: ends at once.\n"
    "\n"
    "Examples\n"
    "  lightcone run acorn -g 5206 -o out.rle\n"
    "  lightcone run --soup 0.5 --seed 42 --size 65536x65536 -g 1000 -o soup.png\n"
    "  lightcone run gun.rle --size 500x400 --topology klein -g 10k --json\n"
    "  lightcone run big.rle -g 1e9 --checkpoint big.lcs --checkpoint-every 10m\n"
    "  lightcone run big.lcs --until 1e9 --checkpoint big.lcs\n";

static const char view_text[] =
    "lightcone view [PATTERN | FILE.lcs | -] [options]\n"
    "lightcone view --soup DENSITY [--seed S] --size WxH [options]\n"
    "\n"
    "Shows a universe in a browser, where it can be run, looked at from near and far,\n"
    "and edited. Without a pattern it is empty, to be drawn on. The universe stays here,\n"
    "and only what is on the screen leaves: also from another machine, through ssh.\n"
    "\n"
    "  -p, --port N              (8080); 0: any that is free\n"
    "      --start               run at once\n"
    "      --no-open             do not open a browser\n"
    "      --patterns FOLDER     your own patterns, offered beside the built-in ones\n"
    "                            ($XDG_DATA_HOME/lightcone/patterns)\n"
    "      --bind ADDRESS        let others in: 0.0.0.0, or an address of this machine\n"
    "                            (127.0.0.1); the page's address has a token then\n"
    "      --token TOKEN         this one, of 8 or more letters, digits, - and _\n"
    "\n"
    "As for run\n"
    "  -r, --rule, -s, --size, --topology, --soup, --seed, --engine, --cpu, -t, --threads,\n"
    "  --max-memory, --audit\n"
    "  -o, --output OUT          where Ctrl-C saves the universe\n"
    "      --output-format F     and how\n"
    "      --checkpoint FILE.lcs where it keeps all there is\n"
    "  -q, --quiet               do not print the address\n"
    "\n"
    "Ctrl-C saves where that was asked for and ends with 0; again: ends at once. In the\n"
    "page, ? lists the keys. BROWSER names the program that opens it.\n"
    "\n"
    "Examples\n"
    "  lightcone view gosper-glider-gun\n"
    "  lightcone view --soup 0.5 --size 65536x65536 --start\n"
    "  lightcone view --rule HighLife -o drawn.rle\n"
    "  lightcone view acorn --bind 0.0.0.0 --port 9000\n";

static const char info_text[] =
    "lightcone info PATTERN [--json]\n"
    "\n"
    "Says what a pattern file (or -, standard input, or a built-in pattern) holds:\n"
    "format, rule, topology, size, population, bounding box, generation and comments.\n"
    "The file is read through once and never held in memory; a checkpoint (.lcs) is\n"
    "restored.\n"
    "\n"
    "      --json                as JSON\n"
    "      --max-memory SIZE     for a checkpoint: 8G, 512M, 75% (50%)\n"
    "\n"
    "Examples\n"
    "  lightcone info gun.rle\n"
    "  zcat soup.rle.gz | lightcone info - --json\n";

static const char convert_text[] =
    "lightcone convert IN OUT [options]\n"
    "\n"
    "Translates between pattern formats. Rule, topology, position, generation and\n"
    "comments are kept as far as the format of OUT can hold them; a line on stderr\n"
    "names those that are lost. IN is told by its content, and may be a built-in pattern's\n"
    "name; OUT by its ending: .rle .cells .lif .life (each also .gz) .png .lcs, and RLE if\n"
    "it has none. - is standard input or output.\n"
    "\n"
    "      --to FORMAT           rle, cells, life105, life106, png, lcs\n"
    "  -q, --quiet               do not say what is lost\n"
    "  -r, --rule RULE           write this rule (and topology) instead\n"
    "      --max-memory SIZE     8G, 512M, 75% (50%)\n"
    "\n"
    "Examples\n"
    "  lightcone convert gun.lif gun.rle.gz\n"
    "  lightcone convert soup.lcs soup.png\n"
    "  lightcone convert - - --to cells < glider.rle\n";

static const char devices_text[] =
    "lightcone devices [--json]\n"
    "\n"
    "Lists the engines and the CPU levels: which this machine has, which would be\n"
    "used, and why the others would not. Then the GPUs, or what is missing: the\n"
    "driver's library, a function of it, or NVRTC, which compiles for GPUs.\n"
    "\n"
    "      --json                as JSON\n";

static const char tune_text[] =
    "lightcone tune --size WxH [--rule RULE] [--topology TOPOLOGY] [--json]\n"
    "\n"
    "Finds out how this machine's GPU steps boards of a size fastest. A board can be cut\n"
    "up and its generations be taken together in many ways, plans; the engine guesses\n"
    "one. This tries some, each checked before it is timed, and keeps the best among the\n"
    "compiled kernels (LIGHTCONE_CACHE) for runs on boards of that size and shape, by any\n"
    "rule of as many gates. It takes up to a minute.\n"
    "\n"
    "  -s, --size WxH            of the board; N is NxN\n"
    "  -r, --rule RULE           (B3/S23); with a topology: B3/S23:T30+5,20\n"
    "      --topology TOPOLOGY   torus, plane, klein, cross, sphere (torus), or a full\n"
    "                            T30+5,20, K30*,20 ... instead of --size\n"
    "      --json                the result as JSON\n"
    "\n"
    "A plan that is set as LIGHTCONE_GPU_PLAN comes before what is kept.\n"
    "\n"
    "Examples\n"
    "  lightcone tune -s 65536x65536\n"
    "  lightcone tune -s 4096 -r HighLife --topology klein\n"
    "  LIGHTCONE_GPU_PLAN=words=2,generations=10 lightcone bench -s 16384 --engine cuda\n";

static const char patterns_text[] =
    "lightcone patterns [--json]\n"
    "\n"
    "Lists the patterns that are built in: name, size, rule, and what they are. Where a\n"
    "command takes a pattern's file it takes such a name too, unless there is a file of\n"
    "that name.\n"
    "\n"
    "      --json                as JSON\n"
    "\n"
    "Examples\n"
    "  lightcone run acorn -g 5206\n"
    "  lightcone convert glider - --to cells\n";

static const char version_text[] = "lightcone version\n"
                                   "\n"
                                   "Says which version this is, as --version does.\n";

static const char help_text[] = "lightcone help [COMMAND | gallery COMMAND]\n"
                                "\n"
                                "Explains a command, or lists them.\n";

static void print_overview(void)
{
    const lc_cli_command *command;
    printf("lightcone %s: a fast engine for Conway's Game of Life and its relatives\n\n",
           lc_version());
    puts("lightcone COMMAND ...\n");
    for (size_t i = 0; (command = lc_cli_command_at(i)) != NULL; i++)
        printf("  %-10s %s\n", command->name, command->summary);
    puts("\n'lightcone help COMMAND' explains one; lightcone(1) is the manual.\n"
         "\n"
         "Examples\n"
         "  lightcone run acorn -g 5206\n"
         "  lightcone run --soup 0.5 --size 4096x4096 -g 1000 -o soup.png");
}

int lc_cli_help_about(const char *command)
{
    // Two keep their own texts.
    char *arguments[] = {"", "--help", NULL};
    if (strcmp(command, "bench") == 0)
        return lc_cli_bench(2, arguments);
    if (strcmp(command, "gallery") == 0)
        return lc_cli_gallery(2, arguments);
    static const struct {
        const char *command;
        const char *text;
    } texts[] = {
        {"run", run_text},         {"view", view_text},         {"info", info_text},
        {"convert", convert_text}, {"devices", devices_text},   {"tune", tune_text},
        {"help", help_text},       {"patterns", patterns_text}, {"version", version_text},
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        // `view` may have been left out of this build.
        if (strcmp(texts[i].command, command) == 0 && lc_cli_command_find(command) != NULL) {
            fputs(texts[i].text, stdout);
            return LC_EXIT_OK;
        }
    }
    return lc_cli_unknown_command(command);
}

int lc_cli_help(int argc, char **argv)
{
    if (argc < 2) {
        print_overview();
        return LC_EXIT_OK;
    }
    if (argc == 3 && strcmp(argv[1], "gallery") == 0) {
        char *arguments[] = {"gallery", argv[2], "--help", NULL};
        return lc_cli_gallery(3, arguments);
    }
    if (argc > 2)
        return lc_cli_usage("help", "one command at a time");
    const char *name = argv[1];
    if (strcmp(name, "-h") == 0 || strcmp(name, "--help") == 0)
        return lc_cli_help_about("help");
    return lc_cli_help_about(name);
}
