// The sessions: what each monitor shows of its own, while it is plugged in and while it is not.

import { post, put } from "./api.js";
import { announce, attempt } from "./announce.js";
import { byId, el, fillSelect, iconButton, keyed, setAttribute, setText } from "./dom.js";
import { goTo } from "./router.js";
import { closeSession, reopenSession } from "./reopen.js";
import { editScene } from "./scenes.js";
import { closed, connected, displays, sessions } from "./store.js";
import { moment, short } from "./words.js";
import { editInWriter } from "./write.js";

function find(id) {
  return sessions.value.find((session) => session.id === id);
}

/** Does something with a session, and says what. */
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
  const move = el("select", { "aria-label": `Move session ${id} to` });
  move.addEventListener("change", () => change(() => put(`/v1/sessions/${id}`, { display: move.value }), `Session ${id} is on ${move.value}.`));
  const turn = (count) => change(() => put(`/v1/sessions/${id}/scroll`, { page: count }), count > 0 ? "Next page." : "Page before.");
  return el(
    "li", { data: { session: id } },
    el("div", { class: "list-text" }, el("p", { class: "list-title", dir: "auto" }), el("p", { class: "hint" })),
    el("div", { class: "list-actions" },
      iconButton("back", "", `Page back in session ${id}`, () => turn(-1), "quiet small icon turns"),
      iconButton("on", "", `Page on in session ${id}`, () => turn(1), "quiet small icon turns"),
      iconButton("write", "Edit", `Edit session ${id}`, () => edit(id)),
      iconButton("refresh", "Refresh", `Refresh session ${id}`, () => change(() => post(`/v1/sessions/${id}/refresh`), `Session ${id} is drawn again.`)),
      el("label", { class: "field move" }, move),
      iconButton("close", "Close", `Close session ${id}`, () => closeSession(id))));
}

function makeClosed({ id }) {
  return el(
    "li", { data: { closed: id } },
    el("div", { class: "list-text" }, el("p", { class: "list-title", dir: "auto" }), el("p", { class: "hint" })),
    el("div", { class: "list-actions" }, iconButton("refresh", "Reopen", `Reopen session ${id}`, () => reopenSession(id))));
}

function updateClosed(item, session) {
  setText(item.querySelector(".list-title"), short(session.summary || session.kind, 120));
  const place = session.display ? `on ${session.display}` : "on a monitor that is unplugged";
  setText(item.querySelector(".hint"), `Session ${session.id} · ${session.kind} · ${place} · closed ${moment(session.ended)}`);
}

function about(session) {
  const parts = [`Session ${session.id}`, session.kind, session.display ? `on ${session.display}` : `waits for its monitor (last on ${session.place})`];
  if (session.label) parts.push(session.label);
  if (session.tag) parts.push(`tag ${session.tag}`);
  if (session.covered) parts.push("covered by a message");
  if (session.asleep) parts.push("asleep");
  if (session.opened) parts.push(`since ${moment(session.opened)}`);
  return parts.join(" · ");
}

function update(item, session) {
  setText(item.querySelector(".list-title"), `${short(session.summary ?? session.kind, 120)}`);
  setText(item.querySelector(".hint"), about(session));
  for (const button of item.querySelectorAll(".turns")) button.hidden = session.kind !== "markdown";
  const move = item.querySelector("select");
  const options = connected().map((display) => ({ value: display.name, label: display.name }));
  if (!session.display) options.unshift({ value: "", label: "Move to …" });
  fillSelect(move, options);
  if (document.activeElement !== move) move.value = session.display ?? "";
  setAttribute(move, "title", "Move to another display");
}

function render() {
  const open = sessions.value.filter((session) => session.id);
  keyed(byId("sessions"), open, (session) => session.id, make, update);
  byId("no-sessions").hidden = open.length > 0 || !sessions.isRead;
}

function renderClosed() {
  keyed(byId("closed-sessions"), closed.value, (session) => session.id, makeClosed, updateClosed);
  byId("closed").hidden = closed.value.length === 0;
}

/** Begins. */
export function startActivity() {
  for (const resource of [sessions, displays]) resource.watch(render);
  closed.watch(renderClosed);
}
