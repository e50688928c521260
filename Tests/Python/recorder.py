"""A proxy on a Unix socket that forwards HTTP/1.1 to another socket, and records the exchanges."""

import socket
import threading
from dataclasses import dataclass, field

from changes import changes


@dataclass
class Exchange:
    """A request and its answer; names of headers are in lower case.

    The client has the answer before this object has it, so a reader waits for `finished`: the answer is complete, or its
    events begin, or the connection has ended.
    """

    method: str
    target: str
    headers: dict
    body: bytes
    status: int = 0
    answer_headers: dict = field(default_factory=dict)
    answer: bytes = b""
    finished: threading.Event = field(default_factory=threading.Event)


class Side:
    """One direction of a connection, parsed message by message; all bytes are forwarded unchanged."""

    def __init__(self, here, there):
        self.here, self.there = here, there
        self.rest = b""

    def more(self):
        data = self.here.recv(1 << 16)
        if not data:
            raise EOFError
        self.there.sendall(data)
        self.rest += data

    def until(self, end):
        while end not in self.rest:
            self.more()
        part, self.rest = self.rest.split(end, 1)
        return part

    def exactly(self, count):
        while len(self.rest) < count:
            self.more()
        part, self.rest = self.rest[:count], self.rest[count:]
        return part

    def head(self):
        first, *lines = self.until(b"\r\n\r\n").decode().split("\r\n")
        return first, {name.lower(): value.strip() for name, value in (line.split(":", 1) for line in lines)}

    def body(self, headers):
        if headers.get("transfer-encoding", "").lower() == "chunked":
            data = b""
            while size := int(self.until(b"\r\n").split(b";")[0], 16):
                data += self.exactly(size)
                self.until(b"\r\n")
            self.until(b"\r\n")
            return data
        return self.exactly(int(headers.get("content-length", 0)))


class Recorder:
    """A proxy that listens on `path` and forwards to `target`."""

    def __init__(self, path, target):
        self.exchanges = []
        self.faults = []
        self.target = str(target)
        self.listening = socket.socket(socket.AF_UNIX)
        self.listening.bind(str(path))
        self.listening.listen(64)
        threading.Thread(target=self.accept, daemon=True).start()

    def end(self):
        self.listening.close()

    def accept(self):
        while True:
            try:
                client, _ = self.listening.accept()
            except OSError:
                return
            threading.Thread(target=self.serve, args=(client,), daemon=True).start()

    def serve(self, client):
        service = socket.socket(socket.AF_UNIX)
        service.connect(self.target)
        try:
            self.pass_on(client, service)
        except (EOFError, OSError):
            pass
        except Exception as error:  # an exception in a thread does not fail the test
            self.faults.append(repr(error))
        finally:
            client.close()
            service.close()

    def pass_on(self, client, service):
        asking, answering = Side(client, service), Side(service, client)
        while True:
            first, headers = asking.head()
            method, target, _ = first.split(" ", 2)
            one = Exchange(method, target, headers, asking.body(headers))
            self.exchanges.append(one)
            try:
                has_events = self.pass_answer(one, answering)
            finally:
                one.finished.set()
            if has_events:
                self.pass_events(client, answering)
                return

    def pass_answer(self, one, answering):
        """Forwards an answer, and returns whether events follow."""
        status, one.answer_headers = answering.head()
        one.status = int(status.split(" ")[1])
        while one.status == 100:
            status, one.answer_headers = answering.head()
            one.status = int(status.split(" ")[1])
        changes.notify()
        if one.method == "HEAD" or one.status in (204, 304):
            return False
        if one.answer_headers.get("content-type", "").startswith("text/event-stream"):
            return True
        one.answer = answering.body(one.answer_headers)
        return False

    def pass_events(self, client, answering):
        """Forwards events until either side closes; the client sends no further request on this connection."""
        def watch():
            try:
                while client.recv(1 << 12):
                    pass
            except OSError:
                pass
            try:
                answering.here.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
        threading.Thread(target=watch, daemon=True).start()
        while True:
            answering.rest = b""
            answering.more()
