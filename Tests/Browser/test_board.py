"""The board: dragging cards with the mouse, touch and the keyboard, and edits by two clients."""

from selenium.webdriver import ActionChains
from selenium.webdriver.common.keys import Keys

from browser import Browser
from changes import wait_for
from stories import Story, board, once


class Board(Story):
    view = "board"

    def prepare(self):
        self.service.plug(1280, 720, "Virtual-2")
        self.service.send("PUT", "board", board(("Now", ["Lift", "Bread"]), ("Later", ["Tea"])))

    def card(self, name, browser=None):
        selector = f"li.card[data-card='{name}']"
        return wait_for(lambda: (browser or self.browser).all(selector), f"the card {name}")[0]

    def titles(self):
        """Returns the titles of the cards in each column, as the service reports them."""
        return [[card["title"] for card in column["cards"]] for column in self.service.get("board")["board"]["columns"]]

    def target(self, display):
        return self.browser.find(f"#board-displays li[data-drop-display='{display}']")

    def await_open(self, card, display):
        wait_for(lambda: [one for one in self.service.get("board")["open"]
                          if one["card"] == card and one["display"] == display], f"{card} to be open on {display}")
        scene = self.sessions(display)[0]["scene"]
        self.assertEqual(scene["kind"], "card")
        self.see_scene(scene, display)
        wait_for(lambda: "is-open" in self.card(card).get_attribute("class")
                 and display in self.card(card).text, "the card to show its display")

    def test_mouse(self):
        """The mouse drags a card onto a display, and Undo reopens the closed card"""
        ActionChains(self.browser.driver).drag_and_drop(self.card("lift"), self.target("Virtual-2")).perform()
        self.await_open("lift", "Virtual-2")
        self.browser.named("button", "Close Lift on Virtual-2", exact=True).click()
        wait_for(lambda: not self.sessions("Virtual-2"), "the card to be closed")
        wait_for(lambda: "is-open" not in self.card("lift").get_attribute("class"), "the card to lose its highlight")
        self.browser.named("button", "Undo", exact=True).click()
        self.await_open("lift", "Virtual-2")

    def test_touch(self):
        """A finger drags a card onto a display"""
        self.browser.as_phone()
        self.open("board")
        grip = self.browser.find("button.card-grip", self.card("bread"))
        self.browser.script("arguments[0].scrollIntoView({block: 'center'})", grip)
        self.browser.touch_drag(grip, self.target("Virtual-1"))
        self.await_open("bread", "Virtual-1")

    def test_mouse_between_columns(self):
        """The mouse drags a card into another column"""
        ActionChains(self.browser.driver).drag_and_drop(self.card("lift"), self.card("tea")).perform()
        wait_for(lambda: "Lift" in self.titles()[1], "the card to be in the other column")
        self.assertEqual(sorted(sum(self.titles(), [])), ["Bread", "Lift", "Tea"])

    def test_keys(self):
        """The keyboard moves a card on the board and opens it on a display, and each step is announced"""
        self.browser.find("button.card-grip", self.card("lift")).send_keys(Keys.SPACE)
        wait_for(lambda: self.browser.text("#announcer"), "an announcement")
        self.press(Keys.ARROW_RIGHT)
        self.press(Keys.SPACE)
        wait_for(lambda: "Lift" in self.titles()[1], "the card to be in the other column")
        # The page announces the move once it has the service's answer, and "Bread" is the first card only from then on.
        wait_for(lambda: "Moved Lift" in self.browser.text("#announcer"), "the move to be announced")
        self.browser.find("button.card-grip", self.card("bread")).send_keys(Keys.ENTER)
        self.press(Keys.ARROW_UP)
        wait_for(lambda: "Virtual" in self.browser.text("#announcer"), "the display to be announced")
        self.press(Keys.ARROW_RIGHT)
        wait_for(lambda: "Virtual-2" in self.browser.text("#announcer"), "the other display to be announced")
        self.press(Keys.ENTER)
        self.await_open("bread", "Virtual-2")
        focused = self.browser.script("return document.activeElement.closest('[data-card]')?.dataset.card")
        self.assertEqual(focused, "bread", "the focus stays with the card")

    def test_keys_during_save(self):
        """A card that is picked up while the move of another is saved stays picked up"""
        self.browser.script("""
            const fetch = window.fetch;
            window.fetch = (path, options) => options?.method !== "PUT" ? fetch(path, options)
              : new Promise((resolve) => { window.letGo = () => resolve(fetch(path, options)); });
        """)
        self.browser.find("button.card-grip", self.card("lift")).send_keys(Keys.SPACE)
        self.press(Keys.ARROW_RIGHT)
        self.press(Keys.SPACE)
        wait_for(lambda: self.browser.script("return Boolean(window.letGo)"), "the change to be sent")
        self.browser.find("button.card-grip", self.card("bread")).send_keys(Keys.ENTER)
        self.browser.script("window.letGo()")
        wait_for(lambda: "Moved Lift" in self.browser.text("#announcer"), "the move to be announced")
        focused = self.browser.script("return document.activeElement.closest('[data-card]')?.dataset.card")
        self.assertEqual(focused, "bread", "the focus stays with the card that is being moved")
        self.press(Keys.ARROW_UP)
        wait_for(lambda: "Virtual" in self.browser.text("#announcer"), "the display to be announced")

    def test_row_of_displays(self):
        """The row of displays is focusable, and the arrow keys scroll it"""
        # A display whose first frame is not presented yet has no preview (409).
        self.expected_errors = ("preview",)
        for number in range(2, 7):
            self.service.plug(800, 600, f"Virtual-{number}")
        wait_for(lambda: len(self.browser.all(".drop")) == 6, "six displays in the row")
        self.assertEqual(self.browser.find("#board-displays").accessible_name, "Open on displays")
        self.browser.script("document.getElementById('add-column').focus()")
        self.press(Keys.TAB)
        self.assertEqual(self.browser.script("return document.activeElement.id"), "board-displays")
        self.press(Keys.ARROW_RIGHT)
        wait_for(lambda: self.browser.script("return document.getElementById('board-displays').scrollLeft") > 200,
                 "the row to scroll")
        self.press(Keys.HOME)
        wait_for(lambda: self.browser.script("return document.getElementById('board-displays').scrollLeft") == 0,
                 "the row to scroll back")

    def test_escape_cancels_move(self):
        """Escape returns a picked-up card to its place"""
        self.browser.find("button.card-grip", self.card("lift")).send_keys(Keys.SPACE)
        self.press(Keys.ARROW_RIGHT)
        self.press(Keys.ESCAPE)
        wait_for(lambda: self.browser.all("li.column[data-column='0'] li.card[data-card='lift']"), "the card to be back")
        self.assertEqual(self.titles(), [["Lift", "Bread"], ["Tea"]])

    def test_menu(self):
        """The menu of a card opens the card on a display"""
        self.browser.find("button.card-menu", self.card("tea")).click()
        wait_for(lambda: self.is_open("#card-menu"), "the menu")
        self.click("#card-menu [role=menuitem][data-display='Virtual-1']")
        self.await_open("tea", "Virtual-1")

    def test_edit(self):
        """Cards can be added and edited, and the display of an open card shows the edit"""
        self.browser.find("button.card-menu", self.card("tea")).click()
        self.click("#card-menu [role=menuitem][data-display='Virtual-1']")
        self.await_open("tea", "Virtual-1")
        self.browser.find("button.card-title", self.card("tea")).click()
        wait_for(lambda: self.is_open("#card-dialog"), "the card's form")
        self.fill("#card-title", "Coffee")
        self.click("#card-save")
        wait_for(lambda: self.sessions("Virtual-1")[0]["scene"]["title"] == "Coffee", "the card on the display to change")
        self.await_open("tea", "Virtual-1")
        self.click("li.column[data-column='0'] button.add-card")
        wait_for(lambda: self.is_open("#card-dialog"), "the new card's form")
        self.fill("#card-title", "Post")
        self.click("#card-save")
        wait_for(lambda: "Post" in self.titles()[0], "the new card")

    def test_two_people(self):
        """If two clients edit different cards at the same time, both edits are saved"""
        self.expected_errors = ("412",)
        other = once("other", Browser)
        other.as_desktop()
        self.open("board", other)
        self.card("lift", other)
        # Both browsers have the form of a card open; the other one saves first.
        self.browser.find("button.card-title", self.card("lift")).click()
        other.find("button.card-title", self.card("bread", other)).click()
        wait_for(lambda: self.is_open("#card-dialog") and self.is_open("#card-dialog", other), "both forms")
        self.fill("#card-title", "Stairs")
        self.fill("#card-title", "Cake", other)
        self.click("#card-save", other)
        wait_for(lambda: "Cake" in self.titles()[0], "the first edit")
        self.click("#card-save")
        self.settle()
        wait_for(lambda: self.titles() == [["Stairs", "Cake"], ["Tea"]], "both edits on the board")
        self.check(other)
        other.driver.get("about:blank")

    def test_two_people_one_card(self):
        """If two clients edit one card at the same time, the page shows both versions and saves the choice"""
        self.expected_errors = ("412",)
        self.browser.find("button.card-title", self.card("lift")).click()
        wait_for(lambda: self.is_open("#card-dialog"), "the form")
        self.fill("#card-title", "Mine")
        changed = board(("Now", ["Lift", "Bread"]), ("Later", ["Tea"]))
        changed["columns"][0]["cards"][0]["title"] = "Theirs"
        self.service.send("PUT", "board", changed)
        self.click("#card-save")
        wait_for(lambda: self.is_open("#conflict-dialog"), "the dialog with both versions")
        self.assertIn("Theirs", self.browser.text("#conflict-theirs"))
        self.assertIn("Mine", self.browser.text("#conflict-mine"))
        self.click("#conflict-use-mine")
        wait_for(lambda: self.titles()[0][0] == "Mine", "the chosen text")

    def settle(self):
        """Chooses both versions if the page shows a conflict."""
        def answered():
            if self.is_open("#conflict-dialog"):
                self.click("#conflict-use-both")
            return "Stairs" in sum(self.titles(), [])
        wait_for(answered, "the edit to be on the board")
