// The labels and descriptions of the controls in the forms of scenes.

import { el } from "./dom.js";
import { descriptionInWords, fieldInWords } from "./words.js";

let count = 0;

/** Returns a control with its label and the description from the schema. */
export function labelled(name, spec, control, isRequired, isWhole = false) {
  const id = `field-${count += 1}`;
  control.id = id;
  control.name = name;
  if (isRequired) control.required = true;
  const hint = spec.description ? el("span", { class: "hint", id: `${id}-hint`, text: descriptionInWords(spec) }) : null;
  if (hint) control.setAttribute("aria-describedby", hint.id);
  const words = fieldInWords(name.split(".").pop() ?? name);
  return el("div", { class: isWhole ? "field whole" : "field", data: { field: name } }, el("label", { for: id, class: "field-label", text: words }), control, hint);
}
