// The week: what a display shows at each time by its schedules, and when it sleeps.

import { get, part } from "./api.js";
import { byId, el, fillSelect, sentence, setText, showProblem } from "./dom.js";
import { locale, t } from "./language.js";
import { currentView, onView } from "./router.js";
import { connected, displays, onEvent } from "./store.js";
import { displayLabel, short } from "./words.js";

const dayTitle = new Intl.DateTimeFormat(locale, { weekday: "short", day: "numeric", month: "short" });
const clock = new Intl.DateTimeFormat(locale, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });

/** The number of weeks from this one. */
let offset = 0;
/** The number of the last request, so that an older answer is not shown. */
let asked = 0;

/** Returns midnight at the start of the week, on Monday, in the time zone of the browser. */
function monday() {
  const date = new Date();
  date.setHours(0, 0, 0, 0);
  date.setDate(date.getDate() - ((date.getDay() + 6) % 7) + 7 * offset);
  return date;
}

/** Returns midnight a number of days later; a day has 23 or 25 hours when clocks change. */
function later(date, days) {
  const next = new Date(date);
  next.setDate(next.getDate() + days);
  return next;
}

/** Returns the slots of a day, cut at its midnights. */
function slotsOf(day, slots) {
  const [start, end] = [day.getTime(), later(day, 1).getTime()];
  return slots.map((slot) => ({ ...slot, start: Math.max(slot.from.milliseconds, start), end: Math.min(slot.until?.milliseconds ?? end, end) }))
    .filter((slot) => slot.end > slot.start);
}

function block(day, slot) {
  const [start, end] = [day.getTime(), later(day, 1).getTime()];
  const share = (time) => `${((100 * (time - start)) / (end - start)).toFixed(3)}%`;
  const times = `${clock.format(slot.start)}–${slot.end === end ? "24:00" : clock.format(slot.end)}`;
  const text = slot.asleep ? t("Asleep") : short(slot.summary, 80);
  const why = slot.because.join(", ");
  const isRest = /no (rule|event) of its/.test(slot.because.at(-1) ?? "");
  const item = el("li", { class: `slot${slot.asleep ? " asleep" : isRest ? " rest" : ""}`, title: `${times} ${text}: ${why}`, data: { kind: slot.kind } },
    el("span", { class: "slot-times", text: times }), " ", el("span", { class: "slot-text", text }), el("span", { class: "sr", text: `: ${why}` }));
  item.style.setProperty("--from", share(slot.start));
  item.style.setProperty("--length", share(start + slot.end - slot.start));
  return item;
}

function draw(start, slots) {
  const days = [0, 1, 2, 3, 4, 5, 6].map((number) => later(start, number));
  const today = new Date().toDateString();
  byId("week").replaceChildren(...days.map((day) => el(
    "section", { class: day.toDateString() === today ? "day today" : "day" },
    el("h2", { class: "day-title", text: dayTitle.format(day), ...(day.toDateString() === today ? { "aria-current": "date" } : {}) }),
    el("ol", { class: "slots" }, ...slotsOf(day, slots).map((slot) => block(day, slot))))));
}

/** Reads the week again. */
async function show() {
  if (currentView() !== "week") return;
  const display = byId("week-display").value;
  byId("week-now").disabled = offset === 0;
  if (!display) {
    setText(byId("week-state"), t("No monitor is connected."));
    return byId("week").replaceChildren();
  }
  asked += 1;
  const number = asked;
  const start = monday();
  try {
    const slots = await get(`/v1/displays/${part(display)}/schedule?at=${start.getTime()}&days=7`);
    if (number !== asked) return;
    draw(start, slots);
    showProblem(byId("week-problem"));
    const end = later(start, 7).getTime();
    const isCut = slots.length >= 2000 && (slots.at(-1).until?.milliseconds ?? end) < end;
    setText(byId("week-state"), t("{display} by its schedules, in the time zone of this browser.{cut}", { display, cut: isCut ? t(" Only the first 2000 changes are shown.") : "" }));
  } catch (error) {
    if (number === asked) showProblem(byId("week-problem"), sentence(error));
  }
}

function turn(by) {
  offset = by === 0 ? 0 : offset + by;
  show();
}

/** The kinds of events after which the week can be another one. */
const concerned = new Set(["libraryChanged", "sessionOpened", "sessionChanged", "sessionMoved", "sessionClosed", "messagePosted", "messageEnded", "asleep", "connected", "disconnected"]);

/** Starts the view. */
export function startWeek() {
  displays.watch(() => {
    const before = byId("week-display").value;
    fillSelect(byId("week-display"), connected().map((display) => ({ value: display.name, label: displayLabel(display) })));
    if (byId("week-display").value !== before) show();
  });
  byId("week-display").addEventListener("change", show);
  byId("week-back").addEventListener("click", () => turn(-1));
  byId("week-now").addEventListener("click", () => turn(0));
  byId("week-on").addEventListener("click", () => turn(1));
  onEvent((event) => { if (concerned.has(event.kind)) show(); });
  onView(show);
}
