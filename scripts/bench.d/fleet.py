"""Measures a fleet on one broker: many boxes, each a placardd with virtual monitors and a placard-mqtt.

Usage: fleet.py PRODUCTS mosquitto|nats|cluster [BOXES] [DISPLAYS] [ROUNDS] [QOS]

All boxes, the broker and this program share one machine. The queues of the boxes are in memory (/dev/shm), because a box
has a disk of its own. Prints the rows of a table. The exit status is 1 if a display misses a message.
"""

import concurrent.futures
import http.client
import json
import os
import resource
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(REPOSITORY / "Tests/Fleet"), str(REPOSITORY / "Tests/Python")]

from brokers import NATS, Mosquitto, mqtt  # noqa: E402
from clusters import Cluster  # noqa: E402

TICK = os.sysconf("SC_CLK_TCK")
SIZE = {"width": 320, "height": 180}


class UnixConnection(http.client.HTTPConnection):
    def __init__(self, path):
        super().__init__("placard", timeout=300)
        self.path = str(path)

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(self.timeout)
        self.sock.connect(self.path)


def processor_seconds(pid):
    words = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(words[11]) + int(words[12])) / TICK


def wakeups(pid):
    """Returns how often the threads of a process have waited so far; each wait ends with a wake-up."""
    lines = [line for status in Path(f"/proc/{pid}/task").glob("*/status") for line in status.read_text().splitlines()]
    return sum(int(line.split()[1]) for line in lines if line.startswith("voluntary_ctxt_switches"))


def memory(pid):
    """Returns the resident and the anonymous memory of a process, in MB."""
    lines = dict(line.split(":", 1) for line in Path(f"/proc/{pid}/status").read_text().splitlines())
    return tuple(int(lines[key].split()[0]) / 1000 for key in ("VmRSS", "RssAnon"))


class Box:
    """A service with virtual monitors, and its bridge."""

    def __init__(self, products, folder, number, broker, displays, qos):
        self.folder = folder / f"box{number}"
        self.folder.mkdir()
        self.node = f"box{number}"
        self.base = f"placard/bench/{self.node}/"
        (self.folder / "placard.toml").write_text('log = "error"\n')
        (self.folder / "mqtt.toml").write_text(
            f'broker = {json.dumps(broker.addresses)}\nsite = "bench"\nnode = "{self.node}"\n'
            f'socket = "{self.folder}/socket"\nstate = "{self.folder}/outbox.sqlite"\nqos = {qos}\n')
        notices = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        notices.bind(f"{self.folder}/notify")
        self.log = open(self.folder / "log", "wb")
        self.service = subprocess.Popen(
            [products / "placardd", "--backend", "virtual", "--config", self.folder / "placard.toml", "--state", "none",
             "--socket", self.folder / "socket"], stdout=self.log, stderr=self.log, stdin=subprocess.DEVNULL,
            env={**os.environ, "NOTIFY_SOCKET": f"{self.folder}/notify"})
        notices.settimeout(300)
        while b"READY=1" not in notices.recv(1 << 16):
            pass
        notices.close()
        connection = UnixConnection(self.folder / "socket")
        for display in range(displays):
            self.ask(connection, "POST", "/v1/virtual", {**SIZE, "display": f"Virtual-{display + 2}"})
        self.ask(connection, "DELETE", "/v1/virtual/Virtual-1")
        connection.close()
        self.bridge = subprocess.Popen(
            [products / "placard-mqtt", "--config", self.folder / "mqtt.toml"], stdout=self.log, stderr=self.log,
            stdin=subprocess.DEVNULL)

    @staticmethod
    def ask(connection, method, path, body=None):
        connection.request(method, path, None if body is None else json.dumps(body))
        answer = connection.getresponse()
        text = answer.read()
        if answer.status >= 300:
            raise RuntimeError(f"{method} {path}: {answer.status} {text[:300]!r}")

    @property
    def pids(self):
        return self.service.pid, self.bridge.pid

    def end(self):
        for process in (self.bridge, self.service):
            process.terminate()
        for process in (self.bridge, self.service):
            process.wait()
        self.log.close()


def wait_for_storage(broker):
    """Waits until a retained message reaches a new client. The nodes of a cluster that starts lose some."""
    while True:
        found = threading.Event()
        client = mqtt.Client(mqtt.CallbackAPIVersion.VERSION2, client_id="bench-probe")
        client.on_message = lambda *_, found=found: found.set()
        client.connect(broker.host, broker.port)
        client.loop_start()
        client.publish("placard/bench/probe", "kept", qos=1, retain=True).wait_for_publish(10)
        client.subscribe("placard/bench/probe")
        is_kept = found.wait(2)
        client.disconnect()
        client.loop_stop()
        if is_kept:
            return


class Publisher:
    """A client that sends commands.

    It is not the client that receives the receipts. After a restart, a node of NATS closes the connection of a sender
    whose message it cannot store at once. With one client for both, the node then had 1024 receipts in delivery to it,
    sent none of them, and kept all others back.
    """

    def __init__(self, broker, qos):
        self.qos = qos
        self.client = mqtt.Client(mqtt.CallbackAPIVersion.VERSION2, client_id="bench-commands")
        self.client.max_inflight_messages_set(1000)
        self.client.reconnect_delay_set(1, 1)
        self.client.connect(broker.host, broker.port, keepalive=600)
        self.client.loop_start()

    def publish(self, topic, body):
        self.client.publish(topic, body, qos=self.qos)


class Watcher:
    """A client that notes when boxes are online, and when each display has a text."""

    def __init__(self, broker):
        self.changed = threading.Condition()
        self.online = {}
        self.shown = {}
        # The broker keeps the receipts that arrive while this client connects again.
        self.client = mqtt.Client(mqtt.CallbackAPIVersion.VERSION2, client_id="bench", clean_session=False)
        self.client.on_connect = lambda *_: self.subscribe()
        self.client.on_subscribe = self.check_subscription
        self.client.on_message = self.receive
        self.client.reconnect_delay_set(1, 1)
        self.client.connect(broker.host, broker.port, keepalive=600)
        self.client.loop_start()

    def subscribe(self):
        self.client.subscribe([("placard/bench/+/availability", 1), ("placard/bench/+/proof/+", 1)])

    def check_subscription(self, client, data, number, codes, properties):
        # A cluster that starts refuses subscriptions before it has elected its leaders.
        if any(code.is_failure for code in codes):
            threading.Timer(1, self.subscribe).start()

    def receive(self, client, data, message):
        arrived = time.time()
        node, kind = message.topic.split("/")[2:4]
        with self.changed:
            if kind == "availability":
                if message.payload != b"online":
                    self.online.pop(node, None)
                elif not message.retain or node not in self.online:
                    self.online[node] = arrived
            else:
                proof = json.loads(message.payload)
                shown = self.shown.setdefault(proof["what"], {})
                shown.setdefault((node, proof["display"]), (proof["began"]["milliseconds"] / 1000, arrived))
            self.changed.notify_all()

    def wait(self, condition, seconds):
        """Returns whether a condition holds within a time."""
        with self.changed:
            return self.changed.wait_for(condition, seconds)


def row(name, values, unit="s"):
    values = sorted(values)
    if not values:
        return print(f"| {name} | none | | | |")
    worst = values[-1]
    p99 = values[min(len(values) - 1, int(len(values) * 0.99))]
    print(f"| {name} | {statistics.median(values):.2f} | {p99:.2f} | {worst:.2f} | {unit} |", flush=True)


def main():
    products, kind = Path(sys.argv[1]).resolve(), sys.argv[2]
    count, displays, rounds, qos = (int(sys.argv[place]) if len(sys.argv) > place else default
                                    for place, default in ((3, 1000), (4, 8), (5, 5), (6, 1)))
    # The broker has a connection for each box.
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    # By default, mosquitto drops what a client has not taken after 1000 messages.
    broker = {"mosquitto": lambda: Mosquitto("allow_anonymous true\nmax_queued_messages 100000"), "nats": NATS,
              "cluster": Cluster}[kind]()
    processes = [node.process for node in getattr(broker, "nodes", [broker])]
    folder = Path(tempfile.mkdtemp(prefix="placard-fleet-", dir="/dev/shm"))
    boxes = []
    failed = False
    wait_for_storage(broker)
    watcher, publisher = Watcher(broker), Publisher(broker, qos)

    def broadcast(text):
        """Sends a text to all boxes; returns when each display had it, and when the receipt arrived."""
        nonlocal failed
        body = json.dumps({"method": "PUT", "path": "/v1/message", "body": {"text": text}})

        def complete():
            return len(watcher.shown.get(text, ())) == count * displays
        # With QoS 0, the broker keeps no commands for boxes that are away, so they are sent again.
        attempts, seconds = (1, 900) if qos else (90, 10)
        for _ in range(attempts):
            with watcher.changed:
                having = {node for node, _ in watcher.shown.get(text, {})}
            for box in boxes:
                if box.node not in having:
                    publisher.publish(f"{box.base}cmd/{text.replace(' ', '-')}", body)
            if watcher.wait(complete, seconds):
                break
        else:
            print(f"error: {text!r} is not on all displays after 900 s", file=sys.stderr)
            failed = True
        return list(watcher.shown.pop(text, {}).values())

    try:
        began = time.time()
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            for box in pool.map(lambda number: Box(products, folder, number, broker, displays, qos), range(count)):
                boxes.append(box)
        if not watcher.wait(lambda: len(watcher.online) == count, 900):
            print(f"error: only {len(watcher.online)} boxes are online after 900 s", file=sys.stderr)
            return 1
        print(f"{count} boxes with {count * displays} displays on {kind}; started in {time.time() - began:.0f} s")
        print("\n| | median | p99 | worst | |\n|---|---:|---:|---:|---|")
        sample = boxes[:: max(1, count // 20)]
        time.sleep(30)
        before = {pid: processor_seconds(pid) for box in sample for pid in box.pids}
        wakeups_before = {pid: wakeups(pid) for box in sample for pid in box.pids}
        brokers_before = sum(processor_seconds(one.pid) for one in processes)
        time.sleep(60)
        for name, place in (("service", 0), ("bridge", 1)):
            row(f"idle {name}, processor", [
                (processor_seconds(box.pids[place]) - before[box.pids[place]]) * 1000 for box in sample], "ms per minute")
            row(f"idle {name}, wake-ups", [
                wakeups(box.pids[place]) - wakeups_before[box.pids[place]] for box in sample], "per minute")
        idle = sum(processor_seconds(one.pid) for one in processes) - brokers_before
        print(f"| idle broker, processor | {idle * 1000:.0f} | | | ms per minute |")
        for turn in range(rounds):
            brokers_before = sum(processor_seconds(one.pid) for one in processes)
            before = {pid: processor_seconds(pid) for box in sample for pid in box.pids}
            sent = time.time()
            found = broadcast(f"Message {turn + 1}")
            row(f"message {turn + 1}: on screen after", [screen - sent for screen, _ in found])
            row(f"message {turn + 1}: receipt after", [receipt - sent for _, receipt in found])
            row(f"message {turn + 1}: processor of a box", [
                sum(processor_seconds(pid) - before[pid] for pid in box.pids) * 1000 for box in sample], "ms")
            used = sum(processor_seconds(one.pid) for one in processes) - brokers_before
            print(f"| message {turn + 1}: processor of the broker | {used:.2f} | | | s |", flush=True)
        for name, place in (("service", 0), ("bridge", 1)):
            row(f"{name}, resident", [memory(box.pids[place])[0] for box in sample], "MB")
            row(f"{name}, anonymous", [memory(box.pids[place])[1] for box in sample], "MB")
        row("broker, resident", [memory(one.pid)[0] for one in processes], "MB")
        broker.stop()
        broker.start()
        processes = [node.process for node in getattr(broker, "nodes", [broker])]
        restarted = time.time()
        found = broadcast("After the restart")
        row("restart of the broker: a message on screen after", [screen - restarted for screen, _ in found])
        row("restart of the broker: receipt after", [receipt - restarted for _, receipt in found])
        used = sum(processor_seconds(one.pid) for one in processes)
        print(f"| processor of the broker until then | {used:.2f} | | | s |")
        row("broker, resident", [memory(one.pid)[0] for one in processes], "MB")
    finally:
        for one in (watcher, publisher):
            one.client.loop_stop()
        with concurrent.futures.ThreadPoolExecutor(16) as pool:
            list(pool.map(lambda box: box.end(), boxes))
        broker.end()
        subprocess.run(["rm", "-rf", folder], check=False)
    return int(failed)


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    sys.exit(main())
