// Previews of the frames that displays show. The page requests a preview after an event of its display, and every two
// seconds while it is visible. For an unchanged frame, the service answers 304.

import { part, picture } from "./api.js";
import { isConnected, whenBack } from "./connection.js";
import { displays, onEvent } from "./store.js";

/** The time between two requests for a visible preview, in milliseconds. */
const period = 2000;
/** The minimum time between two requests for the same preview, in milliseconds. */
const pause = 100;
/** The maximum number of simultaneous requests: browsers allow six connections per host, and the events use one. */
const most = 3;

/** @type {Map<HTMLImageElement, {name: string, tag: string|null, url: string|null, busy: boolean, stale: boolean, seen: boolean}>} */
const glasses = new Map();
let running = 0;
/** @type {(() => void)[]} */
const waiting = [];

const observer = new IntersectionObserver((entries) => {
  for (const entry of entries) {
    const glass = glasses.get(/** @type {HTMLImageElement} */ (entry.target));
    if (!glass) continue;
    glass.seen = entry.isIntersecting;
    if (glass.seen) look(/** @type {HTMLImageElement} */ (entry.target));
  }
}, { rootMargin: "80px" });

/** Shows the preview of a display in an image; a call with another name changes the display. @param {HTMLImageElement} image @param {string} name */
export function watchGlass(image, name) {
  const glass = glasses.get(image);
  if (glass?.name === name) return;
  if (glass) {
    forgetPicture(image, glass);
    glass.name = name;
    look(image);
  } else {
    glasses.set(image, { name, tag: null, url: null, busy: false, stale: false, seen: false });
    observer.observe(image);
  }
}

/** Ends the preview in an image. @param {HTMLImageElement} image */
export function leaveGlass(image) {
  const glass = glasses.get(image);
  if (!glass) return;
  observer.unobserve(image);
  forgetPicture(image, glass);
  glasses.delete(image);
}

function forgetPicture(image, glass) {
  if (glass.url) URL.revokeObjectURL(glass.url);
  glass.url = null;
  glass.tag = null;
  image.removeAttribute("src");
  delete image.dataset.tag;
}

/** Returns whether a display is lit: only a lit display has a preview. */
function isLit(name) {
  const display = displays.value.find((display) => display.name === name);
  return display ? display.state === "lit" : false;
}

/** Requests the preview of a visible image; during a request, once more after it. */
async function look(image) {
  const glass = glasses.get(image);
  if (!glass || !glass.seen || document.hidden || !isConnected() || !isLit(glass.name)) return;
  if (glass.busy) {
    glass.stale = true;
    return;
  }
  glass.busy = true;
  do {
    glass.stale = false;
    const rest = new Promise((resolve) => window.setTimeout(resolve, pause));
    await inTurn(() => fetchPicture(image, glass));
    if (glass.stale) await rest;
  } while (glass.stale && glasses.has(image));
  glass.busy = false;
}

/** Runs a request when fewer than `most` others are running. */
async function inTurn(work) {
  if (running >= most) await new Promise((resolve) => waiting.push(() => resolve(undefined)));
  running += 1;
  try {
    await work();
  } finally {
    running -= 1;
    waiting.shift()?.();
  }
}

/** Returns the width to request, in steps of 160 pixels, so that similar sizes request the same preview. */
function wantedWidth(image) {
  const pixels = (image.clientWidth || 320) * Math.min(window.devicePixelRatio || 1, 2);
  return Math.min(1920, Math.max(320, Math.ceil(pixels / 160) * 160));
}

async function fetchPicture(image, glass) {
  const name = glass.name;
  try {
    const path = `/v1/displays/${part(name)}/preview?width=${wantedWidth(image)}&format=jpeg`;
    const found = await picture(path, glass.tag);
    if (!found || glasses.get(image) !== glass || glass.name !== name) return;
    show(image, glass, found);
  } catch {
    // The display went dark, or the service does not answer. The next event or the next period retries.
  }
}

function show(image, glass, { tag, blob }) {
  const old = glass.url;
  glass.url = URL.createObjectURL(blob);
  glass.tag = tag;
  image.src = glass.url;
  image.dataset.tag = tag ?? "";
  if (old) image.addEventListener("load", () => URL.revokeObjectURL(old), { once: true });
}

/** Requests all previews of a display, or of all displays. @param {string} [name] */
function lookAt(name) {
  for (const [image, glass] of glasses) if (!name || glass.name === name) look(image);
}

/** Starts the previews. */
export function startPreviews() {
  const telling = ["messageShown", "modeChanged", "connected", "modePending"];
  onEvent((event) => { if (telling.includes(event.kind)) lookAt(event.display); });
  displays.watch(() => {
    for (const [image, glass] of glasses) {
      if (!isLit(glass.name)) forgetPicture(image, glass);
      else if (!glass.url) look(image);
    }
  });
  whenBack(() => {
    for (const glass of glasses.values()) glass.tag = null;
    lookAt();
  });
  document.addEventListener("visibilitychange", () => { if (!document.hidden) lookAt(); });
  window.setInterval(() => { if (!document.hidden) lookAt(); }, period);
}
