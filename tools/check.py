#!/usr/bin/env python3
"""`make check`: what touches the files that have changed, in a minute or two.

    make check                 files that differ from the upstream branch, or from HEAD~1 if there
                               is none; uncommitted and untracked files, too
    make check SINCE=COMMIT    files that differ from COMMIT
    tools/check.py --list      says what would be checked; no more

It checks the format of these files, who includes whom, the style, the prose, the scripts, and runs
the tests that tools/rooms.py has for them, after building only what they need. Where files of the page have
changed it checks the page's types and runs load.test.mjs and the test named after the file.
It does not run all tests: `make test` does, and .ci/run all that must hold before a change goes in.

Exit status: 0 if all passed, 1 if a check failed, 2 if it could not run.
"""
import argparse
import os
import re
import subprocess
import sys
from pathlib import Path

sys.dont_write_bytecode = True
from rooms import tests_of  # noqa: E402

ROOT = Path(__file__).resolve().parent.parent


def give_up(message):
    print(f'check: {message}', file=sys.stderr)
    raise SystemExit(2)


def git(*words):
    """What git prints; None if it fails."""
    done = subprocess.run(['git', '-C', ROOT, *words], capture_output=True, text=True)
    return done.stdout if done.returncode == 0 else None


def changed_files(since):
    """The commit that is compared with, and the paths that differ, of removed files too."""
    if since is None:
        upstream = git('rev-parse', '--abbrev-ref', '@{upstream}')
        since = upstream.strip() if upstream else 'HEAD~1'
    base = git('merge-base', since, 'HEAD')
    if base is None:
        give_up(f'git knows no commit {since}')
    differ = git('diff', '--name-only', '--no-renames', '-z', base.strip())
    new = git('ls-files', '-o', '--exclude-standard', '-z')
    return since, sorted({name for name in (differ + new).split('\0') if name})


def tests_for(path):
    """The names of the tests for a file; [] if it has none."""
    file = Path(path)
    named = re.fullmatch(r'tests/test_([a-z0-9_]+)\.(c|sh)', path)
    if named:
        return [named.group(1)]
    if re.fullmatch(r'tests/(oracle|support)[a-z_]*\.[ch]', path):
        include = f'"{file.stem}.h"'
        return sorted(test.stem[len('test_'):] for test in (ROOT / 'tests').glob('test_*.c')
                      if include in test.read_text())
    names = tests_of(path)
    if path.startswith('include/lightcone/'):
        names = ['headers_c', 'headers_cxx', 'headers_examples', *names]
    return names


def browser_tests(paths):
    """The files of tests/browser to run."""
    page = [Path(path) for path in paths if path.startswith(('viewer/page/', 'tests/browser/'))]
    if not page:
        return []
    wanted = ['load.test.mjs']
    for path in page:
        name = path.name if path.name.endswith('.test.mjs') else f'{path.stem}.test.mjs'
        if (ROOT / 'tests/browser' / name).is_file() and name not in wanted:
            wanted.append(name)
    return wanted


def plan(paths):
    """The checks, (name, command), and the tests."""
    there = [path for path in paths if (ROOT / path).is_file()]
    formatted = [path for path in there if path.endswith(('.c', '.h'))]
    scripts = [path for path in there if path.endswith(('.sh', '.bash')) or path == '.ci/run']
    checks = []
    if formatted:
        checks.append(('format', ['clang-format', '--dry-run', '--Werror', *formatted]))
    if any(path.endswith(('.c', '.h', '.cu', '.cuh')) for path in paths):
        checks.append(('layers', ['tools/check-layers.sh']))
    if there:
        checks.append(('style', ['tools/check-style.sh']))
        checks.append(('prose', ['tools/check-prose.py']))
    if scripts:
        checks.append(('scripts', ['tools/check-scripts.sh', *scripts]))
    tests = []
    for path in paths:
        tests += [name for name in tests_for(path) if name not in tests]
    return checks, tests


def listed_tests(build):
    """By name, the paths in the build that a test's command and environment have."""
    tests, inside = {}, re.compile(re.escape(str(build)) + r'/[^";]*')
    for file in [build / 'CTestTestfile.cmake', *build.glob('*/CTestTestfile.cmake')]:
        for line in file.read_text().splitlines():
            match = re.match(r'(?:add_test|set_tests_properties)\(\[=*\[(.*?)\]=*\]', line)
            if match:
                paths = inside.findall(line[match.end():])
                tests.setdefault(match.group(1), []).extend(
                    os.path.relpath(path, build) for path in paths)
    return tests


def build_and_run(build, tests, with_command):
    """Builds what these tests need, and runs them. Whether they pass."""
    listed = listed_tests(build)
    known = [name for name in tests if name in listed]
    output = subprocess.run(['ninja', '-C', build, '-t', 'targets', 'all'], stdout=subprocess.PIPE,
                            text=True).stdout
    targets = {line.rpartition(': ')[0] for line in output.splitlines()}
    wanted = {path for name in known for path in listed[name]}
    if with_command:
        wanted.add('lightcone')
    wanted = sorted(wanted & targets)
    if wanted and subprocess.run(['ninja', '-C', build, *wanted]).returncode != 0:
        return False
    if not known:
        return True
    regex = f'^({"|".join(map(re.escape, known))})$'
    return subprocess.run(['tools/run-tests.sh', build, '-R', regex], cwd=ROOT).returncode == 0


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add('--since', metavar='COMMIT', help='compare with it (the upstream branch, or HEAD~1)')
    add('--build', type=Path, default=ROOT / 'build', help='folder of a configured build (build)')
    add('--list', action='store_true', help='say what would be checked')
    options = parser.parse_args()
    build = options.build.resolve()
    since, paths = changed_files(options.since)
    checks, tests = plan(paths)
    pages = browser_tests(paths)
    print(f'check: {len(paths)} files differ from {since}')
    print(f'checks: {" ".join(name for name, _ in checks)}')
    print(f'tests: {" ".join(tests + pages)}')
    without = [path for path in paths if not tests_for(path) and not browser_tests([path])]
    if without:
        print(f'files without a test here (make test runs all): {" ".join(without)}')
    if options.list:
        return 0
    failed = []
    for name, command in checks:
        if subprocess.run(command, cwd=ROOT).returncode != 0:
            failed.append(name)
    if (tests or pages) and not build_and_run(build, tests, bool(pages)):
        failed.append('tests')
    if pages and 'tests' not in failed:
        command = ['tools/test-browser.sh', build / 'lightcone', *pages]
        if subprocess.run(command, cwd=ROOT).returncode not in (0, 77):  # 77: no browser here
            failed.append('page')
    print(f'check: failed: {" ".join(failed)}' if failed else 'check: all of it passed')
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
