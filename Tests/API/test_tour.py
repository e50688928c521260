"""The commands of the tour and of the README's first five minutes, typed into a terminal of 80 columns."""

import fcntl
import os
import pty
import re
import select
import signal
import struct
import tempfile
import termios
import time
import unittest
from pathlib import Path

from edids import edid
from service import PRODUCTS, REPOSITORY, Service

COLUMNS = 80

# Interactive commands: the text that they print first, and the reply.
ANSWERS = {
    r"^placard mode Virtual-1 ": ("?", "y"),
    r"^placard watch ": ("\x1b[?1049h", "q"),
    r"^placard show --markdown notes.md --follow": ("Ctrl-C ends", "\x03"),
    r"^placard tail": ("Ctrl-C ends", "\x03"),
}

# Commands with an exit status other than 0: doctor reports a machine without a graphics card, and Ctrl-C is SIGINT.
STATUSES = {r"^placard doctor": (0, 1), r"^placard (tail|show --markdown notes.md --follow)": (-signal.SIGINT,)}


def commands(text):
    """The lines of the shell blocks in a text; without `ping`, which needs a network, and `curl`."""
    blocks = re.findall(r"```sh\n(.*?)```", text, re.DOTALL)
    return [line for block in blocks for line in block.splitlines()
            if line and not line.startswith(("#", "ping ", "curl "))]


def cut(text):
    """Returns the table lines with a truncated cell before the last column, and all other truncated lines."""
    faults, last = [], 0
    for line in text.splitlines():
        words = line.split()
        if words and all(re.fullmatch(r"[A-Z]+", word) for word in words):
            last = line.rindex(words[-1])
        elif not words:
            last = 0
        if "…" in line[:last] or (last == 0 and "…" in line):
            faults.append(line)
    return faults


class Terminal:
    """A command in a pseudoterminal."""

    def __init__(self, command, folder, environment):
        self.output = ""
        self.child, self.master = pty.fork()
        if self.child == 0:
            # A program that was started in the background ignores SIGINT, and so would its children.
            signal.signal(signal.SIGINT, signal.SIG_DFL)
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 24, COLUMNS, 0, 0))
            os.chdir(folder)
            os.execvpe("sh", ["sh", "-c", command], environment)

    def read(self, text=None, seconds=300):
        """Reads until the command prints a text or exits."""
        end = time.monotonic() + seconds
        while text is None or text not in self.output:
            if not select.select([self.master], [], [], max(0, end - time.monotonic()))[0]:
                raise AssertionError(f"waited {seconds} s for {text or 'the end'}: {self.output!r}")
            try:
                data = os.read(self.master, 65536)
            except OSError:
                data = b""
            if not data:
                return
            self.output += data.decode(errors="replace").replace("\r\n", "\n")

    def type(self, text):
        os.write(self.master, text.encode())

    def end(self):
        """Reads until the command exits; returns its exit status."""
        self.read()
        os.close(self.master)
        return os.waitstatus_to_exitcode(os.waitpid(self.child, 0)[1])


class Tour(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="placard-tour-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.service = Service("--record", str(self.folder / "kiosk.jsonl"))
        self.addCleanup(self.service.end)
        self.service.plug(1920, 1080, "Virtual-2")
        (self.folder / "monitor.bin").write_bytes(edid(1920, 1080))
        self.environment = {
            "PATH": f"{PRODUCTS}:{os.environ['PATH']}", "HOME": str(self.folder), "TERM": "xterm-256color",
            "PLACARD_SOCKET": str(self.service.socket), "LC_ALL": "C.UTF-8"}

    def test_tour(self):
        """Each command of the tour succeeds, and no table cuts a name, a time or a command at 80 columns"""
        self.run_all((REPOSITORY / "Sources/Documentation.docc/Tour.md").read_text(), at_least=35)

    def test_five_minutes(self):
        """Each command of the README's first five minutes succeeds"""
        text = (REPOSITORY / "README.md").read_text().split("\n## Five minutes\n")[1].split("\n## ")[0]
        self.run_all(text, at_least=12)

    def run_all(self, text, at_least):
        lines = commands(text)
        self.assertGreaterEqual(len(lines), at_least)
        for line in lines:
            with self.subTest(command=line):
                self.run_command(line)

    def run_command(self, line):
        terminal = Terminal(line, self.folder, self.environment)
        for pattern, (prompt, answer) in ANSWERS.items():
            if re.match(pattern, line):
                terminal.read(prompt)
                terminal.type(answer)
        status = terminal.end()
        allowed = next((one for pattern, one in STATUSES.items() if re.match(pattern, line)), (0,))
        self.assertIn(status, allowed, terminal.output)
        if not line.startswith("placard watch"):
            self.assertEqual(cut(terminal.output), [], terminal.output)
        if line.startswith("placard displays"):
            for display in self.service.get("displays"):
                self.assertIn(display["name"], terminal.output)
