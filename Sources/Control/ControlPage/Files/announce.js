// Announcements for screen readers, and notices for events that no control on the page shows.

import { byId, el, sentence } from "./dom.js";
import { t } from "./language.js";

/** Announces a text through the live region. A new element makes screen readers repeat a repeated text. @param {string} text */
export function announce(text) {
  const region = byId("announcer");
  region.replaceChildren(el("p", { text }));
}

/** The time until a notice disappears, in milliseconds. */
const time = 9000;

/**
 * Shows a notice at the edge of the page.
 * @param {string} text @param {"problem"|"done"} [kind]
 * @param {{label: string, act: () => any}} [action] a button that reverts the reported action; such a notice stays twice as long
 */
export function notice(text, kind = "done", action) {
  const box = byId("notices");
  const item = el("div", { class: `notice ${kind}` }, el("p", { text }));
  if (action) {
    item.append(el("button", { type: "button", class: "primary small", text: action.label, onclick: () => { item.remove(); action.act(); } }));
  }
  item.append(el("button", { type: "button", class: "quiet small", text: t("Close"), onclick: () => item.remove() }));
  box.append(item);
  while (box.children.length > 3) box.firstElementChild.remove();
  window.setTimeout(() => item.remove(), action ? 2 * time : time);
}

/** Runs an action whose errors are shown as notices. @param {() => Promise<any>} work @returns {Promise<boolean>} whether it succeeded */
export async function attempt(work) {
  try {
    await work();
    return true;
  } catch (error) {
    notice(sentence(error), "problem");
    return false;
  }
}
