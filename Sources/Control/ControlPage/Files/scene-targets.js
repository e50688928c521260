// Where and when a scene is shown: on one display, several, all, those of a role or with a tag; now or by schedule.

import { post } from "./api.js";
import { byId, el, fillSelect } from "./dom.js";
import { t } from "./language.js";
import { connected, displays, sessions } from "./store.js";
import { deliveryInWords, displayLabel, targetFields, targetOptions } from "./words.js";

/** Returns the displays that are selected by their boxes. */
const selected = () => [...byId("scene-several").querySelectorAll("input:checked")].map((box) => box.value);

/** Returns the scene to show: within the entered hours alone, if it is to be shown by schedule. @param {any} scene */
function timed(scene) {
  if (byId("scene-when").value !== "schedule") return scene;
  const rule = { show: scene };
  for (const name of ["hours", "from", "until"]) {
    const value = byId(`scene-${name}`).value.trim();
    if (value) rule[name] = value;
  }
  if (!rule.hours && !rule.from && !rule.until) throw new Error(t("Enter hours, a start or an end, or show the scene now."));
  return { kind: "schedule", rules: [rule] };
}

/**
 * Shows a scene at the chosen place and time.
 * @param {any} scene @returns {Promise<string>} the result for people
 */
export async function openScene(scene) {
  const target = byId("scene-target").value;
  const document = timed(scene);
  const names = target === "several" ? selected() : target.startsWith("display:") ? [target.slice("display:".length)] : [];
  if (target === "several" && !names.length) throw new Error(t("Select at least one display."));
  if (!names.length) {
    const report = await post("/v1/messages", { scene: document, name: "page", wait: true, ...targetFields(target) });
    return deliveryInWords(report) || t("Posted, but no display shows it.");
  }
  const results = [];
  for (const display of names) {
    const session = await post("/v1/sessions", { scene: document, display, wait: true });
    results.push(deliveryInWords(session.delivery) || t("Open on {display}.", { display: session.display }));
  }
  sessions.refresh();
  return results.join(" ");
}

function show() {
  byId("scene-several").hidden = byId("scene-target").value !== "several";
  byId("scene-times").hidden = byId("scene-when").value !== "schedule";
}

function followDisplays() {
  const present = connected();
  const options = targetOptions(present, sessions.value);
  if (present.length > 1) options.push({ value: "several", label: t("Several displays…") });
  fillSelect(byId("scene-target"), options);
  const chosen = new Set(selected());
  const boxes = present.map((display) => el("label", { class: "switch" }, el("input", { type: "checkbox", value: display.name, checked: chosen.has(display.name) }), el("span", { text: displayLabel(display) })));
  const legend = byId("scene-several").querySelector("legend");
  const wanted = present.map(displayLabel).join("\n");
  if (byId("scene-several").dataset.displays !== wanted) byId("scene-several").replaceChildren(legend, ...boxes);
  byId("scene-several").dataset.displays = wanted;
  show();
}

/** Starts the fields. */
export function startTargets() {
  for (const id of ["scene-target", "scene-when"]) byId(id).addEventListener("change", show);
  for (const resource of [displays, sessions]) resource.watch(followDisplays);
  show();
}
