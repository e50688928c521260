"""Writes the rows of MatrixStories, a line of JSON each, as a table into a file between two marks."""

import json
import sys

BEGIN, END = "<!-- matrix -->\n", "<!-- end of matrix -->\n"
COLUMNS = ["start", "messages", "unplug", "plug", "yank"]


def cell(text):
    """What fits a table: a failure's first words, the rest of which the test has printed."""
    return (text if len(text) <= 80 else text[:79] + "…").replace("|", "\\|")


def table(rows):
    lines = ["| driver | kernel | start | 100 messages | unplug | plug | yank | witness |", "|" + "---|" * 8]
    for row in rows:
        cells = [row["driver"], row["kernel"]] + [row[name] for name in COLUMNS] + [row["witness"]]
        lines.append("| " + " | ".join(map(cell, cells)) + " |")
    return "\n".join(lines) + "\n"


def main(source, target):
    with open(source, encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    with open(target, encoding="utf-8") as file:
        text = file.read()
    if not rows or BEGIN not in text or END not in text:
        sys.exit(f"{target} keeps its table: {source} has {len(rows)} rows, or the table's marks are not there")
    drivers = list(dict.fromkeys(row["driver"] for row in rows))
    rows.sort(key=lambda row: drivers.index(row["driver"]))
    head, tail = text.split(BEGIN)[0], text.split(END)[1]
    with open(target, "w", encoding="utf-8") as file:
        file.write(head + BEGIN + "\n" + table(rows) + "\n" + END + tail)


main(*sys.argv[1:])
