// Small helpers to build the page. Texts become text nodes, and nothing is ever read as HTML.

/** The element of an id, which index.html has. @param {string} id @returns {any} */
export function byId(id) {
  return document.getElementById(id);
}

/**
 * Makes an element.
 * @param {string} tag
 * @param {Record<string, any>} [props] attributes; `class`, `text`, `on…` handlers, `data` as an object; null leaves one out
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

/** An icon of index.html, hidden from screen readers. @param {string} name @returns {SVGElement} */
export function icon(name) {
  const picture = document.createElementNS(svgSpace, "svg");
  picture.setAttribute("aria-hidden", "true");
  picture.append(document.createElementNS(svgSpace, "use"));
  setIcon(picture, name);
  return picture;
}

/** Gives an icon another picture. @param {Element} picture @param {string} name */
export function setIcon(picture, name) {
  const address = `#icon-${name}`;
  const use = picture.firstElementChild;
  if (use && use.getAttribute("href") !== address) use.setAttribute("href", address);
}

/**
 * A button with an icon and a text; its accessible name may say more than its text.
 * @param {string} iconName @param {string} text @param {string} label @param {(event: Event) => any} act
 * @param {string} [kind] its class
 */
export function iconButton(iconName, text, label, act, kind = "quiet small") {
  return el(
    "button", { type: "button", class: kind, "aria-label": label, title: text || label, onclick: act },
    icon(iconName), text ? el("span", { text }) : null);
}

/** Sets a text only where it is another: a live region that is set again would speak again. */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** Sets an attribute only where it is another; null removes it. */
export function setAttribute(element, name, value) {
  if (value === null || value === undefined) element.removeAttribute(name);
  else if (element.getAttribute(name) !== String(value)) element.setAttribute(name, String(value));
}

/**
 * Brings the children of a list in line with items: each item keeps its element, so that focus and pictures stay.
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

/** Puts an element to its place; what has the focus keeps it. */
function moveBefore(parent, element, place) {
  const focused = element.contains(document.activeElement) ? document.activeElement : null;
  parent.insertBefore(element, place);
  if (focused && document.activeElement !== focused) focused.focus();
}

/**
 * Fills a select; what is chosen stays chosen, also while it is not there: nothing is to go elsewhere unawares.
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

const goneMark = " (not there now)";

function goneLabel(select) {
  const label = select.selectedOptions[0]?.textContent ?? select.value;
  return label.endsWith(goneMark) ? label : label + goneMark;
}

/** Shows what is wrong where the person acts; an empty text hides it. @param {HTMLElement} box */
export function showProblem(box, text = "") {
  box.hidden = text === "";
  setText(box, text);
}

/** Runs an act of a button: meanwhile it is busy; what goes wrong is told in a box. */
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

/** What a person is told of an error. @param {any} error */
export function sentence(error) {
  return error?.message || String(error);
}
