#!/usr/bin/env python3
"""Runs the pattern files that come with Golly with both programs and compares what becomes of them.

    tools/check-golly-patterns.py LIGHTCONE            all of them: some minutes
    tools/check-golly-patterns.py LIGHTCONE --share 8  every eighth

Every file of a two-state rule of range one, of a Generations rule or of LifeHistory has to load,
to have as many cells as bgolly says before the first generation and after 1,000, and to have them at
the same places in the same states: with the engine that is chosen for it, and two states with
hashlife and with sparse. (hashlife is for planes without edges; sparse holds every cell, so patterns
of millions are too much for it. How many files each engine had is printed.) The files of both
programs are read here, by code that neither of them has: as macrocell files, square by square; or
as RLE, moved to (0, 0), where Golly's HashLife does not take the rule (B0, Generations).

Every other file has to be one of the kinds that are listed at the end, and lightcone has to refuse
it. Nothing else is left out.

Exit status: 0 if all is as it should be, 1 if not, 77 if bgolly or the patterns are not there.
"""
import argparse
import gzip
import itertools
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

PATIENCE_S = 300
ENGINES = ('auto', 'hashlife', 'sparse')
SPARSE_MOST = 1_000_000  # cells

# Why files are left out.
NOT_A_PATTERN = 'script or archive'
RULES = '/usr/share/golly/Rules/'
GENERATIONS = r'[BS]?[0-8]*/[BS]?[0-8]*/[CG]?\d+'
LEFT_OUT = [  # what a whole rule looks like, without its topology
    (r'R\d+,.*', 'larger range: Larger than Life'),
    (r'B[0-8]*/?S[0-8]*L', 'another neighbourhood'),
    (r'[A-Z][A-Z0-9_-]*', 'a rule table or tree'),
]
TWO_STATES = [  # group 1 has what is born
    r'B([0-8]*)(?:/?S[0-8]*)?[HV]?', r'S[0-8]*/?B([0-8]*)', r'[0-8]*/([0-8]*)[HV]?',
    r'B(?=.*\d)([0-8ACEIJKNQRTWYZ-]*)[/_]?S[0-8ACEIJKNQRTWYZ-]*',  # letters of arrangements
    r'W()\d+', r'MAP()[A-Z0-9+/]+=*',
]


class Different(Exception):
    """Something is not as it should be; the text says what."""


# What files are ---------------------------------------------------------------------------------

def rule_of(text):
    """The rule and the topology that a pattern file states."""
    rule = 'B3/S23'
    if text.startswith('#MCell'):
        stated = (re.search(r'^#GOLLY +(.*)$', text, re.M) or re.search(r'^#RULE +(.*)$', text,
                                                                        re.M))
        board = re.search(r'^#BOARD +(\S+)', text, re.M)
        return stated.group(1).strip() if stated else rule, board.group(1) if board else ''
    if text.startswith('[M2]') or text.startswith('#Life'):
        stated = re.search(r'^#R +(.*)$', text, re.M)
    else:
        stated = re.search(r'^x *=.*?rule *= *(.*)$', text, re.M) or re.search(r'^#r +(.*)$', text,
                                                                               re.M)
    if stated is not None:
        rule = stated.group(1).strip()
    rule, colon, topology = rule.partition(':')
    return rule, topology if colon else ''


def kind_of(path):
    """('known', topology, options of bgolly), or (why it is left out, None, None)."""
    data = path.read_bytes()
    if data.startswith(b'\x1f\x8b'):
        data = gzip.decompress(data)
    if path.suffix == '.lua' or data.startswith(b'PK'):
        return NOT_A_PATTERN, None, None
    rule, topology = rule_of(data.decode('latin-1').replace('\r', ''))
    for pattern in TWO_STATES:
        found = re.fullmatch(pattern, rule, re.I)
        if found is not None:
            return 'known', topology, [] if '0' in found.group(1) else ['-h']
    if re.fullmatch(GENERATIONS, rule, re.I):
        return 'known', topology, ['-a', 'Generations']
    if rule.upper() == 'LIFEHISTORY':
        return 'known', topology, ['-a', 'RuleLoader', '-s', RULES]
    for pattern, reason in LEFT_OUT:
        if re.fullmatch(pattern, rule, re.I):
            return reason, None, None
    raise Different(f'what rule is {rule!r}?')


# What both programs write -----------------------------------------------------------------------

class Squares:
    """Canonical squares: equal ones have the same number, 0 are dead ones of any size."""

    def __init__(self):
        self.numbers = {}
        self.contents = [None]

    def number(self, content):
        if content == 0 or content == (0, 0, 0, 0):
            return 0
        if content not in self.numbers:
            self.numbers[content] = len(self.contents)
            self.contents.append(content)
        return self.numbers[content]

    def read(self, path):
        """The root of a macrocell file and the logarithm of its side."""
        squares, log2 = [0], 3
        with open(path, encoding='latin-1') as lines:
            if not lines.readline().startswith('[M2]'):
                raise Different(f'{path.name} is no macrocell file')
            for line in lines:
                if line[0] in '#\n':
                    continue
                if line[0] in '.*$':
                    bits, log2 = 0, 3
                    for y, row in enumerate(line.rstrip('\n').split('$')):
                        for x, cell in enumerate(row):
                            bits |= (cell == '*') << (8 * y + x)
                    squares.append(self.number(bits))
                else:
                    log2, *children = map(int, line.split())
                    squares.append(self.number(tuple(squares[k] for k in children)))
        return squares[-1], log2

    def widened(self, root, log2, wanted_log2):
        """The same cells in the middle of a larger square."""
        while log2 < wanted_log2 and root != 0:
            content = self.contents[root]
            if log2 == 3:  # each quarter goes to the corner of a square that is at the middle
                quarters = []
                for dx, dy in ((0, 0), (4, 0), (0, 4), (4, 4)):
                    bits = 0
                    for y, x in itertools.product(range(4), range(4)):
                        cell = content >> (8 * (y + dy) + x + dx) & 1
                        bits |= cell << (8 * (y + 4 - dy) + x + 4 - dx)
                    quarters.append(self.number(bits))
                root = self.number(tuple(quarters))
            else:
                nw, ne, sw, se = content
                root = self.number((self.number((0, 0, 0, nw)), self.number((0, 0, ne, 0)),
                                    self.number((0, sw, 0, 0)), self.number((se, 0, 0, 0))))
            log2 += 1
        return root


def same_squares(ours, theirs):
    """Whether two macrocell files have the same cells."""
    squares = Squares()
    our_root, our_log2 = squares.read(ours)
    their_root, their_log2 = squares.read(theirs)
    log2 = max(our_log2, their_log2)
    ours_widened = squares.widened(our_root, our_log2, log2)
    return ours_widened == squares.widened(their_root, their_log2, log2)


def rle_cells(path):
    """The live cells of an RLE file with their states, moved to (0, 0)."""
    text = path.read_text(encoding='latin-1')
    text = ''.join(line for line in text.splitlines() if not re.match('#|x *=', line))
    cells, x, y = [], 0, 0
    for count, what in re.findall(r'(\d*)([p-y]?[A-X]|[bo.$!])', text):
        count = int(count or 1)
        if what == '!':
            break
        if what == '$':
            x, y = 0, y + count
        else:
            if what not in 'b.':
                state = 'A' if what == 'o' else what
                cells += [(k, y, state) for k in range(x, x + count)]
            x += count
    left, top = min((x for x, *_ in cells), default=0), min((y for _, y, _ in cells), default=0)
    return {(x - left, y - top, state) for x, y, state in cells}


# The two programs -------------------------------------------------------------------------------

class Run:
    """A program that has ended: its status, what it said, seconds, KiB."""

    def __init__(self, command):
        begin = time.monotonic()
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
            with subprocess.Popen(['timeout', str(PATIENCE_S), *map(str, command)],
                                  stdin=subprocess.DEVNULL, stdout=out, stderr=err) as process:
                _, status, used = os.wait4(process.pid, 0)
                process.returncode = os.waitstatus_to_exitcode(status)
            out.seek(0)
            err.seek(0)
            self.out, self.err = out.read().decode('latin-1'), err.read().decode('latin-1')
        self.status, self.kib = process.returncode, used.ru_maxrss
        self.seconds = time.monotonic() - begin
        if self.status == 124:
            raise Different(f'{Path(str(command[0])).name} takes longer than {PATIENCE_S} s')


def golly(options, path, algorithm, work):
    """Populations at the start and at the end, the file with the cells, and the run."""
    out = work / ('golly.mc' if algorithm == ['-h'] else 'golly.rle')
    run = Run([options.bgolly, *algorithm, '-M', 4000, '-i', options.generations,
               '-m', options.generations, '-o', out, path])
    said = re.findall(r'^([\d,]+): ([\d,]+)$', run.out, re.M)
    said = [tuple(int(text.replace(',', '')) for text in pair) for pair in said]
    if run.status != 0 or len(said) < 2 or said[0][0] != 0 or said[-1][0] != options.generations:
        raise Different(f'bgolly fails: {run.out}{run.err}')
    return said[0][1], said[-1][1], out, run


def lightcone(options, *arguments):
    """What it says as JSON, and the run."""
    run = Run([options.lightcone, *arguments, '--json'])
    if run.status != 0:
        raise Different(run.err.strip() or f'exit status {run.status}')
    return json.loads(run.out), run


def compare(options, path, topology, algorithm, work):
    """Runs of this file, by what made them."""
    first, last, their_cells, run = golly(options, path, algorithm, work)
    runs = {'bgolly': run}
    facts, runs['info'] = lightcone(options, 'info', path)
    if facts['population'] != first:
        raise Different(f'{facts["population"]} cells are loaded; bgolly has {first}')
    seen = None
    for engine in ENGINES[:1] if '-a' in algorithm else ENGINES:
        if (engine == 'hashlife' and topology) or (engine == 'sparse' and first > SPARSE_MOST):
            continue
        our_cells = work / (engine + their_cells.suffix)
        result, runs[engine] = lightcone(options, 'run', path, '-g', options.generations, '-q',
                                         '--engine', engine, '-o', our_cells)
        if result['population'] != last:
            raise Different(f'{engine}: {result["population"]} cells; bgolly has {last}')
        # The engines' files may be equal, and then need not be read again.
        if seen is None or seen.read_bytes() != our_cells.read_bytes():
            same = (same_squares(our_cells, their_cells) if algorithm == ['-h'] else
                    rle_cells(our_cells) == rle_cells(their_cells))
            if not same:
                raise Different(f'{engine}: as many cells as bgolly has, at other places')
            seen = our_cells
    return runs


def look_at(options, path):
    """What the file is, what is wrong with it or None, and its runs or None."""
    kind = 'not recognised'
    try:
        kind, topology, algorithm = kind_of(path)
        if kind != 'known':
            run = Run([options.lightcone, 'info', path])
            if run.status == 0:
                raise Different('lightcone reads it, and this script leaves it out')
            if run.status < 0 or run.status > 2 or not run.err:
                raise Different(f'lightcone does not refuse it, it fails: {run.err}')
            return kind, None, None
        with tempfile.TemporaryDirectory(prefix='lightcone-golly-') as work:
            return kind, None, compare(options, path, topology, algorithm, Path(work))
    except Different as why:
        return kind, str(why), None


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('lightcone', type=Path, metavar='LIGHTCONE')
    parser.add_argument('--bgolly', default=shutil.which('bgolly'), metavar='FILE')
    parser.add_argument('--patterns', type=Path, default=Path('/usr/share/golly/Patterns'),
                        metavar='FOLDER')
    parser.add_argument('--generations', type=int, default=1000, metavar='N')
    parser.add_argument('--share', type=int, default=1, metavar='N', help='every N-th file')
    parser.add_argument('--only', default='', metavar='REGEX', help='files whose path has this')
    parser.add_argument('--jobs', type=int, default=1, metavar='N', help='files at a time')
    parser.add_argument('--times', type=int, default=0, metavar='N',
                        help='also what each program took for the N slowest files')
    options = parser.parse_args()
    if options.bgolly is None or not options.patterns.is_dir():
        print("skipped: bgolly or its patterns (Debian's package golly) are not installed")
        return 77
    options.lightcone = options.lightcone.resolve()

    paths = sorted(p for p in options.patterns.rglob('*') if p.is_file())
    paths = [p for p in paths if re.search(options.only, str(p))][::options.share]
    counts, engines, slow, wrong = Counter(), Counter(), [], 0
    with ThreadPoolExecutor(options.jobs) as pool:
        for path, (kind, why, runs) in zip(paths, pool.map(lambda p: look_at(options, p), paths)):
            name = path.relative_to(options.patterns)
            if why is not None:
                wrong += 1
                print(f'FAILED: {name}: {why}', flush=True)
            elif runs is None:
                counts[kind] += 1
                if options.times > 0:
                    print(f'left out ({kind}): {name}')
            else:
                counts['known'] += 1
                engines.update(runs.keys() & set(ENGINES))
                slow.append((max(run.seconds for run in runs.values()), name, runs))
    slow.sort(key=lambda entry: -entry[0])
    for _, name, runs in slow[:options.times]:
        print(f'{name}: ' + ', '.join(f'{who} {run.seconds:.2f} s {run.kib // 1024} MiB'
                                      for who, run in runs.items()))
    print(f'{len(paths)} files; {counts.pop("known", 0)} agree with bgolly (' +
          ', '.join(f'{engines[engine]} by {engine}' for engine in ENGINES) +
          f'), {wrong} do not; {sum(counts.values())} left out:')
    for kind, count in sorted(counts.items()):
        print(f'{count:6}  {kind}')
    return 1 if wrong > 0 or not slow else 0


if __name__ == '__main__':
    sys.exit(main())
