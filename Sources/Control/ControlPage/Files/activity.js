// The list of sessions, including those of disconnected monitors, and the list of closed sessions.

import { post, put } from "./api.js";
import { announce, attempt } from "./announce.js";
import { byId, el, fillSelect, iconButton, keyed, setAttribute, setText } from "./dom.js";
import { t } from "./language.js";
import { goTo } from "./router.js";
import { editScene } from "./scenes.js";
import { closeSession, reopenSession } from "./sessions.js";
import { closedSessions, connected, displays, sessions } from "./store.js";
import { moment, short } from "./words.js";
import { editInWriter } from "./write.js";

function find(id) {
  return sessions.value.find((session) => session.id === id);
}

/** Changes a session, and announces the change. */
function change(work, text) {
  return attempt(async () => {
    await work();
    announce(text);
    await Promise.all([sessions.refresh(), displays.refresh()]);
  });
}

function edit(id) {
  const session = find(id);
  if (!session) return;
  if (session.kind === "markdown" && session.display) {
    goTo("write");
    editInWriter(session);
  } else {
    editScene(session);
  }
}

function make(session) {
  const id = session.id;
  const move = el("select", { "aria-label": t("Move session {id} to", { id }) });
  move.addEventListener("change", () => change(() => put(`/v1/sessions/${id}`, { display: move.value }), t("Moved session {id} to {display}.", { id, display: move.value })));
  const turn = (count) => change(() => put(`/v1/sessions/${id}/scroll`, { page: count }), count > 0 ? t("Next page.") : t("Previous page."));
  return el(
    "li", { data: { session: id } },
    el("div", { class: "list-text" }, el("p", { class: "list-title", dir: "auto" }), el("p", { class: "hint" })),
    el("div", { class: "list-actions" },
      iconButton("back", "", t("Previous page of session {id}", { id }), () => turn(-1), "quiet small icon turns"),
      iconButton("on", "", t("Next page of session {id}", { id }), () => turn(1), "quiet small icon turns"),
      iconButton("write", t("Edit"), t("Edit session {id}", { id }), () => edit(id)),
      iconButton("refresh", t("Refresh"), t("Refresh session {id}", { id }), () => change(() => post(`/v1/sessions/${id}/refresh`), t("Refreshed session {id}.", { id }))),
      el("label", { class: "field move" }, move),
      iconButton("close", t("Close"), t("Close session {id}", { id }), () => attempt(() => closeSession(id)))));
}

function about(session) {
  const parts = [t("Session {id}", { id: session.id }), session.kind, session.display ? t("on {display}", { display: session.display }) : t("waits for its monitor (last on {place})", { place: session.place })];
  if (session.label) parts.push(session.label);
  if (session.tag) parts.push(t("tag {tag}", { tag: session.tag }));
  if (session.covered) parts.push(t("covered by a message"));
  if (session.asleep) parts.push("asleep");
  if (session.opened) parts.push(t("since {time}", { time: moment(session.opened) }));
  return parts.join(" · ");
}

function update(item, session) {
  setText(item.querySelector(".list-title"), `${short(session.summary ?? session.kind, 120)}`);
  setText(item.querySelector(".hint"), about(session));
  for (const button of item.querySelectorAll(".turns")) button.hidden = session.kind !== "markdown";
  const move = item.querySelector("select");
  const options = connected().map((display) => ({ value: display.name, label: display.name }));
  if (!session.display) options.unshift({ value: "", label: t("Move to…") });
  fillSelect(move, options);
  if (document.activeElement !== move) move.value = session.display ?? "";
  setAttribute(move, "title", t("Move to another display"));
}

function render() {
  const open = sessions.value.filter((session) => session.id);
  keyed(byId("sessions"), open, (session) => session.id, make, update);
  byId("no-sessions").hidden = open.length > 0 || !sessions.isRead;
}

function makeClosed({ id }) {
  return el(
    "li", { data: { closed: id } },
    el("div", { class: "list-text" }, el("p", { class: "list-title", dir: "auto" }), el("p", { class: "hint" })),
    el("div", { class: "list-actions" }, iconButton("open", t("Reopen"), t("Reopen session {id}", { id }), () => attempt(() => reopenSession(id)))));
}

function updateClosed(item, session) {
  setText(item.querySelector(".list-title"), short(session.summary, 120));
  const parts = [t("Session {id}", { id: session.id }), session.kind, session.display ? t("was on {display}", { display: session.display }) : t("had no display")];
  if (session.tag) parts.push(t("tag {tag}", { tag: session.tag }));
  parts.push(t("closed {time}", { time: moment(session.ended) }));
  setText(item.querySelector(".hint"), parts.join(" · "));
}

function renderClosed(list) {
  keyed(byId("closed-sessions"), list, (session) => session.id, makeClosed, updateClosed);
  byId("closed-panel").hidden = list.length === 0;
}

/** Starts the view. */
export function startActivity() {
  closedSessions.watch(renderClosed);
  for (const resource of [sessions, displays]) resource.watch(render);
}
