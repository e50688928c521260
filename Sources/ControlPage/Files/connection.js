// Whether the service is there: the stream of events tells at once when it is gone, and then it is asked again and
// again until it answers.

import { isAlive, isUploading, watchContact } from "./api.js";
import { byId, setText } from "./dom.js";
import { kinds, refreshAll, take } from "./store.js";
import { announce } from "./announce.js";

/** The longest wait between two attempts, in milliseconds. */
const longest = 2500;
/** For how long a page that nobody sees listens on, in milliseconds. */
const patience = 20000;

/** For how long one question may stay unanswered before people are told, in milliseconds. */
const patienceForOne = 800;

/** After how much silence the service is asked whether it answers, and how long that may take: milliseconds. */
const silence = 1000;
const answerTime = 2500;

/** @type {EventSource|null} */
let source = null;
/** When the service was last heard of. */
let heard = 0;
let isAsking = false;
let wait = 250;
let retry = 0;
let hiding = 0;
let isProbing = false;
/** @type {(() => void)[]} */
const returns = [];

/** @param {() => void} listener called each time that the service is there (again), when all was read */
export function whenBack(listener) {
  returns.push(listener);
}

/** Whether the service was there when last heard of. */
export function isConnected() {
  return document.documentElement.dataset.connection === "connected";
}

/** Listens, and keeps at it. */
export function connect() {
  watchContact((answered) => {
    if (answered) heard = performance.now();
    else lost();
  });
  document.addEventListener("visibilitychange", visibilityChanged);
  window.addEventListener("online", () => probe());
  // A page that was left may be kept for the way back: it must not keep one of the browser's six connections, too.
  window.addEventListener("pagehide", () => { source?.close(); source = null; });
  window.addEventListener("pageshow", (event) => { if (event.persisted) listen(); });
  window.setInterval(watchSilence, silence / 2);
  listen();
}

/** A stopped service closes no connection: it is asked, while someone looks at the page. */
async function watchSilence() {
  if (document.hidden || !isConnected() || isAsking || isUploading() || performance.now() - heard < silence) return;
  isAsking = true;
  const began = performance.now();
  const isThere = await isAlive(answerTime);
  isAsking = false;
  if (isThere) heard = performance.now();
  else if (isConnected() && !isUploading() && heard < began) {
    gone();
    lost();
  }
}

function listen() {
  source?.close();
  source = new EventSource("/v1/events");
  source.onopen = () => found();
  source.onerror = () => lost();
  source.addEventListener("torn", () => refreshAll());
  for (const kind of kinds) {
    source.addEventListener(kind, (event) => {
      heard = performance.now();
      try {
        take(JSON.parse(/** @type {MessageEvent} */ (event).data));
      } catch {
        refreshAll();
      }
    });
  }
}

async function found() {
  wait = 250;
  window.clearTimeout(retry);
  retry = 0;
  heard = performance.now();
  if (!("ready" in document.documentElement.dataset)) {
    // Everything appears at once: nothing moves when the next answer comes over a slow link.
    const mine = source;
    await refreshAll();
    if (source !== mine) return;
    heard = performance.now();
    show("connected", "Connected");
    for (const listener of returns) listener();
    return;
  }
  const wasGone = document.documentElement.dataset.connection === "gone";
  show("connected", "Connected");
  if (wasGone) announce("The service is back.");
  await refreshAll();
  for (const listener of returns) listener();
}

/** The stream broke, or nothing answered: it may be that only the stream is gone. */
function lost() {
  if (document.hidden && !source) return;
  source?.close();
  source = null;
  if (retry || isProbing) return;
  if (isConnected()) show("connecting", "Connecting…");
  window.setTimeout(() => { if (isProbing) gone(); }, patienceForOne);
  probe();
}

function gone() {
  show("gone", "Not connected");
}

async function probe() {
  if (isProbing || isConnected()) return;
  window.clearTimeout(retry);
  retry = 0;
  isProbing = true;
  const alive = await isAlive();
  isProbing = false;
  if (alive) return listen();
  gone();
  retry = window.setTimeout(probe, wait);
  wait = Math.min(wait * 1.6, longest);
}

function show(state, text) {
  if (state !== "connecting") document.documentElement.dataset.ready = "";
  document.documentElement.dataset.connection = state;
  setText(byId("connection"), text);
  const banner = byId("gone");
  banner.hidden = state !== "gone";
  setText(banner, state === "gone"
    ? "The service does not answer. This page reconnects when the service is back and keeps your text."
    : "");
}

/** Nobody looks: after a while nothing is listened to, so that the service may rest. */
function visibilityChanged() {
  window.clearTimeout(hiding);
  if (document.hidden) {
    hiding = window.setTimeout(() => {
      source?.close();
      source = null;
    }, patience);
  } else if (!source && !retry && !isProbing) {
    listen();
  }
}
