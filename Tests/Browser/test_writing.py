"""The Markdown editor, the forms of scenes, and uploaded images."""

from pathlib import Path

from selenium.webdriver.common.keys import Keys

from browser import Browser
from changes import wait_for
from service import png, same
from stories import Story, once

LONG = "# First\n\n" + "".join(f"Paragraph {number} of a long text.\n\n" for number in range(60)) + "# Last\n\nThe end.\n"


class Writing(Story):
    view = "write"

    def await_text(self, text):
        """Waits until the session has a text, and returns the session."""
        wait_for(lambda: [one for one in self.sessions("Virtual-1") if one["scene"].get("text") == text],
                 f"the session to have {text[:60]!r}")
        return self.sessions("Virtual-1")[0]

    def type_in(self, text):
        """Replaces the text at once, as pasting does."""
        self.browser.script("""
            const box = document.getElementById('markdown'); box.focus();
            box.setSelectionRange(0, box.value.length); document.execCommand('insertText', false, arguments[0]);""", text)

    def test_edit_and_scroll(self):
        """The display shows Markdown as it is typed, and follows the scroll position of the editor"""
        self.turn("#write-live", True)
        self.turn("#write-follow", True)
        self.browser.find("#markdown").send_keys("# Hello")
        self.click("#write-show")
        self.await_text("# Hello")
        self.browser.find("#markdown").send_keys("\n\nA *word*")
        session = self.await_text("# Hello\n\nA *word*")
        self.see_scene(session["scene"])
        self.type_in(LONG)
        session = self.await_text(LONG)
        self.scroll_to(0.5)
        self.scroll_to(0)
        self.see_scene(session["scene"])
        beginning = self.service.picture()
        self.scroll_to(1)
        wait_for(lambda: not same(self.service.picture(), beginning), "the display to follow")

    def scroll_to(self, share):
        """Scrolls the editor, and waits until the session has that scroll position."""
        self.browser.script("""
            const box = document.getElementById('markdown');
            box.scrollTop = arguments[0] * (box.scrollHeight - box.clientHeight);""", share)
        def there():
            position = self.sessions("Virtual-1")[0]["scroll"].get("position")
            return position is not None and abs(position - share) < 0.01
        wait_for(there, f"the display to be at {share}")

    def test_typing_at_the_end(self):
        """While text is typed at the end of a long text, the display shows the end"""
        self.turn("#write-live", True)
        self.turn("#write-follow", True)
        self.browser.find("#markdown").send_keys("# Hello")
        self.click("#write-show")
        self.await_text("# Hello")
        self.type_in(LONG)
        self.await_text(LONG)
        self.browser.find("#markdown").send_keys(Keys.CONTROL + Keys.END)
        self.browser.find("#markdown").send_keys("\n\nOne more line")
        self.await_text(LONG + "\n\nOne more line")
        def position():
            return self.sessions("Virtual-1")[0]["scroll"].get("position")
        wait_for(lambda: position() == 1, "the display to be at the end of the text")

    def test_show_on_send(self):
        """Without Show as I type, the display changes only with Show"""
        self.turn("#write-live", False)
        self.browser.find("#markdown").send_keys("# Later")
        self.browser.script("return new Promise(r => setTimeout(r, 600))")
        self.assertEqual(self.sessions("Virtual-1"), [])
        self.click("#write-show")
        self.see_scene(self.await_text("# Later")["scene"])
        self.click("#write-close")
        wait_for(lambda: not self.sessions("Virtual-1"), "the session to be closed")

    def test_undo_of_a_close(self):
        """Undo reopens a closed session on its display, and the editor writes to it again"""
        self.turn("#write-live", True)
        self.browser.find("#markdown").send_keys("# Hello")
        self.click("#write-show")
        session = self.await_text("# Hello")
        self.click("#write-close")
        wait_for(lambda: not self.sessions("Virtual-1"), "the session to be closed")
        self.browser.named("button", "Undo", exact=True).click()
        self.await_text("# Hello")
        wait_for(lambda: self.browser.text("#write-state") == "Live on Virtual-1.", "the editor to be live")
        self.browser.find("#markdown").send_keys(" again")
        self.assertEqual(self.await_text("# Hello again")["id"], session["id"])

    def test_two_writers(self):
        """If another client changed the text, the page shows both versions, and neither is lost"""
        self.expected_errors = ("412",)
        self.turn("#write-live", False)
        self.fill("#markdown", "# Begin")
        self.click("#write-show")
        session = self.await_text("# Begin")
        # Another client changes the text while the editor has an unsent edit.
        self.browser.find("#markdown").send_keys(" mine")
        self.service.send("PUT", f"sessions/{session['id']}/scene", {**session["scene"], "text": "# Theirs"})
        self.click("#write-show")
        wait_for(lambda: self.is_open("#conflict-dialog"), "the dialog with both versions")
        self.assertIn("# Theirs", self.browser.text("#conflict-theirs"))
        self.assertIn("# Begin mine", self.browser.text("#conflict-mine"))
        self.press(Keys.ESCAPE)
        wait_for(lambda: not self.is_open("#conflict-dialog"), "the dialog to close")
        self.assertEqual(self.browser.find("#markdown").get_property("value"), "# Begin mine")
        self.await_text("# Theirs")
        self.click("#write-show")
        wait_for(lambda: self.is_open("#conflict-dialog"), "the dialog again")
        self.click("#conflict-use-mine")
        self.await_text("# Begin mine")

    def test_two_browsers(self):
        """If two browsers edit one text, the second one shows both versions and can keep both"""
        self.expected_errors = ("412",)
        other = once("other", Browser)
        other.as_desktop()
        self.turn("#write-live", False)
        self.fill("#markdown", "# One")
        self.click("#write-show")
        self.await_text("# One")
        self.open("write", other)
        self.turn_in(other, "#write-live")
        self.fill("#markdown", "# Two", other)
        self.browser.find("#markdown").send_keys(" more")
        self.click("#write-show", other)
        def shown():
            if self.is_open("#conflict-dialog", other):
                self.click("#conflict-use-mine", other)
            return self.sessions("Virtual-1")[0]["scene"]["text"] == "# Two"
        wait_for(shown, "the second text on the display")
        self.click("#write-show")
        wait_for(lambda: self.is_open("#conflict-dialog"), "the dialog with both versions")
        self.assertIn("# One more", self.browser.text("#conflict-mine"))
        self.assertIn("# Two", self.browser.text("#conflict-theirs"))
        self.click("#conflict-use-both")
        wait_for(lambda: not self.is_open("#conflict-dialog"), "the dialog to close")
        value = self.browser.find("#markdown").get_property("value")
        self.assertTrue("# One more" in value and "# Two" in value, value)
        self.check(other)
        other.driver.get("about:blank")

    def turn_in(self, other, selector):
        if other.find(selector).is_selected():
            other.find(selector).click()


class Scenes(Story):
    view = "scenes"

    def field(self, name, text):
        self.fill(f"#scene-fields [name='{name}']", text)

    def test_form(self):
        """The form opens a scene on a display"""
        self.pick("card")
        self.field("title", "Lift 2")
        self.field("content", "Out of order")
        self.choose("#scene-target", "display:Virtual-1")
        self.click("#scene-open")
        session = wait_for(lambda: self.sessions("Virtual-1"), "the card to be open")[0]
        self.assertEqual((session["scene"]["title"], session["scene"]["content"]), ("Lift 2", "Out of order"))
        self.see_scene({"kind": "card", "title": "Lift 2", "content": "Out of order"})

    def test_each_kind(self):
        """The form of each kind of scene has a control for each field"""
        schema = self.service.get("scene.schema.json")
        radios = wait_for(lambda: self.browser.all("#scene-kinds input[type=radio]"), "the kinds of scenes")
        kinds = [one.get_attribute("value") for one in radios]
        names = [name for name in schema["$defs"] if "kind" in schema["$defs"][name].get("properties", {})]
        self.assertEqual(sorted(kinds), sorted(names))
        for kind in kinds:
            with self.subTest(kind=kind):
                self.pick(kind)
                # The board assigns the ID of a card.
                wanted = set(schema["$defs"][kind]["properties"]) - {"kind", "style", "id"}
                there = {one.get_attribute("data-field") for one in self.browser.all("#scene-fields [data-field]")}
                self.assertTrue(wanted <= there, wanted - there)

    def test_refusal(self):
        """A form shows why the service refused its scene, and keeps the input"""
        self.expected_errors = ("422",)
        self.pick("banner")
        self.turn("#scene-as-json", True)
        self.fill("#scene-json", '{"kind": "banner", "color": "red"}')
        self.choose("#scene-target", "display:Virtual-1")
        self.click("#scene-open")
        wait_for(lambda: "color" in self.browser.text("#view-scenes .problem:not([hidden])"), "the problem in the form")
        self.assertIn("red", self.browser.find("#scene-json").get_property("value"))
        self.assertEqual(self.sessions("Virtual-1"), [])

    def test_json(self):
        """A scene can be entered as JSON"""
        self.pick("banner")
        self.turn("#scene-as-json", True)
        self.fill("#scene-json", '{"kind": "qr", "text": "https://example.org", "caption": "Here"}')
        self.choose("#scene-target", "display:Virtual-1")
        self.click("#scene-open")
        self.see_scene({"kind": "qr", "text": "https://example.org", "caption": "Here"})

    def test_picture(self):
        """An image can be uploaded, shown on a display, and removed"""
        path = Path(self.service.path, "red.png")
        path.write_bytes(png(64, 36, "#c02010"))
        self.browser.find("#picture-file").send_keys(str(path))
        item = wait_for(lambda: self.browser.all("#pictures li[data-picture]"), "the image in the list")[0]
        name = item.get_attribute("data-picture")
        self.assertEqual([one["name"] for one in self.service.get("images")], [name])
        self.choose("#scene-target", "display:Virtual-1")
        self.browser.named("button", f"Show image {name}").click()
        self.click("#scene-open")
        wait_for(lambda: self.service.picture().getpixel((960, 540)) == (0xC0, 0x20, 0x10), "the image on the display")
        self.service.send("DELETE", f"sessions/{self.sessions('Virtual-1')[0]['id']}")
        self.browser.named("button", f"Remove image {name}").click()
        wait_for(lambda: not self.service.get("images"), "the image to be removed")
        wait_for(lambda: not self.browser.all("#pictures li[data-picture]"), "the image to leave the list")
