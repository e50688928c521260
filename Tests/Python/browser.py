"""A browser for the tests of the page: Debian's chromium, driven by Selenium."""

import json
import os
import shutil
import urllib.request
from importlib import util
from pathlib import Path

import websocket
from selenium import webdriver
from selenium.webdriver.chrome.service import Service as Driver
from selenium.webdriver.common.by import By

from changes import follow, wait_for

CHROMIUM = shutil.which("chromium")
DRIVER = shutil.which("chromedriver")

# Reports each change of a page, also before its own scripts run. It runs in a world of its own: the page's scripts do not
# see it, and the page's policy does not apply to it.
OBSERVER = """
    new MutationObserver(() => changed("")).observe(
        document, {subtree: true, childList: true, attributes: true, characterData: true});
    for (const kind of ["input", "change", "scroll", "scrollend", "load", "error", "toggle", "close", "focusin",
                        "focusout", "selectionchange", "transitionend", "animationend", "DOMContentLoaded"])
        addEventListener(kind, () => changed(""), true);
    changed("");
"""

# axe-core, which checks a page against WCAG.
AXE = Path(util.find_spec("axe_playwright_python").origin).parent / "axe.min.js"


class Browser:
    """A browser with a profile of its own."""

    def __init__(self):
        # Keeps selenium from downloading browsers and drivers.
        os.environ["SE_OFFLINE"] = "true"
        options = webdriver.ChromeOptions()
        options.binary_location = CHROMIUM
        for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                         "--window-size=1280,900", "--disable-background-networking", "--lang=en-GB",
                         "--force-prefers-reduced-motion"):
            options.add_argument(argument)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        options.add_experimental_option("perfLoggingPrefs", {"enableNetwork": True, "enablePage": False})
        self.driver = webdriver.Chrome(options=options, service=Driver(DRIVER))
        self.driver.set_script_timeout(300)
        self.follow_page()

    def follow_page(self):
        """Reports each change of the page, over a DevTools connection of its own."""
        address = self.driver.capabilities["goog:chromeOptions"]["debuggerAddress"]
        with urllib.request.urlopen(f"http://{address}/json", timeout=60) as answer:
            page = next(one for one in json.load(answer) if one["type"] == "page")
        tools = websocket.create_connection(page["webSocketDebuggerUrl"], suppress_origin=True)
        for number, (method, arguments) in enumerate([
                ("Page.enable", {}), ("Runtime.enable", {}),
                ("Runtime.addBinding", {"name": "changed", "executionContextName": "tests"}),
                ("Page.addScriptToEvaluateOnNewDocument", {"source": OBSERVER, "worldName": "tests"})]):
            tools.send(json.dumps({"id": number, "method": method, "params": arguments}))
            while json.loads(tools.recv()).get("id") != number:
                pass
        def read():
            try:
                return tools.recv()
            except websocket.WebSocketException:
                return ""
        follow(read)

    def end(self):
        self.driver.quit()

    def command(self, name, **arguments):
        """Sends a command of the DevTools protocol, and returns its result."""
        return self.driver.execute_cdp_cmd(name, arguments)

    # The emulated device.

    def as_desktop(self, width=1280, height=900):
        self.command("Emulation.clearDeviceMetricsOverride")
        self.command("Emulation.setTouchEmulationEnabled", enabled=False)
        self.driver.set_window_size(width, height)

    def as_phone(self, width=390, height=844):
        self.command("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=2, mobile=True)
        self.command("Emulation.setTouchEmulationEnabled", enabled=True, maxTouchPoints=2)

    def in_scheme(self, scheme):
        """Selects the color scheme, `light` or `dark`."""
        self.command("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])

    # The link to the service.

    def slow_link(self, latency, kilobytes):
        """Limits the link: a latency in milliseconds, and a throughput in kilobytes per second."""
        self.command("Network.enable")
        self.command("Network.clearBrowserCache")
        self.command("Network.emulateNetworkConditions", offline=False, latency=latency,
                     downloadThroughput=kilobytes * 1000, uploadThroughput=kilobytes * 1000)

    def fast_link(self):
        self.command("Network.emulateNetworkConditions", offline=False, latency=0, downloadThroughput=-1,
                     uploadThroughput=-1)

    def script_at_start(self, text):
        """Runs a script in each new page before the scripts of the page."""
        self.started = self.command("Page.addScriptToEvaluateOnNewDocument", source=text)["identifier"]

    def no_script_at_start(self):
        self.command("Page.removeScriptToEvaluateOnNewDocument", identifier=self.started)

    def idle(self):
        """Waits until no answer has arrived for one second, except those of /v1/health/live."""
        self.driver.execute_async_script("""
            const done = arguments[0];
            const end = () => { observer.disconnect(); done(); };
            let timer = setTimeout(end, 1000);
            const observer = new PerformanceObserver(list => {
                if (list.getEntries().every(entry => entry.name.endsWith('/live'))) return;
                clearTimeout(timer);
                timer = setTimeout(end, 1000);
            });
            observer.observe({type: 'resource'});""")

    # Elements.

    def script(self, text, *arguments):
        return self.driver.execute_script(text, *arguments)

    def find(self, selector, within=None):
        return (within or self.driver).find_element(By.CSS_SELECTOR, selector)

    def all(self, selector, within=None):
        return (within or self.driver).find_elements(By.CSS_SELECTOR, selector)

    def named(self, role, name, within=None, exact=False):
        """Returns the visible element with a role and an accessible name that contains a text; waits for it."""
        def found():
            for one in self.all(ROLES[role], within):
                try:
                    label = one.accessible_name
                    if (label == name if exact else name.lower() in label.lower()) and one.is_displayed():
                        return one
                except Exception:  # the element was removed during the loop
                    continue
            return None
        return wait_for(found, f"a {role} named {name!r}")

    def text(self, selector="body"):
        return self.script("return document.querySelector(arguments[0])?.innerText ?? ''", selector)

    # The mouse and touch.

    def middle(self, element):
        """Scrolls to an element, and returns its center."""
        box = self.script(
            "arguments[0].scrollIntoView({block: 'nearest'}); const b = arguments[0].getBoundingClientRect();"
            "return [b.x + b.width / 2, b.y + b.height / 2]", element)
        return box

    def touch_drag(self, element, target, hold=0):
        """Drags an element to a target by touch; both must be in the viewport."""
        x, y = self.middle(element)
        to_x, to_y = self.middle(target)
        x, y = self.middle(element)
        touch = lambda kind, *points: self.command(
            "Input.dispatchTouchEvent", type=kind, touchPoints=[{"x": px, "y": py} for px, py in points])
        touch("touchStart", (x, y))
        if hold:
            self.driver.execute_async_script("setTimeout(arguments[1], arguments[0])", hold)
        for step in range(1, 13):
            touch("touchMove", (x + (to_x - x) * step / 12, y + (to_y - y) * step / 12))
        touch("touchEnd")

    # Errors and requests.

    def errors(self, allowed=()):
        """Returns the errors and the CSP violations that the console logged since the last call."""
        found = []
        for entry in self.driver.get_log("browser"):
            message = entry["message"]
            bad = entry["level"] == "SEVERE" or "Content Security Policy" in message
            if bad and not any(word in message for word in allowed):
                found.append(message[:400])
        return found

    def requests(self, origin):
        """Returns the API requests since the last call: ((method, target, headers, body), status) each."""
        asked, statuses = {}, {}
        for entry in self.driver.get_log("performance"):
            message = json.loads(entry["message"])["message"]
            told = message["params"]
            if message["method"] == "Network.responseReceived":
                statuses[told["requestId"]] = told["response"]["status"]
            if message["method"] == "Network.requestWillBeSent" and told["request"]["url"].startswith(origin + "/v1"):
                asked[told["requestId"]] = self.request(told["request"], origin)
        return [(request, statuses.get(name)) for name, request in asked.items()]

    @staticmethod
    def request(told, origin):
        headers = {name.lower(): value for name, value in told["headers"].items()}
        # DevTools does not report the content of files: such a body is None.
        body = None if told.get("hasPostData") and "postData" not in told else told.get("postData", "").encode()
        return told["method"], told["url"][len(origin):], headers, body

    def axe(self):
        """Returns the violations that axe-core finds on the current page, one sentence each."""
        if not self.script("return typeof axe === 'object'"):
            self.script(AXE.read_text())
        found = self.driver.execute_async_script(
            "const done = arguments[arguments.length - 1];"
            "axe.run(document, {resultTypes: ['violations']}).then(r => done(r.violations), e => done(String(e)))")
        if isinstance(found, str):
            raise AssertionError("axe-core failed: " + found)
        return [f"{one['id']} ({one['impact']}): {one['help']}: {node['html'][:160]} — {node['failureSummary'][:200]}"
                for one in found for node in one["nodes"]]


# The selectors of the elements with each role.
ROLES = {
    "button": "button, [role=button], summary, input[type=submit]",
    "link": "a[href]",
    "textbox": "textarea, input:not([type]), input[type=text], input[type=search], [role=textbox]",
    "checkbox": "input[type=checkbox], [role=switch], [role=checkbox]",
    "combobox": "select, [role=combobox]",
    "number": "input[type=number]",
    "slider": "input[type=range], [role=slider]",
    "file": "input[type=file]",
    "region": "section, [role=region], article, [role=group], main, aside, nav, li",
    "dialog": "dialog, [role=dialog], [role=alertdialog]",
    "tab": "[role=tab]",
    "menuitem": "[role=menuitem]",
}
