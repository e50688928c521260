// The list of live messages; a message that covers another comes first.

import { put, remove } from "./api.js";
import { announce, attempt } from "./announce.js";
import { byId, el, keyed, setAttribute, setText } from "./dom.js";
import { t } from "./language.js";
import { messages } from "./store.js";
import { capital, moment, short, targetInWords } from "./words.js";

function make(message) {
  const id = message.id;
  return el(
    "li", { data: { message: id } },
    el("div", { class: "list-text" }, el("p", { class: "list-title", dir: "auto" }), el("p", { class: "hint" })),
    el("div", { class: "list-actions" },
      el("button", { type: "button", class: "primary small acknowledge", text: t("Acknowledge"), onclick: () => end(id, "acknowledge") }),
      el("button", { type: "button", class: "quiet small withdraw", text: t("Withdraw"), onclick: () => end(id, "withdraw") })));
}

function end(id, how) {
  const summary = messages.value.find((message) => message.id === id)?.summary ?? t("The message");
  return attempt(async () => {
    if (how === "acknowledge") await put(`/v1/messages/${id}/acknowledgement`);
    else await remove(`/v1/messages/${id}`);
    announce(how === "acknowledge" ? t("Acknowledged: {text}.", { text: short(summary) }) : t("Withdrawn: {text}.", { text: short(summary) }));
    await messages.refresh();
  });
}

function about(message) {
  const parts = [targetInWords(message.target)];
  if (message.priority) parts.push(t("priority {priority}", { priority: message.priority }));
  if (message.expires) parts.push(t("until {time}", { time: moment(message.expires) }));
  if (message.name && message.name !== "page") parts.push(t("named {name}", { name: message.name }));
  parts.push(message.shown.length ? t("on screen: {names}", { names: message.shown.join(", ") }) : t("not on screen"));
  return capital(parts.join(" · "));
}

function update(item, message) {
  const text = short(message.text ?? message.summary, 160);
  setText(item.querySelector(".list-title"), text || t("(plain background)"));
  setText(item.querySelector(".hint"), about(message));
  item.querySelector(".acknowledge").hidden = !message.acknowledge;
  setAttribute(item.querySelector(".acknowledge"), "aria-label", t("Acknowledge {text}", { text: short(text) }));
  setAttribute(item.querySelector(".withdraw"), "aria-label", t("Withdraw {text}", { text: short(text) }));
}

/** Starts the list. */
export function startMessages() {
  messages.watch((list) => {
    keyed(byId("messages"), list, (message) => message.id, make, update);
    byId("no-messages").hidden = list.length > 0;
  });
}
