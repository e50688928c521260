"""Commands with a service that hangs, as after SIGSTOP."""

import os
import signal
import socket
import subprocess
import unittest

from service import PRODUCTS, Service

# `show --wait` and `wake` are missing, because a command that waits for a frame has a limit of one more minute.
COMMANDS = [
    ["show", "a"], ["clear"], ["displays"], ["health"], ["sleep"], ["status"],
    ["sessions"], ["tail"],
]


class Stopped(unittest.TestCase):
    def setUp(self):
        self.service = Service()
        self.addCleanup(self.service.end)
        os.kill(self.service.process.pid, signal.SIGSTOP)
        # The process can still accept a connection between the signal and the stop.
        os.waitpid(self.service.process.pid, os.WUNTRACED)
        self.addCleanup(os.kill, self.service.process.pid, signal.SIGCONT)

    def placard(self, *arguments, limit="0.2"):
        environment = {**os.environ, "PLACARD_SOCKET": str(self.service.socket), "PLACARD_TIMEOUT": limit}
        return subprocess.run(
            [PRODUCTS / "placard", *arguments], capture_output=True, text=True, stdin=subprocess.DEVNULL,
            env=environment, timeout=120)

    def test_limit(self):
        """Commands give up after their time limit with exit status 3"""
        for command in COMMANDS:
            with self.subTest(command=command):
                ended = self.placard(*command)
                self.assertEqual(ended.returncode, 3, ended.stderr)
                self.assertIn("did not answer within 0.2 s", ended.stderr)

    def test_queue(self):
        """A full queue of connections is reported with exit status 3"""
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

    def test_continue(self):
        """A service that continues responds again"""
        self.assertEqual(self.placard("health").returncode, 3)
        os.kill(self.service.process.pid, signal.SIGCONT)
        ended = self.placard("health", limit="60")
        self.assertEqual(ended.returncode, 0, ended.stdout + ended.stderr)
