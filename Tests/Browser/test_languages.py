"""The page in German, the choice of its language, and the live values."""

import json
import pathlib
import re

from changes import wait_for
from stories import Story
from test_everybody import Full

TABLE = pathlib.Path(__file__).parents[2] / "Sources/Control/ControlPage/Files/german.js"

# The content that the tests send to the service, and the names of its reports, which are not words of the page.
CONTENT = {"Lift", "Bread", "Tea", "Menu", "Now", "Today"}

# All visible texts and accessible names of the page.
TEXTS = """
const found = [];
const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
for (let node = walker.nextNode(); node; node = walker.nextNode()) {
  if (node instanceof Element) {
    for (const name of ["aria-label", "placeholder", "title", "alt"]) {
      if (node.hasAttribute(name)) found.push(node.getAttribute(name).trim());
    }
  } else if (!node.parentElement.closest("script, style, code, noscript, [lang]:not(html)")) {
    found.push(node.nodeValue.trim().replace(/\\s+/g, " "));
  }
}
return found.filter(Boolean);
"""

MISSING_ICONS = """
return [...document.querySelectorAll("use")].map(one => one.getAttribute("href")).filter(one => !document.querySelector(one));
"""


def german():
    """Returns the German words by the English ones."""
    lines = re.findall(r'^  ("(?:[^"\\]|\\.)*"): ("(?:[^"\\]|\\.)*"),$', TABLE.read_text(), re.M)
    return {json.loads(english): json.loads(words) for english, words in lines}


class InGerman:
    """A page in German, which the browser remembers for the origin."""

    def setUp(self):
        super().setUp()
        self.browser.script("localStorage.setItem('placard.language', 'de')")
        self.open(self.view)


class German(InGerman, Full):
    def test_words(self):
        """In German, no view has an English text"""
        table = german()
        self.assertGreater(len(table), 600)
        english = {text for text, words in table.items() if words != text} - set(table.values()) - CONTENT
        # Texts with values are compared by their form.
        forms = [re.compile(re.sub(r"\\\{\w+\\\}", ".+", re.escape(text))) for text in english
                 if "{" in text and len(re.sub(r"\{\w+\}", "", text)) > 9]
        for view in self.each_view():
            with self.subTest(view=view):
                self.assertEqual(self.browser.script("return document.documentElement.lang"), "de")
                texts = set(self.browser.script(TEXTS))
                self.assertGreater(len(texts), 40)
                self.assertEqual(texts & english, set())
                self.assertEqual([text for text in texts if any(form.fullmatch(text) for form in forms)], [])
                self.assertEqual(self.browser.script(MISSING_ICONS), [])

    def test_axe(self):
        """In German, axe-core finds no violation in any view"""
        for view in self.each_view():
            with self.subTest(view=view):
                self.assertEqual(self.browser.axe(), [])

    def test_phone(self):
        """In German, nothing overflows on a phone, and each control has at least 44 by 44 pixels"""
        self.check_phone()


class GermanEditors(InGerman, Story):
    view = "scenes"
    # The preview of a form whose new elements are empty.
    expected_errors = ("422",)

    def test_forms(self):
        """In German, the form of each kind of scene has German labels, and a scene can be opened"""
        table = german()
        english = {text for text, words in table.items() if words != text} - set(table.values()) - CONTENT
        kinds = self.browser.script("return [...document.querySelectorAll('#scene-kinds input')].map(e => e.value)")
        self.assertGreater(len(kinds), 15)
        for kind in kinds:
            with self.subTest(kind=kind):
                self.browser.script("arguments[0].click()", self.browser.find(f"#scene-kinds [value='{kind}']"))
                for button in self.browser.all("#scene-fields .list-box > button"):
                    self.browser.script("arguments[0].click()", button)
                self.assertEqual(set(self.browser.script(TEXTS)) & english, set())
                self.assertEqual(self.browser.axe(), [])
        self.browser.script("arguments[0].click()", self.browser.find("#scene-kinds [value='banner']"))
        self.fill("#scene-fields [name='text']", "Guten Tag")
        self.choose("#scene-target", "display:Virtual-1")
        self.click("#scene-open")
        self.see_scene("Guten Tag")
        self.assertIn("Zu sehen auf Virtual-1.", self.browser.text("#scene-state"))


class Languages(Story):
    view = "service"

    def test_choice(self):
        """The language is chosen in the Service view, and kept by the browser"""
        self.assertEqual(self.browser.text("#service-title"), "Service")
        self.choose("#language", "de")
        wait_for(lambda: self.browser.script("return document.documentElement.lang") == "de", "the page in German")
        self.await_connection("connected")
        self.assertEqual(self.browser.text("#service-title"), "Dienst")
        self.assertEqual(self.browser.script("return document.title"), "Dienst · Placard")
        self.open("displays")
        self.assertEqual(self.browser.text("#displays-title"), "Bildschirme")
        self.open("service")
        self.choose("#language", "en")
        wait_for(lambda: self.browser.script("return document.documentElement.lang") == "en", "the page in English")


class LiveValues(Story):
    view = "scenes"

    def values(self):
        return {one["name"]: one for one in self.service.get("values")}

    def test_values(self):
        """Live values are listed with their units and displays, set by a form, and removed"""
        self.service.send("POST", "sessions", {"scene": {"kind": "banner", "text": "{{temperature}}"},
                                               "display": "Virtual-1"})
        self.fill("#value-name", "temperature")
        self.fill("#value-text", "21.5")
        self.fill("#value-unit", "°C")
        self.click("#value-save")
        wait_for(lambda: self.browser.all("#values li"), "the value")
        self.assertEqual(self.values()["temperature"]["value"], 21.5)
        self.assertIn("temperature: 21.5 °C", self.browser.text("#values"))
        wait_for(lambda: "shown on Virtual-1" in self.browser.text("#values"), "the display of the value")
        self.assertEqual(self.browser.axe(), [])
        self.expected_errors = ("422",)
        self.fill("#value-name", "two words")
        self.fill("#value-text", "x")
        self.click("#value-save")
        wait_for(lambda: self.browser.text("#value-problem"), "the reason")
        self.assertEqual(list(self.values()), ["temperature"])
        self.browser.named("button", "Remove temperature").click()
        wait_for(lambda: not self.browser.all("#values li"), "the value to be gone")
        self.assertEqual(self.values(), {})
