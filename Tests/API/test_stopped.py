"""Commands against a service that is stopped (SIGSTOP), as one that hangs."""

import os
import signal
import socket
import subprocess
import unittest

from service import PRODUCTS, Service

# Not `show --wait` and `wake`: a command that waits for a frame has a minute more.
COMMANDS = [
    ["show", "a"], ["clear"], ["displays"], ["health"], ["sleep"], ["status"],
    ["sessions"], ["tail"],
]


class Stopped(unittest.TestCase):
    def setUp(self):
        self.service = Service()
        self.addCleanup(self.service.end)
        os.kill(self.service.process.pid, signal.SIGSTOP)
        # The signal is sent, but the process may still accept a connection.
        os.waitpid(self.service.process.pid, os.WUNTRACED)
        self.addCleanup(os.kill, self.service.process.pid, signal.SIGCONT)

    def placard(self, *arguments, limit="0.2"):
        environment = {**os.environ, "PLACARD_SOCKET": str(self.service.socket), "PLACARD_TIMEOUT": limit}
        return subprocess.run(
            [PRODUCTS / "placard", *arguments], capture_output=True, text=True, stdin=subprocess.DEVNULL,
            env=environment, timeout=120)

    def test_limit(self):
        """No command waits longer for a stopped service than its limit, and each ends with status 3"""
        for command in COMMANDS:
            with self.subTest(command=command):
                ended = self.placard(*command)
                self.assertEqual(ended.returncode, 3, ended.stderr)
                self.assertIn("did not answer within 0.2 s", ended.stderr)

    def test_queue(self):
        """A service whose queue of connections is full is named as such, with status 3"""
        waiting = []
        self.addCleanup(lambda: [one.close() for one in waiting])
        while True:
            one = socket.socket(socket.AF_UNIX)
            one.setblocking(False)
            waiting.append(one)
            try:
                one.connect(str(self.service.socket))
            except BlockingIOError:
                break
        ended = self.placard("health")
        self.assertEqual(ended.returncode, 3, ended.stderr)
        self.assertIn("accepts no connections", ended.stderr)

    def test_goes_on(self):
        """A service that goes on answers again"""
        self.assertEqual(self.placard("health").returncode, 3)
        os.kill(self.service.process.pid, signal.SIGCONT)
        ended = self.placard("health", limit="60")
        self.assertEqual(ended.returncode, 0, ended.stdout + ended.stderr)
