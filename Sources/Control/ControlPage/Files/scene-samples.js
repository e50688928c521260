// The pictures on the cards of scene kinds: examples that the service draws, one after the other.

import { postForPicture } from "./api.js";
import { el } from "./dom.js";
import { t } from "./language.js";

const soon = () => new Date(Date.now() + 93_784_000).toISOString().slice(0, 19) + "Z";

/** An example of each kind that can be drawn by itself. */
const samples = {
  banner: () => ({ kind: "banner", text: t("Welcome") }),
  markdown: () => ({ kind: "markdown", text: "# Menu\n\n- Soup\n- Bread\n- **Tea**" }),
  ticker: () => ({ kind: "ticker", text: t("The next talk begins at 14:00 in room 3") }),
  card: () => ({ kind: "card", title: t("Lift"), content: t("Out of order until Friday"), footer: t("Facilities") }),
  board: () => ({ kind: "board", columns: [{ title: t("Now"), cards: [{ title: t("Lift") }, { title: t("Bread") }] }, { title: t("Next"), cards: [{ title: t("Tea") }] }] }),
  table: () => ({ kind: "table", columns: [{ title: t("Time") }, { title: t("Destination") }], rows: [["10:04", t("Harbour")], ["10:09", t("Airport")], ["10:15", t("Zoo")]], highlight: ["10:09"] }),
  now: () => ({ kind: "now", title: "Clair de lune", subtitle: "Claude Debussy", progress: 0.4 }),
  clock: () => ({ kind: "clock" }),
  countdown: () => ({ kind: "countdown", title: t("Opening"), to: soon() }),
  qr: () => ({ kind: "qr", text: "https://example.org", caption: t("Scan me") }),
  blank: () => ({ kind: "blank" }),
  pattern: () => ({ kind: "pattern", pattern: "bars" }),
  playlist: () => ({ kind: "playlist", items: [{ show: { kind: "banner", text: "1, 2, 3" } }] }),
  schedule: () => ({ kind: "banner", text: "Mo-Fr 07:00" }),
  calendar: () => ({ kind: "banner", text: t("Standup 09:00") }),
  zones: () => ({
    kind: "zones", main: { kind: "banner", text: t("Welcome") }, zones: [
      { at: "bottom", show: { kind: "ticker", text: t("The next talk begins at 14:00"), style: { background: "#f5f1e6", foreground: "#1c1e24" } } },
      { at: "side", size: 28, show: { kind: "clock", style: { background: "#12121a" } } },
    ],
  }),
  start: () => ({ kind: "start" }),
  controller: () => ({ kind: "controller" }),
};

let isStarted = false;

/** Adds the pictures to the cards, once. @param {HTMLElement} box with one element with `data-kind` for each kind */
export async function addSamples(box) {
  if (isStarted) return;
  isStarted = true;
  for (const card of box.querySelectorAll("[data-kind]")) {
    const sample = samples[card.dataset.kind];
    if (!sample) continue;
    try {
      const blob = await postForPicture("/v1/render", { scene: sample(), width: 640, height: 360 });
      card.querySelector(".kind-picture").replaceChildren(el("img", { src: URL.createObjectURL(blob), alt: "" }));
    } catch {
      // The card has its name. A service that does not answer is reported by the connection.
      isStarted = false;
      return;
    }
  }
}
