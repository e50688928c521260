// A form built from a JSON schema: one control for each field of a scene, selected by the field's schema.

import { el } from "./dom.js";
import { t } from "./language.js";
import { labelled } from "./scene-label.js";
import { listControl } from "./scene-lists.js";
import { connected, library, pictures } from "./store.js";
import { descriptionInWords, fieldInWords } from "./words.js";

/** @typedef {{name: string, element: HTMLElement, read: () => any}} Control `read` returns undefined if the field is not set */

function textControl(name, spec, value, isRequired) {
  const isLong = (spec.maxLength ?? 0) > 10000 && ["text", "content", "detail"].includes(name);
  const field = isLong ? el("textarea", { rows: 4 }) : el("input", { type: "text", autocomplete: "off" });
  if (spec.maxLength && spec.maxLength < 10000) field.maxLength = spec.maxLength;
  field.value = value ?? "";
  return { name, element: labelled(name, spec, field, isRequired, isLong), read: () => field.value || (isRequired && !spec.minLength ? "" : undefined) };
}

function choiceControl(name, spec, value, isRequired, options) {
  const field = el("select");
  const usual = spec.default === undefined ? t("Default") : t("Default ({default})", { default: spec.default });
  if (!isRequired) field.append(el("option", { value: "", text: usual }));
  for (const [option, label] of options) field.append(el("option", { value: JSON.stringify(option), text: label }));
  if (value !== undefined) field.value = JSON.stringify(value);
  if (field.selectedIndex < 0) field.selectedIndex = 0;
  return { name, element: labelled(name, spec, field, isRequired), read: () => (field.value ? JSON.parse(field.value) : undefined) };
}

function numberControl(name, spec, value, isRequired) {
  const field = el("input", { type: "number", min: spec.minimum, max: spec.maximum, step: spec.type === "integer" ? 1 : "any", inputmode: "decimal" });
  if (value !== undefined) field.value = value;
  const read = () => {
    if (field.value === "" && !field.validity.badInput) return undefined;
    if (!field.validity.valid) throw new Error(`${fieldInWords(name)}: ${field.validationMessage}`);
    return field.valueAsNumber;
  };
  return { name, element: labelled(name, spec, field, isRequired), read };
}

function switchControl(name, spec, value) {
  const options = [[true, t("Yes")], [false, t("No")]];
  const usual = spec.default === undefined ? spec : { ...spec, default: spec.default ? t("Yes") : t("No") };
  return choiceControl(name, usual, value, false, options);
}

function colorControl(name, spec, value) {
  const picker = el("input", { type: "color", value: longColor(value) ?? "#2b50d8" });
  const own = el("input", { type: "checkbox", checked: value !== undefined });
  const label = fieldInWords(name.split(".").pop() ?? name);
  picker.addEventListener("input", () => { own.checked = true; });
  picker.setAttribute("aria-label", t("{field}: value", { field: label }));
  own.setAttribute("aria-label", t("{field}: custom color", { field: label }));
  own.name = name;
  const hint = el("span", { class: "hint", text: descriptionInWords(spec) });
  const element = el("div", { class: "field", role: "group", "aria-label": label, data: { field: name } }, el("span", { class: "field-label", text: label }), el("div", { class: "color" }, el("label", { class: "tick" }, own), picker), hint);
  return { name, element, read: () => (own.checked ? picker.value : undefined) };
}

/** Returns `#abc` as `#aabbcc`, the only form that a color input accepts (HTML, "valid simple color"). */
function longColor(value) {
  return value?.length === 4 ? `#${[...value.slice(1)].map((digit) => digit + digit).join("")}` : value;
}

function momentControl(name, spec, value, isRequired) {
  const field = el("input", { type: "datetime-local", step: 1 });
  field.value = (value ?? "").replace(" ", "T").slice(0, 19);
  return { name, element: labelled(name, spec, field, isRequired), read: () => field.value || undefined };
}

/** Returns the control for an image: an uploaded image, or the path of a file on the service's machine. */
function pictureControl(name, spec, value, isRequired) {
  const known = pictures.value.map((picture) => [picture.path, `${picture.width} × ${picture.height}, ${picture.name}`]);
  const isOther = value !== undefined && !known.some(([path]) => path === value);
  const field = el("select", {}, ...known.map(([path, label]) => el("option", { value: path, text: label })), el("option", { value: "", text: known.length ? t("Another file (enter its path)") : t("A file (enter its path)") }));
  const path = el("input", { type: "text", autocomplete: "off", placeholder: "/home/ada/poster.png", "aria-label": t("{field}: path of the file", { field: fieldInWords(name) }) });
  const showPath = () => { path.hidden = field.value !== ""; };
  if (isOther) path.value = value;
  if (isOther || !isRequired) field.value = "";
  if (value !== undefined && !isOther) field.value = value;
  field.addEventListener("change", showPath);
  showPath();
  const element = labelled(name, spec, field, isRequired);
  field.after(path);
  return { name, element, read: () => field.value || path.value || undefined };
}

/** Returns the control for the rows of a table: one row per line, with cells between vertical bars. */
function rowsControl(name, spec, value, isRequired) {
  const field = el("textarea", { rows: 6, spellcheck: false, placeholder: "10:04 | Harbour | 2" });
  field.value = (value ?? []).map((row) => row.join(" | ")).join("\n");
  const text = field.value;
  const read = () => {
    // Numbers stay numbers as long as the rows are unchanged.
    if (field.value === text && value) return value;
    const lines = field.value.split("\n").filter((line) => line.trim());
    const rows = lines.map((line) => line.split("|").map((cell) => cell.trim()));
    return rows.length || isRequired ? rows : undefined;
  };
  const description = t("One row per line, with | between the cells");
  return { name, element: labelled(name, { ...spec, description }, field, isRequired, true), read };
}

/** Returns the control for a time zone, which suggests the zones that the browser knows. */
function zoneControl(name, spec, value, isRequired) {
  const { element, read } = textControl(name, spec, value, isRequired);
  if (!document.getElementById("zones")) {
    const names = Intl.supportedValuesOf?.("timeZone") ?? [];
    document.body.append(el("datalist", { id: "zones" }, ...names.map((zone) => el("option", { value: zone }))));
  }
  element.querySelector("input").setAttribute("list", "zones");
  return { name, element, read };
}

/** Returns the control for the name of a library entry. @param {string} [kind] the kind that the entry must have */
function entryControl(name, spec, value, isRequired, kind) {
  const known = library.value.filter((entry) => !kind || entry.kind === kind);
  const options = known.map((entry) => [entry.name, entry.title ? `${entry.name}: ${entry.title}` : entry.name]);
  if (value !== undefined && value !== "" && !known.some((entry) => entry.name === value)) options.push([value, value]);
  return choiceControl(name, spec, value, isRequired, options);
}

/** Returns the control for a scene inside another one: its kind, and the fields of that kind. */
function sceneControl(name, spec, value, isRequired, form) {
  const kinds = form.kinds.filter((kind) => form.depth < 2 || !nesting.has(kind));
  const choice = el("select", {}, isRequired ? null : el("option", { value: "", text: t("None") }), ...kinds.map((kind) => el("option", { value: kind, text: fieldInWords(kind) })));
  choice.value = value?.kind ?? (isRequired ? (library.value.length ? "entry" : "banner") : "");
  const fields = el("div", { class: "fields" });
  let whole = value ?? {};
  let read = () => ({});
  const fill = () => {
    fields.replaceChildren();
    if (!choice.value) return;
    read = buildFields(fields, { ...form, depth: form.depth + 1 }, { ...whole, kind: choice.value });
  };
  choice.addEventListener("change", () => {
    whole = { ...whole, ...valueOf(read) };
    fill();
  });
  fill();
  const element = labelled(name, { description: spec.description }, choice, isRequired, true);
  element.classList.add("nested");
  element.append(fields);
  return { name, element, read: () => (choice.value ? { kind: choice.value, ...read() } : undefined) };
}

/** The kinds with scenes inside them. */
const nesting = new Set(["playlist", "schedule", "calendar", "countdown", "zones"]);

/** Returns the value of a form; none if a field is invalid. */
function valueOf(read) {
  try {
    return read();
  } catch {
    return {};
  }
}

/** @typedef {{defs: any, kinds: string[], depth: number, control: any, addFields: any}} Form the schemas of all kinds, the kinds, the number of scenes around, and the functions below, which lists need */

/**
 * Returns the control of a field.
 * @param {string} name @param {any} spec its schema @param {any} value undefined if the field is not set @param {boolean} isRequired @param {Form} form
 * @returns {Control}
 */
function control(name, spec, value, isRequired, form) {
  const pattern = spec.pattern ?? "";
  if (spec.$ref === "#/$defs/scene") return sceneControl(name, spec, value, isRequired, form);
  if (name === "rows" && spec.type === "array") return rowsControl(name, spec, value, isRequired);
  if (spec.type === "array") return listControl(name, spec, value, isRequired, form);
  if (name === "of") return choiceControl(name, spec, value, isRequired, connected().map((display) => [display.name, display.name]));
  if (name === "name" && isEntryName(spec)) return entryControl(name, spec, value, isRequired);
  if (name === "calendar") return entryControl(name, spec, value, isRequired, "calendar");
  if (name === "zone") return zoneControl(name, spec, value, isRequired);
  if (spec.enum) return choiceControl(name, spec, value, isRequired, spec.enum.map((option) => [option, fieldInWords(String(option))]));
  if (spec.type === "boolean") return switchControl(name, spec, value);
  if (spec.type === "number" || spec.type === "integer") return numberControl(name, spec, value, isRequired);
  if (pattern.startsWith("^#")) return colorControl(name, spec, value);
  if (pattern.startsWith("^\\d{4}")) return momentControl(name, spec, value, isRequired);
  if (pattern.startsWith("^/") && /PNG|picture$/.test(spec.description ?? "") && name !== "folder") return pictureControl(name, spec, value, isRequired);
  return textControl(name, spec, value, isRequired);
}

/** Returns whether the text of a field is the name of a library entry. */
const isEntryName = (spec) => /entry/.test(spec.description ?? "");

/** The fields that come first, in the order in which people fill them in. */
const order = ["title", "text", "name", "subtitle", "content", "path", "to", "of", "pattern", "caption", "hours", "from", "until", "at", "main", "show", "columns", "cards", "items", "rules", "events", "zones"];

/** Adds the controls of the fields of an object to a form. @param {any} kind its schema @param {any} value @param {Form} form @param {string[]} hidden the fields without a control, whose values stay */
function addFields(box, kind, value, form, hidden) {
  const rank = (name) => (order.indexOf(name) + order.length + 1) % (order.length + 1);
  const names = Object.keys(kind.properties).filter((name) => !hidden.includes(name)).sort((a, b) => rank(a) - rank(b));
  const controls = names.map((name) => control(name, kind.properties[name], value?.[name], (kind.required ?? []).includes(name), form));
  box.append(...controls.map(({ element }) => element));
  return () => {
    const result = {};
    for (const { name, read } of controls) assign(result, name, read());
    return result;
  };
}

/** Builds the form for the kind of a scene in a box. @param {Form} form */
function buildFields(box, form, scene) {
  const read = addFields(box, form.defs[scene.kind], scene, form, ["kind", "id", "style"]);
  const style = form.defs.style;
  const styles = Object.entries(style.properties).map(([name, spec]) => control(`style.${name}`, spec, scene.style?.[name], false, form));
  box.append(el("details", {}, el("summary", { text: t("Style") }), el("div", { class: "fields" }, ...styles.map(({ element }) => element))));
  return () => {
    const result = { ...(scene.id ? { id: scene.id } : {}), ...read() };
    const look = {};
    for (const { name, read: one } of styles) assign(look, name.slice("style.".length), one());
    if (Object.keys(look).length) result.style = look;
    return result;
  };
}

/**
 * Builds the form for one kind of scene.
 * @param {HTMLElement} box the container @param {any} defs the schemas of all kinds @param {string[]} kinds @param {any} scene the initial values
 * @returns {() => any} reads the fields of the scene; throws an error for people if a field is invalid
 */
export function buildForm(box, defs, kinds, scene) {
  box.replaceChildren();
  return buildFields(box, { defs, kinds, depth: 0, control, addFields }, scene);
}

/** Returns the name of a required field that a scene does not have; an empty text if it has all. @param {any} scene @param {any} defs */
export function missingField(scene, defs) {
  return missingIn(scene, defs[scene?.kind] ?? {}, defs);
}

function missingIn(value, spec, defs) {
  for (const name of spec.required ?? []) if (value?.[name] === undefined) return name;
  for (const [name, one] of Object.entries(spec.properties ?? {})) {
    const inside = value?.[name];
    if (inside === undefined || name === "style") continue;
    const parts = one.type === "array" ? inside : [inside];
    const part = one.type === "array" ? one.items : one;
    for (const element of Array.isArray(parts) ? parts : []) {
      const found = part.$ref === "#/$defs/scene" ? missingField(element, defs) : missingIn(element, part, defs);
      if (found) return found;
    }
  }
  return "";
}

function assign(target, name, value) {
  if (value !== undefined) target[name] = value;
}
