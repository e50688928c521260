// The history: what each display showed and when, with days as headings.

import { getSome } from "./api.js";
import { byId, el, fillSelect, sentence, setText, showProblem } from "./dom.js";
import { t } from "./language.js";
import { currentView, onView } from "./router.js";
import { displays, onEvent } from "./store.js";
import { clock, day } from "./words.js";

/** The maximum number of listed entries, and the number after which a search reads no further page. */
const most = 200;
const searched = 1000;

let timer = 0;
/** The number of the last request; answers to earlier requests are discarded. */
let newest = 0;

/** Returns the filter as query parameters. */
function query() {
  const parts = new URLSearchParams();
  const since = Date.parse(byId("history-since").value);
  const until = Date.parse(byId("history-until").value);
  if (byId("history-display").value) parts.set("display", byId("history-display").value);
  if (since) parts.set("since", String(since));
  if (until) parts.set("until", String(until));
  return parts;
}

const wanted = () => byId("history-search").value.trim().toLocaleLowerCase();

/** Returns whether an entry contains every word of the search. */
function matches(line, words) {
  const text = `${line.display} ${line.what ?? ""} ${line.kind}`.toLocaleLowerCase();
  return words.every((word) => text.includes(word));
}

/** Returns a period such as `14:03:10 – 14:05:02`. An end on another day has a date; `~` marks an estimated end. */
function span(line) {
  if (!line.ended) return t("{time} – now", { time: clock(line.began) });
  const isSameDay = day(line.began) === day(line.ended);
  return `${clock(line.began)} – ${line.exact ? "" : "~"}${isSameDay ? "" : `${day(line.ended, true)} `}${clock(line.ended)}`;
}

function row(line) {
  return el(
    "li", {}, el("span", { class: "time", text: span(line), title: `${line.began.utc} – ${line.ended?.utc ?? ""}` }),
    el("span", { class: "place", text: line.display }), el("span", { class: "what", text: line.what || `(${line.kind})`, dir: "auto" }));
}

/** Returns the entries with a heading for each day. */
function days(lines) {
  const parts = [];
  let name = "";
  for (const line of lines) {
    if (day(line.began) !== name) {
      name = day(line.began);
      parts.push(el("section", {}, el("h3", { text: name }), el("ul")));
    }
    parts.at(-1).querySelector("ul").append(row(line));
  }
  return parts;
}

async function load() {
  if (currentView() !== "activity") return;
  const filter = query();
  const csv = new URLSearchParams(filter);
  csv.set("format", "csv");
  byId("history-csv").setAttribute("href", `/v1/history?${csv}`);
  const words = wanted().split(/\s+/).filter(Boolean);
  const enough = words.length ? searched : most;
  filter.set("limit", String(enough));
  newest += 1;
  const number = newest;
  try {
    const { items, isPartial } = await getSome(`/v1/history?${filter}`, enough);
    if (number !== newest) return;
    const found = items.filter((line) => matches(line, words));
    byId("history").replaceChildren(...days(found.slice(0, most)));
    const state = words.length ? searchState(found.length, items.length, isPartial) : listState(items.length, isPartial);
    setText(byId("history-state"), state);
    showProblem(byId("history-problem"));
  } catch (error) {
    showProblem(byId("history-problem"), sentence(error));
  }
}

/**
 * Returns the result of a search.
 * @param {number} found @param {number} read the number of entries that were searched @param {boolean} isPartial whether older entries exist
 */
function searchState(found, read, isPartial) {
  const place = isPartial ? t(" in the newest {read} entries", { read }) : "";
  const shown = found > most ? t(" The newest {most} are listed.", { most }) : "";
  return t("{found} found{place}.{shown}", { found, place, shown });
}

function listState(count, isPartial) {
  if (count === 0) return t("Nothing was shown then.");
  return count > most || isPartial ? t("The newest {most} entries. The CSV file has all.", { most: Math.min(count, most) }) : "";
}

/** Reads the history after a delay, once for several events. */
function loadSoon(after = 1000) {
  if (!timer) timer = window.setTimeout(() => { timer = 0; load(); }, after);
}

/** Starts the view. */
export function startHistory() {
  byId("history-filter").addEventListener("change", load);
  byId("history-search").addEventListener("input", () => loadSoon(200));
  byId("history-filter").addEventListener("submit", (event) => event.preventDefault());
  displays.watch((list) => fillSelect(byId("history-display"), [{ value: "", label: t("All") }, ...list.map(({ name }) => ({ value: name, label: name }))]));
  onView(load);
  onEvent((event) => { if (event.kind === "messageShown") loadSoon(); });
}
