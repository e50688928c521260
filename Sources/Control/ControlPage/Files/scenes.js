// The scene editor: a form for each kind of scene, built from the schema that the service serves, or the scene as JSON.

import { get, post, put } from "./api.js";
import { askConflict } from "./conflict.js";
import { whenBack } from "./connection.js";
import { act, byId, el, fillSelect, sentence, setText, showProblem } from "./dom.js";
import { draft, keepDraft } from "./drafts.js";
import { goTo } from "./router.js";
import { buildForm } from "./scene-fields.js";
import { board, connected, displays, pictures, sessions } from "./store.js";
import { deliveryInWords, fieldInWords } from "./words.js";

/** @type {any} the schema; null until it is read */
let schema = null;
/** The scene as entered so far. */
let scene = { kind: "banner" };
/** Reads the form. */
let read = () => ({});
/** @type {any} the session to edit; null to open a new one */
let editing = null;

const isJSON = () => byId("scene-as-json").checked;
const kinds = () => schema.$defs.scene.oneOf.map((one) => one.$ref.split("/").pop());

function showKinds() {
  const radios = kinds().map((kind) => el(
    "label", { class: "kind" }, el("input", { type: "radio", name: "kind", value: kind, checked: kind === scene.kind, onchange: () => choose(kind) }),
    el("span", { text: fieldInWords(kind) })));
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
  setText(byId("scene-about"), `Shows ${kind.description}.`);
  read = buildForm(byId("scene-fields"), kind, schema.$defs.style, own(scene));
  for (const radio of byId("scene-kinds").querySelectorAll("input")) radio.checked = radio.value === scene.kind;
  byId("scene-fields").hidden = isJSON();
  byId("scene-json-box").hidden = !isJSON();
  if (isJSON()) byId("scene-json").value = JSON.stringify(own(scene), null, 2);
  setText(byId("scene-open"), editing ? "Save" : "Open");
  byId("scene-cancel").hidden = !editing;
  byId("scene-target").closest("label").hidden = Boolean(editing);
  showProblem(byId("scene-problem"));
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
    throw new Error(`The scene is not JSON: ${error.message}`);
  }
}

async function submit(event) {
  event.preventDefault();
  setText(byId("scene-state"), "");
  await act(byId("scene-open"), byId("scene-problem"), async () => {
    const document = typed();
    if (editing) return save(document);
    const target = byId("scene-target").value;
    if (target === "all") {
      const report = await post("/v1/messages", { scene: document, name: "page", wait: true });
      setText(byId("scene-state"), deliveryInWords(report) || "Posted, but no display shows it.");
    } else {
      const session = await post("/v1/sessions", { scene: document, display: target, wait: true });
      setText(byId("scene-state"), deliveryInWords(session.delivery) || `Open on ${session.display}.`);
      sessions.refresh();
    }
    keepDraft("scene", "");
  });
}

async function save(document) {
  try {
    editing = await put(`/v1/sessions/${editing.id}/scene`, document, editing.revision);
    setText(byId("scene-state"), `Saved: ${editing.summary}.`);
    sessions.refresh();
  } catch (error) {
    if (error.status === 404) throw new Error("The session was closed. Stop editing, then open the scene again.");
    if (error.status !== 412) throw error;
    await settle(document);
  }
}

async function settle(mine) {
  const theirs = await get(`/v1/sessions/${editing.id}`);
  const choice = await askConflict({
    text: "Another client saved this scene while you edited it. Marked lines differ.",
    theirs: JSON.stringify(theirs.scene, null, 2), mine: JSON.stringify(mine, null, 2), both: null,
  });
  if (choice === "later") return setText(byId("scene-state"), "Not saved. Save compares both versions again.");
  editing = theirs;
  if (choice === "mine") return save(mine);
  scene = theirs.scene;
  show();
}

function targets() {
  const options = connected().map((display) => ({ value: display.name, label: display.monitor ? `${display.name} (${display.monitor})` : display.name }));
  return [...options, { value: "all", label: "All displays, as a message" }];
}

/** Opens the scene of a session in the form. @param {any} session */
export function editScene(session) {
  editing = session;
  scene = session.scene;
  byId("scene-as-json").checked = false;
  setText(byId("scene-state"), `Editing session ${session.id} on ${session.display ?? session.place}.`);
  show();
  goTo("scenes");
}

/** Starts a new scene with an uploaded image. @param {string} path */
export function showPicture(path) {
  editing = null;
  scene = { kind: "image", path };
  byId("scene-as-json").checked = false;
  show();
  byId("scene-open").focus();
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
  const kept = draft("scene");
  if (kept) scene = JSON.parse(kept);
  if (!kinds().includes(scene.kind)) scene = { kind: "banner" };
  showKinds();
  show();
}

/** Starts the view. */
export function startScenes() {
  byId("scene").addEventListener("submit", submit);
  byId("scene").addEventListener("input", (event) => { if (event.target.name !== "kind") collect(); });
  byId("scene-as-json").addEventListener("change", () => {
    const wasJSON = !isJSON();
    if (wasJSON) {
      try {
        scene = JSON.parse(byId("scene-json").value);
      } catch (error) {
        byId("scene-as-json").checked = true;
        return showProblem(byId("scene-problem"), `The scene is not JSON: ${error.message}`);
      }
    } else {
      try {
        scene = typedByForm();
      } catch (error) {
        byId("scene-as-json").checked = false;
        return showProblem(byId("scene-problem"), sentence(error));
      }
    }
    show();
  });
  byId("scene-cancel").addEventListener("click", () => {
    editing = null;
    setText(byId("scene-state"), "");
    show();
  });
  displays.watch(() => fillSelect(byId("scene-target"), targets()));
  pictures.watch(() => { if (schema && !isJSON() && !byId("scene-fields").contains(document.activeElement)) { collect(); show(); } });
  whenBack(load);
}

function typedByForm() {
  return { kind: scene.kind, ...read() };
}
