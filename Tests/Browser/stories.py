"""The base class of the page's tests: a shared browser, a service for each test, and checks after each test."""

import atexit
import json
import unittest

from selenium.webdriver import ActionChains
from selenium.webdriver.common.keys import Keys

from browser import CHROMIUM, DRIVER, Browser
from changes import wait_for
from openapi import Contract
from service import Reference, Service, same

VIEWS = ["displays", "board", "write", "scenes", "week", "activity", "service"]

shared = {}


def once(name, make):
    """Returns the object that all tests share under a name; the object ends with the process."""
    if name not in shared:
        shared[name] = make()
        atexit.register(shared[name].end)
    return shared[name]


@unittest.skipUnless(CHROMIUM and DRIVER, "chromium is missing: install chromium and chromium-driver")
class Story(unittest.TestCase):
    """A test on a page of its own. Errors in the console and requests that violate the OpenAPI document fail it."""

    # Parts of console errors that the test causes on purpose.
    expected_errors = ()
    settings = ""
    view = "displays"

    def setUp(self):
        self.browser = once("browser", Browser)
        self.reference = once("reference", Reference)
        self.service = Service(settings=self.settings)
        self.addCleanup(self.service.end)
        self.browser.as_desktop()
        self.browser.in_scheme("light")
        self.prepare()
        self.open(self.view)

    def prepare(self):
        """Sets up the content of the service before the page is opened."""

    def open(self, view, browser=None):
        browser = browser or self.browser
        # A URL that differs only in its fragment does not load the page again.
        browser.driver.get("about:blank")
        browser.driver.get(f"{self.service.url}/#{view}")
        self.await_connection("connected", browser)
        wait_for(lambda: browser.script(f"return !document.getElementById('view-{view}').hidden"), f"the view {view}")

    def await_connection(self, state, browser=None):
        wait_for(lambda: (browser or self.browser).script("return document.documentElement.dataset.connection") == state,
                 f"the connection state {state}")

    def tearDown(self):
        try:
            self.check(self.browser)
        finally:
            # The page must not send requests to a service that has ended.
            self.browser.driver.get("about:blank")
            self.browser.errors()

    def check(self, browser):
        """Fails if the console has errors, or if a request violates the OpenAPI document."""
        errors = browser.errors(self.expected_errors)
        self.assertFalse(errors, "\n".join(errors))
        if "contract" not in shared:
            shared["contract"] = Contract(self.service.get("openapi.json"), self.service.get("scene.schema.json"))
        # A refused request is an error in the console, which the check above covers.
        faults = [fault for asked, status in browser.requests(self.service.url) if status not in (400, 422)
                  for fault in shared["contract"].request(*asked)]
        self.assertFalse(faults, "\n".join(faults))

    # Steps of the tests.

    def see(self, picture, display="Virtual-1", what="the expected frame"):
        """Waits until the display shows exactly these pixels."""
        wait_for(lambda: same(self.service.picture(display), picture), f"{display} to show {what}")

    def see_scene(self, scene, display="Virtual-1"):
        """Waits until the display shows a scene, as a second service draws it."""
        report = self.service.display(display)
        self.see(self.reference.picture(scene, report["width"], report["height"]), display, json.dumps(scene)[:200])

    def fill(self, selector, text, browser=None):
        """Replaces the text of a field by typing."""
        field = (browser or self.browser).find(selector)
        field.send_keys(Keys.CONTROL, "a")
        field.send_keys(text)
        return field

    def choose(self, selector, value):
        """Selects an option by its value with a click, so that the page gets the usual events."""
        wait_for(lambda: self.browser.script(
            "return [...document.querySelector(arguments[0]).options].some(o => o.value === arguments[1])",
            selector, value), f"the option {value} in {selector}")
        self.browser.find(f'{selector} option[value="{value}"]').click()

    def turn(self, selector, on):
        """Sets a switch."""
        switch = self.browser.find(selector)
        if switch.is_selected() != on:
            switch.click()

    def pick(self, kind):
        """Selects a kind of scene in the editor."""
        selector = f"#scene-kinds input[value='{kind}']"
        radio = wait_for(lambda: self.browser.all(selector), f"the kind {kind}")[0]
        self.browser.script("(arguments[0].closest('label') ?? arguments[0]).click()", radio)
        wait_for(lambda: radio.is_selected(), f"{kind} to be chosen")

    def click(self, selector, browser=None):
        """Clicks the first visible, enabled element; waits for it."""
        browser = browser or self.browser
        def there():
            return next((one for one in browser.all(selector) if one.is_displayed() and one.is_enabled()), None)
        one = wait_for(there, f"{selector} to be visible and enabled")
        browser.middle(one)
        one.click()
        return one

    def press(self, *keys, browser=None):
        actions = ActionChains((browser or self.browser).driver)
        for key in keys:
            actions.send_keys(key)
        actions.perform()

    def is_open(self, selector, browser=None):
        """Returns whether a dialog or popover is open."""
        return (browser or self.browser).script(
            "const d = document.querySelector(arguments[0]); return !!d && (d.open || d.matches(':popover-open'))", selector)

    def sessions(self, display=None):
        """Returns the open sessions, of one display if it is given."""
        return [one for one in self.service.get("sessions")
                if one.get("id") and (display is None or one.get("display") == display)]


def board(*columns):
    """Returns the document of a board; each column is a pair of its title and the titles of its cards."""
    return {"kind": "board", "title": "Today", "columns": [
        {"title": title, "cards": [{"id": card.lower(), "title": card, "content": f"About {card}"} for card in cards]}
        for title, cards in columns]}
