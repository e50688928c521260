"""The library beside the scene editor, the editors of lists, the preview, targets, and the week."""

import json
from datetime import datetime, timedelta
from pathlib import Path

from changes import wait_for
from stories import Story

CALENDAR = """BEGIN:VCALENDAR
VERSION:2.0
BEGIN:VEVENT
UID:a
SUMMARY:Standup
DTSTART:20200106T090000Z
DURATION:PT15M
RRULE:FREQ=DAILY
END:VEVENT
END:VCALENDAR
"""


class Editing(Story):
    """A story that fills in the form of a scene."""

    view = "scenes"

    def entry(self, name):
        return next((one for one in self.service.get("library") if one["name"] == name), None)

    def add(self, name, scene, **rest):
        self.service.send("PUT", f"library/{name}", {"scene": scene, **rest})

    def click_named(self, name):
        """Clicks a button by its accessible name, scrolled away from the bars at the edges."""
        button = self.browser.named("button", name)
        self.browser.middle(button)
        button.click()

    def await_entry(self, name):
        wait_for(lambda: self.browser.all(f"#library li[data-entry='{name}']"), f"the entry {name} in the list")


class Library(Editing):
    def test_add_and_edit(self):
        """A scene is added to the library, edited, renamed and removed"""
        self.pick("banner")
        self.fill("#scene-fields [name='text']", "Soup of the day")
        self.click("#scene-keep")
        self.fill("#entry-name", "menu")
        self.fill("#entry-title", "Menu")
        self.fill("#entry-tags", "food lobby")
        self.click("#entry-save")
        self.await_entry("menu")
        wait_for(lambda: self.browser.text("#scene-open") == "Save", "the entry to be in the editor")
        self.assertEqual((self.entry("menu")["title"], self.entry("menu")["tags"]), ("Menu", ["food", "lobby"]))
        self.fill("#scene-fields [name='text']", "Stew")
        self.click("#scene-open")
        wait_for(lambda: self.entry("menu")["summary"] == "Stew", "the entry to be saved")
        self.assertEqual(self.entry("menu")["tags"], ["food", "lobby"])
        self.browser.named("button", "Rename menu").click()
        wait_for(lambda: self.is_open("#entry-dialog"), "the dialog")
        self.fill("#entry-name", "lunch")
        self.click("#entry-save")
        self.await_entry("lunch")
        self.assertIsNone(self.entry("menu"))
        self.browser.named("button", "Remove lunch").click()
        wait_for(lambda: not self.service.get("library"), "the entry to be removed")

    def test_in_use(self):
        """An entry in use is listed with its uses, and is not removed"""
        self.expected_errors = ("409",)
        self.add("menu", {"kind": "banner", "text": "Soup"})
        self.add("loop", {"kind": "playlist", "items": [{"show": {"kind": "entry", "name": "menu"}}]})
        self.await_entry("loop")
        self.assertIn("used by the library entry loop", self.browser.text("#library li[data-entry='menu']"))
        self.browser.named("button", "Remove menu").click()
        wait_for(lambda: "in use: the library entry loop" in self.browser.text("#library-problem"), "the reason")

    def test_show(self):
        """An entry is shown on a display, and follows the entry"""
        self.add("menu", {"kind": "banner", "text": "Soup"})
        self.await_entry("menu")
        self.browser.named("button", "Show menu").click()
        self.choose("#scene-target", "display:Virtual-1")
        self.click("#scene-open")
        self.see_scene({"kind": "banner", "text": "Soup"})
        self.add("menu", {"kind": "banner", "text": "Stew"})
        self.see_scene({"kind": "banner", "text": "Stew"})

    def test_conflict(self):
        """If another client changed the entry, both versions are shown, and neither is lost"""
        self.expected_errors = ("412",)
        self.add("menu", {"kind": "banner", "text": "Soup"})
        self.await_entry("menu")
        self.browser.named("button", "Edit menu").click()
        wait_for(lambda: self.browser.text("#scene-open") == "Save", "the entry to be in the editor")
        self.add("menu", {"kind": "banner", "text": "Stew"})
        self.fill("#scene-fields [name='text']", "Bread")
        self.click("#scene-open")
        wait_for(lambda: self.is_open("#conflict-dialog"), "the conflict")
        self.assertIn("Stew", self.browser.text("#conflict-theirs"))
        self.click("#conflict-use-mine")
        wait_for(lambda: self.entry("menu")["summary"] == "Bread", "the own version to be saved")

    def test_import(self):
        """A calendar is imported; one with a mistake is refused with the event, and the old one stays"""
        self.expected_errors = ("422",)
        path = Path(self.service.path, "rooms.ics")
        path.write_text(CALENDAR)
        self.browser.find("#library-file").send_keys(str(path))
        self.await_entry("rooms")
        wait_for(lambda: self.browser.text("#scene-open") == "Save", "the calendar to be in the editor")
        self.assertEqual(self.entry("rooms")["summary"], "1 event")
        path.write_text(CALENDAR.replace("FREQ=DAILY", "FREQ=MINUTELY"))
        self.browser.find("#library-file").send_keys(str(path))
        wait_for(lambda: 'the event "Standup"' in self.browser.text("#library-problem"), "the reason")
        self.assertEqual(self.entry("rooms")["summary"], "1 event")

    def test_thousand(self):
        """With 1,000 entries, the list is searched and shown in parts"""
        backup = self.service.get("backup")
        for number in range(1000):
            entry = {"scene": {"kind": "banner", "text": f"Sign {number}"}, "tags": ["odd" if number % 2 else "even"],
                     "changed": 0, "v": 1}
            backup["records"].append({"kind": "entry", "key": f"sign-{number}", "json": json.dumps(entry)})
        content = [[[one["kind"], one["key"], one["json"]] for one in backup["records"]],
                   [[one["name"], one["path"]] for one in backup["images"]]]
        # The 64-bit FNV-1a hash of the content.
        checksum = 0xCBF29CE484222325
        for byte in json.dumps(content, separators=(",", ":"), ensure_ascii=False).encode():
            checksum = (checksum ^ byte) * 0x100000001B3 % 2**64
        self.service.send("POST", "restore", {**backup, "checksum": f"{checksum:016x}"})
        self.open("scenes")
        wait_for(lambda: self.browser.text("#library-state") == "1000 entries.", "all entries to be read")
        self.assertEqual(len(self.browser.all("#library li")), 50)
        self.click("#library-more")
        wait_for(lambda: len(self.browser.all("#library li")) == 100, "more entries")
        self.fill("#library-search", "sign-77 odd")
        wait_for(lambda: self.browser.text("#library-state").startswith("6 of 1000"), "the search")
        # The time from an input to the changed list, which a person would notice above 100 ms.
        took = self.browser.script("""
            const field = document.getElementById("library-search");
            const began = performance.now();
            field.value = "sign-9";
            field.dispatchEvent(new Event("input", { bubbles: true }));
            return performance.now() - began;""")
        print(f"a search in 1,000 entries takes {took:.1f} ms")
        self.assertTrue(self.browser.text("#library-state").startswith("111 of 1000"))


class Editors(Editing):
    def test_board(self):
        """A board is built from columns and cards, which are added, moved and removed"""
        self.service.send("PUT", "board", {"kind": "board", "columns": []})
        self.open("scenes")
        self.pick("board")
        for _ in range(2):
            self.click_named("Add a column")
        columns = self.browser.all("#scene-fields [data-field='columns'] > .list-box > .elements > li")
        for number, column in enumerate(columns):
            column.find_element("css selector", "[data-field='title'] input").send_keys(f"Column {number}")
            column.find_element("css selector", "[data-field='cards'] > .list-box > button").click()
            column.find_element("css selector", "[data-field='cards'] [data-field='title'] input").send_keys(f"Card {number}")
        self.click_named("Move down: Column 1")
        self.choose("#scene-target", "display:Virtual-1")
        self.click("#scene-open")
        session = wait_for(lambda: self.sessions("Virtual-1"), "the board to be open")[0]
        titles = [(one["title"], [card["title"] for card in one["cards"]]) for one in session["scene"]["columns"]]
        self.assertEqual(titles, [("Column 1", ["Card 1"]), ("Column 0", ["Card 0"])])
        self.click_named("Remove: Column 2")
        self.assertEqual(len(self.browser.all("#scene-fields [data-field='columns'] > .list-box > .elements > li")), 1)

    def test_schedule(self):
        """A schedule is built from rules with scenes; a refused field is marked, with the reason beside it"""
        self.expected_errors = ("422",)
        self.add("menu", {"kind": "banner", "text": "Soup"})
        self.await_entry("menu")
        self.pick("schedule")
        self.browser.named("button", "Add a rule").click()
        self.fill("#scene-fields [name='hours']", "Mo-Xx 07:00-19:00")
        self.choose("#scene-fields [data-field='show'] select", "entry")
        self.choose("#scene-target", "display:Virtual-1")
        self.click("#scene-open")
        field = wait_for(lambda: self.browser.all("#scene-fields [aria-invalid='true']"), "the marked field")[0]
        self.assertEqual(field.get_attribute("name"), "hours")
        self.assertIn("Xx", self.browser.text("#field-problem"))
        self.assertEqual(self.sessions("Virtual-1"), [])
        self.fill("#scene-fields [name='hours']", "Mo-Su 00:00-24:00")
        self.click("#scene-open")
        self.see_scene({"kind": "banner", "text": "Soup"})
        self.assertEqual(self.browser.all("#scene-fields [aria-invalid='true']"), [])

    def test_playlist(self):
        """A playlist is built from items, and its draft survives a reload"""
        self.pick("playlist")
        for text in ("One", "Two"):
            self.click_named("Add an item")
            row = self.browser.all("#scene-fields [data-field='items'] > .list-box > .elements > li")[-1]
            row.find_element("css selector", "option[value='banner']").click()
            row.find_element("css selector", "[data-field='text'] :is(input, textarea)").send_keys(text)
        self.open("scenes")
        wait_for(lambda: len(self.browser.all("#scene-fields [data-field='items'] > .list-box > .elements > li")) == 2, "the draft")
        self.choose("#scene-target", "display:Virtual-1")
        self.click("#scene-open")
        self.see_scene({"kind": "banner", "text": "One"})

    def test_zones(self):
        """Zones are built from scenes with a place and a size; a refused size is marked, and nothing is shown"""
        self.pick("zones")
        main = self.browser.all("#scene-fields > [data-field='main'], #scene-fields [data-field='main']")[0]
        main.find_element("css selector", "select option[value='banner']").click()
        main.find_element("css selector", "[data-field='text'] :is(input, textarea)").send_keys("Welcome")
        self.click_named("Add a zone")
        row = self.browser.all("#scene-fields [data-field='zones'] > .list-box > .elements > li")[0]
        row.find_element("css selector", "[data-field='at'] option[value='\"bottom\"']").click()
        row.find_element("css selector", "[data-field='show'] option[value='ticker']").click()
        row.find_element("css selector", "[data-field='show'] [data-field='text'] :is(input, textarea)").send_keys("Gate 17")
        size = row.find_element("css selector", "[data-field='size'] input")
        size.send_keys("70")
        self.choose("#scene-target", "display:Virtual-1")
        self.click("#scene-open")
        wait_for(lambda: "Size" in self.browser.text("#field-problem") or self.browser.all("#scene-fields input:invalid"), "the refusal")
        self.assertEqual(self.sessions("Virtual-1"), [])
        size.clear()
        size.send_keys("20")
        self.click("#scene-open")
        scene = wait_for(lambda: self.sessions("Virtual-1"), "the scene to be open")[0]["scene"]
        self.assertEqual(scene["main"], {"kind": "banner", "text": "Welcome"})
        self.assertEqual(scene["zones"], [{"at": "bottom", "size": 20, "show": {"kind": "ticker", "text": "Gate 17"}}])
        self.assertEqual(self.browser.axe(), [])

    def test_table(self):
        """A table is built from columns and lines of cells, and its rows are those of the form"""
        self.pick("table")
        self.click_named("Add a column")
        self.click_named("Add a column")
        for row, text in zip(self.browser.all("#scene-fields [data-field='columns'] > .list-box > .elements > li"), ["Time", "To"]):
            row.find_element("css selector", "[data-field='title'] input").send_keys(text)
        self.fill("#scene-fields [name='rows']", "10:04 | Harbour\n10:09 | Airport")
        self.assertEqual(self.browser.axe(), [])
        self.choose("#scene-target", "display:Virtual-1")
        self.click("#scene-open")
        scene = wait_for(lambda: self.sessions("Virtual-1"), "the scene to be open")[0]["scene"]
        self.assertEqual(scene["columns"], [{"title": "Time"}, {"title": "To"}])
        self.assertEqual(scene["rows"], [["10:04", "Harbour"], ["10:09", "Airport"]])

    def test_preview(self):
        """The preview shows the scene at any size, and displays stay as they are"""
        before = self.service.picture().tobytes()
        self.pick("banner")
        self.fill("#scene-fields [name='text']", "Only a preview")
        self.choose("#preview-size", "800 480")
        wait_for(lambda: self.browser.script(
            "const i = document.getElementById('preview'); return i.complete && i.naturalWidth") == 800, "the preview")
        self.assertEqual(self.service.picture().tobytes(), before)
        self.assertEqual(self.sessions(), [])

    def test_pictures_of_kinds(self):
        """Each kind that can be drawn by itself has a picture"""
        wait_for(lambda: len(self.browser.all("#scene-kinds .kind-picture img")) >= 14, "the pictures of kinds")

    def test_targets(self):
        """A scene is opened on several displays, and within hours"""
        self.service.plug(1080, 1920, "Virtual-2")
        self.pick("banner")
        self.fill("#scene-fields [name='text']", "Both")
        self.choose("#scene-target", "several")
        for name in ("Virtual-1", "Virtual-2"):
            self.click(f"#scene-several input[value='{name}']")
        self.click("#scene-open")
        self.see_scene({"kind": "banner", "text": "Both"}, "Virtual-1")
        self.see_scene({"kind": "banner", "text": "Both"}, "Virtual-2")
        self.choose("#scene-target", "display:Virtual-1")
        self.choose("#scene-when", "schedule")
        self.fill("#scene-hours", "Mo-Su 00:00-24:00")
        self.fill("#scene-fields [name='text']", "Always")
        self.click("#scene-open")
        self.see_scene({"kind": "banner", "text": "Always"}, "Virtual-1")
        self.assertEqual(self.sessions("Virtual-1")[0]["scene"]["kind"], "schedule")


class Week(Editing):
    view = "week"

    def prepare(self):
        self.service.send("PUT", "library/menu", {"scene": {"kind": "banner", "text": "Soup"}})
        self.service.send("POST", "sessions", {"display": "Virtual-1", "scene": {
            "kind": "schedule", "rules": [
                {"name": "lunch", "hours": "Mo-Fr 11:30-13:30", "show": {"kind": "entry", "name": "menu"}}],
            "otherwise": {"kind": "clock"}}})

    def slots(self):
        return [[one.text for one in day.find_elements("css selector", ".slot-times")]
                for day in self.browser.all("#week .day")]

    def test_week(self):
        """The week shows what the display has on each day, and why"""
        wait_for(lambda: len(self.browser.all("#week .slot")) == 17, "the slots")
        self.assertEqual(self.slots(), [["00:00–11:30", "11:30–13:30", "13:30–24:00"]] * 5 + [["00:00–24:00"]] * 2)
        lunch = self.browser.all("#week .day")[0].find_elements("css selector", ".slot")[1]
        self.assertIn("the rule lunch of its schedule", lunch.get_attribute("title"))
        monday = datetime.now() - timedelta(days=datetime.now().weekday())
        self.assertIn(str(monday.day), self.browser.text("#week .day .day-title"))

    def test_turn(self):
        """The weeks are turned, and changes of the library are followed"""
        wait_for(lambda: self.browser.all("#week .slot"), "the slots")
        first = self.browser.text("#week .day .day-title")
        self.click("#week-on")
        wait_for(lambda: self.browser.text("#week .day .day-title") != first, "the next week")
        self.assertEqual(len(self.browser.all("#week .today")), 0)
        self.service.send("PUT", "library/menu", {"scene": {"kind": "banner", "text": "Stew"}})
        wait_for(lambda: "Stew" in self.browser.text("#week"), "the changed entry")
        self.click("#week-now")
        wait_for(lambda: self.browser.all("#week .today"), "this week")
        self.browser.as_phone()
        wait_for(lambda: self.browser.all("#week .slot"), "the slots on a phone")
        self.assertEqual(self.browser.script("return document.documentElement.scrollWidth > innerWidth"), False)
