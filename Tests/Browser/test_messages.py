"""Messages from the page."""

import re

from changes import wait_for
from service import same
from stories import Story


class Messages(Story):
    def prepare(self):
        self.service.plug(800, 480, "Virtual-2")

    def test_message_as_typed(self):
        """With Show as I type, displays show each edit of the message, and an empty text withdraws it"""
        before = self.service.picture()
        self.turn("#live", True)
        self.fill("#message", "Lift")
        self.see_scene("Lift")
        self.fill("#message", "Lift out of order")
        self.see_scene("Lift out of order")
        self.see_scene("Lift out of order", "Virtual-2")
        wait_for(lambda: "Virtual-1" in self.browser.text("#composer-state"), "the page to name the displays")
        self.fill("#message", "\b")
        self.see(before, what="the previous frame")
        self.assertEqual(self.service.get("messages"), [])

    def test_message_on_send(self):
        """Without Show as I type, Send shows the message, and only on the target display"""
        before = self.service.picture("Virtual-2")
        self.turn("#live", False)
        self.choose("#target", "display:Virtual-1")
        self.fill("#message", "Welcome, Ada!")
        self.browser.script("return new Promise(r => setTimeout(r, 400))")
        self.assertEqual(self.service.get("messages"), [])
        self.click("#send")
        self.see_scene("Welcome, Ada!")
        self.assertTrue(same(self.service.picture("Virtual-2"), before))
        self.click("#withdraw")
        wait_for(lambda: not self.service.get("messages"), "the message to be withdrawn")

    def test_options(self):
        """A message has the priority and the name from the form, and ends when the page acknowledges it"""
        self.turn("#live", False)
        self.browser.find("#message-options summary").click()
        self.fill("#priority", "50")
        self.click("#acknowledge")
        self.fill("#message-name", "drill")
        self.fill("#message", "Fire drill")
        self.click("#send")
        self.see_scene("Fire drill")
        message = self.service.get("messages")[0]
        self.assertEqual((message["priority"], message["acknowledge"], message["name"]), (50, True, "drill"))
        item = f"#messages li[data-message='{message['id']}']"
        wait_for(lambda: self.browser.all(item), "the message in the list")
        self.browser.named("button", "Acknowledge", self.browser.find(item)).click()
        wait_for(lambda: not self.service.get("messages"), "the message to end")
        wait_for(lambda: not self.browser.all(item), "the message to leave the list")

    def test_message_over_session(self):
        """A message covers the session of its display, which shows the session again when the message is withdrawn"""
        session = self.service.send("POST", "sessions", {"scene": {"kind": "card", "title": "Lift"},
                                                         "display": "Virtual-1", "wait": True})
        self.see_scene(session["scene"])
        self.turn("#live", False)
        self.choose("#target", "display:Virtual-1")
        self.fill("#message", "Fire drill")
        self.click("#send")
        self.see_scene("Fire drill")
        self.assertEqual([(one["id"], one["covered"]) for one in self.sessions("Virtual-1")], [(session["id"], True)])
        self.click("#withdraw")
        self.see_scene(session["scene"])
        self.assertEqual([(one["id"], one["covered"]) for one in self.sessions("Virtual-1")], [(session["id"], False)])
        self.assertEqual(self.service.get("closed-sessions"), [])

    def test_cover(self):
        """The page names the message that covers a new one, and when it ends"""
        self.turn("#live", False)
        self.choose("#target", "display:Virtual-1")
        # An end on another day has a date: `23:12:05`, or `6 Mar, 00:12`.
        time = r"(\d+ \w+,? |\w+ \d+,? )?\d\d:\d\d(:\d\d)?"
        for fields, end in (({}, "it is withdrawn"), ({"seconds": 3600}, time),
                            ({"acknowledge": True}, "it is acknowledged"),
                            ({"seconds": 3600, "acknowledge": True}, f"it is acknowledged or {time}")):
            with self.subTest(**fields):
                cover = self.service.send("POST", "messages", {"text": "Fire drill", "priority": 50,
                                                               "display": "Virtual-1", **fields})
                self.fill("#message", "Lunch")
                self.click("#send")
                wanted = re.compile(f"Not shown on Virtual-1: “Fire drill” covers it until {end}\\.")
                wait_for(lambda: wanted.match(self.browser.text("#composer-state")), f"the end: {end}")
                self.service.send("DELETE", f"messages/{cover['id']}")

    def test_hostile_text(self):
        """The page and the display show HTML markup as text"""
        text = "<img src=x onerror=alert(1)><b>bold</b> & \"quoted\""
        self.turn("#live", False)
        self.fill("#message", text)
        self.click("#send")
        self.see_scene(text)
        wait_for(lambda: text in self.browser.text("#messages"), "the literal text in the list")
