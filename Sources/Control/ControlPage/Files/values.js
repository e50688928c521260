// The live values: a list, and a form that sets one.

import { part, put, remove } from "./api.js";
import { announce, attempt } from "./announce.js";
import { act, byId, el, keyed, setText } from "./dom.js";
import { t } from "./language.js";
import { currentView, onView } from "./router.js";
import { values } from "./store.js";
import { moment, short } from "./words.js";

/** The time between two reads of the list while it is visible, in milliseconds. Values can change very often, so that no event reports them. */
const period = 5000;

/** Returns a value in one line, with its unit. */
function inWords({ value, unit }) {
  if (Array.isArray(value)) return value.length === 1 ? t("one row") : t("{count} rows", { count: value.length });
  return unit ? `${value} ${unit}` : String(value);
}

function make(value) {
  const name = value.name;
  return el(
    "li", { data: { value: name } },
    el("div", { class: "list-text" }, el("p", { class: "list-title", dir: "auto" }), el("p", { class: "hint" })),
    el("div", { class: "list-actions" },
      el("button", { type: "button", class: "quiet small", text: t("Edit"), "aria-label": t("Edit {name}", { name }), onclick: () => edit(name) }),
      el("button", { type: "button", class: "quiet small", text: t("Remove"), "aria-label": t("Remove {name}", { name }), onclick: () => attempt(() => drop(name)) })));
}

function update(row, value) {
  setText(row.querySelector(".list-title"), `${value.name}: ${short(inWords(value), 80)}`);
  const parts = [t("set {time}", { time: moment(value.updated) }), value.old ? t("too old") : ""];
  if (value.displays.length) parts.push(t("shown on {names}", { names: value.displays.join(", ") }));
  setText(row.querySelector(".hint"), parts.filter(Boolean).join(" · "));
  row.querySelector("button").hidden = Array.isArray(value.value);
}

function edit(name) {
  const value = values.value.find((one) => one.name === name);
  if (!value) return;
  byId("value-name").value = name;
  byId("value-text").value = String(value.value);
  byId("value-unit").value = value.unit ?? "";
  byId("value-text").focus();
}

async function drop(name) {
  await remove(`/v1/values/${part(name)}`);
  announce(t("Removed {name}.", { name }));
  await values.refresh();
}

async function save(event) {
  event.preventDefault();
  const name = byId("value-name").value.trim();
  const text = byId("value-text").value;
  const unit = byId("value-unit").value.trim();
  await act(byId("value-save"), byId("value-problem"), async () => {
    const isNumber = /^-?(0|[1-9]\d*)(\.\d+)?$/.test(text.trim());
    await put(`/v1/values/${part(name)}`, { value: isNumber ? Number(text) : text, ...(unit ? { unit } : {}) });
    announce(t("Set {name} to {value}.", { name, value: inWords({ value: text, unit }) }));
    byId("value-form").reset();
    await values.refresh();
  });
}

/** Starts the list and the form. */
export function startValues() {
  byId("value-form").addEventListener("submit", save);
  values.watch((list) => {
    keyed(byId("values"), list, (value) => value.name, make, update);
    byId("no-values").hidden = list.length > 0;
  });
  const look = () => { if (currentView() === "scenes" && !document.hidden) values.refresh(); };
  onView(look);
  window.setInterval(look, period);
}
