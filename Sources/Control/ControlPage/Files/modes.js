// The mode and rotation of a monitor. A change is pending for 15 seconds, and is reverted unless it is confirmed.

import { part, put, remove } from "./api.js";
import { announce } from "./announce.js";
import { open } from "./dialogs.js";
import { act, byId, fillSelect, setText, showProblem } from "./dom.js";
import { t } from "./language.js";
import { displays } from "./store.js";
import { modeInWords, turnedInWords } from "./words.js";

/** The time until the service reverts a pending mode change, in milliseconds. */
const pendingTime = 15000;
const policies = [
  { value: "legible", label: t("Legible (text twice as large on 4K)") },
  { value: "native", label: t("Native (the monitor’s preferred mode)") },
  { value: "halve-above-1080p", label: t("Halve above 1080p") },
];

let name = "";
/** The time at which the change in the dialog is reverted, by the clock of this browser; 0 if none is pending. */
let end = 0;
let ticking = 0;

function report() {
  return displays.value.find((display) => display.name === name);
}

/** Confirms the pending mode change. @param {string} display */
export const keepMode = (display) => put(`/v1/displays/${part(display)}/mode/confirmation`);
/** Reverts the pending mode change; without one, restores the configuration. @param {string} display */
export const revertMode = (display) => remove(`/v1/displays/${part(display)}/mode`);

/** Opens the dialog with the modes of a display. @param {string} display */
export function askMode(display) {
  name = display;
  const found = report();
  setText(byId("mode-title"), t("Mode of {display}", { display }));
  const modes = (found?.modes ?? []).map((mode) => ({ value: mode, label: modeInWords(mode), group: t("Monitor’s modes") }));
  const rules = policies.map((policy) => ({ ...policy, group: t("Policies") }));
  fillSelect(byId("mode-choice"), [{ value: "", label: t("Unchanged") }, ...modes, ...rules]);
  byId("mode-choice").value = modes.some((mode) => mode.value === found?.mode) ? found.mode : "";
  byId("mode-rotation").value = String(found?.rotation ?? 0);
  byId("mode-reset").hidden = !found?.isChosen;
  showProblem(byId("mode-problem"));
  open(byId("mode-dialog"));
}

async function tryMode(event) {
  event.preventDefault();
  const found = report();
  const mode = byId("mode-choice").value;
  const rotation = Number(byId("mode-rotation").value);
  const wish = {};
  if (mode && mode !== found?.mode) wish.mode = mode;
  if (rotation !== found?.rotation) wish.rotation = rotation;
  if (!Object.keys(wish).length) return showProblem(byId("mode-problem"), t("{name} already has this mode and rotation. Choose another one.", { name }));
  const done = await act(byId("mode-try"), byId("mode-problem"), () => put(`/v1/displays/${part(name)}/mode`, wish));
  if (!done) return;
  byId("mode-dialog").close();
  displays.refresh();
  if (done.pending) startPending(done);
}

function startPending(display) {
  end = Date.now() + pendingTime;
  const mode = modeInWords(display.mode);
  setText(byId("pending-text"), t("{name}: {mode}{turned}. The mode is reverted after 15 seconds unless you keep it.", { name: display.name, mode, turned: turnedInWords(display.rotation) }));
  showProblem(byId("pending-problem"));
  tick();
  window.clearInterval(ticking);
  ticking = window.setInterval(tick, 250);
  open(byId("pending-dialog"));
  byId("pending-keep").focus();
}

function tick() {
  const left = Math.max(0, Math.ceil((end - Date.now()) / 1000));
  setText(byId("pending-seconds"), String(left));
  if (left === 0) stopPending(t("No confirmation: the mode of {name} is reverted.", { name }));
}

function stopPending(text) {
  window.clearInterval(ticking);
  end = 0;
  byId("pending-dialog").close();
  announce(text);
  displays.refresh();
}

async function decide(button, work, text) {
  if (await act(button, byId("pending-problem"), work)) stopPending(text);
}

/** Starts the dialogs for modes. */
export function startModes() {
  byId("mode-form").addEventListener("submit", tryMode);
  byId("mode-reset").addEventListener("click", async () => {
    if (await act(byId("mode-reset"), byId("mode-problem"), () => revertMode(name))) byId("mode-dialog").close();
  });
  byId("pending-keep").addEventListener("click", () => decide(byId("pending-keep"), () => keepMode(name), t("The mode of {name} is kept.", { name })));
  byId("pending-back").addEventListener("click", () => decide(byId("pending-back"), () => revertMode(name), t("The mode of {name} is reverted.", { name })));
  byId("pending-dialog").addEventListener("cancel", (event) => {
    event.preventDefault();
    byId("pending-back").click();
  });
  displays.watch(() => {
    const isOver = end > 0 && Date.now() > end - pendingTime + 500 && !report()?.pending;
    if (isOver) stopPending(t("The mode change on {name} is no longer pending.", { name }));
  });
}
