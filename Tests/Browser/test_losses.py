"""The losses on the page, which stay until they are acknowledged or repaired."""

import signal

from changes import wait_for
from stories import Story


class Losses(Story):
    view = "service"

    def test_acknowledge(self):
        """A refused reload is listed as a loss, and not among the reasons, until it is acknowledged"""
        (self.service.path / "placard.toml").write_text("message = \n")
        self.service.process.send_signal(signal.SIGHUP)
        wait_for(lambda: "reload was refused" in self.browser.text("#losses"), "the loss")
        self.assertEqual(self.browser.text("#health-state"), "Degraded")
        self.assertNotIn("reload was refused", self.browser.text("#health-reasons"))
        self.browser.named("button", "Acknowledge: the reload was refused", self.browser.find("#losses")).click()
        wait_for(lambda: not self.browser.all("#losses li"), "the loss to leave the list")
        self.assertEqual(self.service.get("health")["losses"], [])
        wait_for(lambda: self.browser.text("#health-state") == "OK", "the page to show the state")

    def test_acknowledged_elsewhere(self):
        """A loss leaves the list when another client acknowledges it, and when it is repaired"""
        file = self.service.path / "placard.toml"
        good = file.read_text()
        file.write_text("message = \n")
        self.service.process.send_signal(signal.SIGHUP)
        wait_for(lambda: self.browser.all("#losses li"), "the loss")
        self.assertEqual(len(self.service.send("PUT", "losses/acknowledgement")), 1)
        wait_for(lambda: not self.browser.all("#losses li"), "the loss to leave the list")
        self.service.process.send_signal(signal.SIGHUP)
        wait_for(lambda: self.browser.all("#losses li"), "the loss")
        file.write_text(good)
        self.service.process.send_signal(signal.SIGHUP)
        wait_for(lambda: not self.browser.all("#losses li"), "the loss to be repaired")
