"""The displays of the page: tiles, virtual monitors, pending mode changes, and sleep."""

import base64
import hashlib
import io

from PIL import Image, ImageChops, ImageStat
from selenium.webdriver.common.keys import Keys

from changes import wait_for
from stories import Story


class Displays(Story):
    # During a modeset the service has no preview of the display.
    expected_errors = ("preview",)

    def tile(self, name="Virtual-1"):
        wait_for(lambda: self.browser.all(f".tile[data-display='{name}']"), f"a tile of {name}")
        return self.browser.find(f".tile[data-display='{name}']")

    def glass(self, name="Virtual-1"):
        """Returns the preview in a tile as the browser has drawn it; None until it is loaded."""
        found = self.browser.driver.execute_async_script("""
            const done = arguments[1], img = document.querySelector(`.tile[data-display="${arguments[0]}"] img.glass`);
            if (!img || !img.complete || !img.naturalWidth) { done(null); return; }
            const c = document.createElement('canvas');
            c.width = img.naturalWidth; c.height = img.naturalHeight;
            c.getContext('2d').drawImage(img, 0, 0);
            done(c.toDataURL('image/png'));""", name)
        if not found:
            return None
        return Image.open(io.BytesIO(base64.b64decode(found.split(",")[1]))).convert("RGB")

    def is_upright(self):
        """True if a preview is loaded that is higher than wide."""
        glass = self.glass()
        return glass is not None and glass.height > glass.width

    def await_glass(self, name="Virtual-1"):
        """Waits until the preview matches the frame of the display, within the loss of a scaled JPEG."""
        def alike():
            small = self.glass(name)
            if small is None:
                return False
            real = self.service.picture(name).resize(small.size, Image.LANCZOS)
            return max(ImageStat.Stat(ImageChops.difference(real, small)).mean) < 4
        wait_for(alike, f"the preview of {name} to match its frame")

    def test_preview(self):
        """A tile shows the frame of its display in the display's aspect ratio"""
        self.service.plug(1080, 1920, "Virtual-2")
        self.service.send("PUT", "message", {"text": "Look here", "wait": True})
        for name, ratio in (("Virtual-1", 16 / 9), ("Virtual-2", 9 / 16)):
            self.tile(name)
            self.await_glass(name)
            box = self.browser.script(
                "const b = document.querySelector(arguments[0]).getBoundingClientRect(); return b.width / b.height",
                f".tile[data-display='{name}'] img.glass")
            self.assertAlmostEqual(box, ratio, delta=0.05 * ratio)
        self.service.send("PUT", "message", {"text": "And now", "wait": True})
        self.await_glass("Virtual-1")

    def test_plug(self):
        """The dialog plugs in a 4K monitor, whose tile appears; the tile's button unplugs it"""
        self.click("#plug-open")
        wait_for(lambda: self.browser.all("#plug-choices button[data-choice]"), "the list of monitors")
        choice = next(one for one in self.browser.all("#plug-choices button[data-choice]")
                      if "3840" in one.get_attribute("data-choice"))
        choice.click()
        wait_for(lambda: self.service.display("Virtual-2"), "the monitor to be plugged in")
        wait_for(lambda: self.tile("Virtual-2").get_attribute("data-state") == "lit", "its tile to show the state lit")
        report = self.service.display("Virtual-2")
        self.assertIn("3840x2160@60", report["modes"])
        if self.is_open("#plug-dialog"):
            self.press(Keys.ESCAPE)
        self.browser.named("button", "Unplug Virtual-2", exact=True).click()
        wait_for(lambda: "Virtual-2" not in self.service.get("virtual")["plugged"], "the monitor to be unplugged")
        wait_for(lambda: not self.browser.all(".tile[data-display='Virtual-2'][data-state='lit']"), "its tile to disappear")

    def try_mode(self, mode):
        self.browser.named("button", "Mode of Virtual-1", exact=True).click()
        wait_for(lambda: self.is_open("#mode-dialog"), "the chooser of modes")
        self.choose("#mode-choice", mode)
        self.click("#mode-try")
        wait_for(lambda: self.service.display()["mode"] == mode, f"the display to have {mode}")
        wait_for(lambda: self.is_open("#pending-dialog"), "the dialog that asks for confirmation")
        wait_for(lambda: 0 < int(self.browser.text("#pending-seconds") or 0) <= 15, "the countdown")

    def other_mode(self):
        report = self.service.display()
        return report["mode"], next(mode for mode in report["modes"] if mode != report["mode"])

    def test_mode_kept(self):
        """A confirmed mode is kept until the configured mode is restored"""
        before, mode = self.other_mode()
        self.try_mode(mode)
        self.click("#pending-keep")
        wait_for(lambda: self.service.display().get("pending") is None, "the change not to be pending")
        self.assertEqual((self.service.display()["mode"], self.service.display()["isChosen"]), (mode, True))
        wait_for(lambda: not self.is_open("#pending-dialog"), "the question to go")
        self.browser.named("button", "Mode of Virtual-1", exact=True).click()
        self.click("#mode-reset")
        wait_for(lambda: self.service.display()["mode"] == before, "the configured mode")

    def test_mode_reverts(self):
        """An unconfirmed mode is reverted after 15 seconds, and the dialog closes"""
        before, mode = self.other_mode()
        self.try_mode(mode)
        wait_for(lambda: self.service.display()["mode"] == before, "the mode to be reverted")
        wait_for(lambda: not self.is_open("#pending-dialog"), "the question to go")
        self.assertFalse(self.service.display()["isChosen"])

    def test_mode_reverted(self):
        """The button Revert reverts a pending mode change at once"""
        before, mode = self.other_mode()
        self.try_mode(mode)
        self.click("#pending-back")
        wait_for(lambda: self.service.display()["mode"] == before, "the mode to be reverted")

    def test_rotation(self):
        """The tile of a rotated display is rotated"""
        self.browser.named("button", "Mode of Virtual-1", exact=True).click()
        wait_for(lambda: self.is_open("#mode-dialog"), "the chooser of modes")
        self.choose("#mode-rotation", "90")
        self.click("#mode-try")
        wait_for(lambda: self.service.display()["rotation"] == 90, "the display to be rotated")
        self.click("#pending-keep")
        wait_for(self.is_upright, "the tile to be upright")

    def test_sleep(self):
        """The button of a tile puts the display to sleep and wakes it"""
        self.browser.named("button", "Sleep Virtual-1", exact=True).click()
        wait_for(lambda: self.service.display()["state"] == "asleep", "the display to sleep")
        self.browser.named("button", "Wake Virtual-1", exact=True).click()
        wait_for(lambda: self.service.display()["state"] == "lit", "the display to wake")
        wait_for(lambda: self.tile().get_attribute("data-state") == "lit", "its tile to show the state lit")

    def test_sleep_all_is_undone(self):
        """Sleep all puts all displays to sleep, and Undo wakes those that were awake"""
        self.service.plug(800, 600, "Virtual-2")
        self.service.send("PUT", "sleep", {"asleep": True, "display": "Virtual-2"})
        wait_for(lambda: self.tile("Virtual-2").get_attribute("data-state") == "asleep", "the tile to be asleep")
        self.click("#sleep-all")
        wait_for(lambda: self.service.display()["state"] == "asleep", "the display to sleep")
        wait_for(lambda: "Virtual-1 is asleep." in self.browser.text("#notices"), "the notice")
        self.browser.named("button", "Undo", exact=True).click()
        wait_for(lambda: self.service.display()["state"] == "lit", "the display to wake")
        self.assertEqual(self.service.display("Virtual-2")["state"], "asleep")

    def test_identify(self):
        """Identify shows the name of a display on it"""
        before = hashlib.sha256(self.service.picture().tobytes()).digest()
        self.browser.named("button", "Identify Virtual-1", exact=True).click()
        wait_for(lambda: hashlib.sha256(self.service.picture().tobytes()).digest() != before, "another frame")
        self.assertIn("identify", [one.get("name") for one in self.service.get("messages")])

    def test_why(self):
        """The page shows the reasons for a mode in a dialog, which Escape closes"""
        self.browser.named("button", "Why this mode of Virtual-1", exact=False).click()
        wait_for(lambda: self.is_open("#why-dialog"), "the reasons")
        why = self.service.get("displays/Virtual-1/why")
        wait_for(lambda: all(reason in self.browser.text("#why-reasons") for reason in why["reasons"]), "all reasons")
        self.press(Keys.ESCAPE)
        wait_for(lambda: not self.is_open("#why-dialog"), "the dialog to close")
