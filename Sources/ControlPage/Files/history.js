// What was shown where, from when to when.

import { get } from "./api.js";
import { byId, el, fillSelect, sentence, showProblem } from "./dom.js";
import { currentView, onView } from "./router.js";
import { displays, onEvent } from "./store.js";
import { moment } from "./words.js";

/** Most lines of the table. */
const most = 200;

let timer = 0;

/** The filter as a query. */
function query() {
  const parts = new URLSearchParams();
  const since = Date.parse(byId("history-since").value);
  const until = Date.parse(byId("history-until").value);
  if (byId("history-display").value) parts.set("display", byId("history-display").value);
  if (since) parts.set("since", String(since));
  if (until) parts.set("until", String(until));
  return parts;
}

function row(line) {
  const ended = line.ended ? `${line.exact ? "" : "after "}${moment(line.ended)}` : "now";
  return el(
    "tr", {}, el("td", { text: moment(line.began), title: line.began.utc }), el("td", { text: ended, title: line.ended?.utc ?? "" }),
    el("td", { text: line.display }), el("td", { text: line.what || `(${line.kind})`, dir: "auto" }));
}

async function load() {
  if (currentView() !== "activity") return;
  const filter = query();
  const csv = new URLSearchParams(filter);
  csv.set("format", "csv");
  byId("history-csv").setAttribute("href", `/v1/history?${csv}`);
  filter.set("limit", String(most));
  try {
    const lines = await get(`/v1/history?${filter}`);
    byId("history").tBodies[0].replaceChildren(...lines.map(row));
    byId("history").hidden = lines.length === 0;
    byId("no-history").hidden = lines.length > 0;
    showProblem(byId("history-problem"));
  } catch (error) {
    showProblem(byId("history-problem"), sentence(error));
  }
}

/** Soon, and once for events that come together. */
function loadSoon() {
  if (!timer) timer = window.setTimeout(() => { timer = 0; load(); }, 1000);
}

/** Begins. */
export function startHistory() {
  byId("history-filter").addEventListener("change", load);
  byId("history-filter").addEventListener("submit", (event) => event.preventDefault());
  displays.watch((list) => fillSelect(byId("history-display"), [{ value: "", label: "All" }, ...list.map(({ name }) => ({ value: name, label: name }))]));
  onView(load);
  onEvent((event) => { if (event.kind === "messageShown") loadSoon(); });
}
