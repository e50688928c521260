// The board: columns of cards, and above them the displays on which cards are opened.

import { attempt, announce } from "./announce.js";
import { startCardDialog, askCard, askColumn } from "./board-dialogs.js";
import { startDragging } from "./board-drag.js";
import { cancelWithoutFocus, carry } from "./board-keys.js";
import { startCardMenu, openCardMenu } from "./board-menu.js";
import { cardName, changeBoard, closeCard, columnName, findCard } from "./board-save.js";
import { byId, el, icon, iconButton, keyed, setAttribute, setText } from "./dom.js";
import { t } from "./language.js";
import { leaveGlass, watchGlass } from "./previews.js";
import { board, connected, displays, sessions, messages } from "./store.js";
import { aspect, showing } from "./tiles.js";
import { stateInWords } from "./words.js";

/** The elements of the cards by ID. A card keeps its element in another column, and with it the focus. */
const elements = new Map();

function elementOf(card) {
  const element = elements.get(card.id) ?? makeCard(card);
  elements.set(card.id, element);
  return element;
}

function makeCard(card) {
  const id = card.id;
  const grip = el("button", { type: "button", class: "card-grip quiet small icon", "aria-describedby": "board-help", "aria-pressed": "false" }, icon("grip"));
  grip.addEventListener("keydown", (event) => carry(event, id));
  grip.addEventListener("blur", () => cancelWithoutFocus(id, grip));
  grip.addEventListener("click", (event) => event.preventDefault());
  const menu = el("button", { type: "button", class: "card-menu quiet small icon", "aria-haspopup": "menu", "aria-expanded": "false" }, icon("open"));
  menu.addEventListener("click", () => openCardMenu(menu, id));
  return el(
    "li", { class: "card", data: { card: id } }, grip,
    el("div", { class: "card-text" },
      el("button", { type: "button", class: "card-title", onclick: () => askCard(id) }),
      el("p", { class: "card-content", dir: "auto" }), el("p", { class: "card-footer hint", dir: "auto" }), el("p", { class: "card-open" })),
    menu);
}

function updateCard(item, card) {
  const name = cardName(card);
  setText(item.querySelector(".card-title"), name);
  setAttribute(item.querySelector(".card-title"), "aria-label", t("Edit {name}", { name }));
  setAttribute(item.querySelector(".card-grip"), "aria-label", t("Move {name}", { name }));
  setAttribute(item.querySelector(".card-menu"), "aria-label", t("Open {name} on…", { name }));
  setAttribute(item.querySelector(".card-menu"), "title", t("Open on…"));
  setText(item.querySelector(".card-content"), card.title ? card.content ?? "" : "");
  setText(item.querySelector(".card-footer"), card.footer ?? "");
  item.style.setProperty("--edge", card.accent ?? "transparent");
  const open = board.value.open.find((open) => open.card === card.id);
  item.classList.toggle("is-open", Boolean(open));
  setText(item.querySelector(".card-open"), open ? (open.display ? t("Open on {display}", { display: open.display }) : t("Waits for its monitor")) : "");
}

function makeColumn() {
  const head = el("div", { class: "column-head" }, el("h2"), el("span", { class: "column-count hint", "aria-hidden": "true" }));
  const column = el("li", { class: "column" }, head, el("ol", { class: "cards" }));
  const index = () => Number(column.dataset.column);
  head.append(iconButton("write", "", t("Rename"), () => askColumn(index()), "quiet small icon rename"));
  column.append(el("button", { type: "button", class: "add-card quiet small", onclick: () => askCard(null, index()) }, icon("plus"), el("span", { text: t("Add a card") })));
  return column;
}

function updateColumn(item, { column, index }) {
  const name = columnName(column, index);
  item.dataset.column = index;
  setText(item.querySelector("h2"), name);
  setText(item.querySelector(".column-count"), String(column.cards.length));
  setAttribute(item.querySelector(".rename"), "aria-label", t("Rename {name}", { name }));
  setAttribute(item.querySelector(".rename"), "title", t("Rename or remove"));
  setAttribute(item.querySelector(".add-card"), "aria-label", t("Add a card to {name}", { name }));
  const list = item.querySelector(".cards");
  setAttribute(list, "aria-label", name);
  keyed(list, column.cards, (card) => card.id, elementOf, updateCard);
}

function renderColumns() {
  const columns = board.value.board.columns ?? [];
  const focused = document.activeElement;
  keyed(byId("columns"), columns.map((column, index) => ({ column, index })), ({ index }) => index, makeColumn, updateColumn);
  const ids = new Set(columns.flatMap(({ cards }) => cards.map((card) => card.id)));
  for (const id of elements.keys()) if (!ids.has(id)) elements.delete(id);
  if (focused !== document.activeElement && byId("columns").contains(focused)) focused.focus();
  byId("no-columns").hidden = columns.length > 0 || !board.isRead;
  setText(byId("board-title"), board.value.board.title || t("Board"));
}

function makeDrop(display) {
  const name = display.name;
  const image = el("img", { class: "glass", alt: "" });
  const drop = el(
    "li", { class: "drop", data: { dropDisplay: name } },
    el("div", { class: "drop-stage" }, el("div", { class: "bezel" }, image, el("p", { class: "glass-note" }))),
    el("div", { class: "drop-text" }, el("p", { class: "drop-name", text: name }), el("p", { class: "drop-what hint" })),
    iconButton("close", "", t("Close"), () => closeOn(name), "quiet small icon drop-close"));
  watchGlass(image, name);
  return drop;
}

/** Returns the card that is open on a display. */
function openOn(name) {
  const open = board.value.open.find((open) => open.display === name);
  return open ? findCard(board.value.board, open.card)?.card ?? { id: open.card, title: open.card } : null;
}

function updateDrop(item, display) {
  const share = aspect(display);
  if (share) item.querySelector(".bezel").style.setProperty("--aspect", share.toFixed(4));
  item.querySelector(".glass").hidden = display.state !== "lit";
  setText(item.querySelector(".glass-note"), display.state === "lit" ? "" : stateInWords(display.state));
  const card = openOn(display.name);
  item.classList.toggle("is-open", Boolean(card));
  setText(item.querySelector(".drop-what"), showing(display) || (card ? cardName(card) : t("No session")));
  const close = item.querySelector(".drop-close");
  close.hidden = !card;
  setAttribute(close, "aria-label", card ? t("Close {name} on {display}", { name: cardName(card), display: display.name }) : null);
}

function closeOn(name) {
  const card = openOn(name);
  if (card) attempt(() => closeCard(card.id));
}

function renderDrops() {
  const list = byId("board-displays");
  const present = connected();
  const names = new Set(present.map((display) => display.name));
  for (const drop of list.children) if (!names.has(drop.dataset.dropDisplay)) leaveGlass(drop.querySelector("img"));
  keyed(list, present, (display) => display.name, makeDrop, updateDrop);
}

/** Scrolls the row of displays with the arrow keys, Home and End while it has the focus. @param {KeyboardEvent} event */
function moveStrip(event) {
  const strip = byId("board-displays");
  const step = (strip.firstElementChild?.offsetWidth ?? 0) + 12;
  const ways = { ArrowLeft: -step, ArrowRight: step, Home: -strip.scrollWidth, End: strip.scrollWidth };
  if (event.target !== strip || !(event.key in ways)) return;
  event.preventDefault();
  strip.scrollBy({ left: ways[event.key] });
}

function addColumn() {
  const title = t("Column {number}", { number: (board.value.board.columns ?? []).length + 1 });
  return attempt(async () => {
    await changeBoard((document) => document.columns.push({ title, cards: [] }));
    announce(t("Added {title}.", { title }));
    byId("columns").lastElementChild?.querySelector(".rename")?.focus();
  });
}

/** Starts the view. */
export function startBoard() {
  board.watch(() => { renderColumns(); renderDrops(); });
  for (const resource of [displays, sessions, messages]) resource.watch(renderDrops);
  byId("add-column").prepend(icon("plus"));
  byId("add-column").addEventListener("click", addColumn);
  byId("board-displays").addEventListener("keydown", moveStrip);
  startCardDialog();
  startCardMenu();
  startDragging();
}
