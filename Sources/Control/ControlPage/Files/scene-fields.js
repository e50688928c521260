// A form built from a JSON schema: one control for each field of a scene, selected by the field's schema.

import { el } from "./dom.js";
import { connected, pictures } from "./store.js";
import { capital, fieldInWords } from "./words.js";

/** @typedef {{name: string, element: HTMLElement, read: () => any}} Control `read` returns undefined if the field is not set */

let count = 0;

/** Returns a control with its label and the description from the schema. */
function labelled(name, spec, control, isRequired, isWhole = false) {
  const id = `field-${count += 1}`;
  control.id = id;
  control.name = name;
  if (isRequired) control.required = true;
  const hint = spec.description ? el("span", { class: "hint", id: `${id}-hint`, text: capital(spec.description) }) : null;
  if (hint) control.setAttribute("aria-describedby", hint.id);
  const words = fieldInWords(name.split(".").pop() ?? name);
  return el("div", { class: isWhole ? "field whole" : "field" }, el("label", { for: id, class: "field-label", text: words }), control, hint);
}

function textControl(name, spec, value, isRequired) {
  const isLong = (spec.maxLength ?? 0) > 10000 && ["text", "content", "detail"].includes(name);
  const field = isLong ? el("textarea", { rows: 4 }) : el("input", { type: "text", autocomplete: "off" });
  if (spec.maxLength && spec.maxLength < 10000) field.maxLength = spec.maxLength;
  field.value = value ?? "";
  return { name, element: labelled(name, spec, field, isRequired, isLong), read: () => field.value || (isRequired && !spec.minLength ? "" : undefined) };
}

function choiceControl(name, spec, value, isRequired, options) {
  const field = el("select");
  const usual = spec.default === undefined ? "Default" : `Default (${spec.default})`;
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
  const options = [[true, "Yes"], [false, "No"]];
  const usual = spec.default === undefined ? spec : { ...spec, default: spec.default ? "yes" : "no" };
  return choiceControl(name, usual, value, false, options);
}

function colorControl(name, spec, value) {
  const picker = el("input", { type: "color", value: longColor(value) ?? "#2b50d8" });
  const own = el("input", { type: "checkbox", checked: value !== undefined });
  const label = fieldInWords(name.split(".").pop() ?? name);
  picker.addEventListener("input", () => { own.checked = true; });
  picker.setAttribute("aria-label", `${label}: value`);
  own.setAttribute("aria-label", `${label}: custom color`);
  own.name = name;
  const hint = el("span", { class: "hint", text: capital(spec.description ?? "") });
  const element = el("div", { class: "field", role: "group", "aria-label": label }, el("span", { class: "field-label", text: label }), el("div", { class: "color" }, el("label", { class: "tick" }, own), picker), hint);
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
  const field = el("select", {}, ...known.map(([path, label]) => el("option", { value: path, text: label })), el("option", { value: "", text: known.length ? "Another file (enter its path)" : "A file (enter its path)" }));
  const path = el("input", { type: "text", autocomplete: "off", placeholder: "/home/ada/poster.png", "aria-label": `${fieldInWords(name)}: path of the file` });
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

function jsonControl(name, spec, value, isRequired) {
  const field = el("textarea", { rows: 8, class: "code", spellcheck: "false" });
  field.value = value === undefined ? "" : JSON.stringify(value, null, 2);
  const described = { ...spec, description: [spec.description, "in JSON"].filter(Boolean).join("; ") };
  const read = () => {
    if (!field.value.trim()) return undefined;
    try {
      return JSON.parse(field.value);
    } catch (error) {
      throw new Error(`${fieldInWords(name)} is not JSON: ${error.message}`);
    }
  };
  return { name, element: labelled(name, described, field, isRequired, true), read };
}

/**
 * Returns the control of a field.
 * @param {string} name @param {any} spec its schema @param {any} value undefined if the field is not set @param {boolean} isRequired
 * @returns {Control}
 */
export function control(name, spec, value, isRequired) {
  const pattern = spec.pattern ?? "";
  if (name === "of") return choiceControl(name, spec, value, isRequired, connected().map((display) => [display.name, display.name]));
  if (spec.enum) return choiceControl(name, spec, value, isRequired, spec.enum.map((option) => [option, fieldInWords(String(option))]));
  if (spec.type === "boolean") return switchControl(name, spec, value);
  if (spec.type === "number" || spec.type === "integer") return numberControl(name, spec, value, isRequired);
  if (pattern.startsWith("^#")) return colorControl(name, spec, value);
  if (pattern.startsWith("^\\d{4}")) return momentControl(name, spec, value, isRequired);
  if (pattern.startsWith("^/") && /PNG|picture$/.test(spec.description ?? "") && name !== "folder") return pictureControl(name, spec, value, isRequired);
  if (spec.type === "string") return textControl(name, spec, value, isRequired);
  return jsonControl(name, spec, value, isRequired);
}

/** The fields that come first, in the order in which people fill them in. */
const order = ["title", "text", "subtitle", "content", "path", "to", "of", "pattern", "caption"];

/**
 * Builds the form for one kind of scene.
 * @param {HTMLElement} box the container @param {any} schema the schema of the kind @param {any} style the schema of the style @param {any} scene the initial values
 * @returns {() => any} reads the fields of the scene; throws an error for people if a field is invalid
 */
export function buildForm(box, schema, style, scene) {
  const rank = (name) => (order.indexOf(name) + order.length + 1) % (order.length + 1);
  const names = Object.keys(schema.properties).filter((name) => !["kind", "id", "style"].includes(name)).sort((a, b) => rank(a) - rank(b));
  const controls = names.map((name) => control(name, schema.properties[name], scene[name], schema.required.includes(name)));
  const styles = Object.entries(style.properties).map(([name, spec]) => control(`style.${name}`, spec, scene.style?.[name], false));
  const details = el("details", {}, el("summary", { text: "Style" }), el("div", { class: "fields" }, ...styles.map(({ element }) => element)));
  box.replaceChildren(...controls.map(({ element }) => element), details);
  return () => {
    const result = scene.id ? { id: scene.id } : {};
    for (const { name, read } of controls) assign(result, name, read());
    const look = {};
    for (const { name, read } of styles) assign(look, name.slice("style.".length), read());
    if (Object.keys(look).length) result.style = look;
    return result;
  };
}

function assign(target, name, value) {
  if (value !== undefined) target[name] = value;
}
