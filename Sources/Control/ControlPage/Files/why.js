// The reasons for a display's mode, and the reasons against its other modes.

import { get, part } from "./api.js";
import { open } from "./dialogs.js";
import { act, byId, el, setText, showProblem } from "./dom.js";
import { t } from "./language.js";
import { modeInWords } from "./words.js";

/** Opens the dialog with the reasons for a display's mode. @param {string} name */
export async function askWhy(name) {
  setText(byId("why-title"), t("Why this mode of {name}?", { name }));
  setText(byId("why-summary"), "");
  for (const id of ["why-reasons", "why-attempts"]) byId(id).replaceChildren();
  byId("why-rejected").tBodies[0].replaceChildren();
  byId("why-rejected-box").hidden = true;
  byId("why-attempts-box").hidden = true;
  showProblem(byId("why-problem"));
  open(byId("why-dialog"));
  await act(null, byId("why-problem"), async () => show(await get(`/v1/displays/${part(name)}/why`)));
}

function show(why) {
  const mode = why.mode ? t("{mode}, scale {scale}", { mode: modeInWords(why.mode), scale: why.scale }) : t("No mode");
  setText(byId("why-summary"), t("{mode} (policy {policy})", { mode, policy: why.policy }));
  fill("why-reasons", why.reasons);
  fill("why-attempts", why.attempts);
  byId("why-attempts-box").hidden = !why.attempts.length;
  byId("why-rejected-box").hidden = !why.rejected.length;
  byId("why-rejected").tBodies[0].replaceChildren(...why.rejected.map((verdict) => el(
    "tr", {}, el("th", { scope: "row", text: modeInWords(verdict.mode) }), el("td", { text: verdict.reason }))));
}

function fill(id, sentences) {
  byId(id).replaceChildren(...sentences.map((text) => el("li", { text })));
}
