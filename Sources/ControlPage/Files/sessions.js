// Closes sessions with an offer to undo it, and reopens sessions that were closed.

import { post, remove } from "./api.js";
import { announce, attempt, notice } from "./announce.js";
import { board, closedSessions, displays, sessions } from "./store.js";
import { short } from "./words.js";

/** Reads again what opening or closing a session changes. */
async function refreshSessions() {
  await Promise.all([sessions, closedSessions, displays, board].map((resource) => resource.refresh()));
}

/** Closes a session, or accepts that it is closed, and shows a notice with an Undo button. @param {number} id */
export async function closeSession(id) {
  const summary = sessions.value.find((session) => session.id === id)?.summary;
  await remove(`/v1/sessions/${id}`).catch((error) => { if (error.status !== 404) throw error; });
  sessions.touch();
  const text = summary ? `Closed “${short(summary)}”.` : `Closed session ${id}.`;
  notice(text, "done", { label: "Undo", act: () => attempt(() => reopenSession(id)) });
  await refreshSessions();
}

/** Opens a closed session again on the display that it was on. @param {number} id */
export async function reopenSession(id) {
  const session = await post(`/v1/closed-sessions/${id}/reopen`);
  sessions.touch();
  announce(session.display ? `Session ${id} is open on ${session.display} again.` : `Session ${id} is open again.`);
  await refreshSessions();
}
