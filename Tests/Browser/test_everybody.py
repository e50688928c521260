"""The page with a keyboard, a screen reader and a phone; lost connections; activity, history and service."""

from datetime import datetime, timedelta

from selenium.webdriver.common.keys import Keys

from changes import wait_for
from service import png
from stories import VIEWS, Story, board


class Full(Story):
    """A page whose lists all have entries."""

    def prepare(self):
        self.service.plug(1080, 1920, "Virtual-2")
        self.service.send("PUT", "board", board(("Now", ["Lift", "Bread"]), ("Later", ["Tea"])))
        self.service.send("POST", "messages", {"text": "A rather long message, as people write them on Mondays",
                                               "acknowledge": True, "display": "Virtual-2"})
        self.service.send("POST", "sessions", {"scene": {"kind": "card", "title": "Lift"}, "tag": "card:lift",
                                               "display": "Virtual-1"})
        closed = self.service.send("POST", "sessions", {"scene": {"kind": "card", "title": "Old" * 25},
                                                        "display": "Virtual-2"})
        self.service.send("DELETE", f"sessions/{closed['id']}")
        self.service.send("PUT", "library/menu", {"scene": {"kind": "schedule", "rules": [
            {"hours": "Mo-Fr 11:30-13:30", "show": {"kind": "banner", "text": "Soup"}}]}, "title": "Menu"})
        self.service.ask("POST", "images", png(40, 30, "#336699"), {"Content-Type": "image/png"})

    def each_view(self):
        for view in VIEWS:
            self.open(view)
            wait_for(lambda: self.browser.all(".tile") or view != "displays", "the tiles")
            wait_for(lambda: self.browser.all("li.card") or view != "board", "the cards")
            wait_for(lambda: self.browser.all("#sessions li") or view != "activity", "the sessions")
            wait_for(lambda: self.browser.all("#closed-sessions li") or view != "activity", "the closed sessions")
            wait_for(lambda: self.browser.all("#pictures li") or view != "scenes", "the images")
            wait_for(lambda: self.browser.all("#library li") or view != "scenes", "the library")
            wait_for(lambda: self.browser.all("#week .slot") or view != "week", "the week")
            yield view

    def check_phone(self):
        """Fails if a view overflows on a phone, or has a control of less than 44 by 44 pixels."""
        self.browser.as_phone()
        for view in self.each_view():
            with self.subTest(view=view):
                self.assertLessEqual(self.browser.script("return document.documentElement.scrollWidth"), 390)
                self.assertEqual(self.browser.script(OUTSIDE), [])
                self.assertEqual(self.browser.script(SMALL), [])


class Accessibility(Full):
    def test_axe(self):
        """axe-core finds no violation in any view, in light and dark, on a desktop and on a phone"""
        for size in (self.browser.as_desktop, self.browser.as_phone):
            size()
            for view in self.each_view():
                for scheme in ("light", "dark"):
                    with self.subTest(view=view, size=size.__name__, scheme=scheme):
                        self.browser.in_scheme(scheme)
                        self.assertEqual(self.browser.axe(), [])

    def test_axe_dialogs(self):
        """axe-core finds no violation in the dialogs, in light and dark"""
        for scheme in ("light", "dark"):
            self.browser.in_scheme(scheme)
            for view, name, dialog in (
                    ("displays", "Mode of Virtual-1", "#mode-dialog"),
                    ("displays", "Why this mode of Virtual-1", "#why-dialog"),
                    ("board", "Edit Lift", "#card-dialog"), ("board", "Open Lift on", "#card-menu")):
                with self.subTest(dialog=dialog, scheme=scheme):
                    self.open(view)
                    self.browser.named("button", name).click()
                    wait_for(lambda: self.is_open(dialog), dialog)
                    self.assertEqual(self.browser.axe(), [])

    def test_keys_reach_everything(self):
        """Tab reaches every control, each shows its focus, and none traps it"""
        for view in self.each_view():
            with self.subTest(view=view):
                self.browser.script("document.activeElement?.blur(); window.getSelection().removeAllRanges();"
                                    "document.documentElement.tabIndex = -1; document.documentElement.focus()")
                wanted = self.browser.script(REACHABLE)
                reached = []
                for _ in range(wanted + 25):
                    self.press(Keys.TAB)
                    at = self.browser.script(FOCUSED)
                    if at is None:
                        break
                    reached.append(at["number"])
                    self.assertTrue(at["seen"], f"the focus is not visible on {at['html']}")
                left = self.browser.script(
                    "return [...document.querySelectorAll('[data-wanted]')].filter(e => !arguments[0].includes("
                    "+e.dataset.wanted)).map(e => e.outerHTML.slice(0, 120))", reached)
                self.assertEqual(left, [])

    def test_send_with_keys(self):
        """A message can be written and sent with the keyboard alone"""
        self.turn("#live", False)
        self.browser.script("document.getElementById('message').focus()")
        self.press("By keys alone")
        for _ in range(12):
            self.press(Keys.TAB)
            if self.browser.script("return document.activeElement.id") == "send":
                break
        self.press(Keys.ENTER)
        self.see_scene("By keys alone")


class Phone(Full):
    def test_phone(self):
        """On a phone in portrait orientation nothing overflows, and each control has at least 44 by 44 pixels"""
        self.check_phone()

    def test_phone_dialogs(self):
        """On a phone each control of the dialogs has at least 44 by 44 pixels"""
        self.browser.as_phone()
        for view, name, dialog in (
                ("displays", "Mode of Virtual-1", "#mode-dialog"), ("displays", "Why this mode of Virtual-1", "#why-dialog"),
                ("displays", "Plug in a monitor", "#plug-dialog"),
                ("board", "Edit Lift", "#card-dialog"), ("board", "Open Lift on", "#card-menu")):
            with self.subTest(dialog=dialog):
                self.open(view)
                self.browser.script("arguments[0].click()", self.browser.named("button", name))
                wait_for(lambda: self.is_open(dialog), dialog)
                self.assertEqual(self.browser.script(SMALL), [])

    def test_phone_conflict(self):
        """On a phone each control of the conflict dialog has at least 44 by 44 pixels"""
        self.expected_errors = ("412",)
        self.browser.as_phone()
        self.open("board")
        self.browser.script("arguments[0].click()", self.browser.named("button", "Edit Lift", exact=True))
        wait_for(lambda: self.is_open("#card-dialog"), "the form")
        self.fill("#card-title", "Mine")
        changed = board(("Now", ["Lift", "Bread"]), ("Later", ["Tea"]))
        changed["columns"][0]["cards"][0]["title"] = "Theirs"
        self.service.send("PUT", "board", changed)
        self.click("#card-save")
        wait_for(lambda: self.is_open("#conflict-dialog"), "the comparison")
        self.assertEqual(self.browser.script(SMALL), [])
        self.assertEqual(self.browser.axe(), [])

    def test_phone_details(self):
        """On a phone each control in expanded details has at least 44 by 44 pixels"""
        self.browser.as_phone()
        for view in self.each_view():
            with self.subTest(view=view):
                self.browser.script("document.querySelectorAll('main details').forEach(e => { e.open = true; })")
                self.assertEqual(self.browser.script(SMALL), [])

    def test_phone_message(self):
        """A phone can send a message"""
        self.browser.as_phone()
        self.open("displays")
        self.turn("#live", False)
        self.fill("#message", "From a phone")
        self.click("#send")
        self.see_scene("From a phone")


class Gone(Full):
    expected_errors = ("ERR_CONNECTION_REFUSED", "ERR_EMPTY_RESPONSE", "ERR_INCOMPLETE_CHUNKED_ENCODING",
                       "ERR_CONNECTION_RESET", "503")

    def test_restart(self):
        """The page shows that the service stopped, reconnects when it restarts, and keeps unsent text"""
        self.turn("#live", False)
        self.fill("#message", "Half a mess")
        self.open_view("write")
        self.turn("#write-live", False)
        self.fill("#markdown", "# Half a text")
        self.open_view("displays")
        self.service.stop()
        self.await_connection("gone")
        wait_for(lambda: self.browser.find("#gone").is_displayed(), "the banner")
        self.browser.find("#message").send_keys("age")
        self.service.start()
        self.await_connection("connected")
        wait_for(lambda: not self.browser.find("#gone").is_displayed(), "the banner to disappear")
        self.assertEqual(self.browser.find("#message").get_property("value"), "Half a message")
        self.click("#send")
        self.see_scene("Half a message")
        self.open_view("write")
        self.assertEqual(self.browser.find("#markdown").get_property("value"), "# Half a text")
        # The page receives events after the restart.
        self.open_view("displays")
        self.service.send("POST", "messages", {"text": "After", "priority": 5})
        wait_for(lambda: "After" in self.browser.text("#messages"), "the event after the restart")

    def test_reload(self):
        """A reloaded page has the unsent text"""
        self.turn("#live", False)
        self.fill("#message", "Half a mess")
        self.browser.driver.refresh()
        self.await_connection("connected")
        self.assertEqual(self.browser.find("#message").get_property("value"), "Half a mess")

    def open_view(self, view):
        self.browser.script("location.hash = arguments[0]", view)
        wait_for(lambda: self.browser.script(f"return !document.getElementById('view-{view}').hidden"), view)


class Activity(Full):
    view = "activity"

    def test_sessions(self):
        """The page can move and close a session, and its history lists what was shown"""
        session = self.sessions("Virtual-1")[0]["id"]
        self.browser.named("combobox", f"Move session {session} to")
        item = self.browser.find(f"#sessions li[data-session='{session}']")
        self.browser.find("select option[value='Virtual-2']", item).click()
        wait_for(lambda: self.sessions("Virtual-2") and self.sessions("Virtual-2")[0]["id"] == session, "the move")
        wait_for(lambda: "Virtual-2" in self.browser.text(f"#sessions li[data-session='{session}']"), "the new display")
        self.browser.named("button", f"Close session {session}").click()
        wait_for(lambda: not self.sessions("Virtual-2"), "the session to be closed")
        wait_for(lambda: "Lift" in self.browser.text("#history"), "the entry in the history")
        self.assertEqual(self.browser.text("#history h3"), "Today")
        self.fill("#history-search", "no such text")
        wait_for(lambda: self.browser.text("#history-state") == "0 found.", "the search to find nothing")
        self.assertEqual(self.browser.all("#history li"), [])
        self.fill("#history-search", "LIFT virtual")
        wait_for(lambda: self.browser.all("#history li"), "the search to find the card")
        self.assertTrue(all("Lift" in one.text for one in self.browser.all("#history li")))
        self.assertIn("format=csv", self.browser.find("#history-csv").get_attribute("href"))

    def test_undo_of_a_close(self):
        """Undo reopens a session that the page closed, and removes it from the closed sessions"""
        session = self.sessions("Virtual-1")[0]
        self.see_scene(session["scene"])
        self.browser.named("button", f"Close session {session['id']}", exact=True).click()
        wait_for(lambda: not self.sessions("Virtual-1"), "the session to be closed")
        self.browser.named("button", f"Reopen session {session['id']}", exact=True)
        self.browser.named("button", "Undo", exact=True).click()
        wait_for(lambda: [one["id"] for one in self.sessions("Virtual-1")] == [session["id"]], "the open session")
        self.see_scene(session["scene"])
        closed = f"#closed-sessions li[data-closed='{session['id']}']"
        wait_for(lambda: not self.browser.all(closed), "the session to leave the closed sessions")
        wait_for(lambda: self.browser.all(f"#sessions li[data-session='{session['id']}']"), "the session in the list")

    def test_reopen(self):
        """The list of closed sessions reopens one that another client closed, and is hidden when empty"""
        old = self.service.get("closed-sessions")[0]["id"]
        session = self.sessions("Virtual-1")[0]
        self.service.send("DELETE", f"sessions/{session['id']}")
        for id in (session["id"], old):
            selector = f"#closed-sessions li[data-closed='{id}']"
            item = wait_for(lambda: self.browser.all(selector), "the closed session")[0]
            self.browser.named("button", f"Reopen session {id}", item, exact=True).click()
            wait_for(lambda: id in [one["id"] for one in self.sessions()], "the session to be open")
        self.see_scene(session["scene"])
        wait_for(lambda: not self.browser.find("#closed-panel").is_displayed(), "the empty list to be hidden")

    def test_health(self):
        """The page shows the health and the status of the service"""
        self.browser.script("location.hash = 'service'")
        wait_for(lambda: self.browser.text("#health-state").strip(), "the state")
        wait_for(lambda: self.service.get("status")["version"] in self.browser.text("#service-facts"), "the version")


class History(Full):
    """A page whose history covers several days, and has more entries than one page of the API."""

    view = "activity"
    long = "unbroken" * 10

    def prepare(self):
        noon = datetime.now().replace(hour=12, minute=0, second=0, microsecond=0)
        yesterday, self.old = noon - timedelta(days=1), noon - timedelta(days=4)
        # Newest last. A page of the API has about 800 of these entries, and a search reads two pages.
        whats = ["Bottom", *("x" * 80 for _ in range(1640)), "Second page", *("x" * 80 for _ in range(899))]
        self.service.add_history(
            [("Virtual-1", what, int(self.old.timestamp() + 2 * number) * 1000) for number, what in enumerate(whats)]
            + [("Virtual-1", self.long, int(yesterday.timestamp()) * 1000)])
        super().prepare()

    def search(self, text, state):
        self.fill("#history-search", text)
        wait_for(lambda: state(self.browser.text("#history-state")), f"the result of the search for {text}")

    def test_days(self):
        """The headings of the history are Today, Yesterday, and the dates of older days"""
        wait_for(lambda: len(self.browser.all("#history h3")) == 3, "three days")
        today, yesterday, date = [one.text for one in self.browser.all("#history h3")]
        self.assertEqual((today, yesterday), ("Today", "Yesterday"))
        for part in (str(self.old.day), f"{self.old:%B}", str(self.old.year), f"{self.old:%A}"):
            self.assertIn(part, date)
        self.assertIn("The newest 200 entries.", self.browser.text("#history-state"))

    def test_search(self):
        """A search reads the next page of the API, and states how many entries it searched"""
        self.search("Second page", lambda state: state.startswith("1 found in the newest "))
        self.assertEqual([one.text for one in self.browser.all("#history .what")], ["Second page"])
        # The entry is older than the searched ones, so the page must state the limit.
        self.search("Bottom", lambda state: state.startswith("0 found in the newest "))
        read = int(self.browser.text("#history-state").split()[-2])
        self.assertTrue(1000 <= read < 2000, read)
        # A search covers all entries of a display with few entries.
        self.choose("#history-display", "Virtual-2")
        wait_for(lambda: self.browser.text("#history-state") == "0 found.", "the search of one display")

    def test_phone_rows(self):
        """On a phone a long text without a space does not overflow its row"""
        self.browser.as_phone()
        self.open("activity")
        wait_for(lambda: self.long in self.browser.text("#history"), "the long text")
        self.assertLessEqual(self.browser.script("return document.documentElement.scrollWidth"), 390)
        self.assertEqual(self.browser.script(CUT), [])


class Service(Full):
    view = "service"
    settings = 'log = "info"\n'

    def test_doctor(self):
        """The page shows the findings of the checks, and the newest lines of the log"""
        report = self.service.get("doctor")
        self.assertEqual({one["check"] for one in report["findings"]} & {"service", "cards", "fonts", "storage"},
                         {"service", "cards", "fonts", "storage"})
        wait_for(lambda: len(self.browser.all("#doctor li")) == len(report["findings"]), "the findings")
        fonts = next(one for one in report["findings"] if one["check"] == "fonts")
        self.assertIn(fonts["text"][1:], self.browser.text("#doctor"))
        lines = self.service.get("log?lines=3")["lines"]
        self.assertTrue(lines and len(lines) <= 3)
        wait_for(lambda: lines[-1] in self.browser.text("#log"), "the log")
        self.browser.named("button", "Check again").click()
        wait_for(lambda: "wrong" in self.browser.text("#doctor-state"), "the result")


# Numbers all focusable controls, and returns their count. A radio group has one tab stop.
REACHABLE = """
  let n = 0; const groups = new Set();
  document.querySelectorAll('[data-wanted]').forEach(e => delete e.dataset.wanted);
  for (const e of document.querySelectorAll('a[href], button, input, select, textarea, summary')) {
    if (!e.checkVisibility({visibilityProperty: true}) || e.disabled || e.tabIndex < 0) continue;
    if (e.type === 'radio') { if (groups.has(e.name)) continue; if (!e.checked && document.querySelector(
      `input[name="${e.name}"]:checked`)) continue; groups.add(e.name); }
    e.dataset.wanted = ++n;
  }
  return n;"""

FOCUSED = """
  const e = document.activeElement;
  if (!e || e === document.body || e === document.documentElement) return null;
  const ringed = x => { const s = getComputedStyle(x);
    return (s.outlineStyle !== 'none' && parseFloat(s.outlineWidth) > 0) || s.boxShadow !== 'none'; };
  return {number: +e.dataset.wanted || 0, html: e.outerHTML.slice(0, 120),
          // The browser draws the focus of the parts of a date field itself.
          seen: /^date/.test(e.type) || ringed(e) || (e.closest('label') && ringed(e.closest('label'))) ||
                (e.nextElementSibling && ringed(e.nextElementSibling)) || false};"""

OUTSIDE = """
  const scrolls = e => { for (let p = e.parentElement; p; p = p.parentElement)
    if (/auto|scroll/.test(getComputedStyle(p).overflowX)) return true; return false; };
  return [...document.querySelectorAll('a[href], button, input, select, textarea, summary, h1, h2, img')]
    .filter(e => e.checkVisibility({visibilityProperty: true}) && !scrolls(e))
    .filter(e => { const b = e.getBoundingClientRect();
      return b.width > 1 && b.height > 1 && (b.left < -1 || b.right > innerWidth + 1); })
    .map(e => e.outerHTML.slice(0, 120));"""

# Texts in lists that overflow their row or the page.
CUT = """
  return [...document.querySelectorAll('#history .what, #history .place, #history .time, .list-title, .hint')]
    .filter(e => e.checkVisibility({visibilityProperty: true}))
    .filter(e => e.getBoundingClientRect().right > innerWidth || e.scrollWidth > e.clientWidth + 1 && e.clientWidth > 0)
    .map(e => e.outerHTML.slice(0, 120));"""

# WCAG 2.2, 2.5.5: targets have at least 44 by 44 CSS pixels, except links in a sentence.
SMALL = """
  return [...document.querySelectorAll('a[href], button, select, textarea, summary, input:not([type=hidden])')]
    .filter(e => e.checkVisibility({visibilityProperty: true}) && !e.closest('p'))
    .map(e => { const b = (e.type === 'checkbox' || e.type === 'radio' || e.type === 'file') && e.closest('label') ?
      e.closest('label').getBoundingClientRect() : e.getBoundingClientRect(); return [e, b]; })
    .filter(([e, b]) => b.width > 1 && b.height > 1 && (b.width < 43.9 || b.height < 43.9))
    .map(([e, b]) => `${b.width.toFixed(0)} x ${b.height.toFixed(0)}: ${e.outerHTML.slice(0, 120)}`);"""
