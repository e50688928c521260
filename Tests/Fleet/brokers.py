"""MQTT brokers from Debian, a client of them, and bridges of boxes, each for one test."""

import json
import os
import shutil
import signal
import socket
import subprocess
import tempfile
from pathlib import Path

import paho.mqtt.client as mqtt

from changes import changes, follow, wait_for
from service import PRODUCTS, REPOSITORY, free_port

DOCUMENTATION = REPOSITORY / "Sources/Documentation.docc"


class Certificates:
    """A certificate authority and certificates from it, made by OpenSSL."""

    def __init__(self):
        self.folder = tempfile.TemporaryDirectory(prefix="placard-ca-")
        self.path = Path(self.folder.name)
        # mosquitto gives up root's rights before it reads them.
        self.path.chmod(0o755)
        self.authority = self.path / "authority.pem"
        self.key = self.path / "authority.key"
        self.run("req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "30", "-subj", "/CN=Test Authority",
                 "-keyout", self.key, "-out", self.authority)

    def run(self, *arguments):
        subprocess.run(["openssl", *map(str, arguments)], check=True, capture_output=True)

    def make(self, name, *, subject, alternative=None, expired=False):
        """Returns the paths of a certificate and its key."""
        key, request, certificate = (self.path / f"{name}.{end}" for end in ("key", "csr", "pem"))
        self.run("req", "-newkey", "rsa:2048", "-nodes", "-subj", f"/CN={subject}", "-keyout", key, "-out", request)
        extensions = self.path / f"{name}.ext"
        extensions.write_text(f"subjectAltName={alternative}\n" if alternative else "")
        # A certificate of a day, a month ago.
        dates = ["-not_before", "20261001000000Z", "-not_after", "20261002000000Z"] if expired else ["-days", "30"]
        if expired and not self.supports_dates():
            dates = ["-days", "-1"]
        self.run("x509", "-req", "-in", request, "-CA", self.authority, "-CAkey", self.key, "-CAcreateserial",
                 "-extfile", extensions, "-out", certificate, *dates)
        for path in (key, certificate):
            path.chmod(0o644)
        return certificate, key

    def supports_dates(self):
        answer = subprocess.run(["openssl", "x509", "-help"], capture_output=True, text=True)
        return "-not_before" in answer.stderr + answer.stdout

    def end(self):
        self.folder.cleanup()


class Broker:
    """A broker on 127.0.0.1, in a folder of its own, until `end`. It can be stopped and started again."""

    host = "127.0.0.1"
    program = ""
    folders = "/usr/sbin:/usr/local/sbin"
    # A part of the line that the broker writes when it accepts clients.
    ready = b""

    def __init__(self):
        self.folder = tempfile.TemporaryDirectory(prefix="placard-broker-")
        self.path = Path(self.folder.name)
        self.port = free_port()
        self.process = None

    @classmethod
    def find(cls):
        return shutil.which(cls.program) or shutil.which(cls.program, path=cls.folders)

    @classmethod
    def missing(cls):
        """Returns why the broker cannot be used here; nothing if it can."""
        return None if cls.find() else f"{cls.program} is not installed"

    @property
    def addresses(self):
        """The addresses for the settings of a box: one, or those of a cluster's nodes."""
        return [f"mqtt://{self.host}:{self.port}"]

    # The words before the command, to run it in a network namespace.
    prefix = ()

    def run(self, *arguments, **environment):
        """Starts the process; returns when it accepts clients."""
        self.output = []
        self.process = subprocess.Popen(
            [*self.prefix, self.find(), *arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
            env={**os.environ, **environment}, start_new_session=True)
        follow(self.read, self.output.append)
        wait_for(lambda: any(self.ready in line for line in self.output) or self.process.poll() is not None,
                 f"{self.program} to accept clients")
        if self.process.poll() is not None:
            raise AssertionError(b"".join(self.output).decode())

    def read(self):
        """Returns the next line; after the last one, the process has ended."""
        line = self.process.stdout.readline()
        if not line:
            self.process.wait()
        return line

    def stop(self):
        os.killpg(self.process.pid, signal.SIGTERM)
        self.process.wait(300)

    def end(self):
        if self.process.poll() is None:
            self.stop()
        self.folder.cleanup()


class Mosquitto(Broker):
    """A mosquitto. Its retained messages and sessions survive `stop` and `start`."""

    program = "mosquitto"
    ready = b"running"

    def __init__(self, lines=""):
        super().__init__()
        # mosquitto gives up root's rights, and then needs its files.
        self.path.chmod(0o777)
        self.lines = lines
        self.start()

    def start(self):
        configuration = self.path / "mosquitto.conf"
        configuration.write_text(
            f"listener {self.port} 127.0.0.1\npersistence true\npersistence_location {self.path}/\n"
            f"autosave_interval 1\nlog_dest stderr\n{self.lines or 'allow_anonymous true'}\n")
        self.run("-c", configuration)
        # It accepts clients before its main loop, and loses a SIGTERM that arrives between the two.
        with socket.create_connection(("127.0.0.1", self.port)):
            wait_for(lambda: any(b"New connection" in line for line in self.output), "mosquitto's main loop")


class RabbitMQ(Broker):
    """A RabbitMQ with its MQTT plugin.

    It delivers retained messages to subscribers of the exact topic only, not to those of wildcards.
    """

    program = "rabbitmq-server"
    ready = b"Server startup complete"

    def __init__(self):
        super().__init__()
        self.amqp, self.distribution, self.mapper = (free_port() for _ in range(3))
        (self.path / "rabbitmq.conf").write_text(
            f"listeners.tcp.1 = 127.0.0.1:{self.amqp}\nmqtt.listeners.tcp.1 = 127.0.0.1:{self.port}\n"
            "mqtt.allow_anonymous = true\nlog.console = true\nlog.file = false\n")
        (self.path / "plugins").write_text("[rabbitmq_mqtt].\n")
        (self.path / "advanced.config").write_text(
            "[{rabbitmq_mqtt, [{retained_message_store, rabbit_mqtt_retained_msg_store_dets}]}].\n")
        self.start()

    @classmethod
    def find(cls):
        # The script in /usr/sbin only changes the user.
        return shutil.which(cls.program, path="/usr/lib/rabbitmq/bin")

    def start(self):
        self.run(
            HOME=str(self.path), RABBITMQ_NODENAME=f"placard{self.port}@localhost",
            RABBITMQ_MNESIA_BASE=f"{self.path}/mnesia", RABBITMQ_LOG_BASE=f"{self.path}/log",
            RABBITMQ_CONFIG_FILE=f"{self.path}/rabbitmq.conf",
            RABBITMQ_ADVANCED_CONFIG_FILE=f"{self.path}/advanced.config",
            RABBITMQ_ENABLED_PLUGINS_FILE=f"{self.path}/plugins", RABBITMQ_DIST_PORT=str(self.distribution),
            ERL_EPMD_PORT=str(self.mapper))

    def stop(self):
        super().stop()
        # Erlang's port mapper is a daemon of its own.
        subprocess.run(["epmd", "-port", str(self.mapper), "-kill"], capture_output=True)


class NATS(Broker):
    """A nats-server with JetStream and its MQTT listener."""

    program = "nats-server"
    ready = b"Server is ready"

    def __init__(self):
        super().__init__()
        (self.path / "nats.conf").write_text(
            f'server_name: placard\nlisten: "127.0.0.1:{free_port()}"\n'
            f'jetstream {{ store_dir: "{self.path}/jetstream" }}\nmqtt {{ host: "127.0.0.1", port: {self.port} }}\n')
        self.start()

    def start(self):
        self.run("-c", self.path / "nats.conf")


class Client:
    """A client of a broker that keeps all messages."""

    def __init__(self, broker, topics=("#",), user=None, password=None, name="test"):
        self.messages = []
        self.granted = None
        self.acknowledged = set()
        self.is_closed = False
        self.client = mqtt.Client(mqtt.CallbackAPIVersion.VERSION2, client_id=name, clean_session=False)
        if user:
            self.client.username_pw_set(user, password)
        self.client.on_message = self.receive
        self.client.on_connect = lambda client, *_: [client.subscribe(topic, 1) for topic in topics]
        self.client.on_subscribe = self.note_subscription
        self.client.on_publish = self.note_acknowledgment
        self.client.on_disconnect = self.note_end
        self.client.connect(broker.host, broker.port)
        self.client.loop_start()
        wait_for(lambda: self.granted is not None, "the test's client to be subscribed")

    def note_subscription(self, client, data, number, codes, properties):
        self.granted = codes
        changes.notify()

    def note_acknowledgment(self, client, data, number, code, properties):
        self.acknowledged.add(number)
        changes.notify()

    def note_end(self, client, data, flags, code, properties):
        self.is_closed = True
        changes.notify()

    def receive(self, client, data, message):
        self.messages.append(message)
        changes.notify()

    def publish(self, topic, payload, retain=False):
        """Publishes a message; objects become JSON. Returns after the broker has acknowledged it."""
        text = payload if isinstance(payload, (str, bytes)) else json.dumps(payload)
        self.client.publish(topic, text, qos=1, retain=retain).wait_for_publish(60)

    def try_to_publish(self, topic, payload, retain=False):
        """Publishes a message that the broker may refuse: it drops the message or closes the connection."""
        text = payload if isinstance(payload, (str, bytes)) else json.dumps(payload)
        number = self.client.publish(topic, text, qos=1, retain=retain).mid
        wait_for(lambda: number in self.acknowledged or self.is_closed, f"the answer to a message to {topic}")

    def try_to_subscribe(self, topic):
        """Subscribes to a topic, which the broker may refuse."""
        self.granted = None
        self.client.subscribe(topic, 1)
        wait_for(lambda: self.granted is not None or self.is_closed, f"the answer to the subscription to {topic}")

    def of(self, topic):
        """Returns the payloads of all messages of a topic so far, in order."""
        return [message.payload for message in list(self.messages) if message.topic == topic]

    def last(self, topic):
        """Returns the last payload of a topic as JSON; None if there is none."""
        payloads = self.of(topic)
        return json.loads(payloads[-1]) if payloads else None

    def upward(self, base):
        """Returns the messages with sequence numbers by their numbers; repeated ones must be equal."""
        found = {}
        for message in list(self.messages):
            if message.topic.startswith((base + "proof/", base + "evt/", base + "reply/")):
                payload = json.loads(message.payload)
                number = payload["sequence"]
                assert found.setdefault(number, payload) == payload, f"{number} has two contents"
        return found

    def end(self):
        self.client.disconnect()
        self.client.loop_stop()


class Bridge:
    """A running placard-mqtt for a service."""

    def __init__(self, service, broker, settings="", *, address=None, site="berlin", node="lobby", prefix=(),
                 state=None, environment=None):
        self.folder = tempfile.TemporaryDirectory(prefix="placard-mqtt-")
        self.path = Path(self.folder.name)
        self.base = f"placard/{site}/{node}/"
        self.file = self.path / "mqtt.toml"
        self.prefix = prefix
        self.environment = environment or {}
        addresses = json.dumps(address or (broker.addresses if len(broker.addresses) > 1 else broker.addresses[0]))
        self.file.write_text(
            f'broker = {addresses}\nsite = "{site}"\nnode = "{node}"\n'
            f'socket = "{service.socket}"\nstate = "{state or self.path}/outbox.sqlite"\n{settings}\n')
        self.lines = []
        self.start()

    def start(self):
        self.process = subprocess.Popen(
            [*self.prefix, PRODUCTS / "placard-mqtt", "--config", self.file], stderr=subprocess.PIPE, stdin=subprocess.DEVNULL,
            env={**os.environ, **self.environment})
        self.reader = follow(lambda: self.process.stderr.readline(), lambda line: self.lines.append(line.decode()))

    def stop(self, number=signal.SIGTERM):
        self.process.send_signal(number)
        return self.process.wait(300)

    def wait_for_line(self, text):
        return wait_for(lambda: next((line for line in self.lines if text in line), None),
                        f"a line with {text!r}; there were {self.lines}")

    def end(self):
        if self.process.poll() is None:
            self.stop()
        self.folder.cleanup()


class Impostor:
    """A server that answers each connection with some bytes, and is no broker."""

    def __init__(self, answer):
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.addresses = [f"mqtt://127.0.0.1:{self.port}"]

        def serve():
            try:
                one, _ = self.listener.accept()
            except OSError:
                return b""
            with one:
                one.recv(100)
                one.sendall(answer)
            return b"."
        follow(serve)

    def end(self):
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()
