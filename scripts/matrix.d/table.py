"""Writes the rows of MatrixStories, a line of JSON each, as a table into a file between two marks.

Rows that the table has of other drivers and kernels stay.
"""

import json
import sys

BEGIN, END = "<!-- matrix -->\n", "<!-- end of matrix -->\n"
HEAD = ["driver", "kernel", "start", "100 messages", "unplug", "plug", "yank", "witness"]
COLUMNS = ["driver", "kernel", "start", "messages", "unplug", "plug", "yank", "witness"]
DRIVERS = ["virtio-gpu", "bochs", "cirrus", "qxl", "udl", "gud", "vkms"]


def cell(text):
    """What fits a table: a failure's first words, the rest of which the test has printed."""
    return (text if len(text) <= 80 else text[:79] + "…").replace("|", "\\|")


def place(row):
    """Where a row stands: a driver's rows by kernels."""
    version = [int(part) for part in row[1].split(".")[:2] if part.isdigit()]
    return (DRIVERS.index(row[0]) if row[0] in DRIVERS else len(DRIVERS), version)


def kept(table):
    """The rows of a table, without its head."""
    lines = [line for line in table.splitlines() if line.startswith("|")][2:]
    # A bar within a cell has a backslash before it.
    return [[part.replace("\0", "\\|").strip() for part in line.replace("\\|", "\0").split("|")[1:-1]] for line in lines]


def main(source, target):
    with open(source, encoding="utf-8") as file:
        seen = [[cell(row[name]) for name in COLUMNS] for row in map(json.loads, file)]
    with open(target, encoding="utf-8") as file:
        text = file.read()
    if not seen or BEGIN not in text or END not in text:
        sys.exit(f"{target} keeps its table: {source} has {len(seen)} rows, or the table's marks are not there")
    head, (table, tail) = text.split(BEGIN)[0], text.split(BEGIN)[1].split(END)
    places = [place(row) for row in seen]
    rows = sorted([row for row in kept(table) if place(row) not in places] + seen, key=place)
    with open(target, "w", encoding="utf-8") as file:
        lines = ["| " + " | ".join(row) + " |" for row in [HEAD] + rows]
        lines.insert(1, "|" + "---|" * len(HEAD))
        file.write(head + BEGIN + "\n" + "\n".join(lines) + "\n\n" + END + tail)


main(*sys.argv[1:])
