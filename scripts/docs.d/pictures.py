"""Makes the pictures of the documents: frames of virtual displays, and the page in a browser.

Usage: pictures.py FOLDER [--type], with the Python of the tests. PLACARD_PRODUCTS names the folder of the programs.

With --type, makes only type.png. type-before.png is the same sheet of an early version.
"""

import io
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "Tests/Python"))

from PIL import Image, ImageDraw  # noqa: E402

from browser import Browser  # noqa: E402
from changes import wait_for  # noqa: E402
from service import Service  # noqa: E402

MARKDOWN = """# Welcome to the workshop

Today we build a **display** that shows *anything*: messages, clocks and `placard show` in one line. See
[the handbook](https://example.org) for the ~~old~~ new way to mount it.

## What you need

- A monitor of any size
  - with HDMI or DisplayPort
- A computer with Linux
- [x] Coffee
- [ ] Cake

1. Plug it in.
2. Run the installer.
"""

DEPARTURES = {"kind": "board", "title": "Departures", "columns": [
    {"title": "Today", "cards": [
        {"id": "707", "title": "ICE 707 Munich", "content": "Platform 4 · on time", "footer": "14:28"},
        {"id": "1", "title": "RE 1 Frankfurt", "content": "Platform 12 · 5 minutes late", "footer": "14:35",
         "accent": "#e5484d"},
        {"id": "179", "title": "EC 179 Prague", "content": "Platform 2", "footer": "14:42"}]},
    {"title": "Tonight", "cards": [
        {"id": "40457", "title": "NJ 40457 Vienna", "content": "Sleeper; boarding from 20:50 on", "footer": "21:10"},
        {"id": "2432", "title": "IC 2432 Cologne", "content": "Cancelled", "accent": "#e5484d"}]},
    {"title": "Works", "cards": [
        {"id": f"s{line}", "title": f"Line S{line}", "content": "Replacement buses between Westend and Gesundbrunnen"}
        for line in range(1, 7)]}]}

BOARD = {"kind": "board", "title": "Today", "columns": [
    {"title": "House", "cards": [
        {"id": "lift", "title": "Lift 2", "content": "Out of order until Thursday", "accent": "#d9480f"},
        {"id": "tour", "title": "Tour at 14:00", "content": "Meet at the desk, with shoes that may get wet"},
        {"id": "network", "title": "Guest network", "content": "workshop-guests", "accent": "#1c7ed6"}]},
    {"title": "Kitchen", "cards": [
        {"id": "soup", "title": "Soup of the day", "content": "Red lentils with lemon", "footer": "vegan",
         "accent": "#2b8a3e"},
        {"id": "tea", "title": "Tea", "content": "Served in the garden"}]},
    {"title": "Evening", "cards": [
        {"id": "paper", "title": "How paper is made", "content": "Hall, 19:30", "accent": "#7048e8"}]}]}

PAPER = """# Paper

1. Soak the *fibres* overnight
2. Beat them for an hour
3. Couch, press, dry

| sheet | weight |
|-------|-------:|
| A3    |   90 g |
| A2    |  120 g |
"""


def moon():
    """Returns a picture of the moon above water, as the cover of a record."""
    picture = Image.new("RGB", (480, 480))
    draw = ImageDraw.Draw(picture)
    for row in range(480):
        draw.line((0, row, 480, row), (20 + row // 8, 28 + row // 6, 70 + row // 5))
    for row in range(340, 480, 12):
        draw.rectangle((0, row, 480, row + 5), (72, 96, 170))
    draw.ellipse((145, 95, 385, 335), (250, 236, 204))
    data = io.BytesIO()
    picture.save(data, "PNG")
    return data.getvalue()


def frame(service, scene, size=(480, 270)):
    """Returns the frame of a scene on the first display, made smaller."""
    service.send("POST", "sessions", {"scene": scene, "display": "Virtual-1", "wait": True})
    return service.picture().resize(size, Image.LANCZOS)


def scenes(service):
    """Returns the frames of six scenes, in two rows."""
    path = json.loads(service.ask("POST", "images", moon(), {"Content-Type": "image/png"})[2])["path"]
    wanted = [
        {"kind": "card", "title": "Fire drill at noon", "footer": "Facilities · until 13:00", "content":
         "Please leave the building by the nearest exit and meet at the north car park. The lifts stay shut until the "
         "all-clear."},
        {"kind": "now", "title": "Clair de lune", "subtitle": "Claude Debussy", "detail": "Suite bergamasque · 1905",
         "image": path, "progress": 0.38, "style": {"background": "#121214", "accent": "#2fb344"}},
        DEPARTURES,
        {"kind": "markdown", "text": MARKDOWN},
        {"kind": "clock", "zone": "Europe/Berlin", "date": True, "caption": "Berlin"},
        {"kind": "qr", "text": "https://example.org/guests", "caption": "Scan to join the guest network",
         "style": {"background": "#faf9f5", "foreground": "#1a1a1e"}}]
    sheet = Image.new("RGB", (1464, 552), "white")
    for number, scene in enumerate(wanted):
        sheet.paste(frame(service, scene), (number % 3 * 492, number // 3 * 282))
    return sheet


# Texts in which a designer looks for mistakes.
TYPE = [
    {"kind": "banner", "text": "12:30"},
    {"kind": "banner", "text": "Coffee ☕ and cake 🍰 at 3"},
    {"kind": "markdown", "text": "# Closed today\n\nWe are back on Monday."},
    {"kind": "banner", "text": "Rindfleischetikettierungsüberwachungsaufgabenübertragungsgesetz", "style": {"language": "de"}},
    {"kind": "banner", "text": "Admission 5 € per person"},
    {"kind": "banner", "text": "Ada Lovelace\nGrace Hopper\nKatherine Johnson\nHedy Lamarr\nMary Jackson\nEmmy Noether"},
    {"kind": "markdown", "text": "# To do\n\n- [x] Coffee\n- [ ] Cake\n- [x] Call `placard show` in the lobby"},
    {"kind": "markdown", "text": "# Setup\n\n```\nplacard show --display HDMI-A-1 --priority 5 --for 2h \"Fire drill at noon\"\n```"},
]


def type_sheet(service):
    """Returns the frames of texts in two columns."""
    sheet = Image.new("RGB", (652, 4 * 192 - 12), "white")
    for number, scene in enumerate(TYPE):
        sheet.paste(frame(service, scene, (320, 180)), (number % 2 * 332, number // 2 * 192))
    return sheet


def shot(browser, size=(1200, 670)):
    """Returns what the browser shows, made smaller."""
    picture = Image.open(io.BytesIO(browser.driver.get_screenshot_as_png())).convert("RGB")
    return picture.resize(size, Image.LANCZOS)


def pages(service, browser):
    """Returns pictures of the displays and of the board."""
    service.plug(3840, 2160)
    service.plug(1080, 1920)
    service.send("PUT", "board", BOARD)
    service.send("POST", "sessions", {"scene": {"kind": "markdown", "text": PAPER}, "display": "Virtual-1", "wait": True})
    soup = {"kind": "card", **BOARD["columns"][1]["cards"][0]}
    service.send("POST", "sessions", {"scene": soup, "display": "Virtual-3", "tag": "card:soup", "wait": True})
    service.send("POST", "messages", {"text": "Fire drill at noon", "name": "drill", "priority": -5,
                                      "display": "Virtual-2", "seconds": 3600, "acknowledge": True})
    browser.command(
        "Emulation.setDeviceMetricsOverride", width=1440, height=804, deviceScaleFactor=1, mobile=False)
    lit = "return document.querySelectorAll('.tile[data-state=lit]').length === 3"
    browser.driver.get(f"{service.url}/#displays")
    wait_for(lambda: browser.script(lit), "the tiles")
    browser.script("document.querySelector('#target').value = 'display:Virtual-2';"
                   "document.querySelector('#target').dispatchEvent(new Event('change', {bubbles: true}))")
    browser.find("#live").click()
    browser.find("#message").send_keys("Welcome, Ada!")
    wait_for(lambda: (service.display("Virtual-2") or {}).get("message") == "Welcome, Ada!", "the message")
    browser.idle()
    displays = shot(browser)
    browser.driver.get("about:blank")
    browser.driver.get(f"{service.url}/#board")
    wait_for(lambda: len(browser.all("li.card")) == 6, "the cards")
    browser.idle()
    return displays, shot(browser)


LIBRARY = {
    "menu": ({"kind": "markdown", "text": "# Soup of the day\n\n- Red lentils with lemon\n- Bread"}, "Menu", ["food"]),
    "closed": ({"kind": "banner", "text": "We are closed today"}, None, ["house"]),
    "tour": ({"kind": "card", "title": "Tour at 14:00", "content": "Meet at the desk"}, "Tour of the house", ["house"]),
    "week": ({"kind": "schedule", "zone": "Europe/Berlin", "rules": [
        {"name": "holidays", "hours": "Dec 24-26 00:00-24:00", "show": {"kind": "entry", "name": "closed"},
         "priority": 10},
        {"name": "lunch", "hours": "Mo-Fr 11:30-13:30", "show": {"kind": "entry", "name": "menu"}},
        {"name": "tour", "hours": "We,Sa 13:30-14:30", "show": {"kind": "entry", "name": "tour"}}],
        "otherwise": {"kind": "clock", "zone": "Europe/Berlin"}}, "Opening week", ["house"])}


def library(service, browser):
    """Returns pictures of the scene editor with the library, and of the week."""
    for name, (scene, title, tags) in LIBRARY.items():
        service.send("PUT", f"library/{name}", {"scene": scene, "tags": tags, **({"title": title} if title else {})})
    service.send("POST", "sessions", {"scene": {"kind": "entry", "name": "week"}, "display": "Virtual-1", "wait": True})
    browser.command(
        "Emulation.setDeviceMetricsOverride", width=1440, height=1240, deviceScaleFactor=1, mobile=False)
    browser.driver.get("about:blank")
    browser.driver.get(f"{service.url}/#scenes")
    wait_for(lambda: len(browser.all("#library li")) == 4, "the library")
    browser.named("button", "Edit week").click()
    wait_for(lambda: browser.text("#scene-open") == "Save", "the entry in the editor")
    browser.script("document.querySelector('#preview-time').value = '2026-11-30T12:00';"
                   "document.querySelector('#preview-time').dispatchEvent(new Event('change', {bubbles: true}));"
                   "document.querySelectorAll('.elements > li > details')[1].open = true")
    wait_for(lambda: len(browser.all("#scene-kinds img")) >= 14, "the pictures of kinds")
    wait_for(lambda: browser.script("return document.getElementById('preview').naturalWidth") > 0, "the preview")
    browser.idle()
    editor = shot(browser, (1200, 1033))
    browser.command(
        "Emulation.setDeviceMetricsOverride", width=1440, height=804, deviceScaleFactor=1, mobile=False)
    browser.driver.get("about:blank")
    browser.driver.get(f"{service.url}/#week")
    wait_for(lambda: browser.all("#week .slot"), "the week")
    browser.idle()
    return editor, shot(browser)


def main():
    folder = Path(sys.argv[1])
    with Service() as service:
        type_sheet(service).save(folder / "type.png", optimize=True)
    if "--type" in sys.argv:
        return
    with Service() as service:
        frame(service, {"kind": "banner", "text": "Plug in a monitor and your message is on it"}, (960, 540)).save(
            folder / "banner.png", optimize=True)
        scenes(service).save(folder / "scenes.png", optimize=True)
    browser = Browser()
    try:
        with Service() as service:
            displays, board = pages(service, browser)
            displays.save(folder / "page.png", optimize=True)
            board.save(folder / "board.png", optimize=True)
        with Service() as service:
            editor, week = library(service, browser)
            editor.save(folder / "library.png", optimize=True)
            week.save(folder / "week.png", optimize=True)
    finally:
        browser.end()


if __name__ == "__main__":
    main()
