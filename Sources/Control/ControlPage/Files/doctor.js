// The findings of the service's checks of its machine, and the newest lines of its log.

import { get } from "./api.js";
import { act, byId, el, setText, sentence, showProblem } from "./dom.js";
import { t } from "./language.js";
import { currentView, onView } from "./router.js";
import { onEvent } from "./store.js";
import { capital, fieldInWords } from "./words.js";

const marks = { wrong: t("Wrong"), note: t("Note"), unseen: t("Not checked"), ok: t("OK") };
const order = Object.keys(marks);

/** The maximum number of log lines. */
const most = 100;

let timer = 0;

function item(finding) {
  return el(
    "li", { class: "finding", data: { mark: finding.severity } },
    el("span", { class: "pill", text: marks[finding.severity] ?? finding.severity }),
    el("p", { class: "finding-text" }, el("span", { class: "finding-check", text: `${fieldInWords(finding.check)}: ` }), capital(finding.text)),
    finding.fix ? el("p", { class: "finding-text hint", text: capital(finding.fix) }) : null,
    finding.command ? el("p", { class: "finding-text" }, el("code", { text: finding.command })) : null);
}

/** Returns the summary with the same words as `placard doctor`. */
function summary(findings) {
  const count = (mark) => findings.filter((finding) => finding.severity === mark).length;
  const wrong = count("wrong");
  const unseen = count("unseen");
  const rest = unseen ? t("; {unseen} could not be checked", { unseen }) : "";
  if (wrong > 1) return t("{wrong} things are wrong{rest}: start with the first.", { wrong, rest });
  return wrong ? t("One thing is wrong{rest}.", { rest }) : t("Nothing is wrong{rest}.", { rest });
}

/** Runs the checks, and lists the findings by severity. */
function check() {
  return act(byId("doctor-again"), byId("doctor-problem"), async () => {
    const { findings } = await get("/v1/doctor");
    const sorted = [...findings].sort((one, other) => order.indexOf(one.severity) - order.indexOf(other.severity));
    byId("doctor").replaceChildren(...sorted.map(item));
    setText(byId("doctor-state"), summary(findings));
  });
}

async function readLog() {
  const box = byId("log");
  const isAtEnd = box.scrollTop + box.clientHeight >= box.scrollHeight - 8;
  try {
    const { lines } = await get(`/v1/log?lines=${most}`);
    setText(box, lines.join("\n") || t("No log lines since the service started."));
  } catch (error) {
    setText(box, sentence(error));
  }
  if (isAtEnd) box.scrollTop = box.scrollHeight;
}

function load() {
  if (currentView() !== "service") return;
  showProblem(byId("doctor-problem"));
  check();
  readLog();
}

/** Starts the checks and the log. */
export function startDoctor() {
  byId("doctor-again").addEventListener("click", () => { check(); readLog(); });
  onView(load);
  onEvent(() => {
    if (currentView() !== "service" || timer) return;
    timer = window.setTimeout(() => { timer = 0; readLog(); }, 1000);
  });
}
