#!/usr/bin/env python3
"""Changes a live value of one placardd 10,000 times a minute, on a display that shows it.

Usage: values.py PLACARDD [MINUTES]

Starts the service with a virtual 1920x1080 display and a private state file, sends requests over its Unix socket only,
and stops it. Afterwards it counts wake-ups for a minute. Prints a table. The exit status is 1 if a request fails, the
last value is not on the display, or the service wakes up although nothing changes.
"""

import json
import pathlib
import sys
import tempfile
import time

from load import Connection, Service, spread

RATE = 10_000 / 60
DIFFERENT = 997


def switches(pid):
    """Returns the voluntary context switches of all threads, which are their wake-ups, by thread."""
    return {
        task.name: int(line.split()[1])
        for task in pathlib.Path(f"/proc/{pid}/task").iterdir()
        for line in (task / "status").read_text().splitlines() if line.startswith("voluntary_ctxt_switches")
    }


def change(connection, number):
    status, _, body = connection.ask("PUT", "/v1/values/number", {"value": number})
    if status != 200:
        raise SystemExit(f"value {number}: {status} {body[:200]!r}")


def picture(connection):
    """Returns the picture of the display."""
    return connection.ask("GET", "/v1/displays/Virtual-1/preview?width=480&format=png")[2]


def show(connection, text):
    connection.ask("PUT", "/v1/message", {"text": text, "wait": True})


def main():
    program, minutes = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 1
    count = round(RATE * 60 * minutes)
    with tempfile.TemporaryDirectory(prefix="placard-values-") as folder:
        service = Service(program, folder)
        try:
            connection = Connection(service.socket)
            change(connection, 0)
            show(connection, "Number {{number}}")
            times, memory, cpu, start = [], [], service.cpu(), time.monotonic()
            for number in range(1, count + 1):
                time.sleep(max(0, start + number / RATE - time.monotonic()))
                began = time.monotonic_ns()
                change(connection, number % DIFFERENT)
                times.append(time.monotonic_ns() - began)
                if number % (count // 10) == 0:
                    memory.append(service.memory()[0])
            took, cpu = time.monotonic() - start, service.cpu() - cpu
            # The last value is on the display within a few frames.
            time.sleep(1)
            shown = picture(connection)
            # An open connection has a time limit, which is a timer.
            connection.socket.close()
            time.sleep(1)
            before = switches(service.process.pid)
            time.sleep(60)
            after = switches(service.process.pid)
            connection = Connection(service.socket)
            show(connection, f"Number {count % DIFFERENT}")
            is_shown = picture(connection) == shown
        finally:
            service.end()
    wake_ups = sum(after[task] - before.get(task, 0) for task in after)
    print("| 10,000 values a minute on a 1920x1080 display | |", "|---|---|", sep="\n")
    for name, value in (
        ("values, all answered", count),
        ("seconds", f"{took:.1f}"),
        ("response time, ms (median / 99% / maximum)", spread(times, 1e6)),
        ("resident memory, MB, after each tenth", " ".join(f"{one:.1f}" for one in memory)),
        ("processors used", f"{cpu / took:.2f}"),
        ("the last value is on the display", "yes" if is_shown else "no"),
        ("wake-ups in the minute afterwards", wake_ups),
    ):
        print(f"| {name} | {value} |")
    sys.exit(0 if is_shown and wake_ups == 0 else 1)


main()
