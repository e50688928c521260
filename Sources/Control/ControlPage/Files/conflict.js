// The dialog for conflicting edits, which shows both versions, so that no text is lost.

import { open } from "./dialogs.js";
import { byId, el, setText } from "./dom.js";
import { t } from "./language.js";

/** @typedef {"mine"|"theirs"|"both"|"later"} Choice */

/** Returns the lines of a text; lines that the other text does not have are marked. */
function marked(text, other) {
  const known = new Set(other.split("\n"));
  return text.split("\n").map((line) => el(known.has(line) ? "span" : "mark", { class: "line", text: line || " " }));
}

/**
 * Shows both versions, and asks which one to keep.
 * @param {{text: string, theirs: string, mine: string, both?: string|null}} versions `both` is the label of the button that keeps both; null hides it
 * @returns {Promise<Choice>} `later` if the dialog was closed: the text stays in its field
 */
export function askConflict({ text, theirs, mine, both = t("Keep both") }) {
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

/** Starts the dialog. */
export function startConflicts() {
  const dialog = byId("conflict-dialog");
  for (const choice of ["mine", "theirs", "both"]) {
    byId(`conflict-use-${choice}`).addEventListener("click", () => dialog.close(choice));
  }
}
