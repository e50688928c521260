"""The page on a slow link and with a stopped service, and the login page."""

import os
import signal
import tempfile
import unittest
from pathlib import Path

from PIL import Image

from browser import CHROMIUM, DRIVER, Browser
from changes import wait_for
from service import Service
from stories import VIEWS, once
from test_everybody import SMALL, Full

TOKEN = "0123456789abcdef0123456789abcdef"

# The maximum layout shift while a view is loaded. A good page has at most 0.1 (web.dev, "CLS").
MOST_SHIFT = 0.02


class SlowLink(Full):
    def test_no_layout_shift(self):
        """On a slow link the layout shift while a view is loaded is below the limit"""
        self.browser.script_at_start(SHIFTS)
        self.addCleanup(self.browser.no_script_at_start)
        self.browser.slow_link(latency=300, kilobytes=60)
        self.addCleanup(self.browser.fast_link)
        for size in (self.browser.as_desktop, self.browser.as_phone):
            size()
            for view in self.each_view():
                with self.subTest(view=view, size=size.__name__):
                    self.browser.idle()
                    shift = self.browser.script("return [window.placardShift, window.placardShifted.join('; ')]")
                    print(f"layout shift of {view}, {size.__name__}: {shift[0]:.3f}", flush=True)
                    self.assertLess(shift[0], MOST_SHIFT, shift[1])


class Stopped(Full):
    expected_errors = ("ERR_", "503")

    def stop(self):
        os.kill(self.service.process.pid, signal.SIGSTOP)
        self.addCleanup(self.resume)

    def resume(self):
        os.kill(self.service.process.pid, signal.SIGCONT)

    def test_stopped(self):
        """Each view shows that the service is stopped, and reconnects when it continues"""
        for view in VIEWS:
            with self.subTest(view=view):
                self.open(view)
                self.stop()
                try:
                    self.await_connection("gone")
                    self.assertIn("does not answer", self.browser.text("#gone"))
                finally:
                    self.resume()
                self.await_connection("connected")

    def test_stopped_during_upload(self):
        """If the service stops during an upload, the page aborts the upload, and the next one succeeds"""
        self.open("scenes")
        # PNG cannot compress noise: the link transfers only a part of the 3 MB before the service stops.
        path = Path(self.service.path, "noise.png")
        Image.frombytes("RGB", (1000, 1000), os.urandom(3_000_000)).save(path)
        self.browser.slow_link(latency=20, kilobytes=40)
        self.addCleanup(self.browser.fast_link)
        self.browser.find("#picture-file").send_keys(str(path))
        wait_for(lambda: "uploading" in self.browser.text("#picture-preview"), "the upload to begin")
        self.stop()
        self.await_connection("gone")
        wait_for(lambda: "does not answer" in self.browser.text("#picture-problem"), "the upload to end")
        self.browser.fast_link()
        self.resume()
        self.await_connection("connected")
        self.browser.find("#picture-file").send_keys(str(path))
        wait_for(lambda: "noise.png: 1000" in self.browser.text("#picture-preview"), "the image to be uploaded")

    def test_contrast(self):
        """While the service is stopped, text keeps its contrast in every view, in light and dark"""
        for view in self.each_view():
            self.stop()
            self.await_connection("gone")
            for scheme in ("light", "dark"):
                with self.subTest(view=view, scheme=scheme):
                    self.browser.in_scheme(scheme)
                    self.assertEqual([one for one in self.browser.axe() if one.startswith("color-contrast")], [])
                    self.assertEqual(self.browser.script(FADED), [])
            self.resume()
            self.await_connection("connected")


class Guarded(Service):
    """A service that requires a token."""

    def __init__(self):
        self.token_file = tempfile.NamedTemporaryFile(prefix="placard-token-")
        self.token_file.write(TOKEN.encode())
        self.token_file.flush()
        super().__init__(settings=f'[controller]\ntoken_file = "{self.token_file.name}"\n')

    def ask(self, method, path, body=None, headers=None):
        return super().ask(method, path, body, {"Authorization": f"Bearer {TOKEN}", **(headers or {})})

    def end(self):
        super().end()
        self.token_file.close()


@unittest.skipUnless(CHROMIUM and DRIVER, "chromium is missing: install chromium and chromium-driver")
class Login(unittest.TestCase):
    def test_login(self):
        """The login page has the logo and the colors of the page, passes axe-core, and accepts the token"""
        browser = once("browser", Browser)
        with Guarded() as service:
            for size in (browser.as_desktop, browser.as_phone):
                size()
                for scheme in ("light", "dark"):
                    with self.subTest(size=size.__name__, scheme=scheme):
                        browser.in_scheme(scheme)
                        browser.driver.get(service.url + "/")
                        self.assertTrue(browser.driver.current_url.endswith("/login"))
                        self.assertEqual(browser.axe(), [])
                        self.assertEqual(browser.script(SMALL), [])
                        self.assertTrue(browser.find("h1 svg").is_displayed())
                        look = browser.script(LOOK)
                        browser.find("#token").send_keys("wrong\n")
                        wait_for(lambda: "not the token" in browser.text("[role=alert]"), "the refusal")
                        self.assertEqual(browser.axe(), [])
                        # The service delays further attempts after a wrong token.
                        wait_for(lambda: self.enter(browser), "the login")
                        self.assertEqual(look, browser.script(LOOK), "the page and the login page have the same colors")
                        browser.driver.delete_all_cookies()
            browser.driver.get("about:blank")
            browser.errors()

    def enter(self, browser):
        if browser.all("#token"):
            browser.find("#token").send_keys(TOKEN + "\n")
        return bool(browser.all("#view-displays"))


# The colors of the background, the text and the primary button.
LOOK = """
  const color = (e, name) => getComputedStyle(e)[name];
  const button = document.querySelector('form[action="/login"] button, button.primary');
  return [color(document.documentElement, 'backgroundColor'), color(document.body, 'color'),
          color(button, 'backgroundColor'), color(button, 'color')];"""

# Sums the layout shifts without user input, and records the elements that moved.
SHIFTS = """
  window.placardShift = 0; window.placardShifted = [];
  new PerformanceObserver(list => { for (const entry of list.getEntries()) {
    if (entry.hadRecentInput) continue;
    window.placardShift += entry.value;
    for (const { node } of entry.sources) window.placardShifted.push(
      `${entry.value.toFixed(3)} ${node?.id || node?.className || node?.nodeName}`);
  } }).observe({ type: 'layout-shift', buffered: true });"""

# Elements with text that are not fully opaque, except disabled controls (WCAG 2.2, 1.4.3, exempts them).
FADED = """
  return [...document.querySelectorAll('main *')].filter(e => e.checkVisibility({visibilityProperty: true}))
    .filter(e => [...e.childNodes].some(n => n.nodeType === 3 && n.data.trim()))
    .filter(e => { for (let p = e; p; p = p.parentElement)
      if (p.matches(':disabled, [aria-busy]')) return false; else if (+getComputedStyle(p).opacity < 1) return true;
      return false; })
    .map(e => e.outerHTML.slice(0, 120));"""
