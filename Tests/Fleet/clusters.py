"""A cluster of three nats-servers, each in a network namespace of its own."""

import os
import signal

from brokers import NATS, Broker
from changes import wait_for
from networks import Host, Network


class Node(Broker):
    """A node of a cluster. Its peers and its clients are on different networks."""

    program = "nats-server"
    ready = b"Server is ready"

    def __init__(self, number, peers, clients):
        super().__init__()
        self.number = number
        self.computer = Host(f"node{number}")
        self.prefix = self.computer.prefix
        self.port = 1883
        self.host = self.computer.plug_in(clients, number)
        peer = self.computer.plug_in(peers, number)
        routes = ", ".join(f'"nats://{peers.base}.{one}:6222"' for one in (1, 2, 3))
        (self.path / "nats.conf").write_text(
            f'server_name: node{number}\nlisten: "127.0.0.1:4222"\n'
            f'cluster {{ name: placard, listen: "{peer}:6222", no_advertise: true, routes: [{routes}] }}\n'
            f'jetstream {{ store_dir: "{self.path}/jetstream" }}\n'
            f'mqtt {{ host: "{self.host}", port: {self.port}, stream_replicas: 3 }}\n')

    def start(self):
        self.run("-c", self.path / "nats.conf")

    def kill(self):
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()

    def end(self):
        super().end()
        self.computer.end()


class Cluster:
    """Three nodes, of which any two hold all sessions, messages and retained messages."""

    program = NATS.program

    def __init__(self):
        self.peers, self.clients = Network(), Network()
        self.nodes = [Node(number, self.peers, self.clients) for number in (1, 2, 3)]
        for node in self.nodes:
            node.start()
        wait_for(lambda: any(b"new metadata leader" in line for node in self.nodes for line in node.output),
                 "a leader of the cluster")
        # The node of the tests' own clients.
        self.host, self.port = self.nodes[0].host, self.nodes[0].port

    @staticmethod
    def missing():
        return NATS.missing() or Network.missing()

    @property
    def addresses(self):
        return [f"mqtt://{node.host}:{node.port}" for node in self.nodes]

    def stop(self):
        for node in self.nodes:
            node.stop()

    def start(self):
        for node in self.nodes:
            node.start()

    def node(self, address):
        """Returns the node with an address, such as `mqtt://10.1.2.3:1883`."""
        return next(node for node in self.nodes if node.host in address)

    def end(self):
        for node in self.nodes:
            node.end()
        for network in (self.peers, self.clients):
            network.end()
