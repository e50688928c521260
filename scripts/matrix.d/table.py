"""Writes the rows of MatrixStories, one JSON object per line, as a table between two marks in a file.

Existing rows of other drivers and kernels are kept.
"""

import json
import sys

BEGIN, END = "<!-- matrix -->\n", "<!-- end of matrix -->\n"
HEAD = ["driver", "kernel", "start", "100 messages", "unplug", "plug", "yank", "witness"]
COLUMNS = ["driver", "kernel", "start", "messages", "unplug", "plug", "yank", "witness"]
DRIVERS = ["virtio-gpu", "bochs", "cirrus", "qxl", "udl", "gud", "vkms"]


def cell(text):
    """Returns a text that fits a table cell: a failure is truncated, and the test has printed all of it."""
    return (text if len(text) <= 80 else text[:79] + "…").replace("|", "\\|")


def place(row):
    """Returns a row's sort key: driver, then kernel version."""
    version = [int(part) for part in row[1].split(".")[:2] if part.isdigit()]
    return (DRIVERS.index(row[0]) if row[0] in DRIVERS else len(DRIVERS), version)


def kept(table):
    """Returns the rows of a table without its head."""
    lines = [line for line in table.splitlines() if line.startswith("|")][2:]
    # A bar within a cell is escaped with a backslash.
    return [[part.replace("\0", "\\|").strip() for part in line.replace("\\|", "\0").split("|")[1:-1]] for line in lines]


def main(source, target):
    with open(source, encoding="utf-8") as file:
        seen = [[cell(row[name]) for name in COLUMNS] for row in map(json.loads, file)]
    with open(target, encoding="utf-8") as file:
        text = file.read()
    if not seen or BEGIN not in text or END not in text:
        sys.exit(f"{target} is unchanged: {source} has {len(seen)} rows, or {target} lacks the table's marks")
    head, (table, tail) = text.split(BEGIN)[0], text.split(BEGIN)[1].split(END)
    places = [place(row) for row in seen]
    rows = sorted([row for row in kept(table) if place(row) not in places] + seen, key=place)
    with open(target, "w", encoding="utf-8") as file:
        lines = ["| " + " | ".join(row) + " |" for row in [HEAD] + rows]
        lines.insert(1, "|" + "---|" * len(HEAD))
        file.write(head + BEGIN + "\n" + "\n".join(lines) + "\n\n" + END + tail)


main(*sys.argv[1:])
