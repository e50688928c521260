"""The MQTT bridge between a service with virtual displays and brokers from Debian."""

import json
import os
import random
import re
import signal
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

from brokers import NATS, Bridge, Certificates, Client, Impostor, Mosquitto, RabbitMQ
from changes import wait_for
from service import PRODUCTS, Service


class Box(unittest.TestCase):
    """A test with a service, a broker, a bridge and a client of the fleet."""

    broker_class = Mosquitto
    # Lines of the settings of each box, its brokers unless it has all, the words before the commands of its bridge and
    # its service, and the variables of both.
    settings = ""
    addresses = None
    prefix = service_prefix = ()
    environment = None
    count = 0

    @classmethod
    def setUpClass(cls):
        if missing := cls.broker_class.missing():
            raise unittest.SkipTest(missing)
        cls.broker = cls.broker_class()
        cls.addClassCleanup(cls.broker.end)

    def setUp(self):
        # The tests share a broker, and each has a box of its own.
        Box.count += 1
        self.node = f"box{Box.count}"
        self.service = self.ending(Service(prefix=self.service_prefix, environment=self.environment))
        self.client = self.watch(f"test{Box.count}")
        self.bridge = self.ending(Bridge(
            self.service, self.broker, self.settings, node=self.node, address=self.addresses, prefix=self.prefix,
            environment=self.environment))
        self.base = self.bridge.base
        self.wait_for_state("ok")

    def watch(self, name):
        """Returns a client that receives everything about the test's box."""
        return self.ending(Client(self.broker, [f"placard/berlin/{self.node}/#", "homeassistant/#"], name=name))

    def ending(self, one):
        self.addCleanup(one.end)
        return one

    def reported(self):
        return self.client.last(self.base + "reported")

    def wait_for_state(self, state):
        wait_for(lambda: (self.reported() or {}).get("state") == state, f"the state {state} to be reported")

    def show(self, text):
        self.service.send("PUT", "message", {"text": text, "wait": True})

    def command(self, key, method, path, body=None):
        """Sends a command, and returns its reply."""
        topic = f"{self.base}reply/{key}"
        count = len(self.client.of(topic))
        self.client.publish(
            f"{self.base}cmd/{key}", {"method": method, "path": path, **({} if body is None else {"body": body})})
        wait_for(lambda: len(self.client.of(topic)) > count,
                 f"the reply to {key}; the bridge has written {self.bridge.lines}")
        return self.client.last(topic)

    def proofs(self):
        """Returns what displays have shown, in order, each once."""
        found = self.client.upward(self.base)
        shown = {one["id"]: one["what"] for _, one in sorted(found.items()) if "what" in one}
        return list(shown.values())

    def wait_for_proof(self, text):
        wait_for(lambda: text in self.proofs(), f"a proof of {text}")

    def assert_complete(self):
        numbers = sorted(self.client.upward(self.base))
        self.assertEqual(numbers, list(range(1, len(numbers) + 1)), "messages are missing")


class Everyday(Box):
    def test_the_state_is_reported_and_follows_the_monitors(self):
        report = self.reported()
        self.assertEqual([one["name"] for one in report["displays"]], ["Virtual-1"])
        self.assertEqual((report["site"], report["node"]), ("berlin", self.node))
        self.assertEqual(self.client.of(self.base + "availability"), [b"online"])
        self.service.plug(1280, 720, "Virtual-2")
        wait_for(lambda: [one["state"] for one in self.reported()["displays"]] == ["lit", "lit"], "two lit displays")
        wait_for(lambda: self.client.last(self.base + "evt/connected"), "the event")
        # A later subscriber gets the retained state at once.
        late = self.ending(Client(self.broker, [self.base + "reported"], name=f"late{Box.count}"))
        wait_for(lambda: late.last(self.base + "reported"), "the retained report")
        self.assertTrue(all(one.retain for one in late.messages))

    def test_a_command_is_on_screen_answered_and_proved(self):
        reply = self.command("k1", "PUT", "/v1/message", {"text": "By MQTT", "wait": True})
        self.assertEqual(reply["status"], 200)
        self.assertEqual(reply["body"]["shown"][0]["display"], "Virtual-1")
        self.assertEqual(self.service.display()["message"], "By MQTT")
        self.wait_for_proof("By MQTT")
        # The same key again is answered, and not carried out again.
        self.show("Newer")
        again = self.command("k1", "PUT", "/v1/message", {"text": "By MQTT", "wait": True})
        self.assertEqual({**again, "sequence": reply["sequence"]}, reply)
        self.assertEqual(self.service.display()["message"], "Newer")

    def test_a_command_is_validated_like_a_request(self):
        direct = self.service.ask("PUT", "message", {"txt": "x"})
        reply = self.command("k1", "PUT", "/v1/message", {"txt": "x"})
        self.assertEqual((reply["status"], reply["body"]), (direct[0], json.loads(direct[2])))
        self.client.publish(self.base + "cmd/k2", b"\xff\x00nonsense")
        wait_for(lambda: self.client.last(self.base + "reply/k2"), "the reply")
        self.assertEqual(self.client.last(self.base + "reply/k2")["status"], 400)

    def test_the_desired_state_is_applied_once_and_stale_versions_are_refused(self):
        desired = {"version": 3, "state": {"/v1/message": {"text": "Desired"}, "/v1/values/t": {"value": 21}}}
        self.client.publish(self.base + "desired", desired, retain=True)
        wait_for(lambda: self.reported()["desired"] == {"version": 3, "waiting": [], "refused": []}, "version 3")
        self.assertEqual(self.service.display()["message"], "Desired")
        self.client.publish(self.base + "desired", {"version": 2, "state": {"/v1/message": {"text": "Old"}}})
        wait_for(lambda: self.client.last(self.base + "reply/desired"), "the refusal")
        self.assertEqual(self.client.last(self.base + "reply/desired")["status"], 409)
        # The broker repeats the retained version after a restart, which changes nothing.
        self.show("Local")
        self.bridge.stop()
        self.bridge.start()
        self.assertEqual(self.command("k1", "GET", "/v1/message")["body"]["text"], "Local")

    def test_a_box_that_vanishes_or_ends_is_offline(self):
        self.bridge.stop(signal.SIGKILL)
        wait_for(lambda: self.client.of(self.base + "availability")[-1] == b"offline", "the will")
        self.bridge.start()
        wait_for(lambda: self.client.of(self.base + "availability")[-1] == b"online", "the box to be back")
        self.assertEqual(self.bridge.stop(), 0)
        wait_for(lambda: self.client.of(self.base + "availability")[-1] == b"offline", "the box to be off")


class Weather(Box):
    def test_what_was_shown_while_the_broker_was_away_arrives_in_order(self):
        self.show("Before")
        self.wait_for_proof("Before")
        self.broker.stop()
        self.bridge.wait_for_line("no connection to the broker")
        for number in range(30):
            self.show(f"Meanwhile {number}")
        # The queue is on disk.
        self.bridge.stop(signal.SIGKILL)
        self.bridge.start()
        self.show("At the end")
        self.broker.start()
        self.wait_for_proof("At the end")
        expected = ["Before", *(f"Meanwhile {number}" for number in range(30)), "At the end"]
        self.assertEqual([one for one in self.proofs() if one in expected], expected)
        self.assert_complete()

    def test_what_was_shown_while_the_bridge_was_away_arrives(self):
        self.show("Before")
        self.wait_for_proof("Before")
        self.bridge.stop(signal.SIGKILL)
        self.show("Unseen")
        self.show("Unseen too")
        self.bridge.start()
        self.wait_for_proof("Unseen too")
        self.assertEqual(self.proofs()[-3:], ["Before", "Unseen", "Unseen too"])
        self.assert_complete()

    def test_a_service_that_restarts_is_found_again(self):
        self.service.stop()
        self.wait_for_state("unreachable")
        self.client.publish(
            self.base + "cmd/k1", {"method": "PUT", "path": "/v1/message", "body": {"text": "Waited", "wait": True}})
        self.service.start()
        wait_for(lambda: self.client.last(self.base + "reply/k1"), "the reply of the service that is back")
        self.wait_for_state("ok")
        self.assertEqual(self.service.display()["message"], "Waited")
        self.wait_for_proof("Waited")

    def test_a_desired_state_reaches_a_box_that_was_away(self):
        self.bridge.stop()
        self.client.publish(
            self.base + "desired", {"version": 1, "state": {"/v1/message": {"text": "Desired"}}}, retain=True)
        self.show("Local")
        self.bridge.start()
        self.wait_for_proof("Desired")
        self.assertEqual(self.proofs().count("Desired"), 1)


class WithoutSession(Box):
    """With QoS 0, the broker keeps nothing for a box that is away, except the desired state, which is retained."""

    settings = "qos = 0"

    def test_a_box_that_is_away_misses_commands_and_gets_the_desired_state(self):
        status = {"method": "GET", "path": "/v1/status"}
        self.assertEqual(self.command("k1", **status)["status"], 200)
        self.bridge.stop()
        self.client.publish(self.base + "cmd/k2", status)
        self.client.publish(
            self.base + "desired", {"version": 1, "state": {"/v1/message": {"text": "Desired"}}}, retain=True)
        self.bridge.start()
        self.wait_for_proof("Desired")
        self.assertEqual(self.command("k3", **status)["status"], 200)
        self.assertIsNone(self.client.last(self.base + "reply/k2"))
        self.assert_complete()


class WithoutSessionOnNATS(WithoutSession):
    broker_class = NATS


class WrongClock(Box):
    """A box whose clock is an hour off, and is corrected while it runs."""

    # The library sets a variable in its first process, where Swift then finds no arguments, and keeps it for the next.
    prefix = service_prefix = ("env",)
    library = next(Path("/usr/lib").glob("*/faketime/libfaketimeMT.so.1"), None)

    def setUp(self):
        if not self.library:
            self.skipTest("faketime is not installed")
        folder = tempfile.TemporaryDirectory(prefix="placard-clock-")
        self.addCleanup(folder.cleanup)
        self.clock = Path(folder.name) / "clock"
        self.environment = {
            "LD_PRELOAD": str(self.library), "FAKETIME_TIMESTAMP_FILE": str(self.clock), "FAKETIME_NO_CACHE": "1",
            "DONT_FAKE_MONOTONIC": "1"}
        self.set_clock("+1h")
        self.addCleanup(self.remove_shared_memory, self.shared_memory())
        super().setUp()

    @staticmethod
    def shared_memory():
        return set(Path("/dev/shm").glob("*faketime_*"))

    def remove_shared_memory(self, others):
        # The library leaves it behind.
        for one in self.shared_memory() - others:
            one.unlink(missing_ok=True)

    def set_clock(self, offset):
        new = self.clock.with_suffix(".new")
        new.write_text(offset + "\n")
        new.rename(self.clock)

    def test_everything_shown_is_proved_once_and_in_order(self):
        texts = []

        def show(text):
            self.show(text)
            texts.append(text)

        for offset in ("+1h", "-1h", "+0", "+1h", "+0"):
            self.set_clock(offset)
            show(f"With the bridge at {offset}, {len(texts)}")
            self.wait_for_proof(texts[-1])
            # What is shown meanwhile is read from the history, which is found by its times.
            self.bridge.stop(signal.SIGKILL)
            show(f"Without the bridge at {offset}, {len(texts)}")
            show(f"Last without the bridge at {offset}, {len(texts)}")
            self.bridge.start()
            self.wait_for_proof(texts[-1])
        self.assertEqual([one for one in self.proofs() if one in texts], texts)
        self.assert_complete()
        began = [one["began"]["milliseconds"] for one in self.client.upward(self.base).values()
                 if one.get("what") == texts[0]]
        self.assertGreater(began[0], (time.time() + 3000) * 1000, "the time is that of the box's clock")

    def test_an_expiry_is_checked_by_the_clock_of_the_box(self):
        expires = int(time.time() * 1000) + 1_800_000
        command = {"method": "PUT", "path": "/v1/message", "body": {"text": "Soon"}, "expires": expires}
        self.client.publish(self.base + "cmd/late", command)
        wait_for(lambda: self.client.last(self.base + "reply/late"), "the refusal")
        self.assertGreaterEqual(self.client.last(self.base + "reply/late")["status"], 400)
        self.set_clock("+0")
        self.client.publish(self.base + "cmd/now", command)
        wait_for(lambda: self.client.last(self.base + "reply/now"), "the answer")
        self.assertEqual(self.client.last(self.base + "reply/now")["status"], 200)


class Attacks(Box):
    def test_large_messages_are_refused_and_memory_is_bounded(self):
        for size in (300_000, 2_000_000, 30_000_000):
            key = f"large-{size}"
            self.client.publish(f"{self.base}cmd/{key}", b'{"method": "PUT", "x": "' + b"x" * size + b'"}')
            wait_for(lambda: self.client.last(f"{self.base}reply/{key}"), f"the refusal of {size} bytes")
            self.assertEqual(self.client.last(f"{self.base}reply/{key}")["status"], 413)
        # More than the process may use: the connection ends, and the broker's copy is discarded.
        self.client.publish(f"{self.base}cmd/huge", b"x" * 200_000_000)
        self.bridge.wait_for_line("not enough memory")
        self.bridge.wait_for_line("connected to the broker again")
        self.assertEqual(self.command("after", "GET", "/v1/status")["status"], 200)
        status = (Path("/proc") / str(self.bridge.process.pid) / "status").read_text()
        peak = int(re.search(r"VmHWM:\s+(\d+)", status)[1])
        print(f"attack | messages of up to 200 MB | peak memory of the bridge {peak >> 10} MB")
        self.assertLess(peak, 110 << 10)

    def test_malformed_messages_are_answered_or_counted(self):
        random.seed(seed := int(os.environ.get("PLACARD_SEED", random.SystemRandom().randrange(1 << 32))))
        keys = []
        for number in range(300):
            key = f"m{number}"
            payload = random.choice([
                random.randbytes(random.randrange(200)), b"[" * random.randrange(1, 5000),
                json.dumps({random.choice(["method", "path", "body", "expires"]): random.choice(
                    [None, 1, -1e300, "", "PUT", "/v1/message", [], {}]) for _ in range(3)}).encode()])
            self.client.publish(f"{self.base}cmd/{key}", payload)
            keys.append(key)
            self.client.publish(f"{self.base}cmd/{key}/below", payload)
            self.client.publish(f"{self.base}desired", payload)
        for key in keys:
            reply = wait_for(lambda: self.client.last(f"{self.base}reply/{key}"), f"the reply to {key}, seed {seed}")
            self.assertGreaterEqual(reply["status"], 400, f"seed {seed}")
        self.assertEqual(self.service.display()["message"], "first screen")
        self.assertEqual(self.command("after", "GET", "/v1/status")["status"], 200)


class EverydayOnVersion5(Everyday):
    settings = 'version = "5"'


class WeatherOnVersion5(Weather):
    settings = 'version = "5"'


class EverydayOnRabbitMQ(Everyday):
    broker_class = RabbitMQ


class WeatherOnRabbitMQ(Weather):
    broker_class = RabbitMQ


class EverydayOnNATS(Everyday):
    broker_class = NATS


class WeatherOnNATS(Weather):
    broker_class = NATS


class Faults(unittest.TestCase):
    """Brokers that cannot be used: the reason is logged, and the sign goes on."""

    @classmethod
    def setUpClass(cls):
        if not Mosquitto.find():
            raise unittest.SkipTest("mosquitto is not installed")
        cls.service = Service()
        cls.addClassCleanup(cls.service.end)
        cls.certificates = Certificates()
        cls.addClassCleanup(cls.certificates.end)

    def ending(self, one):
        self.addCleanup(one.end)
        return one

    def check(self, reason, broker=None, settings="", address=None):
        """Checks that a bridge reports a reason and the service goes on; returns the line of the log."""
        bridge = Bridge(self.service, broker, settings, address=address)
        try:
            return self.check_bridge(bridge, reason)
        finally:
            self.end_bridge(bridge)

    def check_bridge(self, bridge, reason):
        line = bridge.wait_for_line("no connection to the broker")
        self.assertIn(reason, line)
        self.service.send("PUT", "message", {"text": reason, "wait": True})
        self.assertEqual(self.service.display()["message"], reason)
        self.assertIsNone(bridge.process.poll(), "the bridge goes on")
        state = wait_for(lambda: self.service.get("status").get("bridges"), "the state of the bridge")[0]
        self.assertEqual((state["name"], state["state"]), ("mqtt", "waiting"))
        self.assertIn(reason, state["detail"])
        health = self.service.get("health")
        self.assertEqual(health["state"], "degraded")
        self.assertTrue(any(reason in one for one in health["reasons"]), health)
        findings = [one for one in self.service.get("doctor")["findings"] if one["check"] == "bridges"]
        self.assertEqual([one["severity"] for one in findings], ["wrong"])
        return line

    def end_bridge(self, bridge):
        bridge.end()
        self.assertNotIn("bridges", self.service.get("status"), "a bridge that has ended")

    def encrypted(self, name, extra="", **options):
        certificate, key = self.certificates.make(name, subject=name, **options)
        return self.ending(Mosquitto(
            f"allow_anonymous true\ncafile {self.certificates.authority}\ncertfile {certificate}\nkeyfile {key}\n{extra}"))

    def authorities(self):
        return f'authorities = "{self.certificates.authority}"\n'

    def test_an_unreachable_broker_is_named_and_found_later(self):
        broker = self.ending(Mosquitto())
        broker.stop()
        bridge = Bridge(self.service, broker)
        self.addCleanup(self.end_bridge, bridge)
        self.check_bridge(bridge, "Connection refused")
        broker.start()
        client = self.ending(Client(broker))
        wait_for(lambda: client.last(bridge.base + "reported"), "the report after the broker has started")
        bridge.wait_for_line("connected to the broker again")
        wait_for(lambda: self.service.get("status")["bridges"][0]["state"] == "connected", "the state of the bridge")
        self.assertEqual(self.service.get("health")["state"], "ok")

    def test_a_bridge_that_is_killed_is_reported_as_ended(self):
        broker = self.ending(Mosquitto())
        bridge = self.ending(Bridge(self.service, broker))
        state = lambda: (self.service.get("status").get("bridges") or [{"state": None}])[0]
        wait_for(lambda: state()["state"] == "connected", "the state of the bridge")
        bridge.stop(signal.SIGKILL)
        wait_for(lambda: state()["state"] == "waiting", "the end of the bridge")
        self.assertIn("it has ended", state()["detail"])
        self.assertEqual(self.service.get("health")["state"], "degraded")
        again = Bridge(self.service, broker)
        self.addCleanup(self.end_bridge, again)
        wait_for(lambda: state()["state"] == "connected", "the state of the next bridge")
        self.assertEqual(self.service.get("health")["state"], "ok")

    def test_an_unknown_host_is_named(self):
        self.check("host name broker.invalid is unknown", address="mqtt://broker.invalid:1883")

    def test_a_refused_login_is_named(self):
        passwords = self.certificates.path / "passwords"
        subprocess.run(["mosquitto_passwd", "-c", "-b", passwords, "lobby", "right"], check=True)
        passwords.chmod(0o644)
        broker = self.ending(Mosquitto(f"allow_anonymous false\npassword_file {passwords}\n"))
        wrong, right = (self.certificates.path / name for name in ("wrong", "right"))
        wrong.write_text("wrong\n")
        right.write_text("right\n")
        self.check("does not authorize", broker)
        self.check("does not authorize", broker, f'user = "lobby"\npassword_file = "{wrong}"\n')
        client = self.ending(Client(broker, user="lobby", password="right"))
        bridge = self.ending(Bridge(self.service, broker, f'user = "lobby"\npassword_file = "{right}"\n'))
        wait_for(lambda: client.last(bridge.base + "reported"), "the report with the right password")

    def test_certificates_are_checked(self):
        broker = self.encrypted("good", alternative="IP:127.0.0.1,DNS:localhost")
        address = f"mqtts://127.0.0.1:{broker.port}"
        bridge = self.ending(Bridge(self.service, broker, self.authorities(), address=address))
        wait_for(lambda: any(b"placard-berlin-lobby" in line for line in broker.output), "the connection over TLS")
        bridge.stop()
        self.check("certificate is refused", broker, address=address)
        wrong = self.encrypted("wrong", alternative="DNS:other.example")
        self.check("mismatch", wrong, self.authorities(), address=f"mqtts://127.0.0.1:{wrong.port}")
        old = self.encrypted("old", alternative="IP:127.0.0.1", expired=True)
        self.check("certificate has expired", old, self.authorities(), address=f"mqtts://127.0.0.1:{old.port}")

    def test_a_certificate_of_the_client_is_a_login(self):
        broker = self.encrypted("strict", alternative="IP:127.0.0.1", extra="require_certificate true\nuse_identity_as_username true\n")
        address = f"mqtts://127.0.0.1:{broker.port}"
        certificate, key = self.certificates.make("client", subject="lobby")
        settings = self.authorities() + f'certificate = "{certificate}"\nkey = "{key}"\n'
        self.ending(Bridge(self.service, broker, settings, address=address))
        wait_for(lambda: any(b"placard-berlin-lobby" in line and b"u'lobby'" in line for line in broker.output),
                 "the connection of the user lobby")

    def test_other_protocols_are_recognized(self):
        web = self.ending(Impostor(b"HTTP/1.1 400 Bad Request\r\n\r\n"))
        self.check("closed the connection before it answered", web)
        plain = self.ending(Mosquitto())
        self.check("TLS failed", plain, self.authorities(), address=f"mqtts://127.0.0.1:{plain.port}")
        encrypted = self.encrypted("plain", alternative="IP:127.0.0.1")
        line = self.check("closed the connection before it answered", encrypted)
        self.assertIn("expects TLS", line)


class Setup(unittest.TestCase):
    def setUp(self):
        if not Mosquitto.find():
            self.skipTest("mosquitto is not installed")
        self.broker = Mosquitto()
        self.addCleanup(self.broker.end)
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory(prefix="placard-setup-")))
        self.file = self.folder / "mqtt.toml"

    def run_setup(self, *options):
        return subprocess.run(
            [PRODUCTS / "placard-mqtt", "setup", "--config", self.file, *options], capture_output=True, text=True)

    def test_a_setup_tests_the_connection_and_writes_settings_that_work(self):
        service = Service()
        self.addCleanup(service.end)
        answer = self.run_setup("--broker", f"127.0.0.1:{self.broker.port}", "--site", "berlin", "--node", "lobby",
                                "--tag", "entrance", "--tag", "floor-2", "--home-assistant",
                                "--socket", str(service.socket))
        self.assertEqual((answer.returncode, answer.stderr), (0, ""))
        self.assertIn("placard/berlin/lobby/", answer.stdout)
        self.assertEqual(self.file.stat().st_mode & 0o777, 0o640)
        self.file.write_text(self.file.read_text() + f'state = "{self.folder}/outbox.sqlite"\n')
        client = Client(self.broker)
        self.addCleanup(client.end)
        process = subprocess.Popen([PRODUCTS / "placard-mqtt", "--config", self.file])
        self.addCleanup(process.wait)
        self.addCleanup(process.terminate)
        report = wait_for(lambda: client.last("placard/berlin/lobby/reported"), "the report")
        self.assertEqual(report["tags"], ["entrance", "floor-2"])
        wait_for(lambda: any(one.topic.startswith("homeassistant/device/") for one in client.messages), "discovery")

    def test_a_setup_that_fails_writes_nothing(self):
        self.file.write_text("old")
        for options, reason in [
            (["--broker", "127.0.0.1:1"], "Connection refused"), (["--broker", "broker.invalid"], "is unknown"),
            (["--broker", "ftp://x"], "mqtt://HOST:1883"), (["--broker", "x", "--site", "a/b"], "site"),
            (["--broker", "x", "--password-file", "/nowhere", "--user", "u"], "/nowhere cannot be read"),
        ]:
            with self.subTest(options=options):
                answer = self.run_setup("--node", "lobby", *options)
                self.assertEqual(answer.returncode, 1)
                self.assertIn(reason, answer.stderr)
                self.assertEqual([path.name for path in self.folder.iterdir()], ["mqtt.toml"])
                self.assertEqual(self.file.read_text(), "old")
        answer = self.run_setup("--broker", f"127.0.0.1:{self.broker.port}", "--node", "lobby", "--dry-run")
        self.assertEqual((answer.returncode, self.file.read_text()), (0, "old"))
        self.assertIn(f'broker = "mqtt://127.0.0.1:{self.broker.port}"', answer.stdout)


class Settings(unittest.TestCase):
    def check(self, text):
        folder = self.enterContext(tempfile.TemporaryDirectory())
        path = f"{folder}/mqtt.toml"
        with open(path, "w") as file:
            file.write(text)
        return subprocess.run(
            [PRODUCTS / "placard-mqtt", "run", "--config", path, "--check"], capture_output=True, text=True)

    def test_settings_with_a_mistake_are_refused_with_its_line(self):
        cases = {
            'site = "x"\n': "`broker` is missing",
            'broker = "http://x"\n': "mqtt://HOST:1883",
            'broker = "mqtt://x"\nnode = "a/b"\n': ":2: node",
            'broker = "mqtt://x"\nnode = "a"\nsite = "+"\n': ":3: site",
            'broker = "mqtt://x"\nnode = "a"\ntags = ["#"]\n': ":3: tags",
            'broker = "mqtt://x"\nnode = "a"\nkeepalive = 5\n': ":3: keepalive",
            'broker = "mqtt://x"\nnode = "a"\npassword_file = "/x"\n': "needs `user`",
            'broker = "mqtt://x"\nnode = "a"\ncertificate = "/x"\n': "need each other",
            'broker = "mqtt://x"\nnode = "a"\nauthorities = "/x"\n': "mqtts://",
            'broker = "mqtt://x"\nnode = "a"\nbrocker = "y"\n': 'did you mean "broker"?',
        }
        for text, reason in cases.items():
            with self.subTest(text=text):
                answer = self.check(text)
                self.assertEqual(answer.returncode, 1)
                self.assertIn(reason, answer.stderr)
        self.assertEqual(self.check('broker = "mqtts://x"\nnode = "a"\n').stdout.split(": ", 1)[1],
                         "box default/a at mqtts://x:8883\n")

