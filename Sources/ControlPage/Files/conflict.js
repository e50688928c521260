// Two people edited the same thing: both versions are shown, and nobody's text is lost.

import { open } from "./dialogs.js";
import { byId, el, setText } from "./dom.js";

/** @typedef {"mine"|"theirs"|"both"|"later"} Choice */

/** Lines of a text; those that the other one lacks are marked. */
function marked(text, other) {
  const known = new Set(other.split("\n"));
  return text.split("\n").map((line) => el(known.has(line) ? "span" : "mark", { class: "line", text: line || " " }));
}

/**
 * Shows both versions and asks what to do with them.
 * @param {{text: string, theirs: string, mine: string, both?: string|null}} versions `both`: what the button for both is called; null where there is no both
 * @returns {Promise<Choice>} `later` where it was closed: one's own text stays where it was typed
 */
export function askConflict({ text, theirs, mine, both = "Keep both" }) {
  const dialog = byId("conflict-dialog");
  setText(byId("conflict-text"), text);
  byId("conflict-theirs").replaceChildren(...marked(theirs, mine));
  byId("conflict-mine").replaceChildren(...marked(mine, theirs));
  byId("conflict-use-both").hidden = both === null;
  setText(byId("conflict-use-both"), both ?? "");
  dialog.returnValue = "later";
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => resolve(/** @type {Choice} */ (dialog.returnValue || "later")), { once: true });
    open(dialog);
  });
}

/** Begins. */
export function startConflicts() {
  const dialog = byId("conflict-dialog");
  for (const choice of ["mine", "theirs", "both"]) {
    byId(`conflict-use-${choice}`).addEventListener("click", () => dialog.close(choice));
  }
}
