#!/usr/bin/env python3
"""Mutation testing: plants faults into the C sources, one at a time, and looks who sees them.

    tools/mutate.py --files 'src/grid/*.c' --count 20 --seed 1
    tools/mutate.py --faults tests/faults.txt       the faults that are written down there
    tools/mutate.py --files src/grid/soup.c --list  what could be planted; plants nothing

A fault ("mutant") is a small change that a tired programmer could make: `<` for `<=`, a constant
one off, a call left out, 64 bits cut to 32. Files and faults are drawn at random, the same ones for
the same seed. Each goes into a copy of the tree, never into yours; what it touches is built, and
the tests of its room (tools/rooms.py) run until one fails. A fault that none sees has survived: a test
is missing, or the change changes nothing. The latter goes into tools/mutants_equivalent.txt with
the reason, and is not planted again. Faults that do not compile, or that give the same machine
code, are replaced by others and not counted. docs/testing.md says more.

Both lists have one block a fault, blank lines between; blanks at the ends of lines do not matter:

    # why
    src/grid/soup.c
    - the lines as they are, which occur once in the file
    + the lines as they are to be

Exit status: 0 if as many survived as --allow says (0) or fewer, 1 if more did, 2 if it could not
run. The copy with its build stays in build-mutate, so that the next run need not build all of it.
The faulty programs run with TMPDIR, HOME and XDG_CACHE_HOME in there, and limits on time, memory
and file sizes; a test that is ended in the middle may leave a folder /tmp/lightcone-*.
"""
import argparse
import difflib
import fnmatch
import hashlib
import json
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

sys.dont_write_bytecode = True
from rooms import tests_of  # noqa: E402

ROOT = Path(__file__).resolve().parent.parent
EQUIVALENT = ROOT / 'tools/mutants_equivalent.txt'


def give_up(message):
    print(f'mutate: {message}', file=sys.stderr)
    raise SystemExit(2)


# The sources as tokens --------------------------------------------------------------------------

TOKEN = re.compile(r'''
    (?P<skip> \s+ | //[^\n]* | /\*.*?\*/ | ^[ \t]*\#(?:\\\n|[^\n])* )
  | (?P<text> "(?:\\.|[^"\\])*" | '(?:\\.|[^'\\])*' )
  | (?P<number> 0[xX][0-9a-fA-F]+[uUlL]* | (?:\d+\.\d*|\.?\d+)(?:[eE][+-]?\d+)?[uUlLfF]* )
  | (?P<name> [A-Za-z_]\w* )
  | (?P<mark> <<=|>>=|\.\.\.|->|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|. )
''', re.VERBOSE | re.MULTILINE | re.DOTALL)

SWAPS = {'<': '<= >=', '<=': '< >', '>': '>= <=', '>=': '> <', '==': '!=', '!=': '==', '&&': '||',
         '||': '&&', '+': '-', '-': '+', '*': '+', '/': '*', '%': '/', '<<': '>>', '>>': '<<',
         '&': '|', '|': '&', '^': '|', '+=': '-=', '-=': '+=', '*=': '+=', '|=': '&=', '&=': '|=',
         '^=': '|=', '<<=': '>>=', '>>=': '<<=', '++': '--', '--': '++'}
KIND = {**dict.fromkeys(['<', '<=', '>', '>='], 'order'), **dict.fromkeys(['==', '!='], 'equality'),
        **dict.fromkeys(['&&', '||'], 'logic')}
CUTS = {'uint64_t': 'uint32_t', 'int64_t': 'int32_t', 'size_t': 'uint32_t', 'uint32_t': 'uint16_t'}
KEYWORDS = {'if', 'for', 'while', 'switch', 'return', 'sizeof', 'do', 'else', 'case', 'goto'}
TYPES = {'char', 'void', 'int', 'unsigned', 'const', 'double', 'struct', 'bool', 'long', 'float'}


class Token:
    def __init__(self, match):
        self.kind = match.lastgroup
        self.text = match.group()
        self.begin, self.end = match.span()
        self.inside = None  # the type that the function gives; None: not in a function
        self.body = None  # the token that opens the function's body
        self.opened_by = None  # of a ')': the token before its '('
        self.brackets = 0  # how many '(' and '[' are open here


def tokens_of(source):
    found = [Token(m) for m in TOKEN.finditer(source) if m.lastgroup != 'skip']
    depth, gives, body, opened = 0, None, None, []
    for i, token in enumerate(found):
        token.brackets = len(opened)
        if token.text in ('(', '['):
            opened.append(found[i - 1] if i > 0 else None)
        elif token.text in (')', ']') and opened:
            token.opened_by = opened.pop()
        if token.text == '{':
            if depth == 0 and i > 0 and found[i - 1].text == ')':
                gives, body = type_given(found, i), i
            depth += 1
        elif token.text == '}':
            depth -= 1
            if depth == 0:
                gives = None
        token.inside, token.body = gives, body
    return found


def type_given(tokens, i):
    """What stands before the name of the function whose body begins at token i."""
    level = 0
    for j in range(i - 1, -1, -1):
        level += {')': 1, '(': -1}.get(tokens[j].text, 0)
        if level == 0:
            return ' '.join(t.text for t in tokens[max(j - 3, 0):j - 1])
    return ''


def closing(tokens, i):
    """The token that closes the bracket at token i."""
    level = 0
    for j in range(i, len(tokens)):
        level += {'(': 1, '[': 1, '{': 1, ')': -1, ']': -1, '}': -1}.get(tokens[j].text, 0)
        if level == 0:
            return j
    return i


def is_operand_end(token):
    return (token.kind in ('number', 'text') or token.text in (')', ']')
            or (token.kind == 'name' and token.text not in KEYWORDS))


def is_type(token):
    return token.text in TYPES or token.text.endswith('_t') or token.text.startswith('lc_')


# What names are ---------------------------------------------------------------------------------

INTEGERS = re.compile(r'(unsigned|int|size_t|ssize_t|off_t|u?int\d+_t)$')
LEVELS = {'(': 1, '[': 1, '{': 1, ')': -1, ']': -1, '}': -1}


def declared(tokens):
    """(name's token, type) of all that a declaration such as `const lc_square a, *b` declares."""
    pieces, level, base = [[]], 0, None
    for t in tokens:
        level += LEVELS.get(t.text, 0)
        if t.text == ',' and level == 0:
            pieces.append([])
        else:
            pieces[-1].append(t)
    for piece in pieces:
        end = next((i for i, t in enumerate(piece) if t.text in ('=', '[')), len(piece))
        head = [t for t in piece[:end] if t.text not in ('const', 'static', 'struct')]
        if not head or any(t.kind != 'name' and t.text != '*' for t in head) or (
                head[-1].kind != 'name'):
            return
        base = base or ' '.join(t.text for t in head[:-1] if t.text != '*')
        array = '[]' if end < len(piece) and piece[end].text == '[' else ''
        if base:
            yield head[-1], base + '*' * sum(t.text == '*' for t in head) + array


def structures_of(source):
    """The members of a file's structures: {structure: {member: type}}."""
    structures, tokens = {}, [t for t in tokens_of(source) if t.inside is None]
    for i in range(len(tokens) - 2):
        if tokens[i].text != 'struct' or tokens[i + 2].text != '{':
            continue
        members, first = {}, i + 3
        for j in range(first, closing(tokens, i + 2)):
            if tokens[j].text == ';':
                members.update((name.text, kind) for name, kind in declared(tokens[first:j]))
                first = j + 1
        structures[tokens[i + 1].text] = members
    return structures


def locals_of(tokens, body):
    """(name's token, type) of a function's parameters and variables."""
    level, begin = 1, body - 2
    while level > 0:
        level -= LEVELS.get(tokens[begin].text, 0)
        begin -= 1
    first, level, found = begin + 2, 0, []
    for j in range(first, body):
        level += LEVELS.get(tokens[j].text, 0)
        if (tokens[j].text == ',' and level == 0) or j == body - 1:
            found += declared(tokens[first:j])
            first = j + 1
    for i in range(body + 1, closing(tokens, body)):
        t, before, behind = tokens[i], tokens[i - 1], tokens[i + 1]
        if not (before.text in (';', '{', '}')
                or (before.text == '(' and tokens[i - 2].text == 'for')):
            continue
        if t.kind == 'name' and t.text not in KEYWORDS and (
                behind.kind == 'name' or behind.text == '*'):
            end = next(j for j in range(i, len(tokens)) if tokens[j].text == ';')
            found += declared(tokens[i:end])
    return found


class Names:
    """What the names in a file's functions are."""

    def __init__(self, tokens, structures):
        self.tokens, self.structures, self.functions = tokens, structures, {}

    def in_function(self, body):
        if body not in self.functions:
            self.functions[body] = locals_of(self.tokens, body)
        return self.functions[body]

    def type_of(self, i):
        """The type of a variable; None: it is none of the function's, or several are called so."""
        kinds = {kind for name, kind in self.in_function(self.tokens[i].body)
                 if name.text == self.tokens[i].text}
        return kinds.pop() if len(kinds) == 1 else None

    def structure_at(self, i):
        """The members of what stands before the '.' or '->' at token i: `a.b[c]->`."""
        tokens, indices, j = self.tokens, '', i - 1
        if tokens[j].text == ']':
            level = 0
            while True:
                level -= LEVELS.get(tokens[j].text, 0)
                j -= 1
                if level == 0:
                    break
            indices = '[]'
        if tokens[j].kind != 'name':
            return {}
        if tokens[j - 1].text in ('.', '->'):
            kind = self.structure_at(j - 1).get(tokens[j].text)
        else:
            kind = self.type_of(j)
        if kind is None or (indices and kind[-1] not in '*]'):
            return {}
        return self.structures.get(kind.rstrip('*[]'), {})


# What can be planted ----------------------------------------------------------------------------

class Mutant:
    """A piece of a file's text and what stands there instead; compared by whole lines."""

    def __init__(self, path, source, kind, begin, end, text, why=''):
        first = source.rfind('\n', 0, begin) + 1
        last = source.find('\n', end)
        last = len(source) if last < 0 else last
        self.path, self.kind, self.why = path, kind, why
        self.source, self.changed = source, source[:begin] + text + source[end:]
        self.line = source.count('\n', 0, begin) + 1
        self.old = stripped(source[first:last])
        self.new = stripped(source[first:begin] + text + source[end:last])
        self.key = (path, self.old, self.new)

    def __str__(self):
        return f'{self.path}:{self.line}'

    def diff(self):
        lines = difflib.unified_diff(self.source.splitlines(), self.changed.splitlines(),
                                     f'a/{self.path}', f'b/{self.path}', lineterm='', n=2)
        return '\n'.join('        ' + line for line in lines)


def stripped(text):
    return tuple(line.strip() for line in text.strip('\n').split('\n'))


def mutants_of(path, source, structures):
    """Every change that the operators can make in a file."""
    tokens = tokens_of(source)
    names = Names(tokens, {**structures, **structures_of(source)})
    for i in range(1, len(tokens) - 1):
        t = tokens[i]
        if t.kind == 'number':
            yield from off_by_one(path, source, tokens, i)
        if t.inside is None:
            continue
        yield from operators(path, source, tokens, i)
        yield from statements(path, source, tokens, i)
        yield from operands(path, source, tokens, i)
        if t.kind == 'name':
            yield from other_names(path, source, tokens, i, names)
        if t.text in CUTS and not (tokens[i - 1].text == '(' and tokens[i - 2].text == 'sizeof'):
            yield Mutant(path, source, 'cut', t.begin, t.end, CUTS[t.text])
        if t.text in ('true', 'false'):
            yield Mutant(path, source, 'flag', t.begin, t.end,
                         'false' if t.text == 'true' else 'true')
        if t.kind == 'name' and t.text not in KEYWORDS and tokens[i + 1].text == '(':
            yield from swapped_arguments(path, source, tokens, i + 1)


def off_by_one(path, source, tokens, i):
    t = tokens[i]
    match = re.fullmatch(r'(0[xX][0-9a-fA-F]+|\d+)([uUlL]*)', t.text)
    if match is None or re.fullmatch(r'0\d+', match.group(1)):
        return
    value, suffix = int(match.group(1), 0), match.group(2)
    write = hex if match.group(1)[:2] in ('0x', '0X') else str
    for other in {value + 1, abs(value - 1)}:
        yield Mutant(path, source, 'constant', t.begin, t.end, write(other) + suffix)


def operators(path, source, tokens, i):
    t, before, behind = tokens[i], tokens[i - 1], tokens[i + 1]
    if t.text == '!':
        yield Mutant(path, source, 'negation', t.begin, t.end, '')
    if t.kind != 'mark' or t.text not in SWAPS:
        return
    if t.text in ('+', '-', '*', '&') and (
            not is_operand_end(before) or before.text in KEYWORDS or is_type(before)):
        return  # a sign, an address, a pointer
    if t.text in ('*', '&') and before.text == ')' and behind.text in ('*', ')'):
        return
    for other in SWAPS[t.text].split():
        yield Mutant(path, source, KIND.get(t.text, 'arithmetic'), t.begin, t.end, other)


# Behind an operand none of these changes what it belongs to.
LOOSE = {')', ']', ',', ';', ':', '?', '|', '+', '-', '==', '!=', '<', '<=', '>', '>=', '&&', '||'}


def operands(path, source, tokens, i):
    """One of several flags or of several terms is left out."""
    t, before, behind = tokens[i], tokens[i - 1], tokens[i + 1]
    flags = t.text == '|' and behind.text.isupper()
    term = t.text in ('+', '-') and is_operand_end(before) and behind.kind == 'name'
    if (flags or term) and before.text not in KEYWORDS and tokens[i + 2].text in LOOSE:
        yield Mutant(path, source, 'operand', t.begin, behind.end, '')
    if t.text == '|' and before.text.isupper() and tokens[i - 2].text in ('(', ',', '=', 'return'):
        yield Mutant(path, source, 'operand', before.begin, behind.begin, '')


def other_names(path, source, tokens, i, names):
    """A member or a variable is another one of the same type; all integers are, in a structure."""
    t, before = tokens[i], tokens[i - 1]
    if before.text in ('.', '->'):
        members, others = names.structure_at(i - 1), []
        if t.text in members:
            others = [other for other, type_ in members.items() if type_ == members[t.text] or (
                INTEGERS.match(type_) and INTEGERS.match(members[t.text]))]
        kind = 'member'
    else:
        known = names.in_function(t.body)
        if any(name is t for name, _ in known) or tokens[i + 1].text in ('=', '('):
            return
        others = [name.text for name, type_ in known
                  if name.end < t.begin and type_ == names.type_of(i)]
        kind = 'variable'
    for other in sorted(set(others) - {t.text}):
        yield Mutant(path, source, kind, t.begin, t.end, other)
        same = same_member_behind(tokens, i) if kind == 'member' else None
        if same is not None:  # what two things are compared by
            yield Mutant(path, source, kind, t.begin, same.end,
                         other + source[t.end:same.begin] + other)


def same_member_behind(tokens, i):
    """Of `a.member == b->c.member` the second member, if the first is token i; else None."""
    j = i + 2
    if tokens[i + 1].text not in KIND or tokens[i + 1].text in ('&&', '||'):
        return None
    while tokens[j].kind == 'name' and tokens[j + 1].text in ('.', '->'):
        j += 2
    return tokens[j] if j > i + 2 and tokens[j].text == tokens[i].text else None


def statements(path, source, tokens, i):
    t, before, behind = tokens[i], tokens[i - 1], tokens[i + 1]
    if t.text in ('if', 'while') and behind.text == '(':
        end = closing(tokens, i + 1)
        inner = source[behind.end:tokens[end].begin]
        yield Mutant(path, source, 'condition', behind.end, tokens[end].begin, f'!({inner})')
        yield Mutant(path, source, 'condition', behind.end, tokens[end].begin, '0')
    if t.text == 'return' and t.inside.endswith('lc_status'):
        end = next(j for j in range(i, len(tokens)) if tokens[j].text == ';')
        if source[t.begin:tokens[end].begin] != 'return LC_OK':
            yield Mutant(path, source, 'status', t.begin, tokens[end].begin, 'return LC_OK')
    # A statement that begins here: a call, an assignment, a jump out of a loop.
    begins = before.text in (';', '{', '}', 'else', ':') or (
        before.text == ')' and before.opened_by.text in ('if', 'for', 'while'))
    if not begins or t.brackets or t.kind not in ('name', 'mark') or t.text in '{};).,':
        return
    if t.text in KEYWORDS or (is_type(t) and behind.text != '('):
        return
    level = 0
    for j in range(i, len(tokens)):
        level += {'(': 1, '[': 1, '{': 1, ')': -1, ']': -1, '}': -1}.get(tokens[j].text, 0)
        if level < 0:
            return  # the inside of for (...), of an initialiser
        if level == 0 and tokens[j].text == ';':
            break
    else:
        return
    if j == i or (j == i + 1 and t.text not in ('break', 'continue')):
        return
    if tokens[i + 1].kind == 'name' or t.text == 'default':
        return  # a declaration
    gap = source.count('\n', t.begin, tokens[j].begin)
    yield Mutant(path, source, 'left out', t.begin, tokens[j].begin, '(void)0' + '\n' * gap)


def swapped_arguments(path, source, tokens, i):
    end, level, commas = closing(tokens, i), 0, [tokens[i]]
    for j in range(i, end):
        level += {'(': 1, '[': 1, '{': 1, ')': -1, ']': -1, '}': -1}.get(tokens[j].text, 0)
        if level == 1 and tokens[j].text == ',':
            commas.append(tokens[j])
    commas.append(tokens[end])
    for a, b, c in zip(commas, commas[1:], commas[2:]):
        left, right = source[a.end:b.begin].strip(), source[b.end:c.begin].strip()
        if left and right and left != right and '"' not in left + right:
            begin = source.index(left, a.end)
            yield Mutant(path, source, 'arguments', begin, source.index(right, b.end) + len(right),
                         right + source[begin + len(left):source.index(right, b.end)] + left)


# Lists of faults --------------------------------------------------------------------------------

def read_blocks(path):
    """The blocks of a list: (line, why, file, old lines, new lines)."""
    blocks, block = [], []
    lines = path.read_text().split('\n') + ['']
    for number, line in enumerate(lines, 1):
        if line.strip():
            block.append((number, line.strip()))
            continue
        rest = [(n, text) for n, text in block if not text.startswith('#')]
        if rest:
            why = ' '.join(text[1:].strip() for _, text in block if text.startswith('#'))
            old = tuple(text[1:].strip() for _, text in rest[1:] if text.startswith('-'))
            new = tuple(text[1:].strip() for _, text in rest[1:] if text.startswith('+'))
            if len(old) + len(new) != len(rest) - 1 or not old:
                give_up(f'{path}:{rest[0][0]}: a block is a file, lines with -, lines with +')
            blocks.append((rest[0][0], why, rest[0][1], old, new))
        block = []
    return blocks


def read_faults(path):
    """A list's faults as mutants. One that does not fit the sources any more ends the program."""
    mutants = []
    for number, why, name, old, new in read_blocks(path):
        if not (ROOT / name).is_file():
            give_up(f'{path}:{number}: there is no {name}')
        source = (ROOT / name).read_text()
        lines = source.split('\n')
        bare = [line.strip() for line in lines]
        places = [i for i in range(len(lines)) if tuple(bare[i:i + len(old)]) == old]
        if len(places) != 1:
            give_up(f'{path}:{number}: these lines occur {len(places)} times in {name}, not once: '
                     f'{old[0]}')
        begin = sum(len(line) + 1 for line in lines[:places[0]])
        end = begin + len('\n'.join(lines[places[0]:places[0] + len(old)]))
        mutants.append(Mutant(name, source, 'written down', begin, end, '\n'.join(new), why))
    return mutants


def read_equivalent():
    """The keys of those that change nothing. Says which entries no longer fit the sources."""
    keys = set()
    for number, why, name, old, new in read_blocks(EQUIVALENT) if EQUIVALENT.exists() else []:
        text = (ROOT / name).read_text() if (ROOT / name).is_file() else ''
        if '\n'.join(old) not in '\n'.join(stripped(text)):
            print(f'{EQUIVALENT.name}:{number}: {name} has no such lines any more: {old[0]}')
        if not why:
            give_up(f'{EQUIVALENT}:{number}: the reason is missing')
        keys.add((name, old, new))
    return keys


def draw(mutants, seed):
    """An endless order of all: a kind by chance, then one of that kind; a line once."""
    chance, kinds = random.Random(seed), {}
    for m in mutants:
        kinds.setdefault(m.kind, []).append(m)
    for kind in sorted(kinds):
        chance.shuffle(kinds[kind])
    lines = set()
    while kinds:
        kind = chance.choice(sorted(kinds))
        m = kinds[kind].pop()
        if not kinds[kind]:
            del kinds[kind]
        if (m.path, m.line) not in lines:
            lines.add((m.path, m.line))
            yield m


# The copy, and what is done with it -------------------------------------------------------------

def limit_program(memory_bytes):
    def limit():
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_FSIZE, (8 << 30, 8 << 30))
        if memory_bytes:
            resource.setrlimit(resource.RLIMIT_AS, (memory_bytes, memory_bytes))
    return limit


class Copy:
    """A copy of the tree with a build of its own."""

    def __init__(self, folder, options):
        self.folder, self.options = folder, options
        self.tree, self.build = folder / 'tree', folder / 'tree/build'
        self.tests = {}
        self.child = None
        self.times = {}  # of the tests that passed, in seconds; None: it fails without a fault, too

    def prepare(self):
        names = subprocess.run(['git', 'ls-files', '-co', '--exclude-standard', '-z'], cwd=ROOT,
                               check=True, capture_output=True, text=True).stdout.split('\0')
        names = {name for name in names if name and (ROOT / name).is_file()}
        listed = self.folder / 'files.json'
        if listed.exists():
            for gone in set(json.loads(listed.read_text())) - names:
                (self.tree / gone).unlink(missing_ok=True)
        for name in sorted(names):
            data, to = (ROOT / name).read_bytes(), self.tree / name
            if not to.is_file() or to.read_bytes() != data:
                to.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(ROOT / name, to)
        listed.write_text(json.dumps(sorted(names)))
        flags = '-Werror=int-conversion -Werror=incompatible-pointer-types'
        command = ['cmake', '-G', 'Ninja', '-S', self.tree, '-B', self.build,
                   '-DCMAKE_BUILD_TYPE=Release', f'-DCMAKE_C_FLAGS={flags}',
                   f'-DLC_SANITIZE={"ON" if self.options.sanitize else "OFF"}']
        if shutil.which('ccache'):
            command.append('-DCMAKE_C_COMPILER_LAUNCHER=ccache')
        self.must(command, 'configure')
        self.must(['ninja', '-C', self.build], 'build')  # ctest names no command before that
        shown = subprocess.run(['ctest', '--test-dir', self.build, '--show-only=json-v1'],
                               check=True, capture_output=True, text=True).stdout
        for test in json.loads(shown)['tests']:
            properties = {p['name']: p['value'] for p in test['properties']}
            self.tests[test['name']] = (test['command'], properties)

    def must(self, command, what):
        done = subprocess.run(command, capture_output=True, text=True, env=self.environment())
        if done.returncode != 0:
            give_up(f'could not {what} the copy:\n{(done.stdout + done.stderr)[-4000:]}')

    def environment(self):
        own = {name: str(self.folder / name.lower())
               for name in ('TMPDIR', 'HOME', 'XDG_CACHE_HOME')}
        for place in own.values():
            Path(place).mkdir(parents=True, exist_ok=True)
        ccache = os.environ.get('CCACHE_DIR') or str(Path.home() / '.cache/ccache')
        return {**os.environ, **own, 'CCACHE_BASEDIR': str(self.tree), 'CCACHE_DIR': ccache}

    def make(self, name):
        """Builds what a test needs. False: it does not compile."""
        command, _ = self.tests[name]
        targets = [os.path.relpath(word, self.build) for word in command
                   if word.startswith(str(self.build) + '/')]
        if not targets:
            return True
        done = subprocess.run(['ninja', '-C', self.build, *targets], capture_output=True,
                              text=True, env=self.environment())
        self.log(done.stdout + done.stderr)
        return done.returncode == 0

    def run(self, name, limit_s):
        """Runs a test: ('passed', 'failed', 'skipped' or 'too slow', seconds)."""
        command, properties = self.tests[name]
        environment = self.environment()
        for setting in properties.get('ENVIRONMENT', []):
            key, _, value = setting.partition('=')
            environment[key] = value
        shutil.rmtree(environment['TMPDIR'], ignore_errors=True)
        os.makedirs(environment['TMPDIR'])
        begun = time.monotonic()
        memory = 0 if self.options.sanitize else self.options.memory << 30
        with open(self.folder / 'output', 'w') as output:
            self.child = child = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=output,
                                     stderr=subprocess.STDOUT, env=environment,
                                     cwd=properties.get('WORKING_DIRECTORY', self.build),
                                     start_new_session=True, preexec_fn=limit_program(memory))
            try:
                code = child.wait(limit_s)
            except subprocess.TimeoutExpired:
                code = None
            self.end_child()  # whatever it has left running, too
            child.wait()
        seconds = time.monotonic() - begun
        with open(self.folder / 'output', errors='replace') as output:
            self.log(f'---- {name}: {code}\n' + output.read(100000))
        if code is None:
            return 'too slow', seconds
        if code == properties.get('SKIP_RETURN_CODE'):
            return 'skipped', seconds
        return 'passed' if code == 0 else 'failed', seconds

    def end_child(self):
        try:
            if self.child is not None:
                os.killpg(self.child.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass

    def log(self, text):
        with open(self.folder / 'log', 'a') as log:
            log.write(text)

    def objects(self, name):
        """The machine code that comes of a source file; of a header: all machine code."""
        pattern = '*.o' if Path(name).suffix in ('.h', '.cuh') else f'{Path(name).name}.o'
        found = sorted(self.build.glob(f'**/{pattern}'))
        return [hashlib.sha256(o.read_bytes()).hexdigest() for o in found]

    def passes_without(self, name):
        """Whether a test passes in the tree as it is; tried once. How long that takes is kept."""
        if name not in self.times:
            if not self.make(name):
                give_up(f'the tree does not build without a fault; see {self.folder}/log')
            result, seconds = self.run(name, 1800)
            self.times[name] = seconds if result == 'passed' else None
            print(f'    {name}: {result} without a fault ({seconds:.1f} s)', flush=True)
        return self.times[name] is not None

    def judge(self, mutant, names):
        """What became of a fault: (verdict, test, seconds)."""
        place = self.tree / mutant.path
        if mutant.path.endswith('h') and names:
            self.make(names[0])  # it may have been built with the fault before
        before = self.objects(mutant.path)
        self.log(f'\n======== {mutant} {mutant.kind}\n{mutant.diff()}\n')
        for i, name in enumerate(names):
            place.write_text(mutant.changed)
            try:
                if not self.make(name):
                    return 'does not compile', '', 0
                if i == 0 and before and self.objects(mutant.path) == before:
                    return 'same code', '', 0
                known_s = self.times.get(name) or 60
                limit_s = max(self.options.least, self.options.patience * known_s)
                result, seconds = self.run(name, limit_s)
            finally:
                place.write_text(mutant.source)
            if result == 'passed':
                self.times.setdefault(name, seconds)
            elif result != 'skipped' and self.passes_without(name):
                return ('killed' if result == 'failed' else 'killed by time'), name, seconds
        return 'SURVIVED', '', 0


def tests_for(path, copy, options):
    if options.tests:
        return [name for name in copy.tests if re.search(options.tests, name)]
    names = [name for name in tests_of(path) if name in copy.tests]
    if options.all:
        names += [name for name in copy.tests if name not in names]
    return names


# The command ------------------------------------------------------------------------------------

def read_options():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add('--files', nargs='+', metavar='PATTERN', default=['src/*.c', 'src/*.h'],
        help='where to plant (src/*.c src/*.h; a * goes through folders; !PATTERN: not there)')
    add('--count', type=int, default=20, help='faults to plant (20)')
    add('--skip', type=int, default=0, help='leave out the first so many that were drawn (0)')
    add('--seed', type=int, default=1, help='which ones (1)')
    add('--faults', type=Path, metavar='LIST', help='plant those of a list instead')
    add('--tests', metavar='REGEX', help='run these tests, whatever the file')
    add('--all', action='store_true', help="run all tests after those of the file's room")
    add('--jobs', type=int, default=1, help='copies to work in at a time (1)')
    add('--patience', type=float, default=10,
        help='a test may take so many times what it takes without a fault (10) ...')
    add('--least', type=float, default=60, help='... and so many seconds in any case (60)')
    add('--limit', type=float, default=0, metavar='MINUTES', help='begin no fault after that')
    add('--memory', type=int, default=16, metavar='GIB', help='for each program (16; 0: no limit)')
    add('--sanitize', action='store_true', help='build with the sanitizers')
    add('--allow', type=int, default=0, metavar='N', help='so many may survive (0)')
    add('--work', type=Path, default=ROOT / 'build-mutate', help='the copies (build-mutate)')
    add('--list', action='store_true', help='say what would be planted, in order; no more')
    return parser.parse_args()


def candidates(options):
    if options.faults:
        return read_faults(options.faults), len(read_faults(options.faults))
    in_git = subprocess.run(['git', 'ls-files', '-co', '--exclude-standard'], cwd=ROOT, check=True,
                            capture_output=True, text=True).stdout.split('\n')
    wanted = [pattern for pattern in options.files if not pattern.startswith('!')]
    unwanted = [pattern[1:] for pattern in options.files if pattern.startswith('!')]
    names = sorted(n for n in set(in_git) if Path(n).suffix in ('.c', '.h', '.cu', '.cuh')
                   and any(fnmatch.fnmatch(n, pattern) for pattern in wanted))
    if not names:
        give_up(f'no source file is called {" ".join(options.files)}')
    equivalent, all_of_them = read_equivalent(), []
    structures = {}
    for name in sorted(in_git):
        if name.endswith('.h'):
            structures.update(structures_of((ROOT / name).read_text()))
    for name in names:
        all_of_them += mutants_of(name, (ROOT / name).read_text(), structures)
    # Taken out after they were drawn, so that the order of the others stays as it was.
    left = [m for m in draw(all_of_them, options.seed) if m.key not in equivalent
            and not any(fnmatch.fnmatch(m.path, pattern) for pattern in unwanted)]
    print(f'{len(all_of_them)} faults can be planted in {len(names)} files; '
          f'{len(equivalent)} are written down as changing nothing.')
    return left[options.skip:], options.count


def main():
    options = read_options()
    mutants, wanted = candidates(options)
    if options.list:
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # whoever reads it may stop
        for m in mutants:
            print(f'{str(m):40} {m.kind:12} {" / ".join(m.old)}  ->  {" / ".join(m.new)}')
        return 0
    os.nice(10)
    begun = time.monotonic()
    copies = [Copy(options.work / str(i), options) for i in range(options.jobs)]
    for copy in copies:
        copy.folder.mkdir(parents=True, exist_ok=True)
        (copy.folder / 'log').write_text('')
        copy.prepare()
    waiting, results, lock = list(enumerate(mutants)), [], threading.Lock()
    planted, broken = [0], []

    def work(copy):
        while True:
            with lock:
                late = options.limit and time.monotonic() - begun > options.limit * 60
                if not waiting or planted[0] >= wanted or late or broken:
                    return
                number, mutant = waiting.pop(0)
                planted[0] += 1
            try:
                verdict, test, seconds = copy.judge(mutant, tests_for(mutant.path, copy, options))
            except BaseException as error:  # main ends the program
                broken.append(error)
                return
            with lock:
                if verdict in ('does not compile', 'same code') and not options.faults:
                    planted[0] -= 1
                else:
                    results.append((number, mutant, verdict))
                report(mutant, verdict, test, seconds)

    threads = [threading.Thread(target=work, args=(copy,), daemon=True) for copy in copies]
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(2))
    try:
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        for copy in copies:
            copy.end_child()
    if broken:
        raise broken[0]
    for name in sorted({n for copy in copies for n, t in copy.times.items() if t is None}):
        print(f'The test {name} does not pass without a fault either, so it showed nothing.')
    return summary(results, wanted, options)


def report(mutant, verdict, test, seconds):
    by = f' by {test} ({seconds:.1f} s)' if test else ''
    print(f'{verdict}{by}: {mutant} {mutant.kind}: {" / ".join(mutant.old)}  ->  '
          f'{" / ".join(mutant.new)}', flush=True)


def summary(results, wanted, options):
    results.sort(key=lambda r: r[0])
    survivors = [m for _, m, verdict in results if not verdict.startswith('killed')]
    print(f'\n{len(results) - len(survivors)} of {len(results)} faults were seen by a test.')
    if len(results) < wanted:
        print(f'{wanted} were wanted: there are no more, or the time was over.')
    for m in survivors:
        print(f'\nSURVIVED: {m} {m.kind}{": " + m.why if m.why else ""}\n{m.diff()}')
    return 1 if len(survivors) > options.allow else 0


if __name__ == '__main__':
    sys.exit(main())
