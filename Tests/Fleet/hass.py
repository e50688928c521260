"""Home Assistant itself, in a process of its own with a new configuration."""

import http.client
import json
import os
import subprocess
import tempfile
from pathlib import Path
from urllib.parse import urlencode

from changes import follow, wait_for
from service import REPOSITORY, free_port


class HomeAssistant:
    """A Home Assistant with a user and a connection to a broker, until `end`."""

    program = REPOSITORY / ".build/python/HomeAssistant/bin/hass"

    @classmethod
    def missing(cls):
        """Returns why it cannot be used here; nothing if it can."""
        return None if cls.program.exists() else "Home Assistant is not installed: it needs Python 3.13 or newer"

    def __init__(self, broker):
        self.folder = tempfile.TemporaryDirectory(prefix="placard-hass-")
        self.port = free_port()
        self.token = None
        (Path(self.folder.name) / "configuration.yaml").write_text(
            "homeassistant:\n  name: Test\n  time_zone: UTC\n"
            f"http:\n  server_host: 127.0.0.1\n  server_port: {self.port}\n"
            "api:\nconfig:\nonboarding:\n")
        self.start()
        self.log_in()
        flow = self.ask("POST", "config/config_entries/flow", {"handler": "mqtt"})
        answer = self.ask("POST", f"config/config_entries/flow/{flow['flow_id']}",
                          {"broker": broker.host, "port": broker.port})
        assert answer["type"] == "create_entry", answer

    def start(self):
        self.lines = []
        self.process = subprocess.Popen(
            [self.program, "--config", self.folder.name, "--skip-pip", "--verbose"], stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, env={**os.environ, "NO_COLOR": "1"})
        follow(self.process.stdout.readline, self.lines.append)
        wait_for(lambda: any(b"Home Assistant initialized" in line for line in self.lines)
                 or self.process.poll() is not None, "Home Assistant to be ready")
        assert self.process.poll() is None, b"".join(self.lines[-30:]).decode()

    def log_in(self):
        """Makes the first user, and follows the events."""
        client = f"http://127.0.0.1:{self.port}/"
        code = self.ask("POST", "onboarding/users", {
            "client_id": client, "name": "Test", "username": "test", "password": "test", "language": "en"})["auth_code"]
        self.token = self.ask("POST", "/auth/token", urlencode({
            "grant_type": "authorization_code", "code": code, "client_id": client}))["access_token"]
        self.follow_events()

    def follow_events(self):
        connection = http.client.HTTPConnection("127.0.0.1", self.port)
        connection.request("GET", "/api/stream", headers={"Authorization": f"Bearer {self.token}"})
        answer = connection.getresponse()
        follow(lambda: answer.read1(1 << 16))

    def ask(self, method, path, body=None):
        """Returns the answer; `path` follows `/api/` unless it begins with a slash, and a text is sent as a form."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=300)
        headers = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        if isinstance(body, str):
            headers["Content-Type"] = "application/x-www-form-urlencoded"
        elif body is not None:
            headers["Content-Type"] = "application/json"
            body = json.dumps(body)
        connection.request(method, path if path.startswith("/") else f"/api/{path}", body, headers)
        answer = connection.getresponse()
        data = answer.read()
        assert answer.status < 300, (method, path, answer.status, data[:500])
        return json.loads(data) if answer.headers.get_content_type() == "application/json" else data.decode()

    def states(self):
        """Returns the states of all entities by their identifiers."""
        return {one["entity_id"]: one for one in self.ask("GET", "states")}

    def render(self, template):
        """Returns the text of a template, which can look up devices."""
        return self.ask("POST", "template", {"template": template})

    def call(self, service, entity, **values):
        self.ask("POST", f"services/{service.replace('.', '/')}", {"entity_id": entity, **values})

    def stop(self):
        self.process.terminate()
        self.process.wait(300)

    def end(self):
        if self.process.poll() is None:
            self.stop()
        self.folder.cleanup()
