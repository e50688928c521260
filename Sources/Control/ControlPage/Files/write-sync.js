// The session that the editor writes to. Edits and scroll positions are sent one at a time, and the newest one wins.
// Each edit has the revision on which it is based, so that it never overwrites the text of another client.

import { get, part, post, put } from "./api.js";
import { closeSession } from "./sessions.js";
import { sessions } from "./store.js";

/** The session of the editor. */
export class WrittenSession {
  /** @param {string} display */
  constructor(display) {
    this.display = display;
    /** @type {any} the session as the service last confirmed it; null if none is open */
    this.session = null;
    /** Whether the editor has had a session on this display. */
    this.wasBound = false;
    /** @type {any} the session that ended last; when it is reopened, the editor writes to it again */
    this.ended = null;
    this.isSending = false;
    /** @type {string|null} the text to send next */
    this.next = null;
    /** @type {number|null} the scroll position to send next */
    this.nextPlace = null;
    this.isScrolling = false;
  }

  /** Returns the listed session: the open one on any display, or else the Markdown session of the display. */
  found() {
    if (this.session) return sessions.value.find((session) => session.id === this.session.id) ?? null;
    return sessions.value.find((session) => session.display === this.display && session.kind === "markdown") ?? null;
  }

  /** The text as the service last confirmed it. */
  get text() {
    return this.session?.scene.text ?? "";
  }

  /** Opens a text on the display. @param {string} text */
  async open(text) {
    const scene = { kind: "markdown", text, flow: "scroll" };
    this.session = await post("/v1/sessions", { scene, display: this.display, wait: true });
    this.wasBound = true;
    sessions.touch();
    return this.session;
  }

  /** Records that the session ended. */
  release() {
    this.ended = this.session ?? this.ended;
    this.session = null;
  }

  /** Closes the session. */
  async close() {
    if (this.session) await closeSession(this.session.id);
    this.release();
  }

  /** Requests the current session from the service. */
  async fresh() {
    const session = await get(`/v1/sessions/${this.session.id}`);
    return session;
  }

  /**
   * Sends a text. A text that arrives during a request is sent after it; only the newest is kept.
   * @param {string} text
   * @returns {Promise<boolean>} false if another call sends the text
   */
  async send(text) {
    this.next = text;
    if (this.isSending) return false;
    this.isSending = true;
    try {
      while (this.next !== null) {
        const scene = { ...this.session.scene, text: this.next };
        const sent = this.next;
        this.next = null;
        if (sent === this.text) continue;
        this.session = await put(`/v1/sessions/${this.session.id}/scene`, scene, this.session.revision);
        sessions.touch();
      }
    } finally {
      this.isSending = false;
      this.next = null;
    }
    return true;
  }

  /** Scrolls the session. @param {number} position a fraction from 0 to 1 */
  async scrollTo(position) {
    this.nextPlace = position;
    if (this.isScrolling || !this.session) return;
    this.isScrolling = true;
    try {
      while (this.nextPlace !== null && this.session) {
        const place = this.nextPlace;
        this.nextPlace = null;
        await put(`/v1/sessions/${part(this.session.id)}/scroll`, { position: place });
      }
    } finally {
      this.isScrolling = false;
      this.nextPlace = null;
    }
  }

  /** Scrolls by pages. @param {number} count negative for previous pages */
  async turn(count) {
    if (this.session) await put(`/v1/sessions/${part(this.session.id)}/scroll`, { page: count });
  }
}
