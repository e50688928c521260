// Moving a card with the keyboard: Space picks it up and drops it, the arrow keys move it, Escape cancels.

import { announce, attempt } from "./announce.js";
import { setCarried, showPlace } from "./board-place.js";
import { cardName, columnName, findCard, moveCard, openCard, places } from "./board-save.js";
import { t } from "./language.js";
import { board } from "./store.js";

/** @type {{id: string, column: number, place: number, display: number|null}|null} */
let carried = null;

const columns = () => board.value.board.columns;

/** Returns the number of other cards in a column. */
function room(column, id) {
  return columns()[column].cards.filter((card) => card.id !== id).length;
}

/** Handles a key on the grip of a card. @param {KeyboardEvent} event @param {string} id */
export function carry(event, id) {
  if (!carried) {
    if (event.key !== " " && event.key !== "Enter") return;
    event.preventDefault();
    return pickUp(id);
  }
  const steps = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };
  if (steps[event.key]) {
    event.preventDefault();
    step(...steps[event.key]);
  } else if (event.key === " " || event.key === "Enter") {
    event.preventDefault();
    putDown();
  } else if (event.key === "Escape") {
    event.preventDefault();
    leave(t("Canceled."));
  }
}

/** Cancels the move of a card whose grip has lost the focus. A change of the board moves elements, and the focus returns at once. @param {string} id @param {HTMLElement} grip */
export function cancelWithoutFocus(id, grip) {
  queueMicrotask(() => { if (carried?.id === id && document.activeElement !== grip) leave(t("Canceled.")); });
}

function pickUp(id) {
  const found = findCard(board.value.board, id);
  if (!found) return;
  carried = { id, column: found.column, place: found.place, display: null };
  setCarried(id, true);
  announce(t("Picked up {name}. Press the arrow keys to move it; the displays are above the first card. Press Space to drop it, or Escape to cancel.", { name: cardName(found.card) }));
  show(false);
}

/** Moves the card by one step. Its place is one on the current board, which may have changed since the last step. */
function step(right, down) {
  const { display, id } = carried;
  if (!findCard(board.value.board, id)) return leave(t("Another client removed this card."));
  const column = Math.min(carried.column, columns().length - 1);
  const place = Math.min(carried.place, room(column, id));
  if (display !== null) {
    if (down > 0) carried.display = null;
    else carried.display = Math.max(0, Math.min(places().length - 1, display + right));
  } else if (right) {
    carried.column = Math.max(0, Math.min(columns().length - 1, column + right));
    carried.place = Math.min(place, room(carried.column, id));
  } else if (down < 0 && place === 0) {
    if (places().length) carried.display = 0;
  } else {
    carried.place = Math.max(0, Math.min(room(column, id), place + down));
  }
  show(true);
}

function target() {
  const { column, place, display } = carried;
  return display === null ? { column, place } : { display: places()[display] };
}

function show(isTold) {
  const place = target();
  showPlace(place, carried.id);
  if (!isTold) return;
  if ("display" in place) return announce(t("Over {display}. Space opens the card there.", { display: place.display }));
  const count = room(place.column, carried.id) + 1;
  announce(t("{column}, position {place} of {count}.", { column: columnName(columns()[place.column], place.column), place: place.place + 1, count }));
}

function leave(text) {
  const { id } = carried;
  carried = null;
  showPlace(null, id);
  setCarried(id, false);
  if (text) announce(text);
}

async function putDown() {
  const place = target();
  const { id } = carried;
  const name = cardName(findCard(board.value.board, id)?.card ?? {});
  leave("");
  const grip = () => /** @type {HTMLElement|null} */ (document.querySelector(`.card[data-card="${CSS.escape(id)}"] .card-grip`));
  const isDone = await attempt(() => ("display" in place ? openCard(id, place.display) : moveCard(id, place.column, place.place)));
  if (!carried && (!document.activeElement || document.activeElement === document.body)) grip()?.focus();
  if (!isDone) return;
  if ("display" in place) announce(t("{name} is open on {display}.", { name, display: place.display }));
  else announce(t("Moved {name} to {column}, position {place}.", { name, column: columnName(columns()[place.column], place.column), place: place.place + 1 }));
}
