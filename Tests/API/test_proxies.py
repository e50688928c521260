"""The documented proxies let no forged header through, and everything works behind them.

Their configuration, and the service's, are those of the article on security, except for ports, files and the certificate.
"""

import http.client
import io
import json
import os
import re
import ssl
import subprocess
import tempfile
import unittest
from pathlib import Path

from PIL import Image

from changes import follow, wait_for
from service import REPOSITORY, Service, free_port

TOKEN = "0123456789abcdef0123456789abcdef"
HOST = "sign.example"
ARTICLE = REPOSITORY / "Sources/Documentation.docc/Security.md"


def block(language):
    """The article's code block in a language that configures a proxy."""
    blocks = re.findall(rf"```{language}\n(.*?)```", ARTICLE.read_text(), re.DOTALL)
    return next(one for one in blocks if HOST in one)


def replaced(text, *pairs):
    """Returns a text with replacements; each word to replace must exist."""
    for old, new in pairs:
        if old not in text:
            raise AssertionError(f"the article's block has no {old!r}:\n{text}")
        text = text.replace(old, new)
    return text


class Guarded(Service):
    """A service that wants a token, with the article's settings for a proxy."""

    def __init__(self):
        self.token_file = tempfile.NamedTemporaryFile(prefix="placard-token-")
        self.token_file.write(TOKEN.encode())
        self.token_file.flush()
        settings = replaced(
            block("toml"), ('listen = "127.0.0.1:8080"\n', ""), ("/etc/placard/token", self.token_file.name))
        super().__init__(settings=settings)

    def ask(self, method, path, body=None, headers=None):
        return super().ask(method, path, body, {"Authorization": f"Bearer {TOKEN}", **(headers or {})})

    def end(self):
        super().end()
        self.token_file.close()


class Connection(http.client.HTTPConnection):
    """A connection by TLS to a proxy on this machine under the host name of the article."""

    def connect(self):
        super().connect()
        trusting = ssl.create_default_context()
        trusting.check_hostname, trusting.verify_mode = False, ssl.CERT_NONE
        self.sock = trusting.wrap_socket(self.sock, server_hostname=HOST)


class Behind:
    """Tests that run behind each proxy."""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="placard-proxy-")
        cls.addClassCleanup(cls.folder.cleanup)
        cls.path = Path(cls.folder.name)
        cls.service = Guarded()
        cls.addClassCleanup(cls.service.end)
        cls.port = free_port()
        cls.proxy = subprocess.Popen(
            cls.command(), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            env={**os.environ, "HOME": str(cls.path), "XDG_DATA_HOME": str(cls.path)})
        cls.addClassCleanup(cls.stop)
        lines = []
        reader = follow(cls.proxy.stdout.readline, lines.append)
        wait_for(lambda: any(cls.ready in line for line in lines) or not reader.is_alive(), f"{cls.__name__} to listen")
        if not any(cls.ready in line for line in lines):
            raise AssertionError("the proxy exited: " + b"".join(lines).decode())

    @classmethod
    def stop(cls):
        cls.proxy.terminate()
        cls.proxy.wait(300)
        cls.proxy.stdout.close()

    def open(self, method, path, body=None, headers=None, token=TOKEN):
        """Sends a request through the proxy; returns its connection."""
        connection = Connection("127.0.0.1", self.port, timeout=300)
        self.addCleanup(connection.close)
        headers = {"Host": HOST, **({"Authorization": f"Bearer {token}"} if token else {}), **(headers or {})}
        if isinstance(body, dict):
            body = json.dumps(body).encode()
            headers["Content-Type"] = "application/json"
        connection.request(method, path, body, headers)
        return connection

    def ask(self, *request, **options):
        """Sends a request through the proxy; returns the response's status, headers and body."""
        answer = self.open(*request, **options).getresponse()
        return answer.status, answer.headers, answer.read()

    # The headers in which a client can forge a host, scheme or address.
    FORGERIES = [
        {"X-Forwarded-Host": "evil.example"},
        {"X-Forwarded-Host": "evil.example", "X-Forwarded-Proto": "https", "X-Forwarded-For": "192.0.2.1"},
        {"X-Forwarded-Proto": "http"},
        {"Forwarded": "for=192.0.2.1;host=evil.example;proto=https"},
        {"X-Forwarded-Server": "evil.example", "X-Real-IP": "192.0.2.1", "X-Host": "evil.example"},
    ]

    def test_forged_origin(self):
        """Requests of a foreign origin are rejected, regardless of forged headers"""
        for forged in [{}, *self.FORGERIES]:
            for origin in ["https://evil.example", f"http://{HOST}", "null"]:
                with self.subTest(forged=forged, origin=origin):
                    status, _, body = self.ask(
                        "PUT", "/v1/message", {"text": "Forged"}, {"Origin": origin, **forged})
                    self.assertEqual((status, json.loads(body)["type"]), (403, "urn:placard:problem:foreign-origin"))

    def test_own_origin(self):
        """Requests of the service's own origin are accepted, regardless of forged headers"""
        for forged in [{}, *self.FORGERIES]:
            with self.subTest(forged=forged):
                status, _, body = self.ask(
                    "PUT", "/v1/message", {"text": "Own"}, {"Origin": f"https://{HOST}", **forged})
                self.assertEqual((status, json.loads(body).get("text")), (200, "Own"))

    def test_foreign_host(self):
        """An unknown host is rejected, regardless of forged headers"""
        for forged in [{}, {"X-Forwarded-Host": HOST}, {"Forwarded": f"host={HOST};proto=https"}]:
            with self.subTest(forged=forged):
                _, _, body = self.ask("GET", "/v1/status", headers={"Host": "evil.example", **forged})
                self.assertNotIn(b'"version"', body)

    def test_login(self):
        """A login returns a cookie with the attribute Secure, which opens the page"""
        form = {"Content-Type": "application/x-www-form-urlencoded", "Origin": f"https://{HOST}"}
        status, headers, _ = self.ask("POST", "/login", f"token={TOKEN}".encode(), form, token=None)
        self.assertEqual((status, headers["Location"]), (303, "/"))
        self.assertTrue(headers["Set-Cookie"].endswith("; Path=/; Secure"))
        cookie = {"Cookie": headers["Set-Cookie"].split(";")[0]}
        status, _, page = self.ask("GET", "/", headers=cookie, token=None)
        self.assertEqual(status, 200)
        self.assertIn(b"<title>", page)

    def test_events(self):
        """The proxy forwards events without buffering"""
        answer = self.open("GET", "/v1/events").getresponse()
        self.assertEqual(answer.headers["Content-Type"], "text/event-stream")
        self.service.send("POST", "messages", {"text": "Heard", "name": "event"})
        seen = b""
        while b"Heard" not in seen:
            line = answer.readline()
            self.assertTrue(line, f"the stream ended after {seen!r}")
            seen += line
        answer.close()

    def test_image(self):
        """An image of several megabytes is uploaded and downloaded unchanged"""
        data = io.BytesIO()
        Image.frombytes("RGB", (1200, 900), os.urandom(1200 * 900 * 3)).save(data, "PNG")
        picture = data.getvalue()
        status, headers, body = self.ask("POST", "/v1/images", picture, {"Content-Type": "image/png"})
        self.assertEqual(status, 201, body)
        self.assertEqual(self.ask("GET", headers["Location"])[2], picture)

    def test_wrong_tokens(self):
        """Repeated wrong tokens are rejected with 429, regardless of forged addresses"""
        # unittest sorts tests by name. This one is last, because it blocks the address of this machine.
        statuses = [
            self.ask("GET", "/v1/status", headers={"X-Forwarded-For": f"192.0.2.{number}"}, token="wrong")[0]
            for number in range(8)
        ]
        self.assertEqual((statuses[0], statuses[-1]), (401, 429), statuses)


class Nginx(Behind, unittest.TestCase):
    ready = b"start worker process"

    @classmethod
    def command(cls):
        key, certificate = cls.path / "key.pem", cls.path / "certificate.pem"
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", f"/CN={HOST}", "-days", "2",
             "-keyout", key, "-out", certificate], check=True, capture_output=True)
        server = replaced(
            block("nginx"), ("listen 443 ssl;", f"listen 127.0.0.1:{cls.port} ssl;"),
            ("/etc/ssl/sign.example.pem", str(certificate)), ("/etc/ssl/sign.example.key", str(key)),
            ("http://127.0.0.1:8080", cls.service.url))
        paths = "".join(
            f"{name}_temp_path {cls.path / name};\n" for name in ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"])
        # If nginx runs as root, its workers run as another user, who cannot write to this folder.
        user = "user root;\n" if os.geteuid() == 0 else ""
        (cls.path / "nginx.conf").write_text(
            f"{user}daemon off;\npid {cls.path / 'pid'};\nerror_log stderr notice;\nevents {{}}\n"
            f"http {{\naccess_log off;\n{paths}{server}}}\n")
        return ["/usr/sbin/nginx", "-p", cls.path, "-e", "stderr", "-c", cls.path / "nginx.conf"]


class Caddy(Behind, unittest.TestCase):
    ready = b"serving initial configuration"

    @classmethod
    def command(cls):
        site = replaced(block("caddy"), ("127.0.0.1:8080", f"127.0.0.1:{cls.service.port}"))
        (cls.path / "Caddyfile").write_text(
            f"{{\nadmin off\nhttps_port {cls.port}\nhttp_port {free_port()}\ndefault_bind 127.0.0.1\nlocal_certs\n"
            f"skip_install_trust\nauto_https disable_redirects\n}}\n{site}")
        return ["/usr/bin/caddy", "run", "--config", cls.path / "Caddyfile", "--adapter", "caddyfile"]


if __name__ == "__main__":
    unittest.main()
