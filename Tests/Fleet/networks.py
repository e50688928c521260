"""Networks of namespaces on one machine, whose cables tests cut and slow down."""

import os
import subprocess


def run(*words):
    subprocess.run([str(word) for word in words], check=True, capture_output=True)


class Network:
    """A switch, with an address of this machine, and the cables of hosts."""

    count = 0

    def __init__(self):
        Network.count += 1
        # Two runs on one machine do not share a network.
        self.number = (os.getpid() * 8 + Network.count) % 4096
        self.name = f"plsw{self.number}"
        self.base = f"10.{192 + self.number // 256}.{self.number % 256}"
        run("ip", "link", "add", self.name, "type", "bridge")
        run("ip", "address", "add", f"{self.base}.254/24", "dev", self.name)
        run("ip", "link", "set", self.name, "up")

    @staticmethod
    def missing():
        """Returns why there can be no network here; nothing if there can be one."""
        try:
            run("ip", "link", "add", "plsw", "type", "bridge")
            run("ip", "link", "delete", "plsw")
            Host("try").end()
        except (OSError, subprocess.CalledProcessError) as error:
            return f"no network namespaces: {getattr(error, 'stderr', b'').decode().strip() or error}"

    def end(self):
        run("ip", "link", "delete", self.name)


class Host:
    """A network namespace with cables to switches."""

    def __init__(self, name):
        self.name = f"placard-{os.getpid()}-{name}"
        self.cables = {}
        run("ip", "netns", "add", self.name)
        run("ip", "-n", self.name, "link", "set", "lo", "up")
        self.prefix = ("ip", "netns", "exec", self.name)

    def plug_in(self, network, number):
        """Connects the host to a network; returns its address there."""
        cable = f"pl{network.number}n{number}"
        run("ip", "link", "add", cable, "type", "veth", "peer", "name", f"v{network.number}", "netns", self.name)
        run("ip", "link", "set", cable, "master", network.name, "up")
        run("ip", "-n", self.name, "address", "add", f"{network.base}.{number}/24", "dev", f"v{network.number}")
        run("ip", "-n", self.name, "link", "set", f"v{network.number}", "up")
        self.cables[network] = cable
        return f"{network.base}.{number}"

    def cut(self, network):
        run("ip", "link", "set", self.cables[network], "down")

    def mend(self, network):
        run("ip", "link", "set", self.cables[network], "up")

    def slow_down(self, network, rate):
        """Limits the cable to a rate such as `64kbit`, in both directions."""
        limit = ("root", "tbf", "rate", rate, "burst", "3000", "latency", "2s")
        run("tc", "qdisc", "replace", "dev", self.cables[network], *limit)
        run("tc", "-n", self.name, "qdisc", "replace", "dev", f"v{network.number}", *limit)

    def end(self):
        # With the namespace alone, the cables would go at a later time.
        for cable in self.cables.values():
            run("ip", "link", "delete", cable)
        run("ip", "netns", "delete", self.name)
