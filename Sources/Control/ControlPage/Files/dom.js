// Helpers that build the page. Texts become text nodes: no value from the service is parsed as HTML.

import { t } from "./language.js";

/** Returns the element of index.html with an ID. @param {string} id @returns {any} */
export function byId(id) {
  return document.getElementById(id);
}

/**
 * Creates an element.
 * @param {string} tag
 * @param {Record<string, any>} [props] attributes; `class`, `text`, `on…` handlers, `data` as an object; null omits an attribute
 * @param {...(Node|string|null|undefined)} children
 * @returns {any}
 */
export function el(tag, props = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (value === null || value === undefined || value === false) continue;
    if (name === "text") element.textContent = value;
    else if (name === "data") Object.assign(element.dataset, value);
    else if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  for (const child of children) if (child !== null && child !== undefined) element.append(child);
  return element;
}

const svgSpace = "http://www.w3.org/2000/svg";

/** Returns an icon of index.html, hidden from screen readers. @param {string} name @returns {SVGElement} */
export function icon(name) {
  const picture = document.createElementNS(svgSpace, "svg");
  picture.setAttribute("aria-hidden", "true");
  picture.append(document.createElementNS(svgSpace, "use"));
  setIcon(picture, name);
  return picture;
}

/** Changes the symbol of an icon. @param {Element} picture @param {string} name */
export function setIcon(picture, name) {
  const address = `#icon-${name}`;
  const use = picture.firstElementChild;
  if (use && use.getAttribute("href") !== address) use.setAttribute("href", address);
}

/**
 * Returns a button with an icon and a text. Its accessible name can be longer than its text.
 * @param {string} iconName @param {string} text @param {string} label @param {(event: Event) => any} act
 * @param {string} [kind] the CSS classes
 */
export function iconButton(iconName, text, label, act, kind = "quiet small") {
  return el(
    "button", { type: "button", class: kind, "aria-label": label, title: text || label, onclick: act },
    icon(iconName), text ? el("span", { text }) : null);
}

/** Sets a text if it differs: screen readers announce a live region again whenever it is set. */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** Sets an attribute if it differs; null removes it. */
export function setAttribute(element, name, value) {
  if (value === null || value === undefined) element.removeAttribute(name);
  else if (element.getAttribute(name) !== String(value)) element.setAttribute(name, String(value));
}

/**
 * Updates the children of a list to match the items. Each item keeps its element, and with it the focus and the images.
 * @template T
 * @param {HTMLElement} parent
 * @param {T[]} items
 * @param {(item: T) => string|number} keyOf
 * @param {(item: T) => HTMLElement} make
 * @param {(element: any, item: T) => void} update
 */
export function keyed(parent, items, keyOf, make, update) {
  const keys = [...parent.children].map((child) => [/** @type {any} */ (child).placardKey, child]);
  const old = new Map(keys.filter(([key]) => key !== undefined));
  let place = parent.firstElementChild;
  for (const item of items) {
    const key = String(keyOf(item));
    let element = /** @type {any} */ (old.get(key));
    if (element) {
      old.delete(key);
    } else {
      element = make(item);
      element.placardKey = key;
    }
    if (element === place) place = place.nextElementSibling;
    else moveBefore(parent, element, place);
    update(element, item);
  }
  for (const left of old.values()) left.remove();
}

/** Moves an element, and restores the focus, which a move removes. */
function moveBefore(parent, element, place) {
  const focused = element.contains(document.activeElement) ? document.activeElement : null;
  parent.insertBefore(element, place);
  if (focused && document.activeElement !== focused) focused.focus();
}

/**
 * Fills a select. The selected option stays selected while it is unavailable, so that nothing goes to another target
 * unnoticed.
 * @param {HTMLSelectElement} select @param {{value: string, label: string, group?: string}[]} options
 */
export function fillSelect(select, options) {
  const chosen = select.value;
  const isGone = chosen !== "" && !options.some((option) => option.value === chosen);
  const all = isGone ? [...options, { value: chosen, label: goneLabel(select) }] : options;
  const wanted = JSON.stringify(all);
  if (select.dataset.options === wanted) return;
  select.dataset.options = wanted;
  select.replaceChildren();
  const groups = new Map();
  for (const { value, label, group } of all) {
    const option = el("option", { value, text: label });
    if (group && !groups.has(group)) groups.set(group, select.appendChild(el("optgroup", { label: group })));
    (groups.get(group) ?? select).append(option);
  }
  if (all.some((option) => option.value === chosen)) select.value = chosen;
}

const goneMark = t(" (not available)");

function goneLabel(select) {
  const label = select.selectedOptions[0]?.textContent ?? select.value;
  return label.endsWith(goneMark) ? label : label + goneMark;
}

/** Shows an error beside the control that caused it; an empty text hides the error. @param {HTMLElement} box */
export function showProblem(box, text = "") {
  box.hidden = text === "";
  setText(box, text);
}

/** Runs the action of a button, which is busy meanwhile; an error is shown in a box. */
export async function act(button, box, work) {
  if (button?.getAttribute("aria-busy") === "true") return undefined;
  button?.setAttribute("aria-busy", "true");
  try {
    const result = await work();
    if (box) showProblem(box);
    return result ?? true;
  } catch (error) {
    if (!box) throw error;
    showProblem(box, sentence(error));
    return undefined;
  } finally {
    button?.removeAttribute("aria-busy");
  }
}

/** Returns the text of an error for people. @param {any} error */
export function sentence(error) {
  return error?.message || String(error);
}
