# Completion of lightcone for fish. Installed as fish/vendor_completions.d/lightcone.fish.

# Names from `lightcone devices --json`: the list "engines" or "cpu_levels".
function __lightcone_names
    echo auto
    lightcone devices --json 2>/dev/null |
        sed -n "/\"$argv[1]\"/,/]/s/.*\"name\": \"\(.*\)\".*/\1/p"
end

# Designs of the gallery. Python, which one of them needs, is not started to see whether it is there.
function __lightcone_designs
    LIGHTCONE_PYTHON=: lightcone gallery list 2>/dev/null |
        awk '$2 == "CPU" || $2 == "GPU" { print $1 }'
end

# Patterns that are built in, and files.
function __lightcone_patterns
    lightcone patterns 2>/dev/null | awk '$2 ~ /^[0-9]+x[0-9]+$/ { print $1 }'
    complete -C "'' "(commandline -ct) |
        string match -r '^[^\t]*(?:/|\.(?:rle|mc|cells|lif|life|lcs|lcd|lct)(?:\.gz)?)(?=\t|$)'
end

# __lightcone_at COMMAND ...: whether the command is one of these; "gallery run" is its second word.
function __lightcone_at
    set -l words (commandline -opc)
    set -l command $words[2]
    if test "$command" = gallery
        set command "gallery $words[3]"
    end
    contains -- "$command" $argv
end

# Names of rules: "Day & Night" comes with its rule beside it.
function __lightcone_rules
    lightcone rules 2>/dev/null | string replace -r '  +' \t
end

complete -c lightcone -f
complete -c lightcone -s h -l help -d 'explain the command'

set -l begin 'test (count (commandline -opc)) -eq 1'
complete -c lightcone -n $begin -l version -d 'print the version'
complete -c lightcone -n $begin -a run -d 'run a pattern or a soup'
complete -c lightcone -n $begin -a view -d 'watch, control and edit a universe in a browser'
complete -c lightcone -n $begin -a show -d 'draw a pattern in the terminal'
complete -c lightcone -n $begin -a info -d 'print the properties of a pattern file'
complete -c lightcone -n $begin -a identify -d 'find out what a pattern is'
complete -c lightcone -n $begin -a census -d 'run many soups and count what they leave'
complete -c lightcone -n $begin -a find -d 'search soups for an object or a long life'
complete -c lightcone -n $begin -a convert -d 'convert a pattern file to another format'
complete -c lightcone -n $begin -a patterns -d 'list the built-in patterns'
complete -c lightcone -n $begin -a rules -d 'list named rules'
complete -c lightcone -n $begin -a devices -d 'list engines, CPU levels and GPUs'
complete -c lightcone -n $begin -a bench -d 'measure speed'
complete -c lightcone -n $begin -a gallery -d 'read, run and time published Game of Life designs'
complete -c lightcone -n $begin -a tune -d 'find and store the fastest plan for boards of a size on a GPU'
complete -c lightcone -n $begin -a help -d 'explain a command'
complete -c lightcone -n $begin -a version -d 'print the version'

set -l commands run view show info identify census find convert patterns rules devices bench gallery tune help version
complete -c lightcone -n '__lightcone_at help' -a "$commands"
set -l gallery '__lightcone_at "gallery "'
complete -c lightcone -n $gallery -a list -d 'list the designs by publication'
complete -c lightcone -n $gallery -a show -d 'explain a design and print its source code'
complete -c lightcone -n $gallery -a run -d 'run a pattern with a design'
complete -c lightcone -n $gallery -a bench -d 'check, time and compare designs'

# ---- run, view, gallery run ----------------------------------------------------------------------
set -l topologies torus plane klein cross sphere
set -l formats rle mc cells life105 life106 png lcs
set -l memory 1G 4G 16G 50% 75%
set -l themes sea ink amber embers meadow dunes comet moss heat ice
set -l light $themes-light
set -l universe '__lightcone_at run view "gallery run"'
complete -c lightcone -n $universe -a '(__lightcone_patterns)'
complete -c lightcone -n $universe -s r -l rule -xa '(__lightcone_rules)' -d 'rule, with topology'
complete -c lightcone -n $universe -s s -l size -x -d 'WxH of the universe or the soup'
complete -c lightcone -n $universe -l topology -xa "$topologies infinite" -d shape
complete -c lightcone -n $universe -l soup -x -d 'random cells: a density'
complete -c lightcone -n $universe -l seed -x -d 'seed of the soup'
complete -c lightcone -n $universe -s t -l threads -x -d 'threads'
complete -c lightcone -n $universe -l max-memory -xa "$memory" -d 'memory limit'
complete -c lightcone -n $universe -l audit -x -d 'recompute a patch about every N generations'
complete -c lightcone -n $universe -s o -l output -rF -d 'write the last generation'
complete -c lightcone -n $universe -l output-format -xa "$formats" -d 'format of the output'
complete -c lightcone -n $universe -l checkpoint -rF -d 'save the full state'
complete -c lightcone -n $universe -l at -x -d 'frame of this generation of a timeline'
complete -c lightcone -n $universe -l frame -x -d 'frame N of a timeline'
complete -c lightcone -n $universe -l nth -x -d 'pattern N of a file with several'
complete -c lightcone -n $universe -s q -l quiet -d 'print less'
set -l engines '__lightcone_at run view'
complete -c lightcone -n $engines -l engine -xa '(__lightcone_names engines)' -d engine
complete -c lightcone -n $engines -l cpu -xa '(__lightcone_names cpu_levels)' -d 'CPU level'
complete -c lightcone -n $engines -l devices -xa all -d 'GPUs that share the board'
complete -c lightcone -n $engines -l previous -d 'open the state of a board on disk before its newest one'

set -l run '__lightcone_at run "gallery run"'
complete -c lightcone -n $run -s g -l generations -x -d 'run N more generations'
complete -c lightcone -n $run -l until -xa 'stable period empty population=' -d 'run until this generation or condition'
complete -c lightcone -n $run -l seeds -x -d 'run the soups of these seeds: A..B'
complete -c lightcone -n $run -l checkpoint-every -xa '60s 5m 1h' -d 'time or generations'
complete -c lightcone -n $run -l disk -rF -d 'create a board on disk'
complete -c lightcone -n $run -l disk-settings -xa 'rows= depth= band= io=ring io=threads cached' \
    -d 'how the board on disk is read and stepped'
complete -c lightcone -n $run -l stats -rF -d 'write statistics'
complete -c lightcone -n $run -l record -rF -d 'record a timeline'
complete -c lightcone -n $run -l film -rF -d 'make a film'
complete -c lightcone -n $run -l rate -x -d 'frames per second'
complete -c lightcone -n $run -l theme -xa "$themes $light" -d 'colours of the film'
complete -c lightcone -n $run -l area -x -d 'cells to show: X,Y,WxH'
complete -c lightcone -n $run -l scale -xa '1 2 4 8 1:2 1:4 1:8' -d 'pixels per cell, or cells per pixel'
complete -c lightcone -n $run -l every -x -d 'interval of --stats, --record and --film'
complete -c lightcone -n $run -l watch -d 'draw the cells in the terminal'
complete -c lightcone -n $run -l speed -xa max -d 'generations per second, with --watch'
complete -c lightcone -n $run -l json -d 'print the result as JSON'
complete -c lightcone -n $run -l progress -d 'show progress even if stderr is not a terminal'
complete -c lightcone -n $run -l no-progress -d 'never show progress'

set -l view '__lightcone_at view'
complete -c lightcone -n $view -s p -l port -x -d 'port; 0: any free one'
complete -c lightcone -n $view -l start -d 'run at once'
complete -c lightcone -n $view -l speed -xa max -d 'generations per second'
complete -c lightcone -n $view -l no-open -d 'do not open a browser'
complete -c lightcone -n $view -l patterns -xa '(__fish_complete_directories)' -d 'your own patterns'
complete -c lightcone -n $view -l bind -xa '127.0.0.1 0.0.0.0 ::' -d 'listen for other machines'
complete -c lightcone -n $view -l token -x -d 'token of the address'
complete -c lightcone -n $view -l watch-token -x -d 'token for people who may watch but not control'
complete -c lightcone -n $view -l origin -x -d 'address of a proxy that serves the page'
complete -c lightcone -n $view -l qr -d 'print the address as a QR code'

# ---- files ---------------------------------------------------------------------------------------
complete -c lightcone -n '__lightcone_at show info identify convert' -a '(__lightcone_patterns)'
complete -c lightcone -n '__lightcone_at info' -l previous -d 'open the state of a board on disk before its newest one'
complete -c lightcone -n '__lightcone_at show info identify convert' -l nth -x -d 'pattern N of a file with several'
set -l show '__lightcone_at show'
complete -c lightcone -n $show -l ascii -d 'draw with . and O'
complete -c lightcone -n $show -l width -x -d 'at most N characters wide'
complete -c lightcone -n $show -l height -x -d 'at most N lines high'
complete -c lightcone -n $show -l at -x -d 'frame of this generation of a timeline'
complete -c lightcone -n $show -l frame -x -d 'frame N of a timeline'
complete -c lightcone -n '__lightcone_at show info identify convert' -l max-memory -xa "$memory" -d memory
complete -c lightcone -n '__lightcone_at info identify patterns rules devices tune' -l json -d 'print JSON'
set -l identify '__lightcone_at identify'
complete -c lightcone -n $identify -l limit -x -d 'make at most N generations'
complete -c lightcone -n $identify -l at -x -d 'frame of this generation of a timeline'
complete -c lightcone -n $identify -l frame -x -d 'frame N of a timeline'
complete -c lightcone -n $identify -l picture -rF -d 'make a picture of one period'
complete -c lightcone -n $identify -l rate -x -d 'generations per second'
complete -c lightcone -n $identify -l theme -xa "$themes $light" -d 'colours of the picture'
complete -c lightcone -n $identify -l area -x -d 'cells to show: X,Y,WxH'
complete -c lightcone -n $identify -l scale -xa '1 2 4 8 1:2 1:4 1:8' -d 'pixels per cell, or cells per pixel'
complete -c lightcone -n $identify -s r -l rule -xa '(__lightcone_rules)' -d 'run under this rule'
set -l soups '__lightcone_at census find'
complete -c lightcone -n $soups -s n -l soups -x -d 'number of soups'
complete -c lightcone -n $soups -l first -x -d 'number of the first soup'
complete -c lightcone -n $soups -l seed -x -d 'root of the soups, or a number'
complete -c lightcone -n $soups -l symmetry -xa 'C1 C2_1 C2_2 C2_4 C4_1 C4_4 D2_+1 D2_+2 D2_x D4_+1 D4_+2 D4_+4 D4_x1 D4_x4 D8_1 D8_4 8x32 4x64 2x128 1x256 10x10' -d 'symmetry of the soups'
complete -c lightcone -n $soups -s r -l rule -xa '(__lightcone_rules)' -d rule
complete -c lightcone -n $soups -l soup -x -d 'random rectangles of this density'
complete -c lightcone -n $soups -s s -l size -x -d 'size of the rectangles: WxH'
complete -c lightcone -n $soups -s t -l threads -x -d threads
complete -c lightcone -n $soups -s q -l quiet -d 'print less'
complete -c lightcone -n $soups -l progress -d 'always show progress'
complete -c lightcone -n $soups -l no-progress -d 'never show progress'
set -l census '__lightcone_at census'
complete -c lightcone -n $census -l file -rF -d 'keep the census in this file'
complete -c lightcone -n $census -l merge -F -d 'add censuses'
complete -c lightcone -n $census -l common-first -d 'print the most frequent objects first'
complete -c lightcone -n $census -l format -xa 'text csv json haul html' -d 'format of the report'
complete -c lightcone -n $census -s o -l output -rF -d 'write the report'
set -l find '__lightcone_at find'
complete -c lightcone -n $find -l limit -x -d 'stop after K finds'
complete -c lightcone -n $find -l lives-longer -x -d 'settles after more than N generations'
complete -c lightcone -n $find -l reaches -x -d 'leaves at least P cells'
complete -c lightcone -n $find -l object -xa '(__lightcone_patterns)' -d 'leaves this object'
complete -c lightcone -n $find -l ship-speed -xa 'c/2 c/4d' -d 'leaves a spaceship of this speed'
complete -c lightcone -n $find -l not-in -rF -d 'leaves an object that is not in this file'
complete -c lightcone -n $find -s o -l output -xa '(__fish_complete_directories)' -d 'write files to this folder'
set -l convert '__lightcone_at convert'
complete -c lightcone -n $convert -l to -xa "$formats" -d 'format of the output'
complete -c lightcone -n $convert -l at -x -d 'frame of this generation of a timeline'
complete -c lightcone -n $convert -l frame -x -d 'frame N of a timeline'
complete -c lightcone -n $convert -l any-size -d 'write an RLE larger than 64 GiB'
complete -c lightcone -n $convert -s q -l quiet -d 'do not print what is lost'
complete -c lightcone -n $convert -s r -l rule -xa '(__lightcone_rules)' -d 'write this rule'
complete -c lightcone -n '__lightcone_at patterns' -a 'guns spaceships oscillators methuselahs
    puffers circuits syntheses still-lifes other-rules'

# ---- bench, gallery, tune ------------------------------------------------------------------------
set -l benches '__lightcone_at bench "gallery bench"'
complete -c lightcone -n $benches -s s -l size -x -d 'WxH,..'
complete -c lightcone -n $benches -s t -l threads -x -d 'numbers of threads: N,..'
complete -c lightcone -n $benches -s g -l generations -x -d 'generations per run'
complete -c lightcone -n $benches -l seed -x -d 'seed of the soup'
complete -c lightcone -n $benches -l runs -x -d 'timed runs'
complete -c lightcone -n $benches -l warmup -x -d 'runs before them'
complete -c lightcone -n $benches -l quick -d 'shorter runs, fewer checks'
complete -c lightcone -n $benches -l interleave -d 'alternate runs'
complete -c lightcone -n $benches -l no-interleave -d 'finish one configuration before the next'
complete -c lightcone -n $benches -l max-memory -xa "$memory" -d 'memory limit of a universe'
complete -c lightcone -n $benches -l csv -rF -d 'report as CSV'
complete -c lightcone -n $benches -l json -rF -d 'report as JSON'
complete -c lightcone -n $benches -l charts -xa '(__fish_complete_directories)' -d 'charts'
set -l bench '__lightcone_at bench'
set -l paths '(__lightcone_names engines; __lightcone_designs)'
complete -c lightcone -n $bench -l engine -xa $paths -d 'engines and designs'
complete -c lightcone -n $bench -l against -xa $paths -d 'compare with this engine'
complete -c lightcone -n $bench -l cpu -xa '(__lightcone_names cpu_levels)' -d 'CPU levels'
complete -c lightcone -n $bench -s r -l rule -xa '(__lightcone_rules)' -d rules
complete -c lightcone -n $bench -l topology -xa "$topologies" -d topologies
complete -c lightcone -n $bench -l audit -x -d 'recompute a patch about every N generations'
complete -c lightcone -n $bench -l model -d 'predict the speed of several devices'
complete -c lightcone -n $bench -l facts -rF -d 'use the measurements in this file'
complete -c lightcone -n $bench -l board -x -d 'boards to predict: WxH,..'
complete -c lightcone -n $bench -l counts -x -d 'numbers of devices: N,..'
complete -c lightcone -n $bench -l link -xa '396G,2.2us' -d 'bandwidth and latency between devices of a host'
complete -c lightcone -n $bench -l network -xa '50G,5us 5G,5us' -d 'bandwidth and latency between hosts'
complete -c lightcone -n $bench -l per-host -x -d 'devices per host'
complete -c lightcone -n $bench -l message-passes -x -d 'passes per halo exchange'
complete -c lightcone -n $bench -l overlap -d 'halo exchange overlaps stepping'

complete -c lightcone -n '__lightcone_at "gallery list"' -l knobs -d 'with settings'
complete -c lightcone -n '__lightcone_at "gallery list"' -l json -d 'print JSON'
complete -c lightcone -n '__lightcone_at "gallery show" "gallery run" "gallery bench"' \
    -a '(__lightcone_designs)'
set -l designs '__lightcone_at "gallery bench"'
complete -c lightcone -n $designs -l sweep -d "also other values of each knob"
complete -c lightcone -n $designs -l sweep-all -d 'also all combinations of values'
complete -c lightcone -n $designs -l against -xa '(__lightcone_designs)' -d 'compare with this design'

set -l tune '__lightcone_at tune'
complete -c lightcone -n $tune -s s -l size -x -d 'WxH of the board'
complete -c lightcone -n $tune -s r -l rule -xa '(__lightcone_rules)' -d 'rule, with topology'
complete -c lightcone -n $tune -l topology -xa "$topologies" -d 'shape of the board'
complete -c lightcone -n $tune -l devices -xa all -d 'GPUs that share the board'
complete -c lightcone -n $tune -l engine -xa cuda:in-place=yes -d 'cuda with settings'
