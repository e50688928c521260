// How the service is: its health with reasons, what it is, and what its limits have cut.

import { byId, el, keyed, setText } from "./dom.js";
import { currentView, onView } from "./router.js";
import { health, status } from "./store.js";
import { duration, fieldInWords } from "./words.js";

const states = { starting: "Starting", ok: "All is well", degraded: "Something is wrong" };

function showHealth(report) {
  byId("service-alert").hidden = report.state !== "degraded";
  const pill = byId("health-state");
  pill.dataset.state = report.state;
  setText(pill, states[report.state] ?? report.state);
  keyed(byId("health-reasons"), report.reasons, (text) => text, () => el("li"), setText);
  const cut = Object.entries(report.cut).filter(([, times]) => times > 0);
  byId("cut-panel").hidden = cut.length === 0;
  byId("cut").tBodies[0].replaceChildren(...cut.map(([name, times]) => el(
    "tr", {}, el("th", { scope: "row", text: fieldInWords(name.replace(/([a-z])([A-Z])/g, "$1 $2").toLowerCase()) }), el("td", { text: String(times) }))));
  showFacts();
}

function showFacts() {
  const report = status.value;
  if (!report) return;
  const facts = [
    ["Version", report.version], ["Address", report.address], ["Uptime", health.value ? duration(health.value.uptime) : null],
    ["Displays", `${report.lit} lit of ${report.connected} connected`], ["Cards", report.backend === "kms" ? "KMS" : "Virtual"],
    ["Storage", report.storage], ["Process", report.pid],
  ];
  byId("service-facts").replaceChildren(...facts.filter(([, value]) => value !== null && value !== undefined).flatMap(([name, value]) => [el("dt", { text: name }), el("dd", { text: String(value) })]));
}

/** A log out makes sense where a login is asked for: elsewhere the login page leads back here. */
async function showLogout() {
  try {
    const response = await fetch("/login", { method: "HEAD", redirect: "manual", cache: "no-store" });
    byId("logout").hidden = !response.ok;
  } catch {
    byId("logout").hidden = true;
  }
}

/** Begins. */
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
