// The dialog that plugs in virtual monitors: from a list, by size, or by the EDID of a real monitor.

import { post } from "./api.js";
import { announce } from "./announce.js";
import { open } from "./dialogs.js";
import { act, byId, el, icon, keyed, showProblem } from "./dom.js";
import { t } from "./language.js";
import { displays, virtual } from "./store.js";

async function plug(button, request) {
  const report = await act(button, byId("plug-problem"), () => post("/v1/virtual", request));
  if (!report) return;
  byId("plug-dialog").close();
  announce(t("{name} is plugged in.", { name: report.name }));
  displays.refresh();
  virtual.refresh();
}

/** Returns a rectangle with the aspect ratio of a monitor. */
function shape(request) {
  const picture = el("span", { class: "shape", "aria-hidden": "true" });
  const share = (request.width ?? 16) / (request.height ?? 9);
  picture.style.setProperty("--aspect", String(share));
  picture.classList.toggle("upright", share < 1);
  return picture;
}

function choice({ label, request }) {
  const button = el("button", { type: "button", class: "quiet choice", data: { choice: label } }, shape(request), el("span", { text: label }));
  button.addEventListener("click", () => plug(button, request));
  return button;
}

/** @param {ArrayBuffer} buffer */
function base64(buffer) {
  return btoa([...new Uint8Array(buffer)].map((byte) => String.fromCharCode(byte)).join(""));
}

async function plugFile() {
  const field = byId("plug-edid");
  const file = field.files[0];
  field.value = "";
  if (!file) return;
  if (file.size > 32768) return showProblem(byId("plug-problem"), t("{name} has {size} bytes, and an EDID has at most 32768: choose another file.", { name: file.name, size: file.size }));
  await plug(byId("plug-size"), { edid: base64(await file.arrayBuffer()) });
}

/** Starts the dialog. */
export function startPlug() {
  byId("plug-open").prepend(icon("plus"));
  byId("plug-open").addEventListener("click", () => {
    showProblem(byId("plug-problem"));
    virtual.refresh();
    open(byId("plug-dialog"));
  });
  byId("plug-form").addEventListener("submit", (event) => {
    event.preventDefault();
    plug(byId("plug-size"), { width: byId("plug-width").valueAsNumber, height: byId("plug-height").valueAsNumber });
  });
  byId("plug-edid").addEventListener("change", plugFile);
  virtual.watch((report) => {
    byId("plug-open").hidden = !report.available;
    keyed(byId("plug-choices"), report.choices, (item) => item.label, choice, () => {});
  });
}
