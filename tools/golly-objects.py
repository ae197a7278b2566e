#!/usr/bin/env python3
"""Writes the table tests/golly_objects.inc: facts about the patterns in Golly's folders of
oscillators, spaceships, guns and puffers. tests/test_golly_objects.c compares lc_identify with them.

    tools/golly-objects.py > tests/golly_objects.inc     some minutes

    tools/golly-objects.py c4 puffer > FILE               files with these words in their names

The facts are found by plain stepping, by code that shares nothing with lightcone. They are compared
with the comments of the files that state periods, speeds and numbers of cells for each pattern. The
patterns themselves stay in Golly's package.

A file may be a collection of many patterns. Two cells belong to one pattern if a chain of cells
leads from one to the other, each cell alive in some of the first generations, and no step of the
chain is longer than the distance of the table below. That distance differs by file: the patterns of
some collections stand as near each other as the parts of a pattern of another.

Each line of the table is a pattern; the macros of the test read it. PATTERN has the x and y of its
box, its width and height; its period; how far it moves in a period, right and down; its smallest
and its largest number of live cells; and the generation from which on all this holds. A period of 0
means that no cell is alive from that generation on. If several parts move in different ways, the
move and the numbers of cells are 0. ALSO has another box of the pattern before it: no box contains
cells of two patterns. GROWS has the kind and the period of the pattern of a file, and the number of
cells by which so many periods make the population grow. HIDDEN has the name of a file whose pattern
cannot be identified within the limits of lc_identify.
"""
import gzip
import math
import re
import sys
from collections import Counter, defaultdict
from pathlib import Path

ROOT = Path('/usr/share/golly/Patterns/Life')
FILES = [  # name, generations, distance (0: one pattern), longest period
    ('Oscillators/DRH-oscillators.rle', 3000, 3, 41000),
    ('Oscillators/billiard-table.rle', 100, 3, 1000),
    ('Oscillators/extensible-low-period.rle', 100, 2, 1000),
    ('Oscillators/glider-stream-crystal.rle', 0, 0, 20000),
    ('Oscillators/honey-farm-hasslers.rle', 200, 4, 1000),
    ('Oscillators/low-period.rle', 100, 3, 1000),
    ('Oscillators/p138.rle', 138, 2, 1000),
    ('Oscillators/phase-shift.rle', 200, 4, 1000),
    ('Oscillators/queen-bee-turn.rle', 0, 0, 1000),
    ('Oscillators/traffic-light-hasslers.rle', 300, 5, 1000),
    ('Oscillators/unique-high-period.rle', 200, 4, 1000),
    ('Spaceships/2c5-orthogonal.rle', 5, 3, 100),
    ('Spaceships/Corder-lineship.rle', 0, 0, 1000),
    ('Spaceships/Cordership-LWSS-freeze-tag.rle', 0, 0, 1000),
    ('Spaceships/Cordership-boat-burner.rle', 0, 0, 1000),
    ('Spaceships/adjustable-Corder-lineship.rle', 0, 0, 7000),
    ('Spaceships/c3-orthogonal.rle', 6, 2, 100),
    ('Spaceships/c4-diagonal.rle', 4, 2, 100),
    ('Spaceships/c4-orthogonal.rle', 4, 2, 100),
    ('Spaceships/corderships.rle', 96, 8, 1000),
    ('Spaceships/diagonal.rle', 6, 2, 100),
    ('Spaceships/orthogonal.rle', 12, 2, 1000),
    ('Spaceships/short-thin.rle', 6, 2, 100),
    ('Spaceships/smallest-low-period.rle', 30, 4, 100),
    ('Spaceships/spaceship-types.rle', 9, 2, 100),
    ('Guns/2c5-spaceship-gun-p690.rle', 0, 0, 1000),
    ('Guns/loafer-gun-p210.rle', 0, 0, 2000),
    ('Guns/p690-PT-Cordership-gun.rle', 0, 0, 5000),
    ('Guns/pseudo-p34-gun.rle', 0, 0, 1000),
]
SETTLING = [  # name, period, first generation: found with bgolly, since they are large
    ('Guns/7-in-a-row-Cordership-V-gun.rle', 726, 9672),
    ('Guns/golly-ticker.rle', 7544, 5840),
]
GROWING = [  # name, kind, period, how many periods until the number of new cells comes again, from
    ('Guns/2c5-spaceship-gun-p416.rle', 'GUN', 416, 5, 500),
    ('Guns/Cordership-gun-p784.rle', 'GUN', 784, 6, 500),
    ('Guns/gun-p165mwss.rle', 'GUN', 165, 2, 500),
    ('Guns/p59-gun-with-Snark-reflectors.rle', 'GUN', 59, 1, 500),
    ('Guns/period-52-glider-gun.rle', 'GUN', 52, 1, 500),
    ('Guns/vacuum-cleaner.rle', 'GUN', 138, 1, 2900),
    ('Puffers/c4-diagonal-puffer.rle', 'PUFFER', 4284, 1, 8000),
    ('Puffers/pi-fuse-puffer.rle', 'PUFFER', 90, 1, 100),
    ('Puffers/puffer-train.rle', 'PUFFER', 140, 3, 5600),
    ('Puffers/zigzag-wickstretcher.rle', 'STRETCHER', 60, 1, 500),
]
UNDECIDED = [  # name; its behaviour comes again so late, or so rarely, that the limits hide it
    'Guns/infinite-Corderships-gun.rle.gz',  # never
    'Oscillators/p103079214841.rle',
    'Puffers/line-puffer-superstable.rle',  # tens of millions of generations
    'Puffers/line-puffer-unstable.rle',  # destroys itself after some 9.5 million
]


def read(path):
    """The comments and the live cells of a file."""
    opener = gzip.open if path.suffix == '.gz' else open
    with opener(path, 'rt', encoding='utf-8', errors='replace') as file:
        lines = file.read().splitlines()
    comments = [line for line in lines if line.startswith('#')]
    body = ''.join(line for line in lines if not line.startswith(('#', 'x')))
    cells, x, y = set(), 0, 0
    for number, what in re.findall(r'(\d*)([bo$!])', body):
        number = int(number or 1)
        if what == '!':
            break
        if what == '$':
            x, y = 0, y + number
            continue
        if what == 'o':
            cells.update((x + i, y) for i in range(number))
        x += number
    return comments, cells


class Board:
    """Live cells of a rectangle, as the bits of one number, row after row."""

    def __init__(self, cells, margin=64):
        self.x = min(x for x, _ in cells) - margin
        self.y = min(y for _, y in cells) - margin
        self.width = max(x for x, _ in cells) - self.x + 1 + margin
        self.height = max(y for _, y in cells) - self.y + 1 + margin
        self.left = margin - 1  # generations until a cell could be at the edge
        self.bits = self.bits_of(cells)

    def bits_of(self, cells):
        rows = defaultdict(int)
        for x, y in cells:
            rows[y] |= 1 << x - self.x
        bits = bytearray()
        number, shift, at = 0, 0, 0
        for y in range(self.y, self.y + self.height):
            number |= rows.get(y, 0) << shift
            shift += self.width
            whole = shift // 8
            bits += (number & ((1 << 8 * whole) - 1)).to_bytes(whole, 'little')
            number >>= 8 * whole
            shift -= 8 * whole
        return int.from_bytes(bits, 'little') | number << 8 * len(bits)

    def cells(self, bits=None):
        found = []
        bits = self.bits if bits is None else bits
        for i, byte in enumerate(bits.to_bytes(self.width * self.height // 8 + 1, 'little')):
            while byte:
                at = 8 * i + (byte & -byte).bit_length() - 1
                found.append((self.x + at % self.width, self.y + at // self.width))
                byte &= byte - 1
        return found

    def step(self):
        """One generation. True: the rectangle has changed."""
        changed = self.left == 0 and self.bits != 0
        if changed:
            self.__init__(self.cells(), 256)
        self.left -= 1
        bits, width = self.bits, self.width
        left, right = bits << 1, bits >> 1
        one, two = left ^ bits ^ right, left & bits | right & (left ^ bits)
        beside, both = left ^ right, left & right
        above, below = one << width, one >> width
        odd = above ^ below ^ beside
        carry = above & below | beside & (above ^ below)
        above, below = two << width, two >> width
        pair = (above ^ below ^ both ^ carry) & ~(above & below | both & carry)
        self.bits = pair & (odd | bits)
        return changed

    def shape(self):
        """The cells without their place, to be compared within one rectangle."""
        lowest = (self.bits & -self.bits).bit_length() - 1
        return self.bits >> lowest, self.x + lowest % self.width, self.y + lowest // self.width


def divided(cells, generations, distance):
    """The cells in sets, as above."""
    if distance == 0:
        return [cells]
    board, trace = Board(cells), set()
    union = board.bits
    for _ in range(generations):
        before = (board.x, board.y, board.width, board.height)
        old = Board.__new__(Board)
        old.x, old.y, old.width, old.height = before
        if board.step():
            trace.update(old.cells(union))
            union = 0
        union |= board.bits
    trace.update(board.cells(union))
    up = {cell: cell for cell in trace}

    def root(cell):
        while up[cell] != cell:
            up[cell] = up[up[cell]]
            cell = up[cell]
        return cell

    reach = range(-distance, distance + 1)
    for x, y in trace:
        for dy in range(distance + 1):
            for dx in reach:
                if (x + dx, y + dy) in up:
                    up[root((x + dx, y + dy))] = root((x, y))
    sets = defaultdict(set)
    for cell in cells:
        sets[root(cell)].add(cell)
    return list(sets.values())


def repeats(cells, longest):
    """The period, the move and the numbers of cells of a pattern; None: it does not repeat."""
    board = Board(cells)
    first = board.shape()
    population = fewest = most = len(cells)
    for t in range(1, longest + 1):
        if board.step():
            first = Board.__new__(Board)
            first.__dict__ = dict(board.__dict__)
            first.bits = first.bits_of(cells) if fits(first, cells) else 0
            first = first.shape() if first.bits else (0, 0, 0)
        now = board.bits.bit_count()
        fewest, most = min(fewest, now), max(most, now)
        if now == population and first[0] != 0:
            shape, x, y = board.shape()
            if shape == first[0]:
                return t, x - first[1], y - first[2], fewest, most
        elif now == population and is_moved(cells, board.cells()):
            (x, y), (first_x, first_y) = corner(board.cells()), corner(cells)
            return t, x - first_x, y - first_y, fewest, most
        if now == 0:
            return None
    return None


def fits(board, cells):
    x, y = [x for x, _ in cells], [y for _, y in cells]
    return (board.x < min(x) and max(x) < board.x + board.width - 1 and
            board.y < min(y) and max(y) < board.y + board.height - 1)


def corner(cells):
    return min(x for x, _ in cells), min(y for _, y in cells)


def is_moved(a, b):
    (ax, ay), (bx, by) = corner(a), corner(b)
    return {(x - ax, y - ay) for x, y in a} == {(x - bx, y - by) for x, y in b}


def facts(cells, longest):
    """Period, dx, dy, fewest and most cells, and the generation from which on this holds."""
    found = repeats(cells, longest)
    if found is not None:
        return *found, 0
    board = Board(cells)
    for t in range(1, longest + 1):
        board.step()
        if board.bits == 0:
            return 0, 0, 0, 0, 0, t
    found = repeats(set(board.cells()), longest)
    return from_parts(cells, set(board.cells()), longest) if found is None else (
        *found, from_when(cells, found[0]))


def from_when(cells, period):
    """The first generation that comes again after a period."""
    early, late, t = Board(cells), Board(cells), 0
    for _ in range(period):
        late.step()
    while not (early.bits.bit_count() == late.bits.bit_count() and
               is_moved(early.cells(), late.cells())):
        early.step()
        late.step()
        t += 1
    return t


def from_parts(cells, late, generations):
    """Facts of parts that move in different ways, from their places after some generations."""
    parts = []
    for part in divided(late, 100, 8):
        found = repeats(part, generations)
        if found is None:
            return None
        board, phases = Board(part), []
        for _ in range(found[0]):
            phases.append(board.cells())
            board.step()
        parts.append((found, phases))
    board, history = Board(cells), []
    for _ in range(generations):
        history.append(set(board.cells()))
        board.step()
    t = generations

    def together(t):
        for (period, dx, dy, _, _), phases in parts:
            times, phase = divmod(t - generations, period)
            yield from ((x + times * dx, y + times * dy) for x, y in phases[phase])

    while t > 0 and set(together(t - 1)) == history[t - 1]:
        t -= 1
    return math.lcm(*(found[0] for found, _ in parts)), 0, 0, 0, 0, t


def box(cells):
    x, y = corner(cells)
    return (x, y, max(x for x, _ in cells) - x + 1, max(y for _, y in cells) - y + 1)


def boxes(cells, others):
    """Boxes that have all of the cells and none of the others."""
    x, y, width, height = whole = box(cells)
    near = [(a, b) for a, b in others if x <= a < x + width and y <= b < y + height]
    if not near:
        return [whole]
    axis = 0 if width > height else 1
    middle = (x + width // 2, y + height // 2)[axis]
    halves = ([cell for cell in cells if cell[axis] < middle],
              [cell for cell in cells if cell[axis] >= middle])
    return [one for half in halves for one in boxes(half, near)]


# ---- comments ------------------------------------------------------------------------------------


def matches(pattern, comments):
    return [match for match in (re.match('#C +' + pattern, line) for line in comments) if match]


def labels_agree(comments, found):
    """Labels such as "30.0.1" begin with the period; "29.0.1-2" labels two patterns."""
    labels = set()
    for match in matches(r'(\d+)\.(\d+)\.(\d+)(?:-(\d+))?(?!\S)', comments):
        period, row, first, last = (int(number or match[3]) for number in match.groups())
        labels |= {(period, row, column) for column in range(first, last + 1)}
    said, seen = Counter(label[0] for label in labels), Counter(facts[0] for facts in found)
    # Labels of period 1 are fewer, since digits are still lifes; three more labels have no pattern.
    return said - seen == Counter({2: 2, 29: 1}) and set(seen - said) == {1}


def minima_agree(comments, found):
    """One line for each spaceship; numbers of cells stand before the first of several lines."""
    said, cells = Counter(), 0
    for match in matches(r'(\d+ +)?[A-Z]{2} .*\d{4}', comments):
        cells = int(match[1] or cells)
        said[cells] += 1
    seen = Counter(facts[3] for facts in found if facts[0] != 0)
    # Of c/4 diagonal spaceships the comments leave out one.
    return not said - seen and sum((seen - said).values()) <= 1


def periods_agree(comments, found):
    said = Counter((int(m[1]), int(m[2])) for m in matches(r'p(\d+) +(\d+)$', comments))
    return said == Counter((facts[0], facts[3]) for facts in found)


def kind_of_ship(facts):
    x, y = sorted((abs(facts[1]), abs(facts[2])))
    return facts[0], y, x


def types_agree(comments, found):
    said = Counter((int(m[3]), int(m[1]), int(m[2]), int(m[4]))
                   for m in matches(r'\((\d+),(\d+)\)c/(\d+) +(\d+) cells', comments))
    return said == Counter((*kind_of_ship(facts), facts[3]) for facts in found)


def sizes_agree(comments, found):
    said = Counter((int(m[3]), int(m[1]), int(m[2]))
                   for m in matches(r'\((\d+),(\d+)\)c/(\d+) +\| +\d', comments))
    return said == Counter(kind_of_ship(facts) for facts in found)


COMMENTS = {
    'Oscillators/DRH-oscillators.rle': labels_agree,
    'Spaceships/c4-diagonal.rle': minima_agree,
    'Spaceships/c4-orthogonal.rle': minima_agree,
    'Spaceships/short-thin.rle': sizes_agree,
    'Spaceships/smallest-low-period.rle': periods_agree,
    'Spaceships/spaceship-types.rle': types_agree,
}

# ---- the table -----------------------------------------------------------------------------------


def macro(name, *numbers):
    print(f'{name}({", ".join(map(str, numbers))})')


def is_chosen(name):
    return len(sys.argv) == 1 or any(word in name for word in sys.argv[1:])


def print_settling(name, period, since):
    _, cells = read(ROOT / name)
    board, kept = Board(cells), {}
    wanted = [since - 1, since] + [since + period // n for n in range(1, period + 1)
                                   if period % n == 0] + [since - 1 + period]
    for t in range(since + period + 1):
        if t in wanted:
            kept[t] = frozenset(board.cells())
        board.step()
    same = [t for t in wanted if t > since and kept[t] == kept[since]]
    if same != [since + period] or kept[since - 1] == kept[since - 1 + period]:
        raise SystemExit(f'{name} does not settle so')
    macro('FILE_OF', f'"{name}"')
    macro('PATTERN', *box(cells), period, 0, 0, 0, 0, since)


def growth(name, generations, since):
    """By how many cells the pattern grows in so many generations, in each phase."""
    _, cells = read(ROOT / name)
    board, counts = Board(cells), []
    for _ in range(since + 2 * generations + 1):
        counts.append(board.bits.bit_count())
        board.step()
    grown = {counts[t] - counts[t - generations]
             for t in range(since + generations, len(counts), generations // 4)}
    if len(grown) != 1:
        raise SystemExit(f'{name} does not grow so: {grown}')
    return grown.pop()


def main():
    print('// Included by test_golly_objects.c; written by tools/golly-objects.py.')
    for name, generations, distance, longest in FILES:
        if not is_chosen(name):
            continue
        comments, cells = read(ROOT / name)
        all_found = []
        macro('FILE_OF', f'"{name}"')
        for one in sorted(divided(cells, generations, distance), key=lambda one: box(one)[1::-1]):
            first, *more = boxes(one, cells - one)
            found = facts(one, longest)
            if found is None:
                raise SystemExit(f'{name}: {first} does not repeat itself')
            all_found.append(found)
            macro('PATTERN', *first, *found)
            for another in more:
                macro('ALSO', *another)
        if name in COMMENTS and not COMMENTS[name](comments, all_found):
            raise SystemExit(f'{name}: the comments state other facts')
    for name, period, since in SETTLING:
        if is_chosen(name):
            print_settling(name, period, since)
    for name, kind, period, times, since in GROWING:
        if is_chosen(name):
            macro('GROWS', f'"{name}"', 'LC_IDENTITY_' + kind, period, times,
                  growth(name, period * times, since))
    for name in UNDECIDED:
        macro('HIDDEN', f'"{name}"')


if __name__ == '__main__':
    main()
