#!/usr/bin/env python3
"""Counts sentences with a turn that makes them hard to read, and sees that no room gains one.

    tools/check-prose.py              compares each room's count with tools/prose_counts.txt
    tools/check-prose.py --list ROOM  prints the sentences of a room or of a file
    tools/check-prose.py --write      writes lower counts, and those of new rooms, to the table
    tools/check-prose.py --self-test  checks that each kind of turn is found

It reads the comments of C, CUDA, JavaScript, Python and shell, the string literals of cli/, Markdown
outside code and tables, and the man page. A count only says where to look: a sentence without such
a turn can still be hard to read. A count in the table may be raised by hand only when a file moves
to another room.

Exit status: 0 if no room has more than its count, 1 if one has.
"""
import argparse
import collections
import contextlib
import io
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TABLE = ROOT / 'tools/prose_counts.txt'
HEAD = ('# Sentences with a hard turn, by room; written by: tools/check-prose.py --write\n'
        '# A number may only fall. tools/check-prose.py --list ROOM prints the sentences.\n')

# A turn, and a sentence that has it.
TURNS = [
    (r'\b(who|what|whom)ever\b|\b(no|some|any)body\b', 'It takes whatever comes next.'),
    (r'(^|[.!?:] )(who|whose|what)(?! are you| is it\?) [a-z]', 'Who asks first is served first.'),
    (r'\bwhat (is|are|was|has|have|it|they|there|no|of|lives?|comes?|goes|takes?|makes?|holds?'
     r'|belongs?|stands?|lies)\b', 'It writes what is new here.'),
    (r'\bof which\b', 'Two rows, of which one is empty.'),
    (r'\b(is|are|was|were) to be\b', 'The file is to be read again.'),
    (r'[,;] else\b', 'It takes a block, else a tile.'),
    (r'\bis no\b(?! longer)', 'There is no room for it.'),
]
HARD = re.compile('|'.join(turn for turn, _ in TURNS), re.IGNORECASE)

STRING = r'''"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*\''''
C_LIKE = re.compile(r'(?P<comment>//[^\n]*|/\*.*?\*/)|(?P<string>' + STRING + '|`[^`]*`)', re.DOTALL)
HASHED = re.compile(r'(?P<comment>(?<=\n)[ \t]*#[^\n]*|""".*?""")', re.DOTALL)
READ = re.compile(r'\.(c|h|cu|cuh|js|mjs|css|py|sh|md|1)$')


def room_of(path):
    parts = path.split('/')
    if parts[0] == 'src' or path.startswith(('docs/man/', 'viewer/page/')):
        return '/'.join(parts[:-1])
    return parts[0]


def paragraphs_of_source(path, text):
    """Comments, adjacent lines joined; string literals of cli/ too."""
    pattern = HASHED if path.endswith(('.py', '.sh')) else C_LIKE
    kind, end, lines = None, 0, []
    for token in pattern.finditer('\n' + text):
        if token.lastgroup != kind or token.string[end:token.start()].strip():
            yield '\n'.join(lines)
            lines = []
        kind, end, piece = token.lastgroup, token.end(), token.group()
        if kind == 'comment':
            lines.append(re.sub(r'(?m)^\s*(///?|/\*+|\*/?|#+|""")|\*/$|"""$', '', piece))
        elif path.startswith('cli/') and piece.startswith('"'):
            lines.append(''.join(lines[-1:]) + piece[1:-1].replace(r'\n', '\n'))
            del lines[:-1]
    yield '\n'.join(lines)


def paragraphs_of_manual(text):
    """Macros that begin a block divide it; of those in a line the arguments remain."""
    text = re.sub(r'(?m)^\.\\".*$', '', text)
    text = re.sub(r'(?m)^\.(Pp|Bl|El|It|Sh|Ss|Dl|Nd|Dd|Dt|Os)\b.*$', '\n', text)
    return re.sub(r'(?m)^\.[A-Z][a-z]\b|(?<= )(Cm|Ar|Fl|Ns|Pa|Ev|No)\b', '', text)


def paragraphs_of(path):
    text = (ROOT / path).read_text(errors='replace')
    if path.endswith('.md'):
        text = re.sub(r'```.*?```', '\n\n', text, flags=re.DOTALL)
        return [re.sub(r'(?m)^(    |\|).*$', '', text)]
    if path.endswith('.1'):
        return [paragraphs_of_manual(text)]
    return paragraphs_of_source(path, text)


def sentences(paragraphs):
    for paragraph in paragraphs:
        for block in re.split(r'\n[ \t]*\n', paragraph):
            for sentence in re.split(r'(?<=[.!?])\s+(?=[A-Z"`])', ' '.join(block.split())):
                if len(sentence.split()) >= 5:
                    yield sentence


def hard_sentences(path):
    return [sentence for sentence in sentences(paragraphs_of(path))
            if HARD.search(sentence)]


def paths():
    listed = subprocess.run(['git', 'ls-files'], cwd=ROOT, stdout=subprocess.PIPE, text=True,
                            check=True).stdout.split('\n')
    return [path for path in listed if READ.search(path) and (ROOT / path).is_file()
            and not path.startswith(('CHANGELOG', 'patterns/'))]


def compare(counts, known):
    """Prints rooms whose counts differ from the table. Whether none has more than its number."""
    holds = True
    for room, count in sorted(counts.items()):
        limit = known.get(room, 0)
        if count > limit:
            holds = False
            print(f'check-prose: {room}: {count} hard sentences, at most {limit} are allowed; '
                  f'see tools/check-prose.py --list {room}', file=sys.stderr)
        elif count < limit:
            print(f'check-prose: {room}: {count} instead of {limit}; '
                  'lower the number with tools/check-prose.py --write')
    return holds


def self_test():
    for turn, sentence in TURNS:
        if [t for t, _ in TURNS if re.search(t, sentence, re.IGNORECASE)] != [turn]:
            sys.exit(f'check-prose: not found, or as another turn: {sentence}')
    source = ('// There is\n// no room here. It is\n'
              'puts("no rule\\n"\n     "that is no\\n"\n     "rule");\n')
    for path, number in ('cli/a.c', 2), ('src/a.c', 1):
        hard = [text for text in sentences(paragraphs_of_source(path, source)) if HARD.search(text)]
        if len(hard) != number:
            sys.exit(f'check-prose: {len(hard)} instead of {number} in {path}')
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        if not compare({'a': 1}, {'a': 2}) or compare({'a': 2}, {'a': 1}) or compare({'a': 1}, {}):
            sys.exit('check-prose: a count that rises is not found')
    print(f'check-prose: {len(TURNS)} kinds of turns, all found')
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--list', metavar='ROOM')
    parser.add_argument('--write', action='store_true')
    parser.add_argument('--self-test', action='store_true')
    options = parser.parse_args()
    if options.self_test:
        return self_test()
    found = {path: hard_sentences(path) for path in paths()}
    if options.list:
        for path in found:
            if options.list in (path, room_of(path)):
                for sentence in found[path]:
                    print(f'{path}: {sentence}')
        return 0
    counts = collections.Counter()
    for path, hard in found.items():
        counts[room_of(path)] += len(hard)
    known = {}
    if TABLE.exists():
        lines = [line.split() for line in TABLE.read_text().splitlines() if line[:1] != '#']
        known = {room: int(count) for room, count in lines}
    if options.write:
        rows = [f'{room} {min(count, known.get(room, count))}\n'
                for room, count in sorted(counts.items())]
        TABLE.write_text(HEAD + ''.join(rows))
        return 0
    if not compare(counts, known):
        return 1
    print(f'check-prose: {sum(counts.values())} hard sentences, no room has more than its number')
    return 0


if __name__ == '__main__':
    sys.exit(main())
