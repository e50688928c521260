// The menu of a card, which opens it on a display or closes it.

import { announce, attempt } from "./announce.js";
import { cardName, closeCard, findCard, openCard, openCardOf } from "./board-save.js";
import { byId, el, icon } from "./dom.js";
import { t } from "./language.js";
import { board, connected } from "./store.js";

/** @type {HTMLElement|null} */
let opener = null;

function item(iconName, text, data, act) {
  return el("button", { type: "button", role: "menuitem", tabindex: "-1", data, onclick: () => { byId("card-menu").hidePopover(); attempt(act); } }, icon(iconName), el("span", { text }));
}

/** Opens the menu beside its button. @param {HTMLElement} button @param {string} id the ID of the card */
export function openCardMenu(button, id) {
  const menu = byId("card-menu");
  const name = cardName(findCard(board.value.board, id)?.card ?? {});
  const there = openCardOf(id);
  const items = connected().map((display) => {
    const isHere = there?.display === display.name;
    const text = display.monitor ? `${display.name} (${display.monitor})` : display.name;
    return isHere
      ? item("close", t("Close on {display}", { display: display.name }), { close: display.name }, () => closeCard(id))
      : item("open", t("Open on {display}", { display: text }), { display: display.name }, () => openCard(id, display.name).then(() => announce(t("{name} is open on {display}.", { name, display: display.name }))));
  });
  if (there && !there.display) items.push(item("close", t("Close"), { close: "" }, () => closeCard(id)));
  if (!items.length) items.push(el("button", { type: "button", role: "menuitem", "aria-disabled": "true", text: t("No monitor is connected") }));
  menu.replaceChildren(...items);
  menu.setAttribute("aria-label", t("Open {name} on", { name }));
  opener = button;
  button.setAttribute("aria-expanded", "true");
  menu.showPopover();
  place(menu, button.getBoundingClientRect());
  items[0].focus();
}

function place(menu, box) {
  const left = Math.max(8, Math.min(box.right - menu.offsetWidth, window.innerWidth - menu.offsetWidth - 8));
  const isBelow = box.bottom + menu.offsetHeight + 12 < window.innerHeight;
  menu.style.left = `${left}px`;
  menu.style.top = `${isBelow ? box.bottom + 4 : Math.max(8, box.top - menu.offsetHeight - 4)}px`;
}

function keys(event) {
  const items = [...byId("card-menu").querySelectorAll("[role=menuitem]")];
  const place = items.indexOf(document.activeElement);
  const next = { ArrowDown: place + 1, ArrowUp: place - 1 + items.length, Home: 0, End: items.length - 1 }[event.key];
  if (next !== undefined) {
    event.preventDefault();
    items[next % items.length].focus();
  } else if (event.key === "Tab") {
    byId("card-menu").hidePopover();
  }
}

/** Starts the menu. */
export function startCardMenu() {
  const menu = byId("card-menu");
  menu.addEventListener("keydown", keys);
  menu.addEventListener("toggle", (event) => {
    if (event.newState !== "closed") return;
    opener?.setAttribute("aria-expanded", "false");
    if (!document.activeElement || document.activeElement === document.body) opener?.focus();
  });
}
