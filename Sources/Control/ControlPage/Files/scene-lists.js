// Lists in the forms of scenes: cards and columns of a board, items of a playlist, rules of a schedule, events, zones.

import { announce } from "./announce.js";
import { el, iconButton } from "./dom.js";
import { t } from "./language.js";
import { labelled } from "./scene-label.js";
import { capital, fieldInWords, short } from "./words.js";

/** The word for one element of a list. */
const singular = { columns: "column", cards: "card", items: "item", rules: "rule", events: "event", zones: "zone", highlight: "word", except: "time", also: "time" };

/** Returns a line that names an element, from its fields. */
function title(value) {
  const show = value?.show;
  const text = value?.title ?? value?.name ?? show?.text ?? show?.title ?? show?.name ?? show?.kind ?? value?.calendar ?? "";
  return short(String(text), 40);
}

/**
 * Returns the control for a list, whose elements can be added, moved and removed.
 * @param {string} name @param {any} spec @param {any[]|undefined} value @param {boolean} isRequired @param {any} form
 */
export function listControl(name, spec, value, isRequired, form) {
  const word = singular[name] ?? "element";
  const label = t(capital(word));
  const items = spec.items.$ref ? form.defs[spec.items.$ref.split("/").pop()] : spec.items;
  const elements = el("ol", { class: "elements" });
  /** @type {{element: HTMLElement, read: () => any}[]} */
  let rows = [];

  const number = () => {
    rows.forEach(({ element }, index) => {
      element.querySelector(":scope > .element-head > .element-title").textContent = `${label} ${index + 1}`;
      for (const button of element.querySelectorAll(":scope > .element-head button")) button.setAttribute("aria-label", t("{act}: {name} {number}", { act: button.title, name: label, number: index + 1 }));
      element.querySelector("[data-act=up]").disabled = index === 0;
      element.querySelector("[data-act=down]").disabled = index === rows.length - 1;
    });
    add.disabled = spec.maxItems !== undefined && rows.length >= spec.maxItems;
  };
  const changed = () => elements.dispatchEvent(new Event("input", { bubbles: true }));
  const move = (row, by) => {
    const from = rows.indexOf(row);
    const to = from + by;
    if (to < 0 || to >= rows.length) return;
    rows.splice(from, 1);
    rows.splice(to, 0, row);
    elements.insertBefore(row.element, elements.children[by > 0 ? to + 1 : to] ?? null);
    number();
    announce(t("{name} {from} is number {to} now.", { name: label, from: from + 1, to: to + 1 }));
    const button = row.element.querySelector(`[data-act=${by > 0 ? "down" : "up"}]`);
    (button.disabled ? row.element.querySelector("summary, button:not(:disabled)") : button).focus();
    changed();
  };
  const remove = (row) => {
    const index = rows.indexOf(row);
    rows = rows.filter((one) => one !== row);
    row.element.remove();
    number();
    announce(t("{name} {number} was removed.", { name: label, number: index + 1 }));
    (rows[index] ?? rows[index - 1])?.element.querySelector("summary, input, select, textarea")?.focus() ?? add.focus();
    if (!rows.length) add.focus();
    changed();
  };
  const append = (one, isNew) => {
    const row = makeRow(name, items, one, form, isNew);
    const buttons = [["up", t("Move up"), () => move(row, -1)], ["down", t("Move down"), () => move(row, 1)], ["close", t("Remove"), () => remove(row)]];
    for (const [symbol, act, run] of buttons) {
      const button = iconButton(symbol, "", act, run, "ghostly small icon");
      button.dataset.act = symbol;
      row.element.querySelector(":scope > .element-head").append(button);
    }
    rows.push(row);
    elements.append(row.element);
    return row;
  };

  const add = el("button", { type: "button", class: "quiet small", text: t(/^[aeiou]/.test(word) ? `Add an ${word}` : `Add a ${word}`), onclick: () => {
    const row = append(undefined, true);
    number();
    row.element.querySelector("input, select, textarea")?.focus();
    changed();
  } });
  for (const one of value ?? []) append(one, false);
  number();
  const box = el("div", { class: "list-box", role: "group" }, elements, add);
  const element = labelled(name, spec, box, false, true);
  // A group has no label element: its label is a text.
  const heading = element.querySelector("label");
  const text = el("span", { class: "field-label", id: `${box.id}-label`, text: heading.textContent });
  heading.replaceWith(text);
  box.setAttribute("aria-labelledby", text.id);
  box.removeAttribute("name");
  const read = () => {
    const values = rows.map((row) => row.read());
    return values.length || isRequired ? values : undefined;
  };
  return { name, element, read };
}

/** Returns the row of one element: its number and its fields. */
function makeRow(name, items, value, form, isNew) {
  const head = el("div", { class: "element-head" }, el("span", { class: "element-title" }));
  if (!items.properties) {
    const { element, read } = form.control(name, { ...items, description: undefined }, value, true, form);
    element.querySelector("label").classList.add("sr");
    element.removeAttribute("data-field");
    return { element: el("li", { class: "element", data: { item: "" } }, head, element), read };
  }
  const fields = el("div", { class: "fields" });
  const read = form.addFields(fields, items, value, form, ["id"]);
  const words = title(value);
  const details = el("details", { open: isNew }, el("summary", { text: words || t("Fields") }), fields);
  details.addEventListener("toggle", () => {
    if (!details.open) details.querySelector("summary").textContent = title(valueOf(read)) || t("Fields");
  });
  const row = el("li", { class: "element", data: { item: "" } }, head, details);
  return { element: row, read: () => ({ ...(value?.id ? { id: value.id } : {}), ...read() }) };
}

function valueOf(read) {
  try {
    return read();
  } catch {
    return {};
  }
}

/**
 * Marks the control that a refusal names, and shows the reason beside it.
 * @param {HTMLElement} box the form @param {string} text a sentence such as: the scene cannot be used: `rules[0].hours` is "x": …
 * @returns {boolean} whether the form has the control
 */
export function markField(box, text) {
  clearMarks(box);
  const match = /`([^`]+)` (.*)$/s.exec(text);
  const found = match && controlAt(box, match[1]);
  if (!found) return false;
  for (let parent = found.closest("details"); parent; parent = parent.parentElement.closest("details")) parent.open = true;
  const field = found.querySelector("input, select, textarea");
  const note = el("span", { class: "field-problem", id: "field-problem", text: `${fieldInWords(match[1].split(".").pop())} ${match[2]}` });
  field?.setAttribute("aria-invalid", "true");
  field?.setAttribute("aria-errormessage", note.id);
  found.append(note);
  return true;
}

/** Removes the marks of refused fields. @param {HTMLElement} box */
export function clearMarks(box) {
  box.querySelector("#field-problem")?.remove();
  for (const field of box.querySelectorAll("[aria-invalid]")) {
    field.removeAttribute("aria-invalid");
    field.removeAttribute("aria-errormessage");
  }
}

/** Returns the element with the control of a path such as `columns[1].cards[0].title`. */
function controlAt(box, path) {
  let current = box;
  for (const step of path.match(/style\.[a-z_]+|[a-z_]+|\[\d+\]/g) ?? []) {
    const isItem = step.startsWith("[");
    const all = [...current.querySelectorAll(isItem ? "[data-item]" : "[data-field]")];
    const own = all.filter((one) => {
      const around = one.parentElement.closest("[data-field], [data-item]");
      return around === (current === box ? null : current) || !box.contains(around);
    });
    const next = isItem ? own[Number(step.slice(1, -1))] : own.find((one) => one.dataset.field === step);
    if (!next) return current === box ? null : current;
    current = next;
  }
  return current === box ? null : current;
}
