// The views: the fragment of the URL selects the visible one.

import { byId } from "./dom.js";

const names = ["displays", "board", "write", "scenes", "week", "activity", "service"];
/** @type {Set<() => void>} */
const listeners = new Set();

/** @param {() => void} listener called each time a view is shown */
export function onView(listener) {
  listeners.add(listener);
}

/** Returns the name of the visible view. */
export function currentView() {
  const name = location.hash.slice(1);
  return names.includes(name) ? name : names[0];
}

/** Shows a view. @param {string} name */
export function goTo(name) {
  location.hash = name;
}

function show() {
  const current = currentView();
  for (const name of names) byId(`view-${name}`).hidden = name !== current;
  for (const link of document.querySelectorAll("nav a")) {
    if (link.getAttribute("href") === `#${current}`) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  const title = byId(`${current}-title`).textContent;
  document.title = current === names[0] ? "Placard" : `${title} · Placard`;
  for (const listener of listeners) listener();
}

function change() {
  if (location.hash === "#main") {
    history.replaceState(null, "", `#${shown}`);
    byId("main").focus();
    return;
  }
  shown = currentView();
  show();
  window.scrollTo(0, 0);
  byId("main").focus({ preventScroll: true });
}

let shown = currentView();

/** Starts the navigation. */
export function startRouter() {
  window.addEventListener("hashchange", change);
  show();
}
