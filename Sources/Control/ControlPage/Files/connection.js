// The connection to the service. The event stream shows a loss at once; then the page probes until the service answers.

import { isAlive, isUploading, watchContact } from "./api.js";
import { byId, setText } from "./dom.js";
import { kinds, refreshAll, take } from "./store.js";
import { announce } from "./announce.js";
import { t } from "./language.js";

/** The longest wait between two attempts, in milliseconds. */
const longest = 2500;
/** The time until a hidden page closes its event stream, in milliseconds. */
const patience = 20000;

/** The time without an answer to a probe until the page reports a lost connection, in milliseconds. */
const patienceForOne = 800;

/** The silence after which the service is probed, and the time limit of the probe, in milliseconds. */
const silence = 1000;
const answerTime = 2500;

/** @type {EventSource|null} */
let source = null;
/** The time of the last answer or event. */
let heard = 0;
let isAsking = false;
let wait = 250;
let retry = 0;
let hiding = 0;
let isProbing = false;
/** @type {(() => void)[]} */
const returns = [];

/** @param {() => void} listener called after each connection, when all resources have been read */
export function whenBack(listener) {
  returns.push(listener);
}

/** Returns whether the page is connected. */
export function isConnected() {
  return document.documentElement.dataset.connection === "connected";
}

/** Opens the event stream, and reopens it after each loss. */
export function connect() {
  watchContact((answered) => {
    if (answered) heard = performance.now();
    else lost();
  });
  document.addEventListener("visibilitychange", visibilityChanged);
  window.addEventListener("online", () => probe());
  // A page in the back/forward cache must not hold one of the six connections that browsers allow per host.
  window.addEventListener("pagehide", () => { source?.close(); source = null; });
  window.addEventListener("pageshow", (event) => { if (event.persisted) listen(); });
  window.setInterval(watchSilence, silence / 2);
  listen();
}

/** Probes the service after a silence: a stopped process (SIGSTOP) keeps its connections open. */
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
  source.addEventListener("gap", () => refreshAll());
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
    // The view appears only when everything has been read, so that a late answer on a slow link moves nothing.
    const mine = source;
    await refreshAll();
    if (source !== mine) return;
    heard = performance.now();
    show("connected", t("Connected"));
    for (const listener of returns) listener();
    return;
  }
  const wasGone = document.documentElement.dataset.connection === "gone";
  show("connected", t("Connected"));
  if (wasGone) announce(t("The service is back."));
  await refreshAll();
  for (const listener of returns) listener();
}

/** Handles the loss of the stream or of an answer. The service may still answer, so it is probed. */
function lost() {
  if (document.hidden && !source) return;
  source?.close();
  source = null;
  if (retry || isProbing) return;
  if (isConnected()) show("connecting", t("Connecting…"));
  window.setTimeout(() => { if (isProbing) gone(); }, patienceForOne);
  probe();
}

function gone() {
  show("gone", t("Not connected"));
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
    ? t("The service does not answer. This page reconnects when the service is back and keeps your text.")
    : "");
}

/** Closes the event stream of a page that stays hidden, to save work in the service. */
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
