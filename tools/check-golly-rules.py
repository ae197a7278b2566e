#!/usr/bin/env python3
"""Compares random Generations rules with Golly's bgolly: their names and one generation.

    tools/check-golly-rules.py LIGHTCONE [--count 3000] [--seed 1]

Each rule is written at random in one of the notations that both programs read: counts with or without
letters B and S, Hensel's arrangements, H, V, and MAP. Both programs read a random board of all states
with that rule and make a generation. The rule in the files that they write, and the cells, must be
the same.

Exit status: 0 if all is as it should be, 1 if not, 77 if bgolly is not there.
"""
import argparse
import random
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

LETTERS = ['', 'ce', 'cekain', 'cekainyqjr', 'cekainyqjrtwz', 'cekainyqjr', 'cekain', 'ce', '']
BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
SIDE = 20


def counts(dice, most, with_letters, without_0):
    """A list of counts, each perhaps with arrangements."""
    text = ''
    for n in range(1 if without_0 else 0, most + 1):
        if dice.random() < 0.6:
            continue
        text += str(n)
        if with_letters and LETTERS[n] and dice.random() < 0.7:
            chosen = dice.sample(LETTERS[n], dice.randint(1, len(LETTERS[n])))
            text += ('-' if dice.random() < 0.3 else '') + ''.join(chosen)
    return text


def random_rule(dice):
    """A rule in some notation, and its number of states."""
    states = dice.choice([3, 3, 4, 5, 8, 9, 16, 17, 40, 256])
    kind = dice.choice(['counts', 'counts', 'letters', 'letters', 'H', 'V', 'MAP'])
    if kind == 'MAP':
        digits = [dice.choice(BASE64) for _ in range(86)]
        digits[0] = dice.choice(BASE64[:32])  # nothing is born of nothing
        digits[85] = dice.choice('AQgw')      # 512 bits end in the last digit
        return 'MAP' + ''.join(digits) + f'/{states}', states
    most = {'H': 6, 'V': 4}.get(kind, 8)
    born = counts(dice, most, kind == 'letters', True)
    stays = counts(dice, most, kind == 'letters', False)
    form = dice.choice(['{s}/{b}', 'B{b}/S{s}', 'b{b}/s{s}', 'S{s}/B{b}'])
    # lightcone gives the rule without births and survivals one name for all neighbourhoods.
    neighbours = kind if most < 8 and born + stays else ''
    return form.format(b=born, s=stays) + f'/{states}' + neighbours, states


def letters_of(state):
    """A cell of that state in RLE."""
    high, low = divmod(state - 1, 24)
    return '.' if state == 0 else ('' if high == 0 else chr(ord('o') + high)) + chr(ord('A') + low)


def read(path):
    """The rule and the cells of an RLE file, moved to (0, 0)."""
    text = path.read_text(encoding='latin-1')
    rule = re.search(r'^x *=.*rule = (.*)$', text, re.M).group(1)
    body = ''.join(line for line in text.splitlines() if not re.match('#|x *=', line))
    cells, x, y = [], 0, 0
    for count, what in re.findall(r'(\d*)([p-y]?[A-X]|[bo.$!])', body):
        count = int(count or 1)
        if what == '$':
            x, y = 0, y + count
        elif what != '!':
            if what not in 'b.':
                cells += [(k, y, 'A' if what == 'o' else what) for k in range(x, x + count)]
            x += count
    left, top = min((x for x, *_ in cells), default=0), min((y for _, y, _ in cells), default=0)
    return rule, {(x - left, y - top, state) for x, y, state in cells}


def compare(options, rule, states, dice, work):
    """What differs; None: nothing."""
    board = work / 'in.rle'
    rows = (''.join(letters_of(dice.choice([0, 0, 1, dice.randrange(states)])) for _ in range(SIDE))
            for _ in range(SIDE))
    board.write_text(f'x = {SIDE}, y = {SIDE}, rule = {rule}\n' + '$\n'.join(rows) + '!\n')
    results = []
    for name, command in (
            ('lightcone', [options.lightcone, 'run', board, '-g', '1', '-q', '-o']),
            ('bgolly', [options.bgolly, '-q', '-q', '-a', 'Generations', '-m', '1', '-o'])):
        out = work / f'{name}.rle'
        out.unlink(missing_ok=True)
        run = subprocess.run([*map(str, command), out, *([board] if name == 'bgolly' else [])],
                             stdin=subprocess.DEVNULL, capture_output=True, check=False)
        if not out.exists():
            return f'{name} fails: {(run.stdout + run.stderr).decode("latin-1").strip()}'
        results.append(read(out))
    (our_rule, ours), (their_rule, theirs) = results
    if our_rule != their_rule:
        return f'it is {our_rule}, and for bgolly {their_rule}'
    return None if ours == theirs else f'{len(ours ^ theirs)} cells differ'


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('lightcone', type=Path, metavar='LIGHTCONE')
    parser.add_argument('--bgolly', default=shutil.which('bgolly'), metavar='FILE')
    parser.add_argument('--count', type=int, default=3000, metavar='N')
    parser.add_argument('--seed', type=int, default=1, metavar='N')
    options = parser.parse_args()
    if options.bgolly is None:
        print("skipped: bgolly (Debian's package golly) is not installed")
        return 77
    options.lightcone = options.lightcone.resolve()
    dice, wrong = random.Random(options.seed), 0
    with tempfile.TemporaryDirectory(prefix='lightcone-golly-') as work:
        for _ in range(options.count):
            rule, states = random_rule(dice)
            why = compare(options, rule, states, dice, Path(work))
            if why is not None:
                wrong += 1
                print(f'FAILED: {rule}: {why}', flush=True)
    print(f'{options.count} rules; {options.count - wrong} agree with bgolly, {wrong} do not')
    return 1 if wrong > 0 or options.count == 0 else 0


if __name__ == '__main__':
    sys.exit(main())
