#!/usr/bin/env python3
"""Coverage: the lines of src/ that the tests of `make test` run, by room.

    tools/coverage.py                          builds, runs all tests, prints a table
    tools/coverage.py --write before.txt       also writes the table to a file
    tools/coverage.py --compare before.txt     also prints what changed; exit status 1 if a room
                                               lost more than one point
    tools/coverage.py --no-run                 only the table, of the last run

The build lies in a folder of its own (build-coverage) and only functions of src/ are counted, so
tests take about twice their usual time. A line counts as run if any of the test programs ran it. A
header's line occurs in many objects; it counts once. Programs that a signal or _exit ends write no
counts, so lines that only such programs run are missing. gcc and gcov must be of the same version.
"""
import argparse
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

# These run nothing of src/, or compare files with what a usual build makes.
NOT_RUN = ('^(layers.*|.*_can_fail|headers_.*|cuda_abi|exported_names|install|install_deps|'
           'run_tests)$')


def give_up(message):
    print(f'coverage: {message}', file=sys.stderr)
    raise SystemExit(2)


def build(folder):
    # Threads add to a count without locks: a count may be too small then, but never 0.
    flags = f'--coverage -fprofile-update=single -fprofile-filter-files={ROOT}/src/.*'
    command = ['cmake', '-G', 'Ninja', '-S', ROOT, '-B', folder, '-DCMAKE_BUILD_TYPE=Release',
               '-DCMAKE_C_COMPILER=gcc', f'-DCMAKE_C_FLAGS={flags}', '-Dpatience_s=7200']
    if shutil.which('ccache'):
        command.append('-DCMAKE_C_COMPILER_LAUNCHER=ccache')
    if subprocess.run(command, stdout=subprocess.DEVNULL).returncode != 0:
        give_up('CMake failed')
    if subprocess.run(['cmake', '--build', folder]).returncode != 0:
        give_up('the build failed')


def run_tests(folder, jobs, tests):
    for old in folder.rglob('*.gcda'):
        old.unlink()
    command = ['ctest', '--test-dir', folder, '-j', str(jobs), '--output-on-failure',
               '--no-label-summary', '-E', NOT_RUN]
    if tests:
        command += ['-R', tests]
    return subprocess.run(command, stdin=subprocess.DEVNULL).returncode == 0


def room_of(path):
    parts = path.split('/')
    depth = 3 if parts[1] == 'engine' and len(parts) > 3 else 2
    return '/'.join(parts[:depth])


def count_lines(folder):
    """By room: (lines, lines run)."""
    notes = sorted(str(path.relative_to(folder)) for path in folder.rglob('*.gcno'))
    if not notes:
        give_up(f'{folder} has no build with coverage')
    runs = {}  # (file, line) -> run by any program
    for begin in range(0, len(notes), 50):
        done = subprocess.run(['gcov', '--json-format', '--stdout', *notes[begin:begin + 50]],
                              cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                              text=True)
        if done.returncode != 0:
            give_up(f'gcov failed: {done.returncode}')
        for document in done.stdout.splitlines():
            for file in json.loads(document)['files']:
                name = os.path.relpath(os.path.join(folder, file['file']), ROOT)
                if name.startswith('src/'):
                    for line in file['lines']:
                        key = name, line['line_number']
                        runs[key] = runs.get(key, False) or line['count'] > 0
    rooms = {}
    for (name, _), run in runs.items():
        for room in (room_of(name), 'all'):
            lines, lines_run = rooms.get(room, (0, 0))
            rooms[room] = lines + 1, lines_run + run
    return rooms


def percent(counts):
    return 100 * counts[1] / counts[0]


def write_table(rooms):
    names = sorted(rooms, key=lambda name: (name == 'all', name))
    rows = [f'{"room":22} {"lines":>7} {"run":>7} {"%":>7}']
    rows += [f'{name:22} {rooms[name][0]:7} {rooms[name][1]:7} {percent(rooms[name]):7.2f}'
             for name in names]
    return '\n'.join(rows) + '\n'


def read_table(path):
    rows = [line.split() for line in path.read_text().splitlines()[1:]]
    return {name: (int(lines), int(run)) for name, lines, run, _ in rows}


def compare(before, after):
    """Prints each room's change in points. Whether none lost more than one."""
    kept = True
    for name in sorted(before):
        if name not in after:
            print(f'{name:22} is gone')
            continue
        points = percent(after[name]) - percent(before[name])
        lost = points < -1
        kept = kept and not lost
        print(f'{name:22} {percent(before[name]):7.2f} {percent(after[name]):7.2f} {points:+7.2f}'
              f'{"  LOST" if lost else ""}')
    return kept


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add('--build', type=Path, default=ROOT / 'build-coverage', help='folder (build-coverage)')
    add('--jobs', type=int, default=os.cpu_count(), help='tests that run at a time')
    add('--tests', metavar='REGEX', help='run these tests only')
    add('--no-run', action='store_true', help='build and run nothing')
    add('--write', type=Path, metavar='FILE', help='write the table there too')
    add('--compare', type=Path, metavar='FILE', help='a table written before')
    options = parser.parse_args()
    folder = options.build.resolve()
    before = read_table(options.compare) if options.compare else None
    passed = True
    if not options.no_run:
        build(folder)
        passed = run_tests(folder, options.jobs, options.tests)
    rooms = count_lines(folder)
    table = write_table(rooms)
    print(table, end='')
    if options.write:
        options.write.write_text(table)
    if not passed:
        print('coverage: some tests failed, so lines may be missing', file=sys.stderr)
    kept = before is None or compare(before, rooms)
    return 0 if passed and kept else 1


if __name__ == '__main__':
    sys.exit(main())
