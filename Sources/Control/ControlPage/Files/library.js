// The library: its entries beside the editor, and the dialog for an entry's name, title and tags.

import { get, part, post, postFile, put, remove } from "./api.js";
import { announce, attempt } from "./announce.js";
import { open } from "./dialogs.js";
import { act, byId, el, fillSelect, keyed, sentence, setText, showProblem } from "./dom.js";
import { t } from "./language.js";
import { editEntry, editedEntry, enteredScene, newScene, refuse, stopEditing } from "./scenes.js";
import { library } from "./store.js";
import { fieldInWords, moment } from "./words.js";

/** The number of entries that are listed at first, and that are added by each Show more. */
const portion = 50;

let most = portion;
/** @type {{entry?: any, scene?: any}} what the dialog saves: the properties of an entry, or a scene as a new entry */
let naming = {};

/** Returns the entries that match the search. */
function found() {
  const words = byId("library-search").value.toLowerCase().split(/\s+/).filter(Boolean);
  const kind = byId("library-kind").value;
  return library.value.filter((entry) => {
    const text = [entry.name, entry.title ?? "", entry.summary, ...entry.tags].join(" ").toLowerCase();
    return (!kind || entry.kind === kind) && words.every((word) => text.includes(word));
  });
}

function make(entry) {
  const name = entry.name;
  const button = (text, label, run) => el("button", { type: "button", class: "quiet small", text, "aria-label": label, onclick: () => attempt(run) });
  return el(
    "li", { data: { entry: name } },
    el("div", { class: "list-text" }, el("p", { class: "list-title" }), el("p", { class: "hint" })),
    el(
      "div", { class: "list-actions" },
      button(t("Edit"), t("Edit {name}", { name }), async () => editEntry(await get(`/v1/library/${part(name)}`))),
      button(t("Show"), t("Show {name}", { name }), async () => newScene({ kind: "entry", name })),
      button(t("Rename"), t("Rename {name}", { name }), () => rename(name)),
      button(t("Remove"), t("Remove {name}", { name }), () => removeEntry(name))));
}

function update(row, entry) {
  setText(row.querySelector(".list-title"), entry.title ? `${entry.title} (${entry.name})` : entry.name);
  const parts = [fieldInWords(entry.kind), entry.summary, entry.tags.join(", "), entry.uses.length ? t("used by {names}", { names: entry.uses.join(", ") }) : "", t("changed {time}", { time: moment(entry.changed) })];
  setText(row.querySelector(".hint"), parts.filter(Boolean).join(" · "));
}

function show() {
  const entries = found();
  keyed(byId("library"), entries.slice(0, most), (entry) => entry.name, make, update);
  byId("library-more").hidden = entries.length <= most;
  const count = library.value.length;
  const state = count === 0 ? t("The library is empty. Add to library stores the scene in the editor.")
    : entries.length < count ? t("{found} of {count} entries.", { found: entries.length, count })
      : count === 1 ? t("One entry.") : t("{count} entries.", { count });
  setText(byId("library-state"), state);
  const kinds = [...new Set(library.value.map((entry) => entry.kind))].sort();
  fillSelect(byId("library-kind"), [{ value: "", label: t("All") }, ...kinds.map((kind) => ({ value: kind, label: fieldInWords(kind) }))]);
}

async function removeEntry(name) {
  try {
    await remove(`/v1/library/${part(name)}`);
  } catch (error) {
    return showProblem(byId("library-problem"), sentence(error));
  }
  showProblem(byId("library-problem"));
  announce(t("Removed {name}.", { name }));
  if (editedEntry() === name) stopEditing();
  await library.refresh();
}

// The dialog.

function ask(title, { name = "", heading = "", tags = [] }) {
  setText(byId("entry-dialog-title"), title);
  byId("entry-name").value = name;
  byId("entry-title").value = heading;
  byId("entry-tags").value = tags.join(" ");
  showProblem(byId("entry-problem"));
  open(byId("entry-dialog"));
  byId("entry-name").focus();
}

async function rename(name) {
  const entry = await get(`/v1/library/${part(name)}`);
  naming = { entry };
  ask(t("Name of {name}", { name }), { name, heading: entry.title, tags: entry.tags });
}

function keep() {
  try {
    naming = { scene: enteredScene() };
  } catch (error) {
    return refuse(error);
  }
  ask(t("Add to library"), {});
}

async function save(event) {
  event.preventDefault();
  await act(byId("entry-save"), byId("entry-problem"), async () => {
    const name = byId("entry-name").value.trim();
    const title = byId("entry-title").value.trim();
    const tags = byId("entry-tags").value.split(/\s+/).filter(Boolean);
    const { entry, scene } = naming;
    if (!entry && library.value.some((known) => known.name === name)) throw new Error(t("There is already an entry {name}. Choose another name, or edit that one.", { name }));
    let current = entry;
    if (entry && name !== entry.name) current = await post(`/v1/library/${part(entry.name)}/rename`, { name });
    const request = { scene: current?.scene ?? entry?.scene ?? scene, tags, ...(title ? { title } : {}) };
    const saved = await put(`/v1/library/${part(name)}`, request, current?.revision);
    byId("entry-dialog").close();
    announce(t("Saved {name} in the library.", { name }));
    if (!entry || editedEntry() === entry.name) editEntry(saved);
    await library.refresh();
  });
}

// Files.

/** Returns the name of an entry for a file: its name without the extension, with hyphens for other characters. */
function nameOf(file) {
  return file.name.replace(/\.\w+$/, "").replace(/[^\w.-]+/g, "-").replace(/^[-.]+|[-.]+$/g, "").slice(0, 60) || "file";
}

async function importFile() {
  const field = byId("library-file");
  const file = field.files[0];
  field.value = "";
  if (!file) return;
  await act(field.closest("label"), byId("library-problem"), async () => {
    const name = nameOf(file);
    const known = library.value.find((entry) => entry.name === name);
    let saved = null;
    if (/\.ics$/i.test(file.name)) {
      saved = await postFile(`/v1/library/${part(name)}/events`, new Blob([file], { type: "text/calendar" }));
    } else {
      if (known) throw new Error(t("There is already an entry {name}. Rename the file, or edit that entry.", { name }));
      const text = await file.text();
      const scene = /\.json$/i.test(file.name) ? JSON.parse(text) : { kind: "markdown", text };
      saved = await put(`/v1/library/${part(name)}`, { scene });
    }
    announce(t("Imported {file} as {name}.", { file: file.name, name }));
    editEntry(saved);
    await library.refresh();
  });
}

/** Starts the list and the dialog. */
export function startLibrary() {
  byId("entry-form").addEventListener("submit", save);
  byId("scene-keep").addEventListener("click", keep);
  byId("library-file").addEventListener("change", importFile);
  for (const id of ["library-search", "library-kind"]) byId(id).addEventListener("input", () => { most = portion; show(); });
  byId("library-more").addEventListener("click", () => { most += portion; show(); });
  library.watch(show);
}
