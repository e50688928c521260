// What screen readers are told, and notices for what has no place of its own.

import { byId, el, sentence } from "./dom.js";

/** Says something through the live region; the same text twice is said twice. @param {string} text */
export function announce(text) {
  const region = byId("announcer");
  region.replaceChildren(el("p", { text }));
}

/** For how long a notice stays, in milliseconds. */
const time = 9000;

/**
 * Shows a notice at the page's edge.
 * @param {string} text @param {"problem"|"done"} [kind]
 * @param {{label: string, act: () => any}} [action] a button that takes back what the notice is about
 */
export function notice(text, kind = "done", action) {
  const box = byId("notices");
  const item = el("div", { class: `notice ${kind}` }, el("p", { text }));
  if (action) {
    item.append(el("button", { type: "button", class: "primary small", text: action.label, onclick: () => { item.remove(); action.act(); } }));
  }
  item.append(el("button", { type: "button", class: "quiet small", text: "Close", onclick: () => item.remove() }));
  box.append(item);
  while (box.children.length > 3) box.firstElementChild.remove();
  window.setTimeout(() => item.remove(), action ? 2 * time : time);
}

/** Does something whose problem has no place of its own. @param {() => Promise<any>} work */
export async function attempt(work) {
  try {
    await work();
    return true;
  } catch (error) {
    notice(sentence(error), "problem");
    return false;
  }
}
