"""The page for everybody: on a phone, without a mouse, with a screen reader, in dark and light; and when the service goes."""

from selenium.webdriver.common.keys import Keys

from service import png, wait_for
from stories import VIEWS, Story, board


class Full(Story):
    """A page with something in every list."""

    def prepare(self):
        self.service.plug(1080, 1920, "Virtual-2")
        self.service.send("PUT", "board", board(("Now", ["Lift", "Bread"]), ("Later", ["Tea"])))
        self.service.send("POST", "messages", {"text": "A rather long message, as people write them on Mondays",
                                               "acknowledge": True, "display": "Virtual-2"})
        self.service.send("POST", "sessions", {"scene": {"kind": "card", "title": "Lift"}, "tag": "card:lift",
                                               "display": "Virtual-1"})
        self.service.ask("POST", "pictures", png(40, 30, "#336699"), {"Content-Type": "image/png"})

    def each_view(self):
        for view in VIEWS:
            self.open(view)
            wait_for(lambda: self.browser.all(".tile") or view != "displays", "the tiles")
            wait_for(lambda: self.browser.all("li.card") or view != "board", "the cards")
            wait_for(lambda: self.browser.all("#sessions li") or view != "activity", "the sessions")
            wait_for(lambda: self.browser.all("#pictures li") or view != "scenes", "the pictures")
            yield view


class Accessibility(Full):
    def test_axe(self):
        """axe-core finds nothing wrong with any view, in light and dark, on a desktop and on a phone"""
        for size in (self.browser.as_desktop, self.browser.as_phone):
            size()
            for view in self.each_view():
                for scheme in ("light", "dark"):
                    with self.subTest(view=view, size=size.__name__, scheme=scheme):
                        self.browser.in_scheme(scheme)
                        self.assertEqual(self.browser.axe(), [])

    def test_axe_dialogs(self):
        """axe-core finds nothing wrong with the dialogs, in light and dark"""
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
        """With Tab alone everything that can be clicked is reached, its focus is seen, and nothing holds it"""
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
                    self.assertTrue(at["seen"], f"the focus is not seen on {at['html']}")
                left = self.browser.script(
                    "return [...document.querySelectorAll('[data-wanted]')].filter(e => !arguments[0].includes("
                    "+e.dataset.wanted)).map(e => e.outerHTML.slice(0, 120))", reached)
                self.assertEqual(left, [])

    def test_send_with_keys(self):
        """A message is written and sent without a mouse"""
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
        """On a phone held upright nothing is cut off at its side, and each control is large enough for a finger"""
        self.browser.as_phone()
        for view in self.each_view():
            with self.subTest(view=view):
                self.assertLessEqual(self.browser.script("return document.documentElement.scrollWidth"), 390)
                self.assertEqual(self.browser.script(OUTSIDE), [])
                self.assertEqual(self.browser.script(SMALL), [])

    def test_phone_dialogs(self):
        """On a phone each control of the dialogs is large enough for a finger"""
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

    def test_phone_details(self):
        """On a phone each option that can be unfolded is large enough for a finger"""
        self.browser.as_phone()
        for view in self.each_view():
            with self.subTest(view=view):
                self.browser.script("document.querySelectorAll('main details').forEach(e => { e.open = true; })")
                self.assertEqual(self.browser.script(SMALL), [])

    def test_phone_message(self):
        """A message is sent from a phone"""
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
        """The page says that the service is gone and when it is back, and half-typed texts stay"""
        self.turn("#live", False)
        self.fill("#message", "Half a mess")
        self.open_view("write")
        self.turn("#write-live", False)
        self.fill("#markdown", "# Half a text")
        self.open_view("displays")
        self.service.stop()
        self.await_connection("gone", seconds=5)
        wait_for(lambda: self.browser.find("#gone").is_displayed(), "the page to say so")
        self.browser.find("#message").send_keys("age")
        self.service.start()
        self.await_connection("connected", seconds=15)
        wait_for(lambda: not self.browser.find("#gone").is_displayed(), "the page to say that it is back")
        self.assertEqual(self.browser.find("#message").get_property("value"), "Half a message")
        self.click("#send")
        self.see_scene("Half a message")
        self.open_view("write")
        self.assertEqual(self.browser.find("#markdown").get_property("value"), "# Half a text")
        # What happens after the restart is heard again.
        self.open_view("displays")
        self.service.send("POST", "messages", {"text": "After", "priority": 5})
        wait_for(lambda: "After" in self.browser.text("#messages"), "the page to hear what happens")

    def test_reload(self):
        """A page that is loaded again has the half-typed text"""
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
        """Sessions are moved and closed, and the history tells what was shown"""
        session = self.sessions("Virtual-1")[0]["id"]
        self.browser.named("combobox", f"Move session {session} to")
        item = self.browser.find(f"#sessions li[data-session='{session}']")
        self.browser.find("select option[value='Virtual-2']", item).click()
        wait_for(lambda: self.sessions("Virtual-2") and self.sessions("Virtual-2")[0]["id"] == session, "the move")
        wait_for(lambda: "Virtual-2" in self.browser.text(f"#sessions li[data-session='{session}']"), "the page to know")
        self.browser.named("button", f"Close session {session}").click()
        wait_for(lambda: not self.sessions("Virtual-2"), "the session to be closed")
        self.browser.named("button", "Undo").click()
        wait_for(lambda: self.sessions("Virtual-2"), "the session to be open again")
        self.browser.script("arguments[0].click()", self.browser.named("button", f"Close session {session}"))
        wait_for(lambda: not self.sessions("Virtual-2"), "the session to be closed again")
        closed = f"#closed-sessions li[data-closed='{session}']"
        wait_for(lambda: "on Virtual-2" in self.browser.text(closed), "the session among those that were closed")
        self.browser.script("arguments[0].click()", self.browser.named("button", f"Reopen session {session}"))
        wait_for(lambda: self.sessions("Virtual-2"), "the session to be open once more")
        wait_for(lambda: not self.browser.all(closed), "the list of closed sessions without it")
        self.browser.script("arguments[0].click()", self.browser.named("button", f"Close session {session}"))
        wait_for(lambda: not self.sessions("Virtual-2"), "the session to be closed at last")
        wait_for(lambda: "Lift" in self.browser.text("#history"), "the history to tell")
        self.assertEqual(self.browser.text("#history h3"), "Today")
        self.fill("#history-search", "no such text")
        wait_for(lambda: self.browser.text("#history-state") == "0 found.", "the search to find nothing")
        self.assertEqual(self.browser.all("#history li"), [])
        self.fill("#history-search", "LIFT virtual")
        wait_for(lambda: self.browser.all("#history li"), "the search to find the card")
        self.assertTrue(all("Lift" in one.text for one in self.browser.all("#history li")))
        self.assertIn("format=csv", self.browser.find("#history-csv").get_attribute("href"))

    def test_health(self):
        """The page tells how the service is"""
        self.browser.script("location.hash = 'service'")
        wait_for(lambda: self.browser.text("#health-state").strip(), "its state")
        wait_for(lambda: self.service.get("status")["version"] in self.browser.text("#service-facts"), "its version")


class Service(Full):
    view = "service"
    settings = 'log = "info"\n'

    def test_doctor(self):
        """The page has the findings of the checks, and the newest lines of the log"""
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
        wait_for(lambda: "is wrong" in self.browser.text("#doctor-state") or "wrong" in self.browser.text("#doctor-state"),
                 "the result")


# Numbers everything that can be used, and returns how much that is. Of radios and of tabs one of a group is enough.
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
          // The parts of a date have a ring of the browser's own.
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

# WCAG 2.2, 2.5.5: at least 44 by 44 CSS pixels, where it is no link within a sentence.
SMALL = """
  return [...document.querySelectorAll('a[href], button, select, textarea, summary, input:not([type=hidden])')]
    .filter(e => e.checkVisibility({visibilityProperty: true}) && !e.closest('p'))
    .map(e => { const b = (e.type === 'checkbox' || e.type === 'radio' || e.type === 'file') && e.closest('label') ?
      e.closest('label').getBoundingClientRect() : e.getBoundingClientRect(); return [e, b]; })
    .filter(([e, b]) => b.width > 1 && b.height > 1 && (b.width < 43.9 || b.height < 43.9))
    .map(([e, b]) => `${b.width.toFixed(0)} x ${b.height.toFixed(0)}: ${e.outerHTML.slice(0, 120)}`);"""
