// The service view: health with its reasons, status, and the limits that were hit.

import { put } from "./api.js";
import { announce } from "./announce.js";
import { act, byId, el, keyed, setAttribute, setText } from "./dom.js";
import { t } from "./language.js";
import { currentView, onView } from "./router.js";
import { health, status } from "./store.js";
import { capital, duration, fieldInWords, moment, short } from "./words.js";

const states = { starting: t("Starting"), ok: t("OK"), degraded: t("Degraded") };

function makeLoss(loss) {
  const button = el("button", { type: "button", class: "quiet small", text: t("Acknowledge"), onclick: () => acknowledge(button, loss.id) });
  return el(
    "li", { data: { loss: loss.id } },
    el("div", { class: "list-text" }, el("p", { class: "list-title" }), el("p", { class: "hint" })),
    el("div", { class: "list-actions" }, button));
}

function updateLoss(item, loss) {
  setText(item.querySelector(".list-title"), capital(loss.text));
  setText(item.querySelector(".hint"), t("Since {time}", { time: moment(loss.since) }));
  setAttribute(item.querySelector("button"), "aria-label", t("Acknowledge: {text}", { text: short(loss.text) }));
}

function acknowledge(button, id) {
  return act(button, byId("service-problem"), async () => {
    await put(`/v1/losses/${id}/acknowledgement`);
    announce(t("Loss acknowledged."));
    health.touch();
    await health.refresh();
  });
}

function showHealth(report) {
  byId("service-alert").hidden = report.state !== "degraded";
  const pill = byId("health-state");
  pill.dataset.state = report.state;
  setText(pill, states[report.state] ?? report.state);
  const lost = new Set(report.losses.map((loss) => loss.text));
  keyed(byId("health-reasons"), report.reasons.filter((text) => !lost.has(text)), (text) => text, () => el("li"), setText);
  keyed(byId("losses"), report.losses, (loss) => loss.id, makeLoss, updateLoss);
  const cut = Object.entries(report.rejections).filter(([, times]) => times > 0);
  byId("cut-panel").hidden = cut.length === 0;
  byId("cut").tBodies[0].replaceChildren(...cut.map(([name, times]) => el(
    "tr", {}, el("th", { scope: "row", text: fieldInWords(name.replace(/([a-z])([A-Z])/g, "$1 $2").toLowerCase()) }), el("td", { text: String(times) }))));
  showFacts();
}

function showFacts() {
  const report = status.value;
  if (!report) return;
  const facts = [
    [t("Version"), report.version], [t("Address"), report.address], [t("Uptime"), health.value ? duration(health.value.uptime) : null],
    [t("Displays"), t("{connected} connected, {lit} lit", { connected: report.connected, lit: report.lit })], [t("Backend"), report.backend],
    [t("Storage"), report.storage], [t("Process"), report.pid],
  ];
  byId("service-facts").replaceChildren(...facts.filter(([, value]) => value !== null && value !== undefined).flatMap(([name, value]) => [el("dt", { text: name }), el("dd", { text: String(value) })]));
}

/** Shows the logout button if the service requires a token. Without one, /login redirects to the page. */
async function showLogout() {
  try {
    const response = await fetch("/login", { method: "HEAD", redirect: "manual", cache: "no-store" });
    byId("logout").hidden = !response.ok;
  } catch {
    byId("logout").hidden = true;
  }
}

/** Starts the view. */
export function startService() {
  health.watch(showHealth);
  status.watch(showFacts);
  onView(() => {
    if (currentView() !== "service") return;
    health.refresh();
    status.refresh();
    showLogout();
  });
}
