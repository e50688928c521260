// Closing sessions, with an Undo button, and reopening closed sessions.

import { post, remove } from "./api.js";
import { announce, attempt, notice } from "./announce.js";
import { t } from "./language.js";
import { board, closedSessions, displays, sessions } from "./store.js";
import { short } from "./words.js";

/** Reads the resources that opening or closing a session changes. */
async function refreshSessions() {
  await Promise.all([sessions, closedSessions, displays, board].map((resource) => resource.refresh()));
}

/** Closes a session, unless it is closed already, and shows a notice with an Undo button. @param {number} id */
export async function closeSession(id) {
  const summary = sessions.value.find((session) => session.id === id)?.summary;
  await remove(`/v1/sessions/${id}`).catch((error) => { if (error.status !== 404) throw error; });
  sessions.touch();
  const text = summary ? t("Closed “{summary}”.", { summary: short(summary) }) : t("Closed session {id}.", { id });
  notice(text, "done", { label: t("Undo"), act: () => attempt(() => reopenSession(id)) });
  await refreshSessions();
}

/** Reopens a closed session on the display that showed it. @param {number} id */
export async function reopenSession(id) {
  const session = await post(`/v1/closed-sessions/${id}/reopen`);
  sessions.touch();
  announce(session.display ? t("Reopened session {id} on {display}.", { id, display: session.display }) : t("Reopened session {id}.", { id }));
  await refreshSessions();
}
