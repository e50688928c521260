"""Hostile clients, images, shares and files: no attack succeeds, no data is lost, and other clients are not blocked."""

import base64
import contextlib
import http.client
import io
import json
import os
import random
import signal
import socket
import subprocess
import tempfile
import threading
import time
import unittest
import zlib
from pathlib import Path

from PIL import Image

from attacked import Attacked, HungShare, edid, raw, report, statuses, times
from service import PRODUCTS, png

SEED = int(os.environ.get("PLACARD_SEED", random.SystemRandom().randrange(1 << 32)))


class Attack(unittest.TestCase):
    """Tests that share a service with a ticker on its display."""

    settings = ""

    @classmethod
    def setUpClass(cls):
        cls.service = Attacked(settings=cls.settings)
        cls.addClassCleanup(cls.service.end)
        cls.service.scroll()

    def accepted(self, method, path, body=None):
        """Returns whether a request is accepted; asserts that a rejection has a status of 4xx or 507."""
        status, _, data = self.service.ask(method, path, body)
        self.assertTrue(200 <= status < 300 or 400 <= status < 500 or status == 507, f"{method} {path}: {status} {data[:300]}")
        return 200 <= status < 300


class Texts(Attack):
    def test_large_texts_are_bounded_and_no_accepted_message_is_lost(self):
        accepted = []
        large = times(40, 300)
        with self.service.watched(f"{large} messages of 1 MB, then messages of 64 KB until one is rejected"):
            for number in range(large):
                text = f"{number} " + "x" * 1_000_000
                if self.accepted("POST", "messages", {"text": text, "name": f"large-{number}", "priority": -1}):
                    accepted.append(f"large-{number}")
            for number in range(times(400, 2000)):
                name = f"text-{number}"
                if self.accepted("POST", "messages", {"text": "y" * 65_000, "name": name, "priority": -1}):
                    accepted.append(name)
                else:
                    break
        with self.service.watched("six clients that read all messages at the same time"):
            pages = [None] * 6
            threads = [threading.Thread(target=lambda at=at: pages.__setitem__(at, self.service.all_messages()))
                       for at in range(6)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
        for page in pages:
            lost = set(accepted) - {message.get("name") for message in page or []}
            self.assertEqual(lost, set(), "acknowledged messages are missing")
        size = sum(path.stat().st_size for path in self.service.path.glob("state.db*"))
        report("the state file after these messages", bytes=size)
        self.assertLess(size, 64 << 20)

    def test_many_short_messages_do_not_end_earlier_ones(self):
        names = []
        with self.service.watched("1,500 short messages"):
            for number in range(1500):
                if self.accepted("POST", "messages", {"text": "short", "name": f"short-{number}", "priority": -2}):
                    names.append(f"short-{number}")
        lost = set(names) - {message.get("name") for message in self.service.all_messages()}
        self.assertEqual(lost, set(), "acknowledged messages ended silently")


class Listeners(Attack):
    settings = '[controller.limits]\nstalled_seconds = 3\nidle_seconds = 5\nanswer_seconds = 3\n'

    def listen(self, size=None):
        one = socket.socket(socket.AF_UNIX)
        if size:
            one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, size)
        one.settimeout(30)
        one.connect(str(self.service.socket))
        one.sendall(b"GET /v1/events HTTP/1.1\r\nHost: placard\r\n\r\n")
        head = b""
        while b"\r\n\r\n" not in head:
            head += one.recv(4096)
        self.assertIn(b" 200 ", head.split(b"\r\n")[0])
        return one

    def test_large_texts_do_not_disconnect_a_listener_that_reads(self):
        reading = self.listen()
        mute = [self.listen() for _ in range(times(20, 100))]
        seen, ended = set(), threading.Event()

        def read():
            rest = b""
            with reading:
                while b"the-last-one" not in rest[-300_000:] and (piece := reading.recv(1 << 16)):
                    rest += piece
            seen.add(len(rest) if b"the-last-one" in rest else -1)
            ended.set()

        thread = threading.Thread(target=read)
        thread.start()
        count = times(100, 1100)
        with self.service.watched(f"{count} messages of 60 KB beside listeners that never read"):
            for number in range(count):
                body = {"text": f"{number} " + "z" * 60_000, "name": "large"}
                self.assertTrue(self.accepted("POST", "messages", body))
            self.assertTrue(self.accepted("POST", "messages", {"text": "the-last-one", "name": "last"}))
            self.assertTrue(ended.wait(60), "the reading listener did not receive the last message")
        thread.join()
        self.assertNotIn(-1, seen, "the service disconnected the reading listener")
        report("bytes of these events", bytes=max(seen))
        for one in mute:
            one.close()

    def test_slow_readers_are_disconnected(self):
        for number in range(200):
            self.accepted("POST", "messages", {"text": f"{number} " + "w" * 4000, "name": f"slow-{number}", "priority": -3})
        slow = []
        with self.service.watched("clients that read 2 KB per second"):
            before = self.service.connections()
            for _ in range(times(10, 64)):
                one = socket.socket(socket.AF_UNIX)
                one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
                one.settimeout(30)
                one.connect(str(self.service.socket))
                one.sendall(b"GET /v1/messages?limit=100 HTTP/1.1\r\nHost: placard\r\n\r\n" * 8)
                slow.append(one)
            # A connection that has received a byte was accepted.
            for one in slow:
                one.recv(1)
            held = self.read_slowly(slow, before)
        report("connections of slow readers after two minutes", held=held, of=len(slow))
        self.assertEqual(held, 0)

    def read_slowly(self, slow, before):
        """Reads 2 KB a second from each connection; returns how many the service still holds after two minutes."""
        end = time.monotonic() + 120
        while (held := self.service.connections() - before) > 0 and time.monotonic() < end:
            for one in slow:
                with contextlib.suppress(OSError):
                    one.recv(2048)
            time.sleep(1)
        for one in slow:
            one.close()
        return max(held, 0)

    @unittest.skipUnless(os.geteuid() == 0, "needs root to run a process of another user")
    def test_one_user_cannot_occupy_all_connections(self):
        os.chmod(self.service.path, 0o755)
        os.chmod(self.service.socket, 0o666)
        script = (
            "import socket, sys, resource\n"
            "resource.setrlimit(resource.RLIMIT_NOFILE, (4096, 4096))\n"
            "held = []\n"
            "for _ in range(1100):\n"
            "    one = socket.socket(socket.AF_UNIX)\n"
            "    one.settimeout(5)\n"
            "    try:\n"
            "        one.connect(sys.argv[1])\n"
            "    except OSError:\n"
            "        break\n"
            "    held.append(one)\n"
            "print(len(held), flush=True)\n"
            "sys.stdin.read()\n")
        greedy = subprocess.Popen(
            ["/usr/bin/python3", "-c", script, str(self.service.socket)], user=65534, group=65534,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        try:
            held = greedy.stdout.readline().strip()
            with self.service.watched(f"one user with {held or 'no'} connections"):
                for _ in range(50):
                    self.assertEqual(self.service.ask("GET", "displays")[0], 200)
        finally:
            greedy.communicate("")


class Requests(Attack):
    # Requests that the service must reject, each sent on a separate connection.
    SMUGGLED = [
        b"GET  /v1/status HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"GET /v1/status  HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"GET https://other/v1/status HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"GET /v1/messages/+1 HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"POST /v1/messages HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: gzip, chunked\r\n"
        b"Content-Type: application/json\r\n\r\n0\r\n\r\n",
        b"POST /v1/messages HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: xchunked\r\n"
        b"Content-Type: application/json\r\n\r\n0\r\n\r\n",
        b"POST /v1/messages HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\nContent-Length: 13\r\n"
        b"Content-Type: application/json\r\n\r\nd\r\n{\"text\":\"hi\"}\r\n0\r\n\r\n",
        b"POST /v1/messages HTTP/1.1\r\nHost: localhost\r\nContent-Length: 13\r\nContent-Length: 12\r\n"
        b"Content-Type: application/json\r\n\r\n{\"text\":\"hi\"}",
        b"POST /v1/messages HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9223372036854775808\r\n"
        b"Content-Type: application/json\r\n\r\n{\"text\":\"hi\"}",
        b"POST /v1/messages HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n",
        b"POST /v1/messages HTTP/1.1\r\nHost: localhost\r\nExpect: something\r\nContent-Length: 13\r\n"
        b"Content-Type: application/json\r\n\r\n{\"text\":\"hi\"}",
        b"GET /v1/status HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n\r\n",
        b"GET /v1/status HTTP/1.1\r\nHost: localhost\r\nA: b\n c\r\n\r\n",
        b"GET /v1/status HTTP/1.1\r\nHost: localhost\r\nX : y\r\n\r\n",
        b"GET /v1/status HTTP/9.1\r\nHost: localhost\r\n\r\n",
        b"GET /v1/status HTTP/1.1\r\nHost: evil.example\r\n\r\n",
        b"GET /v1/status HTTP/1.1\r\n\r\n",
        b"GET /v1/status HTTP/1.1\r\nHost: localhost\r\n" + b"X-Large: " + b"a" * 5_000_000 + b"\r\n\r\n",
        b"GET /" + b"a" * 5_000_000 + b" HTTP/1.1\r\nHost: localhost\r\n\r\n",
    ]

    def test_malformed_requests_are_rejected_with_a_response(self):
        let_in = []
        with self.service.watched("malformed and smuggled requests"):
            for data in self.SMUGGLED:
                lines = data.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n", 1) if len(data) < 4096 else data
                found = statuses(raw(self.service.port, lines))
                name = data[:60]
                self.assertTrue(found, f"no response to {name}")
                let_in += [(name, found)] if any(status < 400 for status in found) else []
        report("malformed requests", let_in=len(let_in), of=len(self.SMUGGLED))
        self.assertEqual(let_in, [])

    def test_random_bytes_change_nothing(self):
        chance = random.Random(SEED)
        before = self.service.get("messages")
        with self.service.watched(f"random requests, seed {SEED}"):
            for _ in range(times(200, 5000)):
                data = bytearray(chance.choice(self.SMUGGLED[:17]))
                for _ in range(chance.randrange(1, 8)):
                    data[chance.randrange(len(data))] = chance.randrange(256)
                raw(self.service.socket if chance.random() < 0.5 else self.service.port, bytes(data) + b"\r\n\r\n", 0.05)
        self.assertEqual([one["name"] for one in before if "name" in one],
                         [one["name"] for one in self.service.get("messages") if "name" in one])


class Access(unittest.TestCase):
    """A service that requires a token on TCP."""

    def test_requests_without_the_token_are_rejected(self):
        with tempfile.TemporaryDirectory(prefix="placard-token-") as folder:
            token = Path(folder) / "token"
            token.touch(0o600)
            token.write_text("correct-horse-battery-staple\n")
            settings = f'[controller]\ntoken_file = "{token}"\nhosts = ["sign.example"]\nproxies = ["127.0.0.1"]\n'
            service = Attacked(settings=settings)
            self.addCleanup(service.end)
            let_in, tried = [], 0
            heads = [
                [], ["Authorization: Bearer wrong"], ["Authorization: Basic eDp5"],
                ["Authorization: Bearer correct-horse-battery-stapl"],
                ["Authorization: Bearer correct-horse-battery-staple1"],
                ["Authorization: bearer"], ["Cookie: placard=1"], ["X-Forwarded-For: 127.0.0.1"],
                ["X-Forwarded-Host: localhost"], ["Forwarded: for=127.0.0.1;host=localhost"],
                ["Authorization: Bearer correct-horse-battery-staple", "Host: evil.example"],
                ["Authorization: Bearer correct-horse-battery-staple", "Host: evil.example",
                 "X-Forwarded-Host: sign.example"],
                ["Cookie: placard=correct-horse-battery-staple", "Origin: http://evil.example"],
            ]
            for line in ("GET /v1/status", "GET /v1/events", "GET /v1/history", "POST /v1/messages", "DELETE /v1/message",
                         "PUT /v1/message", "GET /v1/displays/Virtual-1/screenshot", "POST /v1/virtual"):
                for head in heads:
                    host = [] if any(one.startswith("Host:") for one in head) else ["Host: localhost"]
                    body = ["Content-Type: application/json", "Content-Length: 13"] if line[0] == "P" else []
                    text = "\r\n".join([f"{line} HTTP/1.1", *host, *head, *body, "Connection: close", "", ""])
                    answer = raw(service.port, text.encode() + (b'{"text":"hi"}' if body else b""))
                    tried += 1
                    if any(status < 400 for status in statuses(answer)) or not statuses(answer):
                        let_in.append((line, head, statuses(answer)))
            report("requests without the token or of other hosts and origins", let_in=len(let_in), of=tried)
            self.assertEqual(let_in, [])


def interlaced(width, height):
    """Returns an interlaced PNG (Adam7) of zeroes: few bytes that decode to many pixels."""
    def chunk(kind, data):
        return len(data).to_bytes(4, "big") + kind + data + zlib.crc32(kind + data).to_bytes(4, "big")

    header = width.to_bytes(4, "big") + height.to_bytes(4, "big") + bytes([8, 6, 0, 0, 1])
    compress, rows = zlib.compressobj(9), []
    for first_x, first_y, step_x, step_y in (
            (0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2)):
        across = (width - first_x + step_x - 1) // step_x
        for _ in range((height - first_y + step_y - 1) // step_y):
            rows.append(compress.compress(bytes(1 + 4 * across)))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        [chunk(b"IHDR", header), chunk(b"IDAT", b"".join(rows) + compress.flush()), chunk(b"IEND", b"")])


def progressive(width, height):
    data = io.BytesIO()
    Image.new("RGB", (width, height), "#336699").save(data, "JPEG", progressive=True, quality=30)
    return data.getvalue()


class Images(Attack):
    def test_large_images_do_not_delay_other_displays(self):
        side = times(4000, 8000)
        others = [self.service.plug(1280, 720 + 8 * number) for number in range(4)]
        hostile = {
            "a PNG": png(side, side, "#204060"), "an interlaced PNG": interlaced(side, side),
            "a progressive JPEG": progressive(side, side), "a truncated PNG": png(side, side, "#113311")[:-3000],
            "a PNG of 16384 pixels": png(16384, 3900, "#204060"),
        }
        for name, data in hostile.items():
            with self.service.watched(f"{name} of {len(data) >> 10} KiB on four displays"):
                status, _, answer = self.service.ask("POST", "images", data, {"Content-Type": "application/octet-stream"})
                if status >= 400:
                    self.assertLess(status, 500, answer[:300])
                    continue
                path = json.loads(answer)["path"]
                threads = [
                    threading.Thread(target=self.service.ask, args=(
                        "POST", "sessions", {"scene": {"kind": "image", "path": path}, "display": other, "wait": True}))
                    for other in others]
                for thread in threads:
                    thread.start()
                for thread in threads:
                    thread.join()


@unittest.skipUnless(HungShare.can_be_made(), "needs root to create a hanging share")
class Shares(unittest.TestCase):
    def test_a_hanging_share_blocks_neither_displays_nor_termination(self):
        with HungShare() as share:
            path = Path(share.folder) / "picture.png"
            path.write_bytes(png(640, 480, "#cc2200"))
            os.chmod(share.folder, 0o755)
            folders = f'folders = ["{share.folder}"]\n'
            service = Attacked(settings=folders)
            try:
                others = [service.plug(1280, 720 + 8 * number) for number in range(4)]
                service.scroll()
                share.hang()
                with service.watched("an image on a hanging share, on four displays"):
                    for other in others:
                        body = {"scene": {"kind": "image", "path": str(path)}, "display": other}
                        status, _, data = service.ask("POST", "sessions", body)
                        self.assertLess(status, 500, data)
                    for other in others:
                        body = {"text": f"{other} goes on", "display": other, "priority": 5, "wait": True}
                        status, _, data = service.ask("POST", "messages", body)
                        self.assertIn(status, (200, 201), data)
                began = time.monotonic()
                service.process.send_signal(signal.SIGTERM)
                service.process.wait(30)
                report("SIGTERM while the share hangs", seconds=f"{time.monotonic() - began:.1f}")
            finally:
                if service.process.poll() is None:
                    service.process.kill()
                    service.process.wait()
                share.answer()
                service.folder.cleanup()


class Monitors(Attack):
    def test_virtual_monitors_are_bounded(self):
        with self.service.watched("virtual monitors with modes up to 65536 x 65536"):
            for width, height in ((65536, 65536), (65535, 65535), (16384, 16384), (16384, 8192)):
                self.assertFalse(
                    self.accepted("POST", "virtual", {"edid": base64.b64encode(edid(width, height)).decode()}),
                    f"a monitor of {width} x {height} was accepted")
            blank = bytearray(edid(1920, 1080)[:128])
            blank[126], blank[127] = 0, 0
            blank[127] = -sum(blank) & 255
            self.assertFalse(self.accepted("POST", "virtual", {"edid": base64.b64encode(bytes(blank)).decode()}))
        names = [one["name"] for one in self.service.get("displays") if one["state"] != "disconnected"]
        self.assertEqual(names, ["Virtual-1"], "a rejected monitor is plugged in")


class Kills(unittest.TestCase):
    def test_a_kill_loses_no_accepted_message(self):
        chance = random.Random(SEED)
        service = Attacked()
        self.addCleanup(service.end)
        accepted, writes, lost, kills = {}, 0, [], times(5, 252)
        for number in range(kills):
            end = threading.Timer(chance.uniform(0.02, 0.3), service.process.kill)
            end.start()
            connection, flight = service.connect(), (None, None)
            with contextlib.suppress(OSError, http.client.HTTPException):
                while True:
                    flight = (f"kill-{chance.randrange(200)}", f"{number} {chance.random()}")
                    status, _, data = connection.ask("POST", "messages", {"text": flight[1], "name": flight[0]})
                    self.assertIn(status, (200, 201), data)
                    accepted[flight[0]] = flight[1]
                    writes += 1
            service.process.wait()
            service.start()
            found = {one["name"]: one["text"] for one in service.all_messages()}
            # The request in flight may or may not have been stored.
            lost += [name for name, text in accepted.items()
                     if found.get(name) != text and (name, found.get(name)) != flight]
            accepted = found
        report(f"kills, seed {SEED}", kills=kills, acknowledged=writes, lost=len(lost))
        self.assertEqual(lost, [])


class Files(unittest.TestCase):
    def test_damaged_state_files_are_set_aside(self):
        chance = random.Random(SEED)
        service = Attacked()
        self.addCleanup(service.end)
        for number in range(50):
            service.send("POST", "messages", {"text": f"Message {number} " + "m" * 2000, "name": f"m-{number}"})
        service.stop()
        whole = (service.path / "state.db").read_bytes()
        count = times(6, 136)
        for _ in range(count):
            data = bytearray(whole)
            kind = chance.randrange(4)
            if kind == 0:
                data = data[:chance.randrange(len(data))]
            elif kind == 1:
                for _ in range(chance.randrange(1, 40)):
                    data[chance.randrange(len(data))] = chance.randrange(256)
            elif kind == 2:
                data[60:64] = chance.choice([b"\0\0\0\0", b"\xff\xff\xff\xff", b"\x80\0\0\0"])
            else:
                start = chance.randrange(len(data))
                data[start:start + 4096] = bytes(len(data[start:start + 4096]))
            for path in service.path.glob("state.db-*"):
                path.unlink()
            (service.path / "state.db").write_bytes(data)
            service.start()
            service.send("POST", "messages", {"text": "after damage", "name": "after"})
            service.stop()
            service.start()
            self.assertIn("after", [one.get("name") for one in service.all_messages()])
            service.stop()
        report(f"damaged state files, seed {SEED}", crashed=0, of=count)
        service.start()

    def test_invalid_configurations_are_rejected_with_the_line(self):
        mistakes = [
            'log = "loud"', "policy = 1", 'state = "relative.db"', 'rotate = 45', 'glyph_cache = "12 parsecs"',
            'images_size = 5', 'history_size = "0 MiB"', 'message = ""', "history_days = -1", 'nonsense = 1',
            "[controller]\nlisten = \"0.0.0.0:8080\"", "[controller]\nlisten = \"*:8080\"", "[controller]\nlisten = \"127.0.0.1:99999\"",
            "[controller]\nlisten = \"127.0.0.1:0\"", "[controller]\ntoken_file = 3", "[controller.limits]\nhead = \"1 B\"",
            "[controller.limits]\nconnections = 0", "[style]\nforeground = \"redd\"", "[style]\nsmallest = 400",
            '[role.external]\nscene = { kind = "clock", zone = "Mars/Olympus" }', '[role.external]\nscene = { kind = "none" }',
            '[[monitor]]\nmode = "big"', "= 3", "a = [", 'a = "', "[", "log = 'info'\nlog = 'info'", "\x00", "x" * 100_000,
        ]
        with tempfile.TemporaryDirectory(prefix="placard-config-") as folder:
            path, accepted = Path(folder) / "placard.toml", []
            for text in mistakes:
                path.write_text(text + "\n")
                try:
                    ended = subprocess.run(
                        [PRODUCTS / "placardd", "--config", path, "--backend", "virtual", "--state", "none",
                         "--socket", Path(folder) / "socket"], capture_output=True, text=True, timeout=3)
                except subprocess.TimeoutExpired:
                    accepted.append(text[:60])
                    continue
                self.assertEqual(ended.returncode, 2, f"{text[:60]!r}: {ended.stderr}")
                self.assertRegex(ended.stderr, r"placard\.toml:( |\d+)", f"{text[:60]!r}")
            report("invalid configurations", accepted=len(accepted), of=len(mistakes))
            self.assertEqual(accepted, [])
