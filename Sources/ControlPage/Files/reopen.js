// Sessions that are closed, and opened again.

import { post, remove } from "./api.js";
import { announce, attempt, notice } from "./announce.js";
import { closed, displays, sessions } from "./store.js";

const refresh = () => Promise.all([sessions.refresh(), closed.refresh(), displays.refresh()]);

/** Opens a session again that was closed or replaced. @param {number} id */
export function reopenSession(id) {
  return attempt(async () => {
    await post(`/v1/closed-sessions/${id}/reopen`);
    announce(`Session ${id} is open again.`);
    await refresh();
  });
}

/** Closes a session; the notice can undo that. @param {number} id */
export function closeSession(id) {
  return attempt(async () => {
    await remove(`/v1/sessions/${id}`);
    notice(`Session ${id} is closed.`, "done", { label: "Undo", act: () => reopenSession(id) });
    await refresh();
  });
}
