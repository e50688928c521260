"""The access rules of the documentation, with two boxes and a user of the fleet, and credentials that change."""

import base64
import hashlib
import json
import os
import re
import signal
import subprocess
import tempfile
import unittest
from pathlib import Path

from brokers import DOCUMENTATION, NATS, Bridge, Client, Mosquitto, RabbitMQ
from changes import wait_for
from service import Service

USERS = ("lobby", "yard", "fleet")


def block(language_mark):
    """Returns the block of the documentation that contains a mark."""
    blocks = re.findall(r"^```\w*\n(.*?)^```$", (DOCUMENTATION / "MQTT.md").read_text(), re.MULTILINE | re.DOTALL)
    return next(one for one in blocks if language_mark in one)


class MosquittoWithRights(Mosquitto):
    """A mosquitto with a password file and the access file of the documentation."""

    def __init__(self):
        self.rights = tempfile.TemporaryDirectory(prefix="placard-rights-")
        folder = Path(self.rights.name)
        folder.chmod(0o755)
        self.passwords, access = folder / "passwords", folder / "access"
        self.write(dict.fromkeys(USERS, "first"))
        patterns = re.findall(r"^pattern .*$", (DOCUMENTATION / "MQTT.md").read_text(), re.MULTILINE)
        assert len(patterns) == 10, patterns
        access.write_text("\n".join(["user fleet", "topic readwrite #", *patterns]) + "\n")
        access.chmod(0o644)
        super().__init__(f"allow_anonymous false\npassword_file {self.passwords}\nacl_file {access}\n")

    def write(self, users):
        self.passwords.write_text("")
        for user, password in users.items():
            subprocess.run(["mosquitto_passwd", "-b", self.passwords, user, password], check=True, capture_output=True)
        self.passwords.chmod(0o644)

    def change(self, users):
        self.write(users)
        self.process.send_signal(signal.SIGHUP)

    def end(self):
        super().end()
        self.rights.cleanup()


class RabbitMQWithRights(RabbitMQ):
    """A RabbitMQ whose users have the permissions of the documentation."""

    def __init__(self):
        self.users = dict.fromkeys(USERS, "first")
        super().__init__()
        for user in ("lobby", "yard"):
            commands = block("rabbitmqctl add_user") + block("homeassistant[.]")
            for line in commands.replace("\\\n", " ").replace("lobby", user).splitlines():
                if line.startswith("rabbitmqctl set_"):
                    self.control(*[word.strip("'") for word in line.split()[1:]])

    def start(self):
        def digest(password):
            return base64.b64encode(b"salt" + hashlib.sha256(b"salt" + password.encode()).digest()).decode()
        everything = {"configure": ".*", "write": ".*", "read": ".*"}
        (self.path / "definitions.json").write_text(json.dumps({
            "vhosts": [{"name": "/"}],
            "users": [{"name": user, "password_hash": digest(password), "tags": "",
                       "hashing_algorithm": "rabbit_password_hashing_sha256"} for user, password in self.users.items()],
            "permissions": [{"user": "fleet", "vhost": "/", **everything}]}))
        file = self.path / "rabbitmq.conf"
        lines = file.read_text().replace("allow_anonymous = true", "allow_anonymous = false")
        file.write_text(f"{lines}load_definitions = {self.path}/definitions.json\n")
        super().start()

    def control(self, *words):
        subprocess.run(
            ["/usr/lib/rabbitmq/bin/rabbitmqctl", "--node", f"placard{self.port}@localhost", *words], check=True,
            capture_output=True, env={**os.environ, "HOME": str(self.path), "ERL_EPMD_PORT": str(self.mapper)})

    def change(self, users):
        for user in self.users.keys() - users.keys():
            self.control("delete_user", user)
        for user, password in users.items():
            if self.users[user] != password:
                self.control("change_password", user, password)
                # Existing connections stay until they are ended.
                if list(Path("/usr/lib/rabbitmq/lib").glob("rabbitmq_server-3.*")):
                    self.control("eval", 'rabbit_mqtt:close_all_client_connections("new password").')
                else:
                    self.control("close_all_user_connections", user, "new password")
        self.users = users


class NATSWithRights(NATS):
    """A nats-server whose users have the permissions of the documentation."""

    def start(self):
        self.write(dict.fromkeys(USERS, "first"))
        super().start()

    def write(self, users):
        pattern = block("permissions: {")
        boxes = [pattern.replace("lobby", user).replace("secret", password)
                 for user, password in users.items() if user != "fleet"]
        file = self.path / "nats.conf"
        lines = file.read_text().split("authorization")[0]
        fleet = f'{{ user: fleet, password: {users["fleet"]} }}'
        file.write_text(f"{lines}authorization {{ users: [\n{fleet}\n{''.join(boxes)}] }}\n")

    def change(self, users):
        self.write(users)
        self.process.send_signal(signal.SIGHUP)


class Rights(unittest.TestCase):
    broker_class = MosquittoWithRights

    def ending(self, one):
        self.addCleanup(one.end)
        return one

    def setUp(self):
        if missing := self.broker_class.missing():
            self.skipTest(missing)
        self.broker = self.ending(self.broker_class())
        self.service = self.ending(Service())
        self.secret = Path(self.enterContext(tempfile.TemporaryDirectory())) / "secret"
        self.secret.write_text("first\n")
        self.bridge = self.ending(Bridge(
            self.service, self.broker, f'user = "lobby"\npassword_file = "{self.secret}"\n'))
        topics = [self.bridge.base + name for name in ("reported", "reply/+", "proof/+", "evt/+", "availability")]
        self.fleet = self.ending(Client(self.broker, topics, user="fleet", password="first", name="fleet"))
        wait_for(lambda: (self.fleet.last(self.bridge.base + "reported") or {}).get("state") == "ok", "the report")

    def command(self, key, text):
        body = {"method": "PUT", "path": "/v1/message", "body": {"text": text, "wait": True}}
        self.fleet.publish(f"{self.bridge.base}cmd/{key}", body)
        reply = wait_for(lambda: self.fleet.last(f"{self.bridge.base}reply/{key}"), f"the reply to {key}")
        self.assertEqual(reply["status"], 200)
        self.assertEqual(self.service.display()["message"], text)

    def yard(self):
        """Returns a client with the name and the rights of another box."""
        return Client(self.broker, ["placard/berlin/yard/cmd/+"], user="yard", password="first",
                      name="placard-berlin-yard")

    def test_a_box_may_use_its_own_topics_only(self):
        base = self.bridge.base
        evil = {"method": "PUT", "path": "/v1/message", "body": {"text": "Hijacked", "wait": True}}
        for topic, payload, retain in [
            ("cmd/evil", evil, False), ("reported", "{}", True), ("availability", "offline", True),
            ("desired", {"version": 9, "state": {"/v1/message": {"text": "Hijacked"}}}, True),
        ]:
            yard = self.yard()
            yard.try_to_publish(base + topic, payload, retain)
            yard.end()
        yard = self.ending(self.yard())
        yard.try_to_subscribe(base + "#")
        self.command("good", "Allowed")
        self.assertEqual(self.fleet.of(base + "reply/evil"), [])
        self.assertIsNone(self.fleet.last(base + "reported")["desired"]["version"])
        self.assertNotIn(b"{}", self.fleet.of(base + "reported"))
        self.assertEqual(set(self.fleet.of(base + "availability")), {b"online"})
        self.assertEqual(yard.messages, [])

    def test_a_new_password_needs_no_restart(self):
        self.command("before", "Before")
        self.broker.change({**dict.fromkeys(USERS, "first"), "lobby": "second"})
        self.bridge.wait_for_line("no connection to the broker")
        wait_for(lambda: "authorize" in self.state()["detail"] or "refuse" in self.state()["detail"], "the reason")
        self.secret.write_text("second\n")
        wait_for(lambda: self.state()["state"] == "connected", "a connection with the new password")
        self.command("after", "After")

    def test_with_discovery_a_monitor_appears_and_takes_a_message(self):
        home = self.ending(Client(
            self.broker, ["homeassistant/device/+/config"], user="fleet", password="first", name="home"))
        self.bridge.stop()
        self.bridge.file.write_text(self.bridge.file.read_text() + 'discovery = "homeassistant"\n')
        self.bridge.start()

        def parts():
            return [json.loads(one.payload)["cmps"] for one in list(home.messages) if one.payload]
        topic = wait_for(
            lambda: next((one["notify"]["command_topic"] for one in parts() if "notify" in one), None), "the monitor")
        wait_for(lambda: self.state()["state"] == "connected", "the connection")
        self.command("before", "Before")
        home.publish(topic, "Dinner is ready")
        wait_for(lambda: self.service.display()["message"] == "Dinner is ready", "the message")

    def test_a_revoked_user_is_refused_and_the_sign_goes_on(self):
        self.command("before", "Before")
        self.broker.change(dict.fromkeys(("yard", "fleet"), "first"))
        self.bridge.wait_for_line("no connection to the broker")
        wait_for(lambda: "authorize" in self.state()["detail"] or "refuse" in self.state()["detail"], "the reason")
        self.service.send("PUT", "message", {"text": "Alone", "wait": True})
        self.assertEqual(self.service.display()["message"], "Alone")
        self.assertEqual(self.service.get("health")["state"], "degraded")

    def state(self):
        return self.service.get("status")["bridges"][0]


class RightsOnRabbitMQ(Rights):
    broker_class = RabbitMQWithRights


class RightsOnNATS(Rights):
    broker_class = NATSWithRights
