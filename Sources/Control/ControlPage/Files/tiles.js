// The displays as tiles: each with its frame, its state and its actions.

import { part, post, put, remove } from "./api.js";
import { announce, attempt, notice } from "./announce.js";
import { byId, el, icon, iconButton, keyed, setAttribute, setIcon, setText } from "./dom.js";
import { t } from "./language.js";
import { askMode, keepMode, revertMode } from "./modes.js";
import { leaveGlass, watchGlass } from "./previews.js";
import { closeSession } from "./sessions.js";
import { connected, displays, messages, sessions, virtual } from "./store.js";
import { modeInWords, short, stateInWords, turnedInWords } from "./words.js";
import { askWhy } from "./why.js";

/** Returns the aspect ratio of a display as mounted; a rotation by 90 or 270 degrees swaps the sides. @param {any} display */
export function aspect(display) {
  if (!display.width || !display.height) return null;
  const upright = (display.rotation + (display.mounted ?? 0)) % 180 === 0;
  return upright ? display.width / display.height : display.height / display.width;
}

/** Returns one line with what a display shows, or will show if it is not lit. @param {any} display */
export function showing(display) {
  const message = messages.value.find((message) => message.shown.includes(display.name));
  if (display.state === "lit") {
    const text = short(display.message ?? message?.summary ?? "", 160);
    return message ? t("Message: {text}", { text }) : text;
  }
  const session = sessions.value.find((session) => session.display === display.name && session.id);
  if (session) return session.summary ?? session.kind;
  return display.message ?? "";
}

function make(display) {
  const name = display.name;
  const id = `tile-${name.replace(/\s/g, "_")}`;
  const image = el("img", { class: "glass", alt: t("Screen of {name}", { name }) });
  const tile = el(
    "li", { class: "tile panel", data: { display: name }, "aria-labelledby": id },
    el("div", { class: "stage" },
      el("div", { class: "bezel" }, image, el("p", { class: "glass-note" }))),
    el("div", { class: "tile-head" },
      el("h2", { class: "tile-name", id, text: name }), el("span", { class: "tile-state pill" })),
    el("p", { class: "tile-what" }, el("span", { class: "tile-monitor" }), " ", el("span", { class: "tile-mode" })),
    el("p", { class: "tile-reason problem", hidden: true }),
    el("div", { class: "tile-showing" }, el("p", { dir: "auto" }),
      iconButton("close", "", t("Close the session on {name}", { name }), () => closeOn(name), "quiet small icon")),
    el("ul", { class: "tile-warnings hint" }),
    pendingBar(name),
    actions(name));
  watchGlass(image, name);
  return tile;
}

function pendingBar(name) {
  return el(
    "div", { class: "tile-pending", hidden: true }, el("p", { text: t("Mode change pending.") }),
    el("button", { type: "button", class: "primary small", text: t("Keep"), "aria-label": t("Keep the mode of {name}", { name }), onclick: () => attempt(() => keepMode(name)) }),
    el("button", { type: "button", class: "quiet small", text: t("Revert"), "aria-label": t("Revert the mode of {name}", { name }), onclick: () => attempt(() => revertMode(name)) }));
}

const plain = "ghostly small";

function actions(name) {
  const sleep = iconButton("sleep", t("Sleep"), t("Sleep {name}", { name }), () => toggleSleep(name), plain);
  sleep.classList.add("tile-sleep");
  const unplug = iconButton("unplug", "", t("Unplug {name}", { name }), () => attempt(() => remove(`/v1/virtual/${part(name)}`)), plain);
  unplug.classList.add("tile-unplug");
  unplug.hidden = true;
  return el(
    "div", { class: "tile-actions", role: "group", "aria-label": t("Actions for {name}", { name }) }, sleep,
    iconButton("identify", t("Identify"), t("Identify {name}", { name }), () => identify(name), plain),
    iconButton("mode", t("Mode"), t("Mode of {name}", { name }), () => askMode(name), plain),
    iconButton("why", t("Why?"), t("Why this mode of {name}?", { name }), () => askWhy(name), plain), unplug);
}

function find(name) {
  return displays.value.find((display) => display.name === name);
}

function toggleSleep(name) {
  const asleep = find(name)?.state !== "asleep";
  return attempt(async () => {
    await put("/v1/sleep", { asleep, display: name });
    announce(asleep ? t("{name} is asleep.", { name }) : t("{name} is awake.", { name }));
  });
}

function identify(name) {
  return attempt(async () => {
    await post("/v1/identify", { display: name });
    announce(t("{name} shows its name.", { name }));
  });
}

function closeOn(name) {
  const id = find(name)?.session;
  if (id) attempt(() => closeSession(id));
}

function update(tile, display) {
  tile.dataset.state = display.state;
  const share = aspect(display);
  const query = (selector) => tile.querySelector(selector);
  if (share) query(".bezel").style.setProperty("--aspect", share.toFixed(4));
  query(".stage").classList.toggle("upright", share !== null && share < 1);
  const isLit = display.state === "lit";
  query(".glass").hidden = !isLit;
  setText(query(".glass-note"), isLit ? "" : stateInWords(display.state));
  setText(query(".tile-state"), stateInWords(display.state));
  setText(query(".tile-monitor"), display.monitor ?? (display.role === "internal" ? t("Internal display") : t("Unnamed monitor")));
  const turned = turnedInWords(display.rotation);
  setText(query(".tile-mode"), display.mode ? modeInWords(display.mode) + turned : "");
  const reason = query(".tile-reason");
  reason.hidden = !display.reason || display.state === "asleep";
  setText(reason, display.reason ?? "");
  const text = showing(display);
  setText(query(".tile-showing p"), text);
  query(".tile-showing").hidden = text === "" && !display.session;
  query(".tile-showing button").hidden = !display.session;
  keyed(query(".tile-warnings"), display.warnings ?? [], (text) => text, () => el("li"), setText);
  query(".tile-pending").hidden = !display.pending;
  updateActions(tile, display);
}

function updateActions(tile, display) {
  const sleep = tile.querySelector(".tile-sleep");
  const isAsleep = display.state === "asleep";
  const word = isAsleep ? t("Wake") : t("Sleep");
  setText(sleep.querySelector("span"), word);
  setIcon(sleep.querySelector("svg"), isAsleep ? "wake" : "sleep");
  setAttribute(sleep, "aria-label", isAsleep ? t("Wake {name}", { name: display.name }) : t("Sleep {name}", { name: display.name }));
  setAttribute(sleep, "title", word);
  tile.querySelector(".tile-unplug").hidden = !virtual.value.plugged.includes(display.name);
}

function render() {
  const list = byId("tiles");
  const present = connected();
  const names = new Set(present.map((display) => display.name));
  for (const tile of list.children) if (!names.has(tile.dataset.display)) leaveGlass(tile.querySelector("img"));
  keyed(list, present, (display) => display.name, make, update);
  byId("no-displays").hidden = present.length > 0 || !displays.isRead;
  for (const id of ["identify-all", "sleep-all", "wake-all"]) byId(id).disabled = present.length === 0;
  byId("wake-all").hidden = !present.some((display) => display.state === "asleep");
  byId("sleep-all").hidden = present.length > 0 && present.every((display) => display.state === "asleep");
}

/** Puts all displays to sleep, with a notice that wakes the displays that were awake. */
function sleepAll() {
  const awake = connected().filter((display) => display.state !== "asleep").map(({ name }) => name);
  const isAll = awake.length === connected().length;
  const undo = async () => {
    if (isAll) await put("/v1/sleep", { asleep: false });
    else for (const display of awake) await put("/v1/sleep", { asleep: false, display });
    announce(t("The displays are awake again."));
  };
  return attempt(async () => {
    await put("/v1/sleep", { asleep: true });
    const text = awake.length === 1 ? t("{name} is asleep.", { name: awake[0] }) : t("{count} displays are asleep.", { count: awake.length });
    notice(text, "done", { label: t("Undo"), act: () => attempt(undo) });
  });
}

/** Starts the tiles. */
export function startTiles() {
  for (const resource of [displays, sessions, messages, virtual]) resource.watch(render);
  byId("identify-all").prepend(icon("identify"));
  byId("sleep-all").prepend(icon("sleep"));
  byId("wake-all").prepend(icon("wake"));
  byId("identify-all").addEventListener("click", () => attempt(() => post("/v1/identify", {})));
  byId("sleep-all").addEventListener("click", sleepAll);
  byId("wake-all").addEventListener("click", () => attempt(() => put("/v1/sleep", { asleep: false })));
}
