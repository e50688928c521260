"""The bridge on a NATS cluster of three nodes, and faults of nodes, networks and disks."""

import json
import subprocess
import tempfile
import unittest
from pathlib import Path

from brokers import Bridge, Client, Mosquitto
from changes import wait_for
from clusters import Cluster
from networks import Host
from service import Service
from test_bridge import Box, Everyday, Weather


class EverydayOnCluster(Everyday):
    broker_class = Cluster


class WeatherOnCluster(Weather):
    broker_class = Cluster


class FaultsOnCluster(Box):
    """A box in a network namespace of its own. The tests' client is on node 1, and the box on one of the others."""

    broker_class = Cluster

    def setUp(self):
        self.computer = self.ending(Host("box"))
        self.computer.plug_in(self.broker.clients, 9)
        self.prefix = self.computer.prefix
        self.addresses = self.broker.addresses[1:]
        super().setUp()

    def own_node(self):
        """Returns the node that the box is connected to; nothing without one."""
        state = self.service.get("status")["bridges"][0]
        return self.broker.node(state["detail"]) if state["state"] == "connected" else None

    def show_many(self, count, name):
        texts = [f"{name} {number}" for number in range(count)]
        for text in texts:
            self.show(text)
        return texts

    def check_order(self, texts):
        self.wait_for_proof(texts[-1])
        self.assertEqual([one for one in self.proofs() if one in texts], texts)
        self.assert_complete()

    def test_a_node_that_is_killed_is_replaced_by_another(self):
        texts = self.show_many(3, "Before")
        self.wait_for_proof(texts[-1])
        node = wait_for(self.own_node, "the node of the box")
        for number in range(20):
            if number == 7:
                node.kill()
            self.client.publish(f"{self.base}cmd/k{number}", {
                # No display has this tag: the commands must not replace a text before its flip.
                "method": "POST", "path": "/v1/messages", "body": {"text": f"Message {number}", "tag": "none"}})
        self.addCleanup(node.start)
        texts += self.show_many(10, "Without it")
        for number in range(20):
            reply = wait_for(lambda: self.client.last(f"{self.base}reply/k{number}"), f"the reply to k{number}")
            self.assertLess(reply["status"], 300, reply)
        other = wait_for(self.own_node, "another node")
        self.assertIsNot(other, node)
        # Each command was carried out once.
        sent = [one for one in self.service.get("messages") if "Message" in json.dumps(one["scene"])]
        self.assertEqual(len(sent), 20)
        self.check_order(texts)

    def test_what_is_shown_in_a_partition_arrives(self):
        node = wait_for(self.own_node, "the node of the box")
        node.computer.cut(self.broker.peers)
        texts = self.show_many(5, "Partition")
        self.client.publish(f"{self.base}cmd/k1", {"method": "PUT", "path": "/v1/values/a", "body": {"value": 1}})
        node.computer.mend(self.broker.peers)
        self.check_order(texts)
        self.assertLess(wait_for(lambda: self.client.last(f"{self.base}reply/k1"), "the reply")["status"], 300)

    def test_an_uplink_that_is_cut_loses_nothing(self):
        texts = self.show_many(2, "Before")
        self.wait_for_proof(texts[-1])
        self.computer.cut(self.broker.clients)
        texts += self.show_many(10, "Alone")
        self.client.publish(f"{self.base}cmd/k1", {"method": "PUT", "path": "/v1/values/a", "body": {"value": 1}})
        self.computer.mend(self.broker.clients)
        self.check_order(texts)
        self.assertLess(wait_for(lambda: self.client.last(f"{self.base}reply/k1"), "the reply")["status"], 300)

    def test_a_slow_link_delays_only(self):
        self.computer.slow_down(self.broker.clients, "64kbit")
        texts = self.show_many(30, "Slow")
        self.assertEqual(self.command("k1", "GET", "/v1/status")["status"], 200)
        self.check_order(texts)


class FullDisk(unittest.TestCase):
    def test_messages_wait_in_memory_while_the_disk_is_full(self):
        if missing := Mosquitto.missing():
            self.skipTest(missing)
        folder = Path(self.enterContext(tempfile.TemporaryDirectory(prefix="placard-disk-")))
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", folder], capture_output=True, text=True)
        if mounted.returncode != 0:
            self.skipTest(f"no file system of 1 MB: {mounted.stderr.strip()}")
        self.addCleanup(subprocess.run, ["umount", "--lazy", folder], check=True)
        broker, service = Mosquitto(), Service()
        self.addCleanup(broker.end)
        self.addCleanup(service.end)
        bridge = Bridge(service, broker, state=folder)
        self.addCleanup(bridge.end)
        client = Client(broker)
        self.addCleanup(client.end)
        wait_for(lambda: client.last(bridge.base + "reported"), "the report")
        with open(folder / "filler", "wb", buffering=0) as filler:
            try:
                while True:
                    filler.write(b"x" * 4096)
            except OSError:
                pass
        broker.stop()
        texts = [f"Full {number}" for number in range(20)]
        for text in texts:
            service.send("PUT", "message", {"text": text, "wait": True})
        bridge.wait_for_line("wait in memory")
        broker.start()

        def shown():
            found = client.upward(bridge.base)
            return list({one["id"]: one["what"] for _, one in sorted(found.items()) if "what" in one}.values())
        wait_for(lambda: texts[-1] in shown(), "the proof of the last message")
        self.assertEqual([one for one in shown() if one in texts], texts)
        # Afterwards messages wait on disk again.
        (folder / "filler").unlink()
        broker.stop()
        service.send("PUT", "message", {"text": "On disk", "wait": True})
        bridge.wait_for_line("wait on disk again")
        bridge.stop(9)
        bridge.start()
        broker.start()
        wait_for(lambda: "On disk" in shown(), "the proof after a crash")
