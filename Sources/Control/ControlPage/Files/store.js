// The state of the service as the page knows it. An event invalidates resources. Each is read again by one request at a
// time, and its watchers are called with the new value.

import { get, getAll, getTagged } from "./api.js";
import { concerned } from "./events.js";

/** A resource: its path, its last value and its watchers. */
class Resource {
  /** @param {string} path @param {any} start the value until it is read */
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

  /** Whether the value was requested after the last change by this page. */
  get isCurrent() {
    return this.isRead && this.asOf >= this.touched;
  }

  /** Calls `watcher` with each new value, and with the current one if it was read. @param {(value: any) => void} watcher */
  watch(watcher) {
    this.watchers.add(watcher);
    if (this.isRead) watcher(this.value);
  }

  /** Records a change by this page: answers to earlier requests do not include it, and are discarded. */
  touch() {
    this.touched = performance.now();
  }

  /** Sets the value from the answer to a change. */
  take(value) {
    this.touch();
    this.set(value, this.touched);
  }

  /** @param {any} value @param {number} asOf the time of the request */
  set(value, asOf) {
    this.asOf = asOf;
    this.value = value;
    this.isRead = true;
    for (const watcher of this.watchers) watcher(value);
  }

  /** Reads the value again; during a request, once more after it. @returns {Promise<void>} */
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

/** A list, which the service sends in pages. */
class ListResource extends Resource {
  load() {
    return getAll(this.path);
  }
}

/** The board, with the revision that an edit needs. */
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
export const pictures = new ListResource("/v1/images", []);
export const library = new ListResource("/v1/library", []);
export const values = new ListResource("/v1/values", []);
export const virtual = new Resource("/v1/virtual", { available: false, plugged: [], choices: [] });
export const status = new Resource("/v1/status", null);
export const health = new Resource("/v1/health", null);

const all = { displays, sessions, closedSessions, messages, board, pictures, library, values, virtual, status, health };

/** The kinds of events that the page handles. */
export const kinds = Object.keys(concerned);

/** The delay from an event to a read, and the minimum time between reads, in milliseconds. */
const soon = 30;
const pause = 250;

const due = new Set();
let timer = 0;
let last = -pause;

/** Reads the resources that an event can change; events in quick succession cause one read. @param {string} kind */
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

/** Reads all resources again. */
export async function refreshAll() {
  await Promise.all(Object.values(all).map((resource) => resource.refresh()));
}

/** Returns the displays that have a monitor. */
export function connected() {
  return displays.value.filter((display) => display.state !== "disconnected" && display.state !== "lost");
}

const listeners = new Set();

/** Calls `listener` with each event. @param {(event: {kind: string, display: string, detail?: string}) => void} listener */
export function onEvent(listener) {
  listeners.add(listener);
}

/** Handles an event. */
export function take(event) {
  refreshAfter(event.kind);
  for (const listener of listeners) listener(event);
}
