"""Home Assistant's documented rules for MQTT discovery messages, and the states that its entities would have.

https://www.home-assistant.io/integrations/mqtt/#mqtt-discovery, and the pages of the platforms.
"""

import json
import re

import jinja2

# Options that the device, and each of its components, may have.
SHARED = {"availability", "availability_mode", "state_topic", "command_topic", "qos", "encoding"}
COMMON = {"p", "unique_id", "name", "device_class", "entity_category", "icon", "json_attributes_topic",
          "json_attributes_template"} | SHARED

# The required and the optional options of each platform, besides the common ones.
PLATFORMS = {
    "notify": ({"command_topic"}, set()),
    "text": ({"command_topic"}, {"value_template", "max", "min", "mode", "pattern"}),
    "select": ({"command_topic", "options"}, {"value_template"}),
    "switch": ({"command_topic"}, {"value_template", "payload_on", "payload_off", "state_on", "state_off"}),
    "image": ({"image_topic"}, {"content_type", "image_encoding"}),
    "sensor": ({"state_topic"}, {"value_template", "unit_of_measurement", "expire_after", "options", "state_class"}),
    "binary_sensor": ({"state_topic"}, {"value_template", "payload_on", "payload_off", "expire_after"}),
    "button": ({"command_topic"}, {"payload_press"}),
    "event": ({"state_topic", "event_types"}, {"value_template"}),
    "update": ({"state_topic"}, {"value_template", "latest_version_topic", "latest_version_template", "title"}),
}
DEVICE_CLASSES = {
    "sensor": {"timestamp", "distance"}, "binary_sensor": {"connectivity", "problem"},
    "button": {"identify", "restart", "update"}, "update": {"firmware"},
}
DEVICE = {"ids", "name", "mf", "mdl", "sn", "sw", "hw", "via_device", "cu", "sa"}


def check(topic, payload):
    """Asserts that a discovery message follows the rules; returns its device's identifier and its components."""
    prefix, device, name, last = topic.split("/")
    assert (prefix, device, last) == ("homeassistant", "device", "config"), topic
    assert re.fullmatch(r"[a-zA-Z0-9_-]+", name), topic
    message = json.loads(payload)
    assert set(message) <= SHARED | {"dev", "o", "cmps"}, set(message)
    assert {"dev", "o", "cmps"} <= set(message), "these three are required"
    assert set(message["dev"]) <= DEVICE and message["dev"]["ids"] == [name], message["dev"]
    assert message["dev"]["name"], "a device has a name"
    assert message["o"]["name"], "the origin has a name"
    check_availability(message)
    identifiers = set()
    for key, component in message["cmps"].items():
        check_component(key, component, message)
        assert component["unique_id"] not in identifiers, component
        identifiers.add(component["unique_id"])
    return name, message


def check_availability(message):
    assert message.get("availability_mode", "latest") in ("all", "any", "latest")
    for entry in message.get("availability", []):
        assert set(entry) <= {"topic", "payload_available", "payload_not_available", "value_template"}, entry
        check_topic(entry["topic"])


def check_topic(topic):
    assert 0 < len(topic.encode()) < 65536 and not set(topic) & set("+#\0"), topic


def check_component(key, component, message):
    required, optional = PLATFORMS[component["p"]]
    everything = {**{name: message[name] for name in SHARED if name in message}, **component}
    assert required <= set(everything), f"{key} lacks {required - set(everything)}"
    assert set(component) <= COMMON | required | optional, f"{key} has {set(component)}"
    assert component["unique_id"] and component["name"], key
    if "device_class" in component:
        assert component["device_class"] in DEVICE_CLASSES[component["p"]], key
    assert component.get("entity_category", "diagnostic") in ("config", "diagnostic"), key
    for name, value in everything.items():
        if name.endswith("_topic"):
            check_topic(value)
        if name.endswith("_template"):
            jinja2.Environment().parse(value)
    if component["p"] == "select":
        assert component["options"] and all(isinstance(one, str) for one in component["options"]), key
    if component["p"] == "text":
        assert component.get("max", 255) <= 255, key


def render(template, payload):
    """Returns what a template makes of a payload, as Home Assistant does."""
    try:
        value = json.loads(payload)
    except ValueError:
        value = None
    return jinja2.Environment().from_string(template).render(value=payload, value_json=value)


def entities(message, payload_of):
    """Returns the states of a device's components, from the payloads of their topics; None for an unknown state."""
    states = {}
    for key, component in message["cmps"].items():
        topic = component.get("state_topic", message.get("state_topic"))
        payload = payload_of(topic) if topic else None
        if payload is None or component["p"] in ("notify", "button", "image", "event"):
            continue
        text = render(component["value_template"], payload) if "value_template" in component else payload
        states[key] = None if text == "None" else text
        check_state(key, component, states[key])
    return states


def check_state(key, component, state):
    """Asserts that a platform accepts a state."""
    if state is None:
        return
    match component["p"]:
        case "sensor":
            assert len(state) <= 255, key
            if component.get("device_class") == "timestamp":
                assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z", state), state
            if "unit_of_measurement" in component:
                float(state)
        case "switch" | "binary_sensor":
            assert state in ("ON", "OFF"), f"{key}: {state}"
        case "select":
            assert state in component["options"], f"{key}: {state}"
        case "text":
            assert len(state) <= component.get("max", 255), key
        case "update":
            assert {"installed_version", "latest_version"} <= set(json.loads(state)), state
