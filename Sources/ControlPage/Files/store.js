// What the page knows of the service. Each resource is read when an event says that it is another, one request at a
// time, and whoever watches it is told.

import { get, getAll, getTagged } from "./api.js";

/** A resource: where it is, what it is by now, and who watches it. */
class Resource {
  /** @param {string} path @param {any} start what it is before it was read */
  constructor(path, start) {
    this.path = path;
    this.value = start;
    this.isRead = false;
    this.watchers = new Set();
    this.reading = null;
    this.isStale = false;
    this.touched = 0;
    this.asOf = 0;
  }

  /** Whether the value is one that was asked for after this page's last change. */
  get isCurrent() {
    return this.isRead && this.asOf >= this.touched;
  }

  /** Tells `watcher` of each new value, and of this one if it was read. @param {(value: any) => void} watcher */
  watch(watcher) {
    this.watchers.add(watcher);
    if (this.isRead) watcher(this.value);
  }

  /** This page has just changed it: what was asked for before tells nothing of that, and is not taken. */
  touch() {
    this.touched = performance.now();
  }

  /** Takes the answer to a change as the newest value. */
  take(value) {
    this.touch();
    this.set(value, this.touched);
  }

  /** @param {any} value @param {number} asOf when it was asked for */
  set(value, asOf) {
    this.asOf = asOf;
    this.value = value;
    this.isRead = true;
    for (const watcher of this.watchers) watcher(value);
  }

  /** Reads it again; while it is being read, once more afterwards. @returns {Promise<void>} */
  refresh() {
    if (this.reading) {
      this.isStale = true;
      return this.reading;
    }
    this.reading = this.read().finally(() => { this.reading = null; });
    return this.reading;
  }

  async read() {
    do {
      this.isStale = false;
      const began = performance.now();
      try {
        const value = await this.load();
        if (began >= this.touched) this.set(value, began);
        else this.isStale = true;
      } catch (error) {
        if (error.status === 0) return;
        this.error = error.message;
      }
    } while (this.isStale);
  }

  load() {
    return get(this.path);
  }
}

/** A list, which comes in pages. */
class ListResource extends Resource {
  load() {
    return getAll(this.path);
  }
}

/** The board has a revision besides, for edits. */
class BoardResource extends Resource {
  async load() {
    const { body, tag } = await getTagged(this.path);
    return { ...body, revision: body.revision ?? tag?.replaceAll('"', "") };
  }
}

export const displays = new ListResource("/v1/displays", []);
export const sessions = new ListResource("/v1/sessions", []);
export const closedSessions = new Resource("/v1/closed-sessions", []);
export const messages = new ListResource("/v1/messages", []);
export const board = new BoardResource("/v1/board", { board: { kind: "board", columns: [] }, revision: null, open: [] });
export const pictures = new ListResource("/v1/pictures", []);
export const virtual = new Resource("/v1/virtual", { available: false, plugged: [], choices: [] });
export const status = new Resource("/v1/status", null);
export const health = new Resource("/v1/health", null);

const all = { displays, sessions, closedSessions, messages, board, pictures, virtual, status, health };

/** What may be another after an event of each kind. */
const concerned = {
  connected: ["displays", "sessions", "virtual", "health", "status", "messages"],
  disconnected: ["displays", "sessions", "virtual", "health", "status", "messages"],
  modeChanged: ["displays", "health"],
  messageShown: ["displays", "messages", "sessions"],
  stateChanged: ["displays", "health", "status"],
  dark: ["displays", "health", "status"],
  asleep: ["displays", "sessions"],
  sessionOpened: ["sessions", "closedSessions", "displays", "board"],
  sessionMoved: ["sessions", "closedSessions", "displays", "board"],
  sessionClosed: ["sessions", "closedSessions", "displays", "board"],
  sessionChanged: ["sessions", "displays"],
  messagePosted: ["messages", "sessions"],
  messageEnded: ["messages", "sessions", "displays"],
  boardChanged: ["board"],
  modeTrial: ["displays"],
  healthChanged: ["health", "status"],
};

/** The kinds of events that there are. */
export const kinds = Object.keys(concerned);

/** How soon after an event something is read again, and how soon after the last reading at the earliest: milliseconds. */
const soon = 30;
const pause = 250;

const due = new Set();
let timer = 0;
let last = -pause;

/** Has what an event concerns read again: events that come together are one. @param {string} kind */
export function refreshAfter(kind) {
  for (const name of concerned[kind] ?? Object.keys(all)) due.add(name);
  if (!timer) timer = window.setTimeout(flush, Math.max(soon, last + pause - performance.now()));
}

function flush() {
  timer = 0;
  last = performance.now();
  for (const name of due) all[name].refresh();
  due.clear();
}

/** Reads everything again. */
export async function refreshAll() {
  await Promise.all(Object.values(all).map((resource) => resource.refresh()));
}

/** The displays that have a monitor. */
export function connected() {
  return displays.value.filter((display) => display.state !== "disconnected" && display.state !== "lost");
}

/** Tells of events themselves, too. */
const listeners = new Set();

/** @param {(event: {kind: string, display: string, detail?: string}) => void} listener */
export function onEvent(listener) {
  listeners.add(listener);
}

/** An event came. */
export function take(event) {
  refreshAfter(event.kind);
  for (const listener of listeners) listener(event);
}
