"""What the command line says to the service, and hears from it, is as the OpenAPI document says."""

import os
import shlex
import subprocess
import tempfile
import unittest
from pathlib import Path

from openapi import Contract
from recorder import Recorder
from service import PRODUCTS, Service, png

# Each command at least once, as the README and its own help show it. A word is replaced by what it names.
COMMANDS = """
show Hello
show --wait Hello
show --display Virtual-1 Closed
show --role external Welcome
show --tag lobby Welcome
show -d Virtual-1 --card 'Lift 2' --content 'Out of order'
show -d Virtual-1 --markdown NOTES
show --clear
open NOTES Virtual-1 --tag notes
scroll Virtual-1 next
scroll Virtual-1 40%
scroll Virtual-1 '#second'
sessions
move SESSION Virtual-2
refresh SESSION
close SESSION
open PICTURE Virtual-1
show --priority 50 --for 10m --ack --name drill Fire drill
messages
ack MESSAGE
withdraw MESSAGE
history --since yesterday --csv
history --limit 3 --json
sleep Virtual-1
wake Virtual-1
sleep
wake
displays
displays --json
why Virtual-1
screenshot Virtual-1 SHOT
status
plug 800x480
unplug Virtual-3
"""


class CommandLine(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="placard-cli-")
        cls.addClassCleanup(cls.folder.cleanup)
        folder = Path(cls.folder.name)
        cls.service = Service()
        cls.addClassCleanup(cls.service.end)
        cls.service.plug(1280, 720)
        cls.socket = folder / "recorded.sock"
        cls.recorder = Recorder(cls.socket, cls.service.socket)
        cls.addClassCleanup(cls.recorder.end)
        cls.contract = Contract(cls.service.get("openapi.json"), cls.service.get("scene.schema.json"))
        (folder / "notes.md").write_text("# First\n\n" + "A line.\n\n" * 200 + "# Second\n\n" + "A line.\n\n" * 200)
        (folder / "picture.png").write_bytes(png(64, 32, "#aa3311"))
        cls.files = {"NOTES": folder / "notes.md", "PICTURE": folder / "picture.png", "SHOT": folder / "shot.png"}

    def words(self, line):
        """The arguments of a command, with the ids and files of this moment."""
        for word in shlex.split(line):
            if word in self.files:
                yield str(self.files[word])
            elif word == "SESSION":
                yield str(next(one["id"] for one in self.service.get("sessions") if one.get("id")))
            elif word == "MESSAGE":
                self.service.send("POST", "messages", {"text": "One more", "acknowledge": True})
                yield str(self.service.get("messages")[0]["id"])
            else:
                yield word

    def placard(self, *arguments):
        return subprocess.run(
            [PRODUCTS / "placard", *arguments], capture_output=True, text=True, timeout=30, stdin=subprocess.DEVNULL,
            env={**os.environ, "PLACARD_SOCKET": str(self.socket)})

    def test_commands(self):
        """All commands speak to the service as its OpenAPI document says"""
        for line in COMMANDS.strip().splitlines():
            with self.subTest(command=line):
                begin = len(self.recorder.exchanges)
                ended = self.placard(*self.words(line))
                self.assertEqual(ended.returncode, 0, ended.stderr)
                said = self.recorder.exchanges[begin:]
                self.assertTrue(said, "nothing was asked of the service")
                for one in said:
                    self.assertEqual(self.contract.request(one.method, one.target, one.headers, one.body), [])
                    self.assertEqual(
                        self.contract.answer(one.method, one.target, one.status, one.answer_headers, one.answer), [])
                self.assertEqual(self.recorder.faults, [])

    def test_refusals(self):
        """What the service refuses the command line is a problem of the document, too"""
        for arguments in (["why", "Nobody-1"], ["close", "987654"], ["withdraw", "987654"], ["unplug", "Nobody-1"]):
            with self.subTest(command=" ".join(arguments)):
                begin = len(self.recorder.exchanges)
                self.assertEqual(self.placard(*arguments).returncode, 1)
                last = self.recorder.exchanges[begin:][-1]
                self.assertGreaterEqual(last.status, 400)
                self.assertEqual(
                    self.contract.answer(last.method, last.target, last.status, last.answer_headers, last.answer), [])


if __name__ == "__main__":
    unittest.main()
