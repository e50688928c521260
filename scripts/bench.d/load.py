#!/usr/bin/env python3
"""Puts one placardd under an extreme load of event streams (some never read), messages and previews.

Usage: load.py PLACARDD [SECONDS] [LISTENERS] [MESSAGES-A-SECOND] [PREVIEWS-A-SECOND]

Starts the service with a virtual 1920x1080 display and a private state file, sends requests over its Unix socket only,
and stops it. Prints a table. The exit status is 1 if a request or an event stream fails unexpectedly.
"""

import json
import multiprocessing
import os
import re
import selectors
import socket
import subprocess
import sys
import tempfile
import threading
import time

FRAME = 1e9 / 60
NEVER_READ = 0.1
POSTERS = 16


class Connection:
    """A connection that sends one request at a time to the service."""

    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(30)
        self.socket.connect(path)
        self.rest = b""

    def ask(self, method, target, body=None, headers=()):
        """Returns the status, the headers (names in lower case) and the body of the response."""
        data = b"" if body is None else json.dumps(body).encode()
        lines = [f"{method} {target} HTTP/1.1", "Host: placard", *headers]
        if body is not None:
            lines += ["Content-Type: application/json", f"Content-Length: {len(data)}"]
        self.socket.sendall("\r\n".join(lines + ["", ""]).encode() + data)
        return self.answer()

    def answer(self):
        while b"\r\n\r\n" not in self.rest:
            self.more()
        head, self.rest = self.rest.split(b"\r\n\r\n", 1)
        first, *lines = head.decode().split("\r\n")
        headers = {name.lower(): value for name, value in (line.split(": ", 1) for line in lines)}
        status = int(first.split()[1])
        length = 0 if status in (204, 304) else int(headers.get("content-length", 0))
        while len(self.rest) < length:
            self.more()
        body, self.rest = self.rest[:length], self.rest[length:]
        return status, headers, body

    def more(self):
        data = self.socket.recv(1 << 18)
        if not data:
            raise ConnectionError("the service closed the connection")
        self.rest += data


def listen(path):
    """Opens an event stream and reads the head of its response."""
    one = socket.socket(socket.AF_UNIX)
    one.settimeout(30)
    one.connect(path)
    one.sendall(b"GET /v1/events HTTP/1.1\r\nHost: placard\r\n\r\n")
    data = b""
    while b"\r\n\r\n" not in data:
        piece = one.recv(4096)
        if not piece:
            raise ConnectionError(f"the service closed the event stream: {data!r}")
        data += piece
    if b" 200 " not in data.split(b"\r\n")[0]:
        raise ConnectionError(f"the service refused the event stream: {data!r}")
    return one


ID = re.compile(rb"\nid: (?:\w+-)?(\d+)")


class Reader:
    """Counts the events of one stream, and the gaps in their IDs."""

    def __init__(self, one):
        self.socket = one
        self.socket.setblocking(False)
        self.seen = 0
        self.first = None
        self.last = None
        self.closed = False
        self.rest = b""

    def read(self):
        try:
            data = self.socket.recv(1 << 16)
        except BlockingIOError:
            return
        except ConnectionError:
            data = b""
        if not data:
            self.closed = True
            return
        # An incomplete event waits for the next piece of data.
        data = self.rest + data
        end = data.rfind(b"\n\n") + 1
        self.rest = data[end:] if end else data
        ids = ID.findall(b"\n" + data[:end])
        if ids:
            self.first = self.first or int(ids[0])
            self.last = int(ids[-1])
            self.seen += len(ids)

    @property
    def missed(self):
        return 0 if self.first is None else self.last - self.first + 1 - self.seen


def read_for_long(path, reading, mute, told, asked):
    """Runs listeners that read and listeners that never read in a separate process; reports their counts on request."""
    readers = [Reader(listen(path)) for _ in range(reading)]
    silent = [listen(path) for _ in range(mute)]
    choice = selectors.DefaultSelector()
    for reader in readers:
        choice.register(reader.socket, selectors.EVENT_READ, reader)
    choice.register(asked, selectors.EVENT_READ, None)
    told.send("ready")
    going = True
    while going:
        for key, _ in choice.select():
            if key.data is None:
                going = False
            else:
                key.data.read()
                if key.data.closed:
                    choice.unregister(key.fileobj)
    dropped = 0
    for one in silent:
        one.settimeout(0.2)
        try:
            while one.recv(1 << 18):
                pass
            dropped += 1
        except ConnectionError:
            dropped += 1
        except TimeoutError:
            pass
    told.send({
        "lost": sum(reader.closed for reader in readers),
        "least": min(reader.seen for reader in readers),
        "missed": sum(reader.missed for reader in readers),
        "dropped": dropped,
    })


class Service:
    """A private placardd."""

    def __init__(self, program, folder):
        self.socket = os.path.join(folder, "placard.sock")
        self.log = os.path.join(folder, "log")
        self.process = subprocess.Popen(
            [program, "--backend", "virtual", "--socket", self.socket, "--state", os.path.join(folder, "state.db"),
             "--config", self.settings(folder)],
            stdout=open(self.log, "wb"), stderr=subprocess.STDOUT)
        end = time.monotonic() + 20
        while True:
            try:
                if Connection(self.socket).ask("GET", "/v1/displays")[0] == 200:
                    return
            except OSError:
                pass
            if self.process.poll() is not None or time.monotonic() > end:
                raise SystemExit("placardd did not start:\n" + open(self.log).read())
            time.sleep(0.02)

    @staticmethod
    def settings(folder):
        path = os.path.join(folder, "placard.toml")
        with open(path, "w") as file:
            # All listeners have the user of this program, of which the service accepts 256 connections by default.
            file.write('log = "warning"\n[controller.limits]\nconnections_per_user = 600\n')
        return path

    def memory(self):
        """Returns the resident and the anonymous memory in MB."""
        with open(f"/proc/{self.process.pid}/status") as file:
            fields = dict(line.split(":", 1) for line in file)
        return [int(fields[name].split()[0]) / 1000 for name in ("VmRSS", "RssAnon")]

    def cpu(self):
        """Returns the processor time in seconds."""
        with open(f"/proc/{self.process.pid}/stat") as file:
            fields = file.read().rsplit(") ", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def end(self):
        self.process.terminate()
        self.process.wait(20)


class Load:
    """The requests of one run, with threads for each kind of request, and their results."""

    def __init__(self, path, seconds, messages, previews):
        self.path, self.seconds = path, seconds
        self.rates = (messages, previews)
        self.lock = threading.Lock()
        self.sent = {}
        self.answered = {}
        self.flips = []
        self.errors = []
        self.preview_bytes = 0
        self.previews = {200: 0, 304: 0}
        self.preview_times = []
        self.probe_times = []
        self.next = 0
        self.start = time.monotonic_ns()
        self.done = False

    def guarded(self, work):
        def run():
            try:
                work()
            except Exception as error:  # The table reports every error.
                self.errors.append(f"{work.__name__}: {error!r}")
        return threading.Thread(target=run)

    def run(self):
        watcher = self.guarded(self.watch)
        watcher.start()
        threads = [self.guarded(self.post) for _ in range(POSTERS)]
        threads += [self.guarded(self.look) for _ in range(4)] + [self.guarded(self.probe)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        # The last message needs a moment until its flip.
        end = time.monotonic() + 2
        while time.monotonic() < end and (not self.flips or self.flips[-1][0] < self.next - 1):
            time.sleep(0.01)
        self.done = True
        watcher.join()

    def wait_until(self, moment):
        rest = (moment - time.monotonic_ns()) / 1e9
        if rest > 0:
            time.sleep(rest)

    def post(self):
        """Sends each message when it is due, and waits for its response."""
        connection = Connection(self.path)
        while True:
            with self.lock:
                number = self.next
                due = self.start + number * 1e9 / self.rates[0]
                if due >= self.start + self.seconds * 1e9:
                    return
                self.next += 1
            self.wait_until(due)
            sent = time.monotonic_ns()
            status, _, body = connection.ask(
                "POST", "/v1/messages", {"text": f"Message {number}", "name": "load"})
            now = time.monotonic_ns()
            if status not in (200, 201):
                self.errors.append(f"message {number}: {status} {body[:200]!r}")
            self.sent[number] = sent
            self.answered[number] = now

    def look(self):
        """Requests a quarter of the previews, each with the entity tag of the last one, as the web page does."""
        connection = Connection(self.path)
        tag = None
        every = 4e9 / self.rates[1]
        due = time.monotonic_ns()
        while due < self.start + self.seconds * 1e9:
            self.wait_until(due)
            due += every
            began = time.monotonic_ns()
            headers = [f"If-None-Match: {tag}"] if tag else []
            status, answer, body = connection.ask(
                "GET", "/v1/displays/Virtual-1/preview?width=480&format=jpeg", headers=headers)
            with self.lock:
                self.preview_times.append(time.monotonic_ns() - began)
                self.preview_bytes += len(body)
                self.previews[status] = self.previews.get(status, 0) + 1
            if status not in (200, 304):
                self.errors.append(f"preview: {status} {body[:200]!r}")
            tag = answer.get("etag")

    def probe(self):
        """Measures how long another client waits for the list of displays."""
        connection = Connection(self.path)
        due = time.monotonic_ns()
        while due < self.start + self.seconds * 1e9:
            self.wait_until(due)
            due += 1e8
            began = time.monotonic_ns()
            status, _, body = connection.ask("GET", "/v1/displays")
            self.probe_times.append(time.monotonic_ns() - began)
            if status != 200 or b'"lit"' not in body:
                self.errors.append(f"displays: {status} {body[:200]!r}")

    def watch(self):
        """Reads all events and records the flip time of each message."""
        one = listen(self.path)
        one.settimeout(0.1)
        rest = b""
        while not self.done:
            try:
                data = one.recv(1 << 18)
            except TimeoutError:
                continue
            if not data:
                raise ConnectionError("the service closed the watcher's event stream")
            *lines, rest = (rest + data).split(b"\n")
            for line in lines:
                if line.startswith(b"data: ") and b"messageShown" in line:
                    event = json.loads(line[6:])
                    words = (event.get("detail") or "").split()
                    if len(words) == 2 and words[0] == "Message":
                        self.flips.append((int(words[1]), event["time"]))

    def lags(self, since):
        """Returns each message's delay in frames, from its time in `since` to the first flip with it or a newer one."""
        result = []
        flips = sorted(self.flips, key=lambda flip: flip[1])
        at = 0
        for number in sorted(since):
            while at < len(flips) and flips[at][0] < number:
                at += 1
            if at == len(flips):
                break
            result.append(max(0, flips[at][1] - since[number]) / FRAME)
        return sorted(result), len(since) - len(result)


def share(values, part):
    return values[min(len(values) - 1, int(len(values) * part))] if values else float("nan")


def spread(values, unit=1.0):
    values = sorted(values)
    return " / ".join(f"{share(values, part) / unit:.1f}" for part in (0.5, 0.99, 1))


def main():
    program = sys.argv[1]
    numbers = [int(word) for word in sys.argv[2:]]
    seconds, listeners, messages, previews = (numbers + [60, 500, 200, 20][len(numbers):])[:4]
    with tempfile.TemporaryDirectory(prefix="placard-load-") as folder:
        service = Service(program, folder)
        try:
            failed = measure(service, seconds, listeners, messages, previews)
        finally:
            service.end()
        with open(service.log) as file:
            lines = file.read().splitlines()
        print(f"| lines in the log | {len(lines)} |")
        for line in lines[:3]:
            print(f"    {line[:200]}")
    sys.exit(1 if failed else 0)


def measure(service, seconds, listeners, messages, previews):
    mute = int(listeners * NEVER_READ)
    before = service.memory()
    here, there = multiprocessing.Pipe()
    stop_here, stop_there = multiprocessing.Pipe()
    child = multiprocessing.Process(
        target=read_for_long, args=(service.socket, listeners - mute, mute, there, stop_there), daemon=True)
    child.start()
    if not here.poll(30):
        raise SystemExit("the listeners could not connect")
    here.recv()
    load = Load(service.socket, seconds, messages, previews)
    memory = []
    cpu = service.cpu()
    sampler = threading.Thread(target=sample, args=(service, load, memory))
    sampler.start()
    load.run()
    took = (time.monotonic_ns() - load.start) / 1e9
    cpu = service.cpu() - cpu
    sampler.join()
    stop_here.send("enough")
    if not here.poll(30):
        raise SystemExit("the listeners did not report their counts")
    seen = here.recv()
    child.join(10)
    status, _, body = Connection(service.socket).ask("GET", "/v1/health")
    cut = json.loads(body).get("rejections", {}) if status == 200 else f"not available ({status})"
    return report(load, memory, before, cpu / took, seen, cut, mute)


def sample(service, load, memory):
    due = time.monotonic()
    while not load.done:
        memory.append(service.memory())
        due += 1
        time.sleep(max(0, due - time.monotonic()))


def report(load, memory, before, cpu, seen, cut, mute):
    from_answer, unseen = load.lags(load.answered)
    from_sent, _ = load.lags(load.sent)
    resident = [sample[0] for sample in memory]
    answers = [load.answered[number] - load.sent[number] for number in load.answered]
    third = max(1, len(resident) // 3)
    rows = [
        ("messages answered / sent", f"{len(load.answered)} / {load.next}"),
        ("messages: response time, ms (median / 99% / maximum)", spread(answers, 1e6)),
        ("flips with a new message", len(load.flips)),
        ("frames from the response to a flip with the message or a newer one", spread(from_answer)),
        ("frames from sending to that flip", spread(from_sent)),
        ("messages more than two frames after their response", sum(lag > 2 for lag in from_answer)),
        ("messages never presented, nor a newer one", unseen),
        ("previews by status", json.dumps({str(key): value for key, value in load.previews.items() if value})),
        ("previews: response time, ms (median / 99% / maximum)", spread(load.preview_times, 1e6)),
        ("GET displays: response time, ms (median / 99% / maximum)", spread(load.probe_times, 1e6)),
        ("memory before, MB (anonymous)", f"{before[0]:.1f} ({before[1]:.1f})"),
        ("peak memory in the first / second / last third, MB",
         " / ".join(f"{max(part or [0]):.1f}" for part in
                    (resident[:third], resident[third:2 * third], resident[2 * third:]))),
        ("processors used", f"{cpu:.2f}"),
        ("events of the reading listener with the fewest", seen["least"]),
        ("events that reading listeners missed", seen["missed"]),
        ("reading listeners that were dropped", seen["lost"]),
        ("listeners that never read and were dropped", f"{seen['dropped']} of {mute}"),
        ("rejections, as the service counts", json.dumps(cut)),
        ("errors", len(load.errors)),
    ]
    print("| load | |\n|---|---|")
    for name, value in rows:
        print(f"| {name} | {value} |")
    for error in load.errors[:5]:
        print("   ", error[:300])
    return bool(load.errors or unseen or seen["lost"] or seen["dropped"] < mute)


if __name__ == "__main__":
    main()
