"""What the stories of the page have in common: one browser for all, a service for each, and what must hold at the end."""

import atexit
import json
import unittest

from selenium.webdriver import ActionChains
from selenium.webdriver.common.keys import Keys

from browser import CHROMIUM, DRIVER, Browser
from openapi import Contract
from service import Reference, Service, same, wait_for

VIEWS = ["displays", "board", "write", "scenes", "activity", "service"]

shared = {}


def once(name, make):
    """Something that all tests share; it is ended with the process."""
    if name not in shared:
        shared[name] = make()
        atexit.register(shared[name].end)
    return shared[name]


@unittest.skipUnless(CHROMIUM and DRIVER, "there is no chromium here: Debian's packages are chromium and chromium-driver")
class Story(unittest.TestCase):
    """One story on a page of its own. It fails, too, where the console says an error or a request is not as agreed."""

    # Words in errors of the console that this story brings about on purpose.
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
        """What the service has before the page is opened."""

    def open(self, view, browser=None):
        browser = browser or self.browser
        # Another hash alone would be no new page.
        browser.driver.get("about:blank")
        browser.driver.get(f"{self.service.url}/#{view}")
        self.await_connection("connected", browser)
        wait_for(lambda: browser.script(f"return !document.getElementById('view-{view}').hidden"), f"the view {view}")

    def await_connection(self, state, browser=None, seconds=20):
        wait_for(lambda: (browser or self.browser).script("return document.documentElement.dataset.connection") == state,
                 f"the page to say {state}", seconds)

    def tearDown(self):
        try:
            self.check(self.browser)
        finally:
            # The next story's page does not talk to this one's service.
            self.browser.driver.get("about:blank")
            self.browser.errors()

    def check(self, browser):
        """Nothing went wrong in the console, and what was asked for is as the document says."""
        errors = browser.errors(self.expected_errors)
        self.assertFalse(errors, "\n".join(errors))
        if "contract" not in shared:
            shared["contract"] = Contract(self.service.get("openapi.json"), self.service.get("scene.schema.json"))
        # What was refused is told in the console, and not there unless the story expects it.
        faults = [fault for asked, status in browser.requests(self.service.url) if status not in (400, 422)
                  for fault in shared["contract"].request(*asked)]
        self.assertFalse(faults, "\n".join(faults))

    # Words for the stories.

    def see(self, picture, display="Virtual-1", what="what was asked for"):
        """Waits until the display's pixels are these."""
        wait_for(lambda: same(self.service.picture(display), picture), f"{display} to show {what}")

    def see_scene(self, scene, display="Virtual-1"):
        report = self.service.display(display)
        self.see(self.reference.picture(scene, report["width"], report["height"]), display, json.dumps(scene)[:200])

    def fill(self, selector, text, browser=None):
        """Types over what a field has."""
        field = (browser or self.browser).find(selector)
        field.send_keys(Keys.CONTROL, "a")
        field.send_keys(text)
        return field

    def choose(self, selector, value):
        """Picks an option of a select by its value, as a person does: with the keyboard's events."""
        wait_for(lambda: self.browser.script(
            "return [...document.querySelector(arguments[0]).options].some(o => o.value === arguments[1])",
            selector, value), f"{value} to be had in {selector}")
        self.browser.find(f'{selector} option[value="{value}"]').click()

    def turn(self, selector, on):
        switch = self.browser.find(selector)
        if switch.is_selected() != on:
            switch.click()

    def click(self, selector, browser=None):
        """Clicks what can be seen; waits for it."""
        browser = browser or self.browser
        def there():
            return next((one for one in browser.all(selector) if one.is_displayed() and one.is_enabled()), None)
        one = wait_for(there, f"{selector} to be seen")
        browser.middle(one)
        one.click()
        return one

    def press(self, *keys, browser=None):
        actions = ActionChains((browser or self.browser).driver)
        for key in keys:
            actions.send_keys(key)
        actions.perform()

    def is_open(self, selector, browser=None):
        return (browser or self.browser).script(
            "const d = document.querySelector(arguments[0]); return !!d && (d.open || d.matches(':popover-open'))", selector)

    def sessions(self, display=None):
        """The sessions that are open, on one display where it is named."""
        return [one for one in self.service.get("sessions")
                if one.get("id") and (display is None or one.get("display") == display)]


def board(*columns):
    """A board's document: each column a title and its cards' titles."""
    return {"kind": "board", "title": "Today", "columns": [
        {"title": title, "cards": [{"id": card.lower(), "title": card, "content": f"About {card}"} for card in cards]}
        for title, cards in columns]}
