// The scene editor: a form for each kind of scene, built from the schema that the service serves, or the scene as JSON.
// It opens scenes on displays, edits those of sessions, and edits library entries.

import { get, part, put } from "./api.js";
import { askConflict } from "./conflict.js";
import { whenBack } from "./connection.js";
import { act, byId, el, sentence, setText, showProblem } from "./dom.js";
import { draft, keepDraft } from "./drafts.js";
import { t } from "./language.js";
import { onView, goTo, currentView } from "./router.js";
import { buildForm, missingField } from "./scene-fields.js";
import { clearMarks, markField } from "./scene-lists.js";
import { addSamples } from "./scene-samples.js";
import { previewScene, startPreview } from "./scene-preview.js";
import { openScene, startTargets } from "./scene-targets.js";
import { board, library, pictures, sessions } from "./store.js";
import { fieldInWords } from "./words.js";

/** @type {any} the schema; null until it is read */
let schema = null;
/** The scene as entered so far. */
let scene = { kind: "banner" };
/** Reads the form. */
let read = () => ({});
/** @type {{session?: any, entry?: any}|null} the session or the library entry to edit; null to open a new scene */
let editing = null;

const isJSON = () => byId("scene-as-json").checked;
const kinds = () => schema.$defs.scene.oneOf.map((one) => one.$ref.split("/").pop());

function showKinds() {
  const radios = kinds().map((kind) => el(
    "label", { class: "kind", data: { kind } }, el("input", { type: "radio", name: "kind", value: kind, checked: kind === scene.kind, onchange: () => choose(kind) }),
    el("span", { class: "kind-picture", "aria-hidden": "true" }), el("span", { text: fieldInWords(kind) })));
  const legend = byId("scene-kinds").querySelector("legend");
  byId("scene-kinds").replaceChildren(legend, el("div", { class: "choices" }, ...radios));
}

/** Selects another kind of scene; fields that both kinds have keep their values. */
function choose(kind) {
  collect();
  scene = { ...scene, kind };
  if (kind === "board" && !scene.columns) scene.columns = board.value.board.columns;
  show();
}

/** Returns a scene without the fields that its kind does not have. */
function own(whole) {
  const known = schema.$defs[whole.kind]?.properties ?? {};
  return Object.fromEntries(Object.entries(whole).filter(([name]) => name in known));
}

function show() {
  const kind = schema.$defs[scene.kind];
  if (!kind) return;
  setText(byId("scene-about"), t(`Shows ${kind.description}.`));
  read = buildForm(byId("scene-fields"), schema.$defs, kinds(), own(scene));
  for (const radio of byId("scene-kinds").querySelectorAll("input")) radio.checked = radio.value === scene.kind;
  byId("scene-fields").hidden = isJSON();
  byId("scene-json-box").hidden = !isJSON();
  if (isJSON()) byId("scene-json").value = JSON.stringify(own(scene), null, 2);
  setText(byId("scene-open"), editing ? t("Save") : t("Open"));
  byId("scene-cancel").hidden = !editing;
  byId("scene-where").hidden = Boolean(editing);
  byId("scene-keep").hidden = Boolean(editing?.entry);
  showProblem(byId("scene-problem"));
  preview();
}

/** Draws the scene in the preview, unless a required field is empty or an entry is invalid. */
function preview() {
  try {
    const document = typed();
    const field = missingField(document, schema.$defs);
    previewScene(field ? null : document, field ? t("Enter {field} to see the scene.", { field: fieldInWords(field) }) : "");
  } catch (error) {
    previewScene(null, sentence(error));
  }
}

/** Stores the entered values; invalid numbers and JSON leave the scene unchanged. */
function collect() {
  try {
    scene = { ...scene, ...typed() };
  } catch {
    return;
  }
  if (!editing) keepDraft("scene", JSON.stringify(own(scene)));
}

/** Returns the scene from the form or the JSON text. */
function typed() {
  if (!isJSON()) return { kind: scene.kind, ...read() };
  try {
    return JSON.parse(byId("scene-json").value);
  } catch (error) {
    throw new Error(t("The scene is not JSON: {message}", { message: error.message }));
  }
}

/** Returns the scene in the form, for other parts of the page. Throws an error for people if a field is invalid. */
export const enteredScene = () => typed();

/** Shows why the service refused the scene, beside the field if there is one. @param {any} error */
export function refuse(error) {
  const isMarked = !isJSON() && markField(byId("scene-fields"), sentence(error));
  showProblem(byId("scene-problem"), sentence(error));
  if (isMarked) byId("scene-fields").querySelector("[aria-invalid]")?.focus();
}

async function submit(event) {
  event.preventDefault();
  setText(byId("scene-state"), "");
  clearMarks(byId("scene-fields"));
  await act(byId("scene-open"), null, async () => {
    showProblem(byId("scene-problem"));
    try {
      const document = typed();
      if (editing) return await save(document);
      setText(byId("scene-state"), await openScene(document));
      keepDraft("scene", "");
    } catch (error) {
      refuse(error);
    }
  });
}

/** Saves a scene in its session or library entry. @param {any} document */
async function save(document) {
  const { session, entry } = editing;
  try {
    if (entry) {
      const saved = await put(`/v1/library/${part(entry.name)}`, { scene: document, title: entry.title, tags: entry.tags }, entry.revision);
      editing = { entry: saved };
      const warnings = saved.warnings.map((text) => t(" Warning: {text}.", { text })).join("");
      setText(byId("scene-state"), t("Saved: {name}.{warnings}", { name: saved.name, warnings }));
      library.refresh();
    } else {
      editing = { session: await put(`/v1/sessions/${session.id}/scene`, document, session.revision) };
      setText(byId("scene-state"), t("Saved: {summary}.", { summary: editing.session.summary }));
      sessions.refresh();
    }
  } catch (error) {
    if (error.status === 404) throw new Error(entry ? t("The entry was removed. Stop editing, then add it again.") : t("The session was closed. Stop editing, then open the scene again."));
    if (error.status !== 412) throw error;
    await settle(document);
  }
}

async function settle(mine) {
  const theirs = editing.entry ? await get(`/v1/library/${part(editing.entry.name)}`) : await get(`/v1/sessions/${editing.session.id}`);
  const choice = await askConflict({
    text: t("Another client saved this scene while you edited it. Marked lines differ."),
    theirs: JSON.stringify(theirs.scene, null, 2), mine: JSON.stringify(mine, null, 2), both: null,
  });
  if (choice === "later") return setText(byId("scene-state"), t("Not saved. Save compares both versions again."));
  editing = editing.entry ? { entry: theirs } : { session: theirs };
  if (choice === "mine") return save(mine);
  scene = theirs.scene;
  show();
}

/** Edits a scene in the form. */
function edit(source, document, text) {
  editing = source;
  scene = document;
  byId("scene-as-json").checked = false;
  setText(byId("scene-state"), text);
  if (schema) show();
  goTo("scenes");
}

/** Opens the scene of a session in the form. @param {any} session */
export function editScene(session) {
  edit({ session }, session.scene, t("Editing session {id} on {place}.", { id: session.id, place: session.display ?? session.place }));
}

/** Opens the scene of a library entry in the form. @param {any} entry with its scene */
export function editEntry(entry) {
  edit({ entry }, entry.scene, t("Editing {name} in the library.", { name: entry.name }));
  byId("scene-fields").querySelector("input, textarea, select")?.focus();
}

/** Returns the name of the entry in the form; null if there is none. */
export const editedEntry = () => editing?.entry?.name ?? null;

/** Starts a new scene. @param {any} document */
export function newScene(document) {
  edit(null, document, "");
  byId("scene-open").focus();
}

/** Stops editing a session or an entry; the scene stays in the form. */
export function stopEditing() {
  editing = null;
  setText(byId("scene-state"), "");
  show();
}

async function load() {
  if (schema) return;
  try {
    schema = await get("/v1/scene.schema.json");
  } catch (error) {
    return showProblem(byId("scene-problem"), sentence(error));
  } finally {
    byId("view-scenes").dataset.ready = "";
  }
  const kept = editing ? "" : draft("scene");
  if (kept) scene = JSON.parse(kept);
  if (!kinds().includes(scene.kind)) scene = { kind: "banner" };
  showKinds();
  show();
  if (currentView() === "scenes") addSamples(byId("scene-kinds"));
}

/** Shows the scene as JSON or as a form. */
function switchForm() {
  const wasJSON = !isJSON();
  try {
    if (wasJSON) scene = JSON.parse(byId("scene-json").value);
    else scene = { kind: scene.kind, ...read() };
  } catch (error) {
    byId("scene-as-json").checked = wasJSON;
    return showProblem(byId("scene-problem"), wasJSON ? t("The scene is not JSON: {message}", { message: error.message }) : sentence(error));
  }
  show();
}

/** Builds the form again if the choices of its fields changed, unless someone is using it. */
function refreshChoices() {
  if (schema && !isJSON() && !byId("scene-fields").contains(document.activeElement)) { collect(); show(); }
}

/** Starts the view. */
export function startScenes() {
  byId("scene").addEventListener("submit", submit);
  byId("scene").addEventListener("input", (event) => {
    if (event.target.name === "kind" || byId("scene-where").contains(event.target)) return;
    collect();
    preview();
  });
  byId("scene-as-json").addEventListener("change", switchForm);
  byId("scene-cancel").addEventListener("click", stopEditing);
  startTargets();
  startPreview();
  pictures.watch(refreshChoices);
  library.watch(refreshChoices);
  onView(() => { if (schema && currentView() === "scenes") { addSamples(byId("scene-kinds")); preview(); } });
  whenBack(load);
}
