// The session that the editor writes to: edits and scrolls are sent one at a time, the newest wins, and an edit that
// was made from an older text is not forced upon the other's.

import { get, part, post, put } from "./api.js";
import { closeSession } from "./sessions.js";
import { sessions } from "./store.js";

/** The session of the editor. */
export class WrittenSession {
  /** @param {string} display */
  constructor(display) {
    this.display = display;
    /** @type {any} the session as it was when it was last agreed on; null where none is open */
    this.session = null;
    /** Whether a session was open here at any time. */
    this.wasBound = false;
    /** @type {any} the session that ended last: when it is reopened, the editor writes to it again */
    this.ended = null;
    this.isSending = false;
    /** @type {string|null} the text that waits to be sent */
    this.next = null;
    /** @type {number|null} the place that waits to be sent */
    this.nextPlace = null;
    this.isScrolling = false;
  }

  /** The session as it is listed by now: the same one, wherever it is, or the page of Markdown on the display. */
  found() {
    if (this.session) return sessions.value.find((session) => session.id === this.session.id) ?? null;
    return sessions.value.find((session) => session.display === this.display && session.kind === "markdown") ?? null;
  }

  /** The text that is agreed on. */
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

  /** The session as it is at the service by now. */
  async fresh() {
    const session = await get(`/v1/sessions/${this.session.id}`);
    return session;
  }

  /**
   * Sends a text; while one is on its way, the newest goes next.
   * @param {string} text
   * @returns {Promise<boolean>} false where another one sends it
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

  /** Takes the display to a share of the way. @param {number} position */
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

  /** Turns pages. @param {number} count */
  async turn(count) {
    if (this.session) await put(`/v1/sessions/${part(this.session.id)}/scroll`, { page: count });
  }
}
