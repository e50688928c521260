"""A service under attack, with measurements of the effect on other clients."""

import contextlib
import ctypes
import http.client
import json
import os
import socket
import subprocess
import tempfile
import threading
import time
from pathlib import Path

from edids import edid
from service import Refused, Service

# `scripts/attack` runs the long form and checks the waiting times. The tests run the short form without these checks.
IS_LONG = os.environ.get("PLACARD_ATTACK") == "long"

# The bounds of the service's memory (bytes) and of another client's wait (seconds) during an attack.
MOST_MEMORY = 256 << 20
LONGEST_WAIT = 0.25

# The time limit of an answer, in seconds. A busy machine is no failure.
PATIENCE = float(os.environ.get("PLACARD_TIMEOUT", 60))


def times(short, long):
    """Returns a number of repetitions: `short` in the tests, `long` in `scripts/attack`."""
    return long if IS_LONG else short


class UnixConnection(http.client.HTTPConnection):
    """An HTTP connection over the control socket."""

    def __init__(self, path, timeout=PATIENCE):
        super().__init__("placard", timeout=timeout)
        self.path = str(path)

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        # A blocking connect waits for room in the queue of connections. With a time limit, Python would not block.
        self.sock.connect(self.path)
        self.sock.settimeout(self.timeout)

    def ask(self, method, path, body=None, headers=None):
        """Sends a request; returns the response's status, headers and body. `path` begins after `/v1/`."""
        headers = dict(headers or {})
        if body is not None and not isinstance(body, bytes):
            body = json.dumps(body).encode()
            headers["Content-Type"] = "application/json"
        self.request(method, "/v1/" + path, body, headers)
        answer = self.getresponse()
        return answer.status, answer.headers, answer.read()


class Probe:
    """Another client, which requests the list of displays continuously and records its longest wait."""

    def __init__(self, path):
        self.path = path
        self.longest = 0.0
        self.failures = []
        self.is_done = threading.Event()
        self.has_asked = threading.Event()
        self.thread = threading.Thread(target=self.run)
        self.thread.start()
        self.has_asked.wait(60)

    def run(self):
        connection = UnixConnection(self.path)
        while not self.is_done.wait(0.01):
            began = time.monotonic()
            try:
                status = connection.ask("GET", "displays")[0]
                if status != 200:
                    self.failures.append(f"displays: {status}")
            except OSError as error:
                self.failures.append(f"displays: {error!r}")
                connection = UnixConnection(self.path)
            self.longest = max(self.longest, time.monotonic() - began)
            self.has_asked.set()

    def end(self):
        self.is_done.set()
        self.thread.join()


class Attacked(Service):
    """A service with a ticker on Virtual-1. `watched` measures the effect of an attack."""

    def __init__(self, *options, settings="", port=None):
        super().__init__(*options, settings=settings, port=port)
        self.figures = {}

    def connect(self, timeout=PATIENCE):
        return UnixConnection(self.socket, timeout)

    def ask(self, method, path, body=None, headers=None):
        """Like `Service.ask`, but over the control socket, which has no rate limit."""
        connection = self.connect()
        try:
            return connection.ask(method, path, body, headers)
        finally:
            connection.close()

    def scroll(self):
        """Shows a ticker on Virtual-1."""
        scene = {"kind": "ticker", "text": "All trains run on time. " * 20}
        self.send("POST", "sessions", {"scene": scene, "display": "Virtual-1", "wait": True})

    def missed_frames(self):
        """Returns the number of frames that the ticker has missed."""
        return (self.display() or {}).get("missedFrames", 0)

    def all_messages(self):
        """Returns all messages from all pages of the list."""
        connection = self.connect()
        entries, query = [], ""
        while True:
            status, headers, data = connection.ask("GET", "messages" + query)
            if status != 200:
                raise Refused(status, data)
            entries += json.loads(data)
            following = headers.get("Link")
            if not following:
                connection.close()
                return entries
            query = "?" + following.split("?", 1)[1].split(">", 1)[0]

    def connections(self):
        """Returns the number of sockets that the process has open."""
        folder = Path(f"/proc/{self.process.pid}/fd")
        return sum(os.readlink(one).startswith("socket:") for one in folder.iterdir())

    def memory(self):
        """Returns the peak resident memory since the start of `watched`, in bytes."""
        lines = Path(f"/proc/{self.process.pid}/status").read_text().splitlines()
        return next(int(line.split()[1]) << 10 for line in lines if line.startswith("VmHWM"))

    @contextlib.contextmanager
    def watched(self, name):
        """Measures an attack: peak memory, the longest wait of another client, and missed frames of the ticker."""
        Path(f"/proc/{self.process.pid}/clear_refs").write_text("5")
        missed, began = self.missed_frames(), time.monotonic()
        probe = Probe(self.socket)
        try:
            yield
        finally:
            probe.end()
        if self.process.poll() is not None:
            raise AssertionError("placardd exited: " + (self.path / "log").read_text()[-2000:])
        memory = self.memory()
        frames = f"{self.missed_frames() - missed} of {round((time.monotonic() - began) * 60)}"
        report(name, memory=memory, wait=probe.longest, missed_frames=frames)
        assert not probe.failures, f"{name}: another client was refused: {probe.failures[:3]}"
        assert memory <= MOST_MEMORY, f"{name}: the service took {memory >> 20} MiB"


def report(name, **figures):
    """Prints the results of an attack as a table row; in the long form, checks the wait."""
    forms = {
        "memory": lambda value: f"{value / 1e6:.0f} MB", "wait": lambda value: f"{value * 1000:.0f} ms"}
    words = [f"{key} {forms.get(key, str)(value)}" for key, value in figures.items() if value is not None]
    print(f"attack | {name} | {', '.join(words)}", flush=True)
    if IS_LONG:
        wait = figures.get("wait", 0)
        assert wait <= LONGEST_WAIT, f"{name}: another client waited {wait * 1000:.0f} ms"


def raw(path_or_port, data, timeout=10):
    """Sends bytes over a new connection; returns the response up to the end of the connection."""
    if isinstance(path_or_port, int):
        one = socket.create_connection(("127.0.0.1", path_or_port), timeout)
    else:
        one = socket.socket(socket.AF_UNIX)
        one.settimeout(timeout)
        one.connect(str(path_or_port))
    answer = b""
    with one:
        with contextlib.suppress(ConnectionError, TimeoutError):
            one.sendall(data)
        with contextlib.suppress(ConnectionError, TimeoutError):
            while piece := one.recv(1 << 16):
                answer += piece
    return answer


def statuses(answer):
    """Returns the status of each response in the bytes of a connection."""
    lines = answer.split(b"HTTP/1.1 ")[1:]
    return [int(line[:3]) for line in lines]


class HungShare:
    """A file system on which opening a file never returns, like a share whose server is down.

    With FAN_OPEN_PERM the kernel blocks each open until the listener responds (fanotify(7)), and this one never does.
    """

    def __init__(self):
        self.libc = ctypes.CDLL(None, use_errno=True)
        self.folder = tempfile.mkdtemp(prefix="placard-share-")
        self.listener = -1

    @staticmethod
    def can_be_made():
        return os.geteuid() == 0 and hasattr(ctypes.CDLL(None), "fanotify_init")

    def __enter__(self):
        subprocess.run(["mount", "-t", "tmpfs", "share", self.folder], check=True)
        return self

    def hang(self):
        class_content, close_on_exec, mark_add, mark_mount, open_permission = 0x4, 0x1, 0x1, 0x10, 0x10000
        self.listener = self.libc.fanotify_init(class_content | close_on_exec, os.O_RDONLY | os.O_CLOEXEC)
        assert self.listener >= 0, os.strerror(ctypes.get_errno())
        result = self.libc.fanotify_mark(
            self.listener, mark_add | mark_mount, ctypes.c_uint64(open_permission), -100, self.folder.encode())
        assert result == 0, os.strerror(ctypes.get_errno())

    def answer(self):
        """Unblocks all opens."""
        if self.listener >= 0:
            os.close(self.listener)
            self.listener = -1

    def __exit__(self, *_):
        self.answer()
        subprocess.run(["umount", "-l", self.folder], check=True)
        os.rmdir(self.folder)


__all__ = [
    "Attacked", "HungShare", "IS_LONG", "Refused", "UnixConnection", "edid", "raw", "report", "statuses", "times",
]
