"""Monitors in Home Assistant itself."""

import unittest

from brokers import Bridge, Mosquitto
from changes import wait_for
from hass import HomeAssistant
from service import Service


class InHomeAssistant(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        if missing := HomeAssistant.missing() or Mosquitto.missing():
            raise unittest.SkipTest(missing)
        cls.broker = Mosquitto()
        cls.addClassCleanup(cls.broker.end)
        cls.hass = HomeAssistant(cls.broker)
        cls.addClassCleanup(cls.hass.end)

    def setUp(self):
        self.service = Service()
        self.addCleanup(self.service.end)
        self.service.send("PUT", "library/menu", {"scene": {"kind": "banner", "text": "Soup"}})
        self.bridge = Bridge(self.service, self.broker, 'discovery = "homeassistant"\n')
        self.addCleanup(self.bridge.end)

    def entities(self, device):
        """Returns the entities of a device, by domain and name."""
        text = self.hass.render("{{ device_entities('%s') | join(',') }}" % device)
        return sorted(one for one in text.split(",") if one)

    def devices(self):
        """Returns the devices of monitors at this test's box: their text entities, and their identifiers."""
        found = {}
        for name, state in self.hass.states().items():
            if name.startswith("text.") and state["state"] != "unavailable":
                found[name] = self.hass.render("{{ device_id('%s') }}" % name)
        return found

    def wait_for_device(self):
        wait_for(lambda: len(self.devices()) == 1, "a monitor to appear")
        (text, device), = self.devices().items()
        return text, device

    def entity(self, device, domain):
        return next(one for one in self.entities(device) if one.startswith(f"{domain}."))

    def state(self, entity):
        return self.hass.states()[entity]["state"]

    def test_a_monitor_appears_and_its_entities_do_what_they_say(self):
        text, device = self.wait_for_device()
        names = self.entities(device)
        print("entities |", ", ".join(names))
        domains = {name.split(".")[0] for name in names}
        self.assertEqual(
            {"notify", "text", "select", "switch", "image", "sensor", "binary_sensor", "button", "event"}, domains)
        self.assertNotIn(self.hass.render("{{ device_attr('%s', 'via_device_id') }}" % device), ("None", ""))
        # None of its states is a mistake.
        wait_for(lambda: all(self.state(name) != "unavailable" for name in names), "all states")
        self.hass.call("notify.send_message", self.entity(device, "notify"), message="From Home Assistant")
        wait_for(lambda: self.service.display()["message"] == "From Home Assistant", "the message on the display")
        wait_for(lambda: self.state(text) == "From Home Assistant", "the text")
        self.hass.call("select.select_option", self.entity(device, "select"), option="menu")
        wait_for(lambda: self.service.display()["message"] == "Soup", "the scene on the display")
        power = self.entity(device, "switch")
        self.hass.call("switch.turn_off", power)
        wait_for(lambda: self.service.display()["state"] == "asleep" and self.state(power) == "off", "the display asleep")
        self.hass.call("switch.turn_on", power)
        wait_for(lambda: self.service.display()["state"] == "lit" and self.state(power) == "on", "the display lit")
        errors = [line for line in self.hass.lines if b"ERROR" in line and b"mqtt" in line]
        self.assertEqual(errors, [])

    def test_a_monitor_keeps_its_entities_on_another_port_and_after_a_restart(self):
        text, device = self.wait_for_device()
        names = self.entities(device)
        self.service.send("DELETE", "virtual/Virtual-1")
        wait_for(lambda: not self.devices(), "the monitor to be unavailable")
        self.service.plug(1920, 1080, "Virtual-3")
        self.assertEqual(self.wait_for_device(), (text, device))
        self.assertEqual(self.entities(device), names)
        self.hass.stop()
        self.hass.start()
        self.hass.follow_events()
        self.assertEqual(self.wait_for_device(), (text, device))
        self.hass.call("notify.send_message", self.entity(device, "notify"), message="Again")
        wait_for(lambda: self.service.display("Virtual-3")["message"] == "Again", "the message on the display")
