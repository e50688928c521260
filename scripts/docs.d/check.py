"""Checks the links and the command lines of the documents.

Usage: check.py PRODUCTS [PROBLEMS]

PRODUCTS is the directory with the built programs. PROBLEMS is the number of problems that were found before. Prints
`N links, N commands, N problems`; the exit status is 1 if there is a problem.
"""

import json
import re
import shlex
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CATALOG = ROOT / "Sources/Documentation.docc"
PICTURES = ROOT / "scripts/pictures"
DOCUMENTS = [ROOT / name for name in ["README.md", "CONTRIBUTING.md", "Sources/README.md"]] + sorted(CATALOG.glob("*.md"))

FENCE = re.compile(r"\s*```(\w*)\s*$")
LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)|<((?:doc|https?):[^>\s]+)>")
# Options that swift-argument-parser adds to each command.
BUILT_IN = {"--help", "-h", "--version", "--generate-completion-script"}


def blocks(path):
    """The lines of a document outside code blocks, and those of each code block with its language, all numbered."""
    prose, code, language, lines = [], [], None, []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        fence = FENCE.match(line)
        if not fence:
            (prose if language is None else lines).append((number, line))
        elif language is None:
            language, lines = fence[1] or "text", []
        else:
            code.append((language, lines))
            language = None
    return prose, code


def anchors(path):
    """The anchors of a document's headings, as GitHub makes them."""
    found = set()
    for _, line in blocks(path)[0]:
        if re.match(r"#{1,6} ", line):
            title = re.sub(r"[^\w\- ]", "", line.lstrip("#").strip().lower()).replace(" ", "-")
            number = 0
            while (name := f"{title}-{number}" if number else title) in found:
                number += 1
            found.add(name)
    return found


class Check:
    """The counts and the problems of all documents."""

    def __init__(self, products):
        self.products = products
        self.links = self.commands = 0
        self.problems = []
        self.external = {}
        self.helps = {}
        self.trees = {}

    def complain(self, path, number, text):
        self.problems.append(f"{path.relative_to(ROOT)}:{number}: {text}")

    # Links

    def check_links(self, path, prose):
        # A link's text may continue on the next line, so the whole is searched. Code keeps its place.
        text = "\n".join(line for _, line in prose)
        text = re.sub(r"`[^`\n]*`", lambda code: " " * len(code[0]), text)
        for link in LINK.finditer(text):
            self.links += 1
            self.check_link(path, prose[text.count("\n", 0, link.start())][0], link[1] or link[2])

    def check_link(self, path, number, target):
        if re.match(r"https?:", target):
            self.external.setdefault(target, f"{path.relative_to(ROOT)}:{number}")
            return
        if target.startswith("doc:"):
            name, _, anchor = target[4:].partition("#")
            file, anchor = CATALOG / f"{name}.md", anchor.lower()
        else:
            name, _, anchor = target.partition("#")
            # The catalog's images are copied into it when the site is built.
            is_image = path.parent == CATALOG and (PICTURES / name).is_file()
            file = PICTURES / name if is_image else (path.parent / name).resolve() if name else path
        if not file.exists():
            self.complain(path, number, f"{target} does not exist")
        elif anchor and anchor not in anchors(file):
            self.complain(path, number, f"{file.name} has no heading for #{anchor}")

    # Commands

    def check_commands(self, path, code):
        for language, lines in code:
            if language == "sh":
                for number, line in joined(lines):
                    self.check_line(path, number, line)

    def check_line(self, path, number, line):
        try:
            for words in calls(line):
                fault = self.fault(words)
                if fault is not None:
                    self.commands += 1
                if fault:
                    self.complain(path, number, f"{' '.join(words)}: {fault}")
        except ValueError as error:
            self.complain(path, number, f"{error}: {line}")

    def fault(self, words):
        """What is wrong with a command: an empty text if nothing is, None if it is not one of this project."""
        program, arguments = words[0], words[1:]
        if program == "placardd":
            return self.flat_fault(self.help(self.products / program), arguments)
        if program in ("placard", "placard-lab"):
            return self.tree_fault(program, arguments)
        if program.startswith("scripts/"):
            return self.script_fault(ROOT / program, arguments)
        return None

    def help(self, *words):
        """What a program or one of its subcommands prints for --help."""
        if words not in self.helps:
            run = subprocess.run([*words, "--help"], capture_output=True, text=True, timeout=60, check=False)
            self.helps[words] = run.stdout
        return self.helps[words]

    def tree(self, program):
        """The commands of a program with their arguments, from swift-argument-parser."""
        if program not in self.trees:
            dump = subprocess.run(
                [self.products / program, "--experimental-dump-help"], capture_output=True, timeout=60, check=True)
            self.trees[program] = json.loads(dump.stdout)["command"]
        return self.trees[program]

    def flat_fault(self, text, arguments):
        """What is wrong with the options of a program without subcommands."""
        known = set(re.findall(r"(?<![\w-])--?[a-z][a-z-]*", text))
        for word in arguments:
            if word.startswith("-") and word not in ("-", "--") and word.split("=")[0] not in known:
                return f"there is no option {word}"
        return ""

    def script_fault(self, script, arguments):
        """What is wrong with the call of a script, whose help is a text."""
        if not script.is_file():
            return f"{script.relative_to(ROOT)} does not exist"
        if not arguments:
            return ""
        text = self.help(script)
        if re.fullmatch(r"[a-z]+", arguments[0]) and not re.search(rf"\b{arguments[0]}\b", text):
            return f"its help does not name {arguments[0]}"
        return self.flat_fault(text, arguments[: arguments.index("--")] if "--" in arguments else arguments)

    def default(self, program, path):
        """The subcommand that a command's help calls the default; the dump does not name it."""
        line = re.search(r"^  ([a-z-]+) \(default\)", self.help(self.products / program, *path), re.MULTILINE)
        return line and line[1]

    def tree_fault(self, program, arguments):
        """What is wrong with the subcommands and options of a program with swift-argument-parser."""
        command, path, rest = self.tree(program), [], list(arguments)
        while rest:
            word = rest.pop(0)
            if word == "--":
                return ""
            if word.startswith("-") and word != "-":
                name, equals, _ = word.partition("=")
                if name in BUILT_IN:
                    return ""
                option = options(command).get(name)
                if option is None:
                    return f"{command['commandName']} has no option {name}"
                if option["kind"] == "option" and not equals:
                    rest = rest[1:]
            elif command.get("subcommands"):
                found = subcommand(command, word, self.default(program, path))
                if found is None:
                    return f"{command['commandName']} has no subcommand {word}"
                if word not in names(found):
                    rest.insert(0, word)
                command = found
                path.append(found["commandName"])
        return ""


def names(command):
    return [command["commandName"], *command.get("aliases", [])]


def subcommand(command, word, default):
    """The subcommand of this name, or else the default one."""
    found = {name: one for one in command["subcommands"] for name in names(one)}
    return found.get(word) or found.get(default)


def options(command):
    """The options and flags of a command, by `--name` and `-n`."""
    return {
        ("--" if name["kind"] == "long" else "-") + name["name"]: argument
        for argument in command.get("arguments", []) for name in argument.get("names", [])}


def joined(lines):
    """The lines of a block, with those joined that continue, at the number of the first."""
    held, start = "", 0
    for number, line in lines:
        start = start if held else number
        held += line.strip()
        if held.endswith("\\"):
            held = held[:-1] + " "
        elif held.endswith("|"):
            held += " "
        elif held:
            yield start, held
            held = ""


def calls(line):
    """The words of each command of a line of shell text, without assignments and redirections."""
    lexer = shlex.shlex(line, posix=True, punctuation_chars=True)
    lexer.whitespace_split = True
    words, skips = [], False
    for word in [*lexer, ";"]:
        if skips:
            skips = False
        elif re.fullmatch(r"[<>]+&?", word):
            skips = True
        elif re.fullmatch(r"[|&;()]+", word):
            while words and (re.match(r"\w+=", words[0]) or words[0] in ("sudo", "{", "do", "then", "exec")):
                words.pop(0)
            if words:
                yield words
            words = []
        else:
            words.append(word)


def main(products, before="0"):
    check = Check(Path(products).resolve())
    for path in DOCUMENTS:
        prose, code = blocks(path)
        check.check_links(path, prose)
        check.check_commands(path, code)
    for url, place in sorted(check.external.items()):
        print(f"external: {url} ({place})")
    for problem in check.problems:
        print(problem, file=sys.stderr)
    count = len(check.problems) + int(before)
    print(f"{check.links} links, {check.commands} commands, {count} problems")
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
