"""The command line's requests and the service's responses match the OpenAPI document."""

import json
import os
import re
import shlex
import subprocess
import tempfile
import unittest
from pathlib import Path

from changes import wait_for
from openapi import Contract
from recorder import Recorder
from service import PRODUCTS, Service, png

# Each command at least once, as in the tour and the help. Words in capitals are placeholders for files and IDs.
COMMANDS = """
show Hello
show --wait Hello
show --display Virtual-1 Closed
show --role external Welcome
show --tag lobby Welcome
show -d Virtual-1 --card 'Lift 2' --content 'Out of order'
show -d Virtual-1 --markdown NOTES
show --clear
clear --display Virtual-1
clear
open NOTES Virtual-1 --tag notes
scroll Virtual-1 next
scroll Virtual-1 40%
scroll Virtual-1 '#second'
sessions
sessions --json
edit Virtual-1
edit Virtual-1 NOTES
move SESSION Virtual-2
refresh SESSION
close SESSION
sessions --closed
undo
images add PICTURE
images
images get UPLOADED COPY
images remove UPLOADED
open PICTURE Virtual-1
library
library add notes NOTES --title Notes --tag read
library show notes
library list --tag read
library edit notes NOTES --tag write
library rename notes pages
library add rooms CALENDAR --title Rooms
library edit rooms CALENDAR
open --entry pages Virtual-1
schedule
schedule --display Virtual-1 --at 2027-03-28T02:30
schedule --days 7
render NOTES COPY
render NOTES COPY --size 800x480 --at 2027-03-28T02:30 --display Virtual-1
set temperature 21.5 --unit °C --max-age 10m
set doctor --text 7
show --wait It is {{temperature}}, {{doctor | else none}}
values
values --json
unset temperature
set departures --csv TABLE --header
backup BACKUP
restore --dry-run BACKUP
restore BACKUP
library add other NOTES
library remove other
board BOARD
board
board --json
board open lift Virtual-2
board close lift
show --priority 50 --for 10m --ack --name drill Fire drill
messages
ack MESSAGE
withdraw MESSAGE
clear --all
history --since yesterday --csv
history --limit 3 --json
mode Virtual-1
mode Virtual-1 1280x720@60 --keep
mode Virtual-1 --rotate 90 --keep
mode Virtual-1 --reset
identify Virtual-1 --for 2s
identify
sleep Virtual-1
wake Virtual-1
sleep
wake
displays
displays --json
why Virtual-1
screenshot Virtual-1 SHOT
screenshot Virtual-1 SHOT --width 480
watch Virtual-1 --once
status
health
health --ack
virtual
plug 800x480
unplug Virtual-3
plug --choice 1
unplug Virtual-3
"""

# Commands that send no request to a running service, and commands with a separate test.
OTHERS = {"edid", "replay", "manual", "doctor", "help", "tail", "events", "setup", "fleet"}


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
        (folder / "board.json").write_text(json.dumps({"kind": "board", "columns": [
            {"title": "Now", "cards": [{"id": "lift", "title": "Lift 2"}]}]}))
        (folder / "rooms.ics").write_text(
            "BEGIN:VCALENDAR\nVERSION:2.0\nBEGIN:VEVENT\nUID:a\nSUMMARY:Standup\nDTSTART:20261130T090000Z\n"
            "DURATION:PT15M\nRRULE:FREQ=DAILY\nEND:VEVENT\nEND:VCALENDAR\n")
        (folder / "departures.csv").write_text("Time,To,Track\n10:04,Harbour,2\n10:09,\"Airport, T2\",5\n")
        cls.files = {"TABLE": folder / "departures.csv", "CALENDAR": folder / "rooms.ics", "NOTES": folder / "notes.md", "PICTURE": folder / "picture.png", "SHOT": folder / "shot.png",
                     "COPY": folder / "copy.png", "BACKUP": folder / "lobby.backup", "BOARD": folder / "board.json"}

    def words(self, line):
        """Yields the arguments of a command, with current IDs and files for the placeholders."""
        for word in shlex.split(line):
            if word in self.files:
                yield str(self.files[word])
            elif word == "SESSION":
                yield str(next(one["id"] for one in self.service.get("sessions") if one.get("id")))
            elif word == "UPLOADED":
                yield self.service.get("images")[0]["name"]
            elif word == "MESSAGE":
                self.service.send("POST", "messages", {"text": "One more", "acknowledge": True})
                yield str(self.service.get("messages")[0]["id"])
            else:
                yield word

    def placard(self, *arguments):
        return subprocess.run(
            [PRODUCTS / "placard", *arguments], capture_output=True, text=True, timeout=30, stdin=subprocess.DEVNULL,
            env={**os.environ, "PLACARD_SOCKET": str(self.socket)})

    def check(self, said):
        """Asserts that exchanges match the document."""
        self.assertTrue(said, "the command sent no request")
        for one in said:
            self.assertTrue(one.finished.wait(600), f"{one.method} {one.target} is not answered")
            self.assertEqual(self.contract.request(one.method, one.target, one.headers, one.body), [])
            self.assertEqual(
                self.contract.answer(one.method, one.target, one.status, one.answer_headers, one.answer), [])
        self.assertEqual(self.recorder.faults, [])

    def test_commands(self):
        """The requests of all commands match the OpenAPI document"""
        for line in COMMANDS.strip().splitlines():
            with self.subTest(command=line):
                begin = len(self.recorder.exchanges)
                ended = self.placard(*self.words(line))
                self.assertEqual(ended.returncode, 0, ended.stderr)
                self.check(self.recorder.exchanges[begin:])

    def test_every_command(self):
        """The list of commands above is complete"""
        listed = re.findall(r"^  ([a-z]+) ", self.placard("--help").stdout.split("SUBCOMMANDS")[1], re.MULTILINE)
        self.assertIn("show", listed)
        tried = {line.split()[0] for line in COMMANDS.strip().splitlines()}
        self.assertEqual(set(listed) - tried - OTHERS, set())

    def test_tail(self):
        """The request of tail matches the OpenAPI document, and tail ends after --count events"""
        begin = len(self.recorder.exchanges)
        tail = subprocess.Popen(
            [PRODUCTS / "placard", "tail", "--json", "--count", "2"], stdout=subprocess.PIPE, text=True,
            stdin=subprocess.DEVNULL, env={**os.environ, "PLACARD_SOCKET": str(self.socket)})
        self.addCleanup(tail.kill)
        wait_for(
            lambda: [one for one in self.recorder.exchanges[begin:] if "/events" in one.target and one.status],
            "tail to open its event stream")
        for number in range(2):
            self.service.send("POST", "messages", {"text": f"Event {number}", "name": "tail"})
        self.assertEqual(tail.wait(300), 0)
        self.assertEqual([json.loads(line)["kind"] for line in tail.stdout.read().splitlines()][0], "messagePosted")
        self.check(self.recorder.exchanges[begin:])

    def test_refusals(self):
        """The service's errors match the OpenAPI document"""
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
