"""A placardd with virtual displays for one test, and its API client."""

import http.client
import io
import json
import os
import select
import socket
import sqlite3
import subprocess
import tempfile
from contextlib import closing
from pathlib import Path

from PIL import Image

from changes import follow, wait_for

REPOSITORY = Path(__file__).resolve().parents[2]
PRODUCTS = Path(os.environ.get("PLACARD_PRODUCTS", REPOSITORY / ".build/debug"))


def free_port():
    """Returns a TCP port of 127.0.0.1 that is not in use."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


class Refused(Exception):
    """The error of a request that the service refused."""

    def __init__(self, status, body):
        super().__init__(f"{status}: {body[:500]!r}")
        self.status = status


class Service:
    """A running placardd. Call `end`, or use a `with` statement."""

    def __init__(self, *options, settings="", port=None, prefix=(), environment=None):
        self.folder = tempfile.TemporaryDirectory(prefix="placard-")
        self.path = Path(self.folder.name)
        self.socket = self.path / "placard.sock"
        self.options = options
        self.prefix = prefix
        self.environment = environment or {}
        self.port = port or free_port()
        log = "" if settings.startswith("log = ") else 'log = "warning"\n'
        (self.path / "placard.toml").write_text(log + settings)
        self.process = None
        self.start()

    def start(self):
        """Starts the process, or restarts it after `stop`; returns when it is ready."""
        # The notifications of sd_notify(3). The last one is READY=1, and statuses follow.
        notices = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        name = tempfile.mktemp(prefix="notify-", dir=self.path)
        notices.bind(name)
        with open(self.path / "log", "ab") as log:
            self.process = subprocess.Popen(
                [*self.prefix, PRODUCTS / "placardd", "--backend", "virtual", "--config", self.path / "placard.toml",
                 "--state", self.path / "state.db", "--socket", self.socket, "--listen", f"127.0.0.1:{self.port}",
                 *self.options],
                stdout=log, stderr=log, stdin=subprocess.DEVNULL,
                env={**os.environ, **self.environment, "NOTIFY_SOCKET": name})
        received = []
        follow(self.reader(notices), received.append)
        try:
            wait_for(lambda: any(b"READY=1" in one for one in received) or self.has_ended(), "placardd to be ready")
        except AssertionError:
            self.process.kill()
            raise
        if self.has_ended():
            raise AssertionError("placardd exited: " + (self.path / "log").read_text())
        self.follow_events()

    def reader(self, notices):
        """Returns a function that waits for a notification; it returns nothing after the process has ended."""
        ended = os.pidfd_open(self.process.pid)
        def read():
            if notices in select.select([notices, ended], [], [])[0]:
                return notices.recv(1 << 16)
            os.close(ended)
            notices.close()
            return b""
        return read

    def has_ended(self):
        return self.process.poll() is not None

    def follow_events(self):
        """Reports each event of the service as a change."""
        events = socket.socket(socket.AF_UNIX)
        events.connect(str(self.socket))
        events.sendall(b"GET /v1/events HTTP/1.1\r\nHost: placard\r\nAccept: text/event-stream\r\n\r\n")
        follow(lambda: events.recv(1 << 16))

    def stop(self):
        """Ends the process; its state file stays for the next start."""
        self.process.terminate()
        try:
            ended = self.process.wait(300)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            raise AssertionError("placardd did not end within 300 s after SIGTERM")
        if ended != 0:
            raise AssertionError(f"placardd exited with {ended}: " + (self.path / "log").read_text())

    def add_history(self, entries):
        """Adds entries of one second to the history, each (display, what, start in milliseconds since 1970).

        Restarts the service, since a running one locks its state file.
        """
        # IDs sort by time: 42 bits of time, then 21 bits that distinguish entries of the same millisecond.
        rows = [((began << 21) + number, display, what, began, began + 1000)
                for number, (display, what, began) in enumerate(entries)]
        self.stop()
        with closing(sqlite3.connect(self.path / "state.db")) as database, database:
            database.executemany(
                "INSERT INTO history(id, display, monitor, session, kind, what, began, ended, exact)"
                " VALUES(?, ?, '', '', 'banner', ?, ?, ?, 1)", rows)
        self.start()

    def end(self):
        if self.process.poll() is None:
            self.stop()
        self.folder.cleanup()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.end()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}"

    def ask(self, method, path, body=None, headers=None):
        """Returns the status, headers and bytes of an answer; `path` follows `/v1/`, and bytes are sent unchanged."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=300)
        headers = dict(headers or {})
        if body is not None and not isinstance(body, bytes):
            body = json.dumps(body).encode()
            headers["Content-Type"] = "application/json"
        try:
            connection.request(method, "/v1/" + path, body, headers)
            answer = connection.getresponse()
            return answer.status, answer.headers, answer.read()
        finally:
            connection.close()

    def get(self, path):
        return self.send("GET", path)

    def send(self, method, path, body=None, headers=None):
        """Returns the JSON of an answer; raises `Refused` for an error status."""
        status, _, data = self.ask(method, path, body, headers)
        if status >= 300:
            raise Refused(status, data)
        return json.loads(data) if data else None

    def display(self, name="Virtual-1"):
        """Returns the report of a display; None if the display does not exist."""
        return next((one for one in self.get("displays") if one["name"] == name), None)

    def plug(self, width, height, name=None):
        """Plugs in a virtual monitor; returns the name of its display when it is lit."""
        body = {"width": width, "height": height, **({"display": name} if name else {})}
        name = self.send("POST", "virtual", body)["name"]
        wait_for(lambda: self.display(name)["state"] == "lit", f"{name} to be lit")
        return name

    def picture(self, name="Virtual-1"):
        """Returns the frame on screen as a Pillow image."""
        status, _, data = self.ask("GET", f"displays/{name}/screenshot")
        if status != 200:
            raise Refused(status, data)
        return Image.open(io.BytesIO(data)).convert("RGB")


def same(one, other):
    """Returns whether two images have the same pixels."""
    return one.size == other.size and one.tobytes() == other.tobytes()


class Reference:
    """A second service that draws the expected frames, from scenes sent through its API."""

    def __init__(self):
        self.service = Service()
        self.known = {}

    def picture(self, scene, width=1920, height=1080):
        """Returns the frame of a scene at a size; a string stands for a banner."""
        if isinstance(scene, str):
            scene = {"kind": "banner", "text": scene}
        key = json.dumps([scene, width, height], sort_keys=True)
        if key not in self.known:
            displays = {(one["width"], one["height"]): one["name"] for one in self.service.get("displays")}
            name = displays.get((width, height)) or self.service.plug(width, height)
            self.service.send("POST", "sessions", {"scene": scene, "display": name, "wait": True})
            self.known[key] = self.service.picture(name)
        return self.known[key]

    def end(self):
        self.service.end()


def png(width, height, color):
    """Returns a PNG file of one color."""
    data = io.BytesIO()
    Image.new("RGB", (width, height), color).save(data, "PNG")
    return data.getvalue()
