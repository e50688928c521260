"""Prints words with the places of their hyphens according to pyphen: oracle.py SEED COUNT FILE...

A word consists of the letters of random patterns of the dictionary, so that many of its patterns occur in it. The
lines are `WORD PLACES FILE`, with the places as numbers of letters separated by commas, or `-`.
"""

import pathlib
import random
import re
import sys
import tempfile

import pyphen


def main():
    source = random.Random(int(sys.argv[1]))
    for path in sys.argv[3:]:
        with open(path, "rb") as file:
            charset = file.readline().strip().decode()
            whole = [line.strip() for line in file.read().decode(charset).splitlines()]
        lines = [line.split("/")[0] for line in whole]
        margins = {"LEFTHYPHENMIN": 2, "RIGHTHYPHENMIN": 2}
        for line in lines:
            name, _, value = line.partition(" ")
            if name in margins:
                margins[name] = int(value)
        letters = ["".join(c for c in line if c.isalpha()) for line in lines if line[:1].islower() or line[:1] in ".1234"]
        letters = [one for one in letters if one and one == one.lower()]
        # pyphen misreads patterns with two digits in one place, of which the German dictionary has some.
        with tempfile.NamedTemporaryFile(suffix=".dic") as plain:
            plain.write("\n".join([charset] + [re.sub(r"\d+(?=\d)", "", line) for line in whole]).encode(charset))
            plain.flush()
            dictionary = pyphen.Pyphen(
                filename=pathlib.Path(plain.name), left=margins["LEFTHYPHENMIN"], right=margins["RIGHTHYPHENMIN"])
        for _ in range(int(sys.argv[2])):
            word = "".join(source.choice(letters) for _ in range(source.randint(2, 6)))[:60]
            # Places at which the spelling changes have data.
            places = [place for place in dictionary.positions(word) if place.data is None] if len(word) > 1 else []
            print(word, ",".join(map(str, places)) or "-", path)


main()
