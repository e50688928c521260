"""The changes that tests wait for: events of services, changes of pages, and output of programs.

Threads that read them report each one. A condition is checked when a wait begins and after each change, so a test waits
exactly as long as it has to.
"""

import threading
import time


class Changes:
    """A count of changes, and a way to wait for the next one."""

    def __init__(self):
        self.count = 0
        self.changed = threading.Condition()

    def notify(self):
        with self.changed:
            self.count += 1
            self.changed.notify_all()

    def wait(self, count, seconds):
        """Waits until there were more changes than `count`; returns whether that happened within the time."""
        with self.changed:
            return self.changed.wait_for(lambda: self.count > count, max(0, seconds))


changes = Changes()


def wait_for(found, what, seconds=300):
    """Returns the first true value of `found`; raises an error that names `what` after the time limit.

    The limit only ends a run that hangs.
    """
    end = time.monotonic() + seconds
    while True:
        count = changes.count
        value = found()
        if value:
            return value
        if not changes.wait(count, end - time.monotonic()):
            raise AssertionError(f"waited {seconds} s for {what}; the last value was {value!r}")


def follow(read, each=lambda data: None):
    """Calls `read` on a thread of its own until it returns nothing or fails, and reports each result as a change."""
    def run():
        try:
            while data := read():
                each(data)
                changes.notify()
        except OSError:
            pass
        finally:
            changes.notify()
    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    return thread
