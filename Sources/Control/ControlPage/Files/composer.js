// The form for messages: displays show the text as it is typed, or after Send.

import { post, remove } from "./api.js";
import { whenBack } from "./connection.js";
import { byId, fillSelect, sentence, setText, showProblem } from "./dom.js";
import { keepField, keepSwitch } from "./drafts.js";
import { t } from "./language.js";
import { connected, displays, messages, sessions } from "./store.js";
import { deliveryInWords, targetFields, targetOptions } from "./words.js";

/** The time from the last input until the text is sent, in milliseconds. */
const pause = 120;

let timer = 0;
let isSending = false;
/** Whether the form changed since the last request was sent. */
let isDue = false;
/** The ID of the last message from this form, which the list of messages may not contain yet; 0 if there is none. */
let own = 0;

function messageName() {
  return byId("message-name").value.trim() || "page";
}

function isLive() {
  return byId("live").checked;
}

/** Returns the live message with the name in the form. */
function posted() {
  return messages.value.find((message) => message.name === messageName());
}

/** Returns the request from the form. */
function wish() {
  const seconds = byId("lifetime").value;
  const request = { text: byId("message").value, name: messageName(), wait: true, ...targetFields(byId("target").value) };
  const priority = byId("priority").valueAsNumber;
  if (priority) request.priority = priority;
  if (seconds) request.seconds = Number(seconds);
  if (byId("acknowledge").checked) request.acknowledge = true;
  return request;
}

/** Sends the text; a change during the request is sent after it. */
async function send() {
  window.clearTimeout(timer);
  isDue = true;
  if (isSending) return;
  isSending = true;
  while (isDue) {
    isDue = false;
    try {
      await sendOnce();
      showProblem(byId("composer-problem"));
    } catch (error) {
      setText(byId("composer-state"), "");
      showProblem(byId("composer-problem"), sentence(error));
    }
  }
  isSending = false;
}

async function sendOnce() {
  const request = wish();
  if (request.text.trim() === "") return withdraw();
  if (!isLive()) setText(byId("composer-state"), t("Sending…"));
  const report = await post("/v1/messages", request);
  own = report.id ?? 0;
  setText(byId("composer-state"), deliveryInWords(report) || t("Posted, but no display shows it."));
}

async function withdraw() {
  const ids = new Set([own, posted()?.id].filter(Boolean));
  own = 0;
  for (const id of ids) await remove(`/v1/messages/${id}`).catch((error) => { if (error.status !== 404) throw error; });
  setText(byId("composer-state"), ids.size ? t("Withdrawn.") : "");
  await messages.refresh();
}

function typed() {
  if (!isLive()) return;
  window.clearTimeout(timer);
  timer = window.setTimeout(send, pause);
}

function submit(event) {
  event.preventDefault();
  if (byId("message").value.trim() === "") {
    showProblem(byId("composer-problem"), t("The message is empty: enter a text."));
    byId("message").focus();
    return;
  }
  send();
}

function showButtons() {
  byId("send").hidden = isLive();
  byId("withdraw").disabled = !posted();
}

/** Starts the form. */
export function startComposer() {
  keepField(byId("message"), "message");
  keepSwitch(byId("live"), "live", () => {
    showButtons();
    if (isLive() && byId("message").value) send();
  });
  byId("composer").addEventListener("submit", submit);
  byId("message").addEventListener("input", typed);
  byId("message").addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) submit(event);
  });
  for (const id of ["target", "lifetime", "priority", "acknowledge"]) {
    byId(id).addEventListener("change", () => { if (byId("message").value.trim()) typed(); });
  }
  byId("message-name").addEventListener("input", () => { own = 0; showButtons(); });
  byId("withdraw").addEventListener("click", async () => {
    try {
      await withdraw();
    } catch (error) {
      showProblem(byId("composer-problem"), sentence(error));
    }
  });
  for (const resource of [displays, sessions]) resource.watch(() => fillSelect(byId("target"), targetOptions(connected(), sessions.value)));
  messages.watch(showButtons);
  whenBack(() => {
    if (!byId("composer-problem").hidden && isLive()) send();
  });
  showButtons();
}
