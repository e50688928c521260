"""The devices that Home Assistant discovers, by its documented rules and with a client in its place."""

import io
import json

from PIL import Image

import home_assistant
from brokers import NATS, Bridge, Client
from changes import wait_for
from service import Service
from test_bridge import Box as AnyBox


class Discovery(AnyBox):
    def setUp(self):
        super().setUp()
        self.bridge.stop()
        self.bridge.file.write_text(self.bridge.file.read_text() + 'discovery = "homeassistant"\n')
        self.service.send("PUT", "library/menu", {"scene": {"kind": "banner", "text": "Soup"}})
        self.service.send("PUT", "library/night", {"scene": {"kind": "banner", "text": "Closed"}})
        self.bridge.start()
        wait_for(lambda: self.devices(), "a discovery message of a monitor")

    def discovered(self):
        """Returns the last discovery messages that are not empty, by their devices' identifiers."""
        found = {}
        for message in list(self.client.messages):
            if message.topic.startswith("homeassistant/device/"):
                name, content = home_assistant.check(message.topic, message.payload)
                found[name] = content
        return found

    def devices(self):
        """Returns the devices of monitors that are at this test's box."""
        return {name: one for name, one in self.discovered().items()
                if one.get("state_topic", "").startswith(self.base)}

    def payload(self, topic):
        payloads = self.client.of(topic)
        return payloads[-1].decode() if payloads else None

    def states(self, name):
        return home_assistant.entities(self.discovered()[name], self.payload)

    def is_available(self, name):
        topics = [one["topic"] for one in self.discovered()[name]["availability"]]
        return all(self.payload(topic) == "online" for topic in topics)

    def types(self, topic):
        return [json.loads(one)["event_type"] for one in self.client.of(topic)]

    def press(self, name, component, payload="PRESS"):
        self.client.publish(self.discovered()[name]["cmps"][component]["command_topic"], payload)

    def wait_for_states(self, name, **states):
        wait_for(lambda: states.items() <= self.states(name).items(), f"{states} of {name}")

    def test_a_monitor_and_its_box_appear_and_their_states_are_valid(self):
        (name, device), = self.devices().items()
        box = device["dev"]["via_device"]
        self.assertIn(self.node, box)
        self.assertEqual(
            {one["p"] for one in device["cmps"].values()} | {one["p"] for one in self.discovered()[box]["cmps"].values()},
            set(home_assistant.PLATFORMS), "each platform of the list")
        self.wait_for_states(name, state="lit", mode="1920x1080@60", power="ON", connected="ON", problem="OFF")
        wait_for(lambda: self.is_available(name), "the monitor to be available")
        wait_for(lambda: self.payload(self.discovered()[box]["cmps"]["problem"]["state_topic"]), "the state of the box")
        self.assertEqual(self.states(box)["problem"], "OFF")

    def test_each_entity_does_what_it_says(self):
        name, = self.devices()
        self.press(name, "notify", "Dinner is ready")
        self.wait_for_states(name, text="Dinner is ready", shown="Dinner is ready")
        self.assertIsNotNone(self.states(name)["flip"])
        self.press(name, "text", "x" * 300)
        self.wait_for_states(name, text="x" * 255)
        self.press(name, "clear")
        self.wait_for_states(name, text="first screen")
        self.press(name, "scene", "menu")
        self.wait_for_states(name, scene="menu")
        self.press(name, "power", "OFF")
        self.wait_for_states(name, power="OFF", state="asleep", problem="OFF")
        self.press(name, "wake")
        self.wait_for_states(name, power="ON", state="lit")
        self.press(name, "identify")
        self.press(name, "scene", "missing")
        self.bridge.wait_for_line("refused a command of Home Assistant")
        topic = self.discovered()[name]["cmps"]["picture"]["image_topic"]
        picture = wait_for(lambda: self.client.of(topic), "a picture of the screen")[0]
        self.assertEqual(Image.open(io.BytesIO(picture)).size, (1920, 1080))

    def test_an_acknowledged_message_is_an_event_of_its_display(self):
        name, = self.devices()
        message = self.service.send("POST", "messages", {"text": "Lift out of order", "acknowledge": True, "wait": True})
        self.service.send("PUT", f"messages/{message['id']}/acknowledgement")
        event = self.discovered()[name]["cmps"]["happened"]["state_topic"]
        wait_for(lambda: "acknowledged" in self.types(event), "the event of the message")

    def test_the_list_of_scenes_follows_the_library(self):
        name, = self.devices()
        self.assertEqual(self.devices()[name]["cmps"]["scene"]["options"], ["menu", "night"])
        self.service.send("DELETE", "library/night")
        wait_for(lambda: self.devices()[name]["cmps"]["scene"]["options"] == ["menu"], "the shorter list")

    def test_discovery_is_sent_again_when_home_assistant_starts(self):
        topic, = (f"homeassistant/device/{name}/config" for name in self.devices())
        count = len(self.client.of(topic))
        self.client.publish("homeassistant/status", "online")
        wait_for(lambda: len(self.client.of(topic)) > count, "the discovery message again")

    def test_a_monitor_keeps_its_device_on_another_box(self):
        edid = {"width": 1280, "height": 720}
        first = self.service.plug(**edid, name="Virtual-7")
        wait_for(lambda: len(self.devices()) == 2, "the second device")
        name, = wait_for(
            lambda: [name for name, one in self.devices().items()
                     if json.loads(self.payload(one["state_topic"]) or "{}").get("display") == first],
            "the state of the second device")
        old = self.discovered()[name]
        event = old["cmps"]["happened"]["state_topic"]
        wait_for(lambda: "plugged" in self.types(event), "the monitor to be reported")
        self.service.send("DELETE", f"virtual/{first}")
        wait_for(lambda: not self.is_available(name), "the monitor to be unavailable")
        self.assertEqual(self.types(event), ["plugged", "unplugged"])
        other = self.ending(Service())
        self.node += "yard"
        self.ending(Bridge(other, self.broker, 'discovery = "homeassistant"\n', node=self.node))
        self.client = self.watch(self.node)
        other.plug(**edid, name="Virtual-7")
        wait_for(lambda: self.discovered().get(name, old)["state_topic"].startswith(f"placard/berlin/{self.node}/"),
                 "the device of the other box")
        self.assertTrue(wait_for(lambda: self.is_available(name), "the monitor to be available"))
        new = self.discovered()[name]
        self.assertEqual({one["unique_id"] for one in new["cmps"].values()} - {one["unique_id"] for one in old["cmps"].values()}, set())


class DiscoveryOnNATS(Discovery):
    broker_class = NATS
