// The Markdown editor: a display shows the text and follows the scroll position of the editor.

import { postFile } from "./api.js";
import { announce } from "./announce.js";
import { askConflict } from "./conflict.js";
import { isConnected, whenBack } from "./connection.js";
import { act, byId, fillSelect, icon, sentence, setText, showProblem } from "./dom.js";
import { draft, keepDraft, keepSwitch } from "./drafts.js";
import { t } from "./language.js";
import { leaveGlass, watchGlass } from "./previews.js";
import { currentView, onView } from "./router.js";
import { connected, displays, pictures, sessions } from "./store.js";
import { aspect } from "./tiles.js";
import { deliveryInWords } from "./words.js";
import { WrittenSession } from "./write-sync.js";

/** The time from the last input until the text is sent, in milliseconds. */
const pause = 150;

const closedElsewhere = t("The session was closed. Your text is still here; Show opens it again.");

let written = new WrittenSession("");
let timer = 0;
let isAsking = false;

const editor = () => /** @type {HTMLTextAreaElement} */ (byId("markdown"));
const tell = (text) => setText(byId("write-state"), text);
const draftName = () => `write.${written.display}`;
/** The name of the draft that stores the revision on which the text is based. */
const baseName = () => `${draftName()}.base`;
/** Whether the text of the editor differs from the text on the display. */
const isDirty = () => written.session !== null && editor().value !== written.text;

/** Switches the editor to another display. */
function choose() {
  const homeless = written.display === "" ? editor().value : "";
  written = new WrittenSession(byId("write-display").value);
  editor().value = draft(draftName()) || homeless;
  bind(written.found());
  showProblem(byId("write-problem"));
  tellState();
  show();
}

function tellState() {
  if (isDirty()) tell(t("Your text is not on the display yet."));
  else tell(written.session ? t("Live on {display}.", { display: written.display }) : t("Show opens the text on the display."));
}

/** Continues with an open session. A draft keeps its base revision, so that sending it reports a conflict. */
function bind(found) {
  if (!found) return;
  written.wasBound = true;
  written.session = found;
  if (editor().value === "") replace(written.text);
  if (isDirty() && found.revision !== written.ended?.revision) written.session = { ...found, revision: draft(baseName()) || "none" };
}

function keep() {
  keepDraft(draftName(), editor().value);
  keepDraft(baseName(), written.session?.revision ?? "");
}

function forget() {
  keepDraft(draftName(), "");
  keepDraft(baseName(), "");
}

function show() {
  const isOpen = written.session !== null;
  const display = displays.value.find((display) => display.name === written.display);
  byId("write-close").disabled = !isOpen;
  byId("write-show").disabled = !display;
  for (const id of ["write-back", "write-on"]) byId(id).disabled = !isOpen;
  const image = byId("write-glass");
  if (display && currentView() === "write") watchGlass(image, display.name);
  else leaveGlass(image);
  image.alt = display ? t("Screen of {name}", { name: display.name }) : "";
  const share = display && aspect(display);
  if (share) byId("write-bezel").style.setProperty("--aspect", share.toFixed(4));
  setText(byId("write-caption"), display ? `${display.name}${display.monitor ? `, ${display.monitor}` : ""}` : t("No monitor is connected."));
}

/** Sends the text to the open session, or opens a session with it. */
async function send() {
  window.clearTimeout(timer);
  const text = editor().value;
  try {
    if (written.session) {
      if (await written.send(text)) tell(isDirty() ? "" : t("Live on {display}.", { display: written.display }));
    } else {
      const session = await written.open(text);
      tell(deliveryInWords(session.delivery) || t("Live on {display}.", { display: written.display }));
      if (isDirty() && byId("write-live").checked) await written.send(editor().value);
      await sessions.refresh();
    }
    showProblem(byId("write-problem"));
    if (!isDirty()) forget();
  } catch (error) {
    await explain(error);
  }
  show();
}

async function explain(error) {
  if (error.status === 412) return settle();
  if (error.status === 404 && written.session) {
    written.release();
    sessions.touch();
    sessions.refresh();
    return tell(closedElsewhere);
  }
  showProblem(byId("write-problem"), sentence(error));
}

/** Resolves a conflict: another client changed the text on which this one is based. */
async function settle() {
  if (isAsking) return;
  isAsking = true;
  try {
    const theirs = await written.fresh();
    if (theirs.kind !== "markdown") {
      written.release();
      return tell(t("The session shows another scene now. Your text is still here; Show opens it again."));
    }
    const mine = editor().value;
    const choice = await askConflict({
      text: t("Another client changed the text on the display while you wrote. Marked lines differ."),
      theirs: theirs.scene.text ?? "", mine, both: t("Put both into the editor"),
    });
    await take(choice, theirs, mine);
  } finally {
    isAsking = false;
  }
}

async function take(choice, theirs, mine) {
  if (choice === "later") return tell(t("Not sent. Show compares both versions again."));
  written.session = theirs;
  if (choice === "mine") return send();
  replace(choice === "theirs" ? written.text : `${written.text}\n\n${mine}`);
  if (isDirty()) keep();
  else forget();
  tell(choice === "theirs" ? t("Live on {display}.", { display: written.display }) : t("The editor contains both texts; Show sends them."));
}

/** Replaces the text, and keeps the caret and the scroll position. */
function replace(text) {
  const field = editor();
  const { selectionStart, selectionEnd, scrollTop } = field;
  field.value = text;
  field.setSelectionRange(Math.min(selectionStart, text.length), Math.min(selectionEnd, text.length));
  field.scrollTop = scrollTop;
}

function typed() {
  keep();
  window.clearTimeout(timer);
  if (!written.session) return;
  if (byId("write-live").checked) timer = window.setTimeout(send, pause);
  else tell(t("Your text is not on the display yet."));
  show();
}

/** Updates the view after the displays or the sessions changed. */
function followOthers() {
  const options = connected().map((display) => ({ value: display.name, label: display.monitor ? `${display.name} (${display.monitor})` : display.name }));
  fillSelect(byId("write-display"), options);
  if (byId("write-display").value !== written.display) return choose();
  adopt();
  show();
}

/** Applies the changes of other clients to the session, unless the editor has unsent text. */
function adopt() {
  if (!sessions.isCurrent || written.isSending || isAsking) return;
  const found = written.found();
  if (!written.session) {
    if (found && (!written.wasBound || found.id === written.ended?.id)) { bind(found); tellState(); }
    return;
  }
  if (!found || found.kind !== "markdown") {
    written.release();
    return tell(closedElsewhere);
  }
  if (!found.display) tell(t("The session waits for its monitor, and shows the text when the monitor is connected again."));
  if (found.revision === written.session.revision) return;
  if (isDirty()) return tell(t("Another client changed the text on the display. Your text is still here; Show compares both versions."));
  written.session = found;
  replace(written.text);
  announce(t("Another client changed the text on {display}.", { display: written.display }));
}

/** Returns the distance in pixels from the end at which the last line is visible: browsers scroll the line of the caret
 *  into view, but not the padding below it. */
function slack(field) {
  const { paddingBottom, lineHeight } = getComputedStyle(field);
  return parseFloat(paddingBottom) + (parseFloat(lineHeight) || 0);
}

/** Returns the scroll distance in pixels at which the last line is visible; 0 if the whole text is visible. */
function scrollRoom(field) {
  const room = field.scrollHeight - field.clientHeight;
  return room > 4 ? Math.max(0, room - slack(field)) : 0;
}

/** Returns the scroll position as a fraction; if the whole text is visible, the position of the caret. */
function share() {
  const field = editor();
  const room = scrollRoom(field);
  if (room > 0) return field.scrollTop / room;
  const lines = (text) => text.split("\n").length - 1;
  return lines(field.value) ? lines(field.value.slice(0, field.selectionStart)) / lines(field.value) : 0;
}

function scrolled() {
  if (!byId("write-follow").checked || !written.session || !isConnected()) return;
  const place = Math.round(Math.min(1, Math.max(0, share())) * 10000) / 10000;
  written.scrollTo(place).catch((error) => showProblem(byId("write-problem"), sentence(error)));
}

async function insertPicture() {
  const field = byId("write-picture");
  const file = field.files[0];
  field.value = "";
  if (!file) return;
  const report = await act(field.closest("label"), byId("write-problem"), () => postFile("/v1/images", file));
  if (!report) return;
  pictures.refresh();
  const name = file.name.replace(/\.\w+$/, "").replace(/[[\]]/g, " ");
  const text = editor();
  text.setRangeText(`![${name}](${report.path})`, text.selectionStart, text.selectionEnd, "end");
  text.focus();
  typed();
}

/** Starts the editor. */
export function startWrite() {
  for (const resource of [displays, sessions]) resource.watch(followOthers);
  keepSwitch(byId("write-live"), "write-live", () => { show(); if (isDirty() && byId("write-live").checked) send(); });
  keepSwitch(byId("write-follow"), "write-follow", scrolled);
  byId("write-display").addEventListener("change", choose);
  byId("write-show").addEventListener("click", () => act(byId("write-show"), null, send));
  byId("write-close").addEventListener("click", async () => {
    await act(byId("write-close"), byId("write-problem"), () => written.close());
    if (!written.session) { tell(t("Closed. Your text is still here.")); keep(); }
    show();
  });
  byId("write-back").prepend(icon("back"));
  byId("write-on").prepend(icon("on"));
  byId("write-back").addEventListener("click", () => act(byId("write-back"), byId("write-problem"), () => written.turn(-1)));
  byId("write-on").addEventListener("click", () => act(byId("write-on"), byId("write-problem"), () => written.turn(1)));
  byId("write-picture").addEventListener("change", insertPicture);
  editor().addEventListener("input", typed);
  editor().addEventListener("scroll", scrolled, { passive: true });
  document.addEventListener("selectionchange", () => {
    const field = editor();
    if (document.activeElement === field && scrollRoom(field) === 0) scrolled();
  });
  onView(show);
  whenBack(() => { if (isDirty() && byId("write-live").checked) send(); });
}

/** Opens a Markdown session in the editor. @param {any} session */
export function editInWriter(session) {
  byId("write-display").value = session.display;
  if (written.display !== session.display) choose();
}
