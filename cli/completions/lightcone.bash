# Completion of lightcone for bash. Installed as bash-completion/completions/lightcone, or sourced.

# Names from `lightcone devices --json`: the list $1 ("engines", "cpu_levels").
_lightcone_names() {
    "${COMP_WORDS[0]}" devices --json 2>/dev/null |
        sed -n "/\"$1\"/,/]/s/.*\"name\": \"\(.*\)\".*/\1/p"
}

# Designs of the gallery. Python, which one of them needs, is not started to see whether it is there.
_lightcone_designs() {
    LIGHTCONE_PYTHON=: "${COMP_WORDS[0]}" gallery list 2>/dev/null |
        awk '$2 == "CPU" || $2 == "GPU" { print $1 }'
}

# What `bench` compares: engines and designs, each once.
_lightcone_engines() {
    { _lightcone_names engines && _lightcone_designs; } | sort -u
}

# Patterns that are built in, pattern files, and folders, that begin with $1.
_lightcone_patterns() {
    compgen -W "$("${COMP_WORDS[0]}" patterns 2>/dev/null |
        awk '$2 ~ /^[0-9]+x[0-9]+$/ { print $1 }')" -- "$1"
    compgen -d -S / -- "$1"
    compgen -f -X '!*.@(rle|mc|cells|lif|life|lcs|lcd|lct|rle.gz|mc.gz|cells.gz|lif.gz|life.gz)' -- "$1"
}

_lightcone() {
    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}
    local command=${COMP_WORDS[1]} options words='' extglob
    COMPREPLY=()

    # "--name=value" comes as three words.
    if [[ $current == '=' ]]; then
        current=''
    elif [[ $previous == '=' ]]; then
        previous=${COMP_WORDS[COMP_CWORD - 2]}
    fi

    if ((COMP_CWORD == 1)); then
        words='run view show info identify census find convert patterns rules devices bench gallery tune help version
            --help --version'
        mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
        return
    fi

    # What comes behind `gallery` is a command too: "gallery list", "gallery run" ...
    if [[ $command == gallery && $COMP_CWORD -eq 2 ]]; then
        mapfile -t COMPREPLY < <(compgen -W 'list show run bench --help' -- "$current")
        return
    fi
    [[ $command != gallery ]] || command="gallery ${COMP_WORDS[2]}"

    case $command in
    run | 'gallery run')
        options='-g --generations --until -r --rule -s --size --topology --soup --seed --seeds --engine
            --devices --cpu -t --threads --max-memory --disk --disk-settings --previous --audit -o
            --output --output-format --checkpoint --checkpoint-every --stats --record --film --every --rate --theme
            --area --scale --at --frame --nth --watch --speed --json -q --quiet --progress --no-progress
            -h --help'
        if [[ $command != run ]]; then # the design is the engine
            options=${options/--engine/}
            options=${options/--devices/}
            options=${options/--cpu/}
        fi
        ;;
    view)
        options='-p --port --start --speed --no-open --patterns --bind --token --watch-token --origin --qr
            -r --rule -s --size --topology --soup --seed --engine --devices --cpu -t --threads --max-memory --audit
            --previous -o --output --output-format --checkpoint --at --frame --nth -q --quiet -h --help'
        ;;
    show) options='--ascii --width --height --at --frame --nth --max-memory -h --help' ;;
    info) options='--json --nth --max-memory --previous -h --help' ;;
    identify)
        options='--json --limit -r --rule --at --frame --nth --picture --rate --theme --area --scale
            --max-memory -h --help'
        ;;
    census)
        options='-n --soups --first --seed --symmetry -r --rule --soup -s --size -t --threads --file
            --merge -o --output --format --common-first -q --quiet --progress --no-progress -h --help'
        ;;
    find)
        options='--lives-longer --reaches --object --ship-speed --not-in -n --soups --first --seed
            --symmetry -r --rule --soup -s --size -t --threads --limit -o --output -q --quiet
            --progress --no-progress -h --help'
        ;;
    convert) options='--to --at --frame --nth --any-size -q --quiet -r --rule --max-memory -h --help' ;;
    devices | rules) options='--json -h --help' ;;
    patterns)
        options='--json -h --help'
        words='guns spaceships oscillators methuselahs puffers circuits syntheses still-lifes
            other-rules'
        ;;
    bench)
        options='--engine --cpu -s --size -r --rule --topology -t --threads -g --generations
            --seed --runs --warmup --quick --interleave --no-interleave --against --max-memory
            --audit --csv --json --charts --model --facts --board --counts --link --network --per-host
            --message-passes --overlap -h --help'
        ;;
    'gallery list') options='--knobs --json -h --help' ;;
    'gallery show') options='-h --help' ;;
    'gallery bench')
        options='-s --size -t --threads --sweep --sweep-all --runs --warmup -g --generations --seed
            --against --quick --interleave --no-interleave --max-memory --csv --json --charts
            -h --help'
        ;;
    tune) options='-s --size -r --rule --topology --devices --engine --json -h --help' ;;
    help)
        if [[ $COMP_CWORD -eq 3 && ${COMP_WORDS[2]} == gallery ]]; then
            words='list show run bench'
        else
            words='run view show info identify census find convert patterns rules devices bench gallery tune help
                version'
        fi
        mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
        return
        ;;
    *) return ;;
    esac

    case $previous in
    --topology)
        words='torus plane klein cross sphere'
        case $command in
        run | view) words+=' infinite' ;;
        'gallery run') words='torus infinite' ;;
        esac
        ;;
    --charts | --patterns)
        mapfile -t COMPREPLY < <(compgen -d -- "$current")
        return
        ;;
    --against)
        words=$(_lightcone_designs)
        [[ $command != bench ]] || words="auto $(_lightcone_engines)"
        ;;
    --engine)
        words="auto $(_lightcone_names engines)"
        [[ $command != bench ]] || words="auto $(_lightcone_engines)"
        ;;
    --cpu) words="auto $(_lightcone_names cpu_levels)" ;;
    --output-format | --to) words='rle mc cells life105 life106 png lcs' ;;
    -r | --rule) words='B3/S23 Life HighLife Seeds B36/S23 B2/S B3678/S34678' ;;
    --symmetry)
        words='C1 C2_1 C2_2 C2_4 C4_1 C4_4 D2_+1 D2_+2 D2_x D4_+1 D4_+2 D4_+4 D4_x1 D4_x4 D8_1 D8_4
            8x32 4x64 2x128 1x256 10x10'
        ;;
    --format) words='text csv json haul html' ;;
    --ship-speed) words='c/2 c/4d' ;;
    --bind) words='127.0.0.1 0.0.0.0 ::' ;;
    --max-memory) words='1G 4G 16G 50% 75%' ;;
    --disk-settings) words='rows= depth= band= io=ring io=threads cached previous' ;;
    --checkpoint-every) words='60s 5m 1h' ;;
    --link) words='396G,2.2us' ;;
    --theme)
        words='sea ink amber embers meadow dunes comet moss heat ice'
        words+=" ${words// /-light }-light"
        ;;
    --until) words='stable period empty population=' ;;
    --scale) words='1 2 4 8 1:2 1:4 1:8' ;;
    --network) words='50G,5us 5G,5us' ;;
    -o | --output | --checkpoint | --disk | --stats | --record | --film | --picture | --csv | --facts | --file | --not-in | --merge)
        mapfile -t COMPREPLY < <(compgen -f -- "$current")
        compopt -o filenames 2>/dev/null
        return
        ;;
    --json)
        if [[ $command == *bench ]]; then
            mapfile -t COMPREPLY < <(compgen -f -- "$current")
            compopt -o filenames 2>/dev/null
            return
        fi
        ;;
    -p | --port | --token | --watch-token | --origin | --audit | -g | --generations | -s | --size | --soup | --seed | --seeds | -t | --threads | --every | --rate | --area | --speed | \
        -n | --soups | --first | --limit | --lives-longer | --reaches | --width | --height | --at | --frame | --nth | --runs | --warmup | --board | --counts | --per-host | --message-passes)
        return
        ;;
    esac

    if [[ $current == -* && -n $options ]]; then
        words=$options
    fi
    if [[ -n $words ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
    elif [[ $command == 'gallery bench' ||
        ($command == 'gallery run' || $command == 'gallery show') && $COMP_CWORD -eq 3 ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$(_lightcone_designs)" -- "$current")
    elif [[ $command == census && " ${COMP_WORDS[*]} " == *' --merge '* ]]; then
        mapfile -t COMPREPLY < <(compgen -f -- "$current")
        compopt -o filenames 2>/dev/null
    elif [[ $command == run || $command == view || $command == 'gallery run' || $command == show || $command == info || $command == identify || $command == convert ]]; then
        extglob=$(shopt -p extglob)
        shopt -s extglob
        mapfile -t COMPREPLY < <(_lightcone_patterns "$current")
        $extglob
        compopt -o filenames 2>/dev/null
    fi
}

complete -F _lightcone lightcone
