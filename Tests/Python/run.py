"""Runs the tests of a folder, prints their results, and writes `passed failed skipped` to a file.

Usage: run.py FOLDER COUNTS [NAME...]

With names, runs only the tests whose names contain one of them.
"""

import sys
import time
import traceback
import unittest
from pathlib import Path


class Told(unittest.TestResult):
    """A result that prints a line for each test when it ends, and each failure at once."""

    def __init__(self):
        super().__init__()
        self.passed = 0
        self.failed = 0
        self.left_out = 0

    def startTest(self, test):
        super().startTest(test)
        self.began = time.monotonic()
        self.bad = False

    def tell(self, word, test, reason=""):
        name = test.shortDescription() or str(test)
        print(f"{word} {name} ({time.monotonic() - getattr(self, 'began', time.monotonic()):.1f} s){reason}", flush=True)

    def fail_with(self, test, error):
        self.bad = True
        self.failed += 1
        self.tell("FAILED", test)
        print("".join(traceback.format_exception(*error, limit=-6)), flush=True)

    def addSuccess(self, test):
        super().addSuccess(test)
        if not self.bad:
            self.passed += 1
            self.tell("passed", test)

    def addError(self, test, error):
        super().addError(test, error)
        self.fail_with(test, error)

    def addFailure(self, test, error):
        super().addFailure(test, error)
        self.fail_with(test, error)

    def addSubTest(self, test, subtest, error):
        super().addSubTest(test, subtest, error)
        if error:
            self.fail_with(subtest, error)

    def addSkip(self, test, reason):
        super().addSkip(test, reason)
        self.left_out += 1
        self.tell("skipped", test, ": " + reason)


def chosen(suite, names):
    """Yields the tests of a suite whose names contain one of the given words; all tests if there are none."""
    for one in suite:
        if isinstance(one, unittest.TestSuite):
            yield from chosen(one, names)
        elif not names or any(name in one.id() for name in names):
            yield one


def main():
    folder, counts, *names = sys.argv[1:]
    sys.path.insert(0, str(Path(__file__).parent))
    found = unittest.defaultTestLoader.discover(folder, pattern="test_*.py")
    result = Told()
    unittest.TestSuite(chosen(found, names)).run(result)
    Path(counts).write_text(f"{result.passed} {result.failed} {result.left_out}\n")
    sys.exit(1 if result.failed else 0)


if __name__ == "__main__":
    main()
