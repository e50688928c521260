"""The commands for a fleet, with three boxes on a mosquitto."""

import json
import subprocess
import unittest

from brokers import NATS, Bridge, Client, Mosquitto, RabbitMQ
from changes import follow, wait_for
from service import PRODUCTS, Service


class Fleet(unittest.TestCase):
    broker_class = Mosquitto

    @classmethod
    def setUpClass(cls):
        if not cls.broker_class.find():
            raise unittest.SkipTest(f"{cls.broker_class.program} is not installed")

    def setUp(self):
        self.broker = self.ending(self.broker_class())
        self.client = self.ending(Client(self.broker))
        self.boxes = {}
        for site, node, tags in (("berlin", "lobby", ["lobby"]), ("berlin", "yard", ["yard"]), ("paris", "lobby", ["lobby"])):
            service = self.ending(Service())
            bridge = self.ending(Bridge(service, self.broker, f"tags = {json.dumps(tags)}", site=site, node=node))
            self.boxes[f"{site}/{node}"] = service, bridge
        for name in self.boxes:
            wait_for(lambda: (self.client.last(f"placard/{name}/reported") or {}).get("state") == "ok", f"the report of {name}")

    def ending(self, one):
        self.addCleanup(one.end)
        return one

    def fleet(self, *arguments, status=0):
        """Runs a command, and returns the lines that it has printed."""
        command, *rest = arguments
        answer = subprocess.run(
            [PRODUCTS / "placard-mqtt", "fleet", command, "--broker", f"127.0.0.1:{self.broker.port}", *rest],
            capture_output=True, text=True, timeout=300)
        self.assertEqual(answer.returncode, status, answer.stdout + answer.stderr)
        return (answer.stdout + answer.stderr).splitlines()

    def messages(self):
        return {name: service.display().get("message") for name, (service, _) in self.boxes.items()}

    def end_bridge(self, name):
        self.boxes[name][1].stop()
        wait_for(lambda: self.client.of(f"placard/{name}/availability")[-1] == b"offline", f"{name} to be offline")

    def test_boxes_are_listed_with_their_states(self):
        self.end_bridge("paris/lobby")
        lines = self.fleet("list")
        self.assertEqual(lines[-1], "3 boxes, 2 online, 3 displays")
        self.assertTrue(lines[0].startswith("berlin/lobby  ok  1 of 1 lit  [lobby]"), lines)
        self.assertTrue(any(line.startswith("paris/lobby   offline") for line in lines), lines)
        self.assertEqual(len(self.fleet("list", "tag:lobby and not site:berlin")), 2)
        found = json.loads("\n".join(self.fleet("list", "--json", "node:yard")))
        self.assertEqual(found[0]["displays"][0]["state"], "lit")
        self.assertIn("none of the 3 boxes is chosen", self.fleet("list", "tag:x", status=1)[0])

    def test_a_message_reaches_the_chosen_displays_and_the_others_are_named(self):
        self.boxes["berlin/lobby"][0].plug(1280, 720)
        lines = self.fleet("show", "tag:lobby", "Closed today", "--for", "10m", "--priority", "5")
        self.assertRegex(lines[0], r"^3 of 3 on screen in \d+\.\d s; 2 of 2 boxes answered$")
        self.assertEqual(self.messages(), {
            "berlin/lobby": "Closed today", "berlin/yard": "first screen", "paris/lobby": "Closed today"})
        self.boxes["berlin/yard"][0].send("PUT", "sleep", {"asleep": True})
        self.end_bridge("paris/lobby")
        lines = self.fleet("show", "all", "Again", "--name", "drill", "--priority", "6", status=1)
        self.assertRegex(lines[0], r"^2 of 4 on screen in \d+\.\d s; 2 of 3 boxes answered$")
        self.assertTrue(any("the box is offline: paris/lobby" in line for line in lines), lines)
        self.assertTrue(any("berlin/yard Virtual-1" in line for line in lines), lines)
        # The box that was away shows it when it is back.
        self.boxes["paris/lobby"][1].start()
        wait_for(lambda: self.messages()["paris/lobby"] == "Again", "the message at the box that was away")

    def test_a_message_that_has_expired_is_not_shown_by_a_box_that_was_away(self):
        self.end_bridge("paris/lobby")
        body = {"text": "Old", "wait": True}
        self.client.publish(
            "placard/paris/lobby/cmd/old",
            {"method": "POST", "path": "/v1/messages", "body": body, "expires": "2026-01-01T00:00Z"})
        self.fleet("show", "site:paris", "New", "--for", "10m", status=1)
        self.boxes["paris/lobby"][1].start()
        wait_for(lambda: self.messages()["paris/lobby"] == "New", "the second message")
        reply = wait_for(lambda: self.client.last("placard/paris/lobby/reply/old"), "the answer to the first one")
        self.assertEqual(reply["status"], 410)
        shown = [line["what"] for line in self.boxes["paris/lobby"][0].get("history")]
        self.assertNotIn("Old", shown)

    def test_desired_states_are_applied_with_overrides_and_kept_for_boxes_that_are_away(self):
        self.end_bridge("paris/lobby")
        lines = self.fleet("desired", "tag:lobby", "--set", '/v1/message={"text": "Sale"}', "--timeout", "5", status=1)
        self.assertEqual(lines[0], "1 of 2 boxes have applied it")
        self.assertIn("paris/lobby: the box is offline", lines[1])
        self.assertEqual(self.messages()["berlin/lobby"], "Sale")
        self.boxes["paris/lobby"][1].start()
        wait_for(lambda: self.messages()["paris/lobby"] == "Sale", "the desired state at the box that was away")
        lines = self.fleet("desired", "site:paris", "--override", "--set", '/v1/message={"text": "Soldes"}')
        self.assertEqual(lines, ["1 of 1 boxes have applied it"])
        self.fleet("desired", "tag:lobby", "--set", '/v1/message={"text": "Last day"}')
        self.assertEqual(self.messages(), {
            "berlin/lobby": "Last day", "berlin/yard": "first screen", "paris/lobby": "Soldes"})
        lines = self.fleet("desired", "node:yard", "--set", '/v1/message={"txt": 1}', status=1)
        self.assertTrue(lines[1].startswith("berlin/yard: /v1/message: "), lines)
        documents = json.loads("\n".join(self.fleet("desired", "site:paris")))
        self.assertEqual(documents["paris/lobby"]["layers"]["own"], {"/v1/message": {"text": "Soldes"}})

    def test_proofs_are_kept_for_a_command_with_a_session(self):
        self.fleet("proof", "--session", "audit", "--count", "0")
        self.boxes["berlin/lobby"][0].send("PUT", "message", {"text": "Proved", "wait": True})
        wait_for(lambda: "Proved" in str([one.payload for one in self.client.messages]), "the proof")
        lines = self.fleet("proof", "--session", "audit", "--count", "2", "node:lobby and site:berlin")
        found = [json.loads(line) for line in lines]
        self.assertEqual([one["box"] for one in found], ["berlin/lobby"] * 2)
        self.assertEqual([one["what"] for one in found], ["first screen", "Proved"])

    def test_the_commands_are_those_of_placard(self):
        broker = f"127.0.0.1:{self.broker.port}"
        for arguments, text in [
            (["fleet", "list", "--broker", broker], "3 boxes, 3 online"), (["fleet", "--help"], "placard-mqtt fleet"),
            (["setup", "mqtt", "--broker", broker, "--node", "x", "--dry-run"], "connected to mqtt://127.0.0.1"),
        ]:
            with self.subTest(arguments=arguments):
                answer = subprocess.run([PRODUCTS / "placard", *arguments], capture_output=True, text=True)
                self.assertEqual(answer.returncode, 0, answer.stderr)
                self.assertIn(text, answer.stdout)

    def test_changes_are_watched(self):
        process = subprocess.Popen(
            [PRODUCTS / "placard-mqtt", "fleet", "watch", "--broker", f"127.0.0.1:{self.broker.port}", "node:yard"],
            stdout=subprocess.PIPE)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        lines = []
        follow(process.stdout.readline, lines.append)
        wait_for(lambda: any(b"Virtual-1 lit: first screen" in line for line in lines), "the first state")
        self.boxes["berlin/yard"][0].send("PUT", "message", {"text": "New"})
        wait_for(lambda: b"berlin/yard Virtual-1 lit: New\n" in lines, "the change")
        self.end_bridge("berlin/yard")
        wait_for(lambda: b"berlin/yard offline\n" in lines, "the box to leave")

    def test_mistakes_are_named(self):
        for arguments, reason, status in [
            (["list", "lobby"], '"lobby" is not a term', 64), (["show", "all", "x", "--for", "soon"], "--for is soon", 64),
            (["desired", "--set", "message"], "--set is message", 64),
        ]:
            with self.subTest(arguments=arguments):
                self.assertIn(reason, "\n".join(self.fleet(*arguments, status=status)))


class FleetOnNATS(Fleet):
    broker_class = NATS


class InventoryOnRabbitMQ(unittest.TestCase):
    def test_a_broker_that_sends_no_retained_messages_to_wildcards_is_named(self):
        """RabbitMQ 3.10 cannot list a fleet; what it cannot do is in the documentation."""
        if not RabbitMQ.find():
            self.skipTest("RabbitMQ is not installed")
        broker = RabbitMQ()
        self.addCleanup(broker.end)
        answer = subprocess.run(
            [PRODUCTS / "placard-mqtt", "fleet", "list", "--broker", f"127.0.0.1:{broker.port}"],
            capture_output=True, text=True)
        self.assertEqual(answer.returncode, 1)
        self.assertIn("the broker knows no boxes", answer.stderr)
