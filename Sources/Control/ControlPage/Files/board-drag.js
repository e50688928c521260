// Dragging a card. A mouse or pen drags it at any point; a finger drags it at its grip, or after a long press.

import { announce, attempt } from "./announce.js";
import { placeAt, setCarried, showPlace } from "./board-place.js";
import { cardName, findCard, moveCard, openCard } from "./board-save.js";
import { byId } from "./dom.js";
import { t } from "./language.js";
import { board } from "./store.js";

/** The distance that a pointer moves before a drag starts, in pixels. */
const slop = 5;
/** The time that a finger rests on a card before a drag starts, in milliseconds. */
const longPress = 350;
/** The distance from the edge of the window at which the page scrolls, in pixels. */
const edge = 70;

/** @type {{id: string, card: HTMLElement, pointer: number, x: number, y: number, dx: number, dy: number, ghost: HTMLElement|null, timer: number, isTouch: boolean}|null} */
let drag = null;

function press(event) {
  const card = event.target.closest(".card");
  if (!card || drag || !event.isPrimary || event.button !== 0) return;
  const onGrip = event.target.closest(".card-grip");
  const isTouch = event.pointerType === "touch";
  if (!onGrip && event.target.closest(".card-menu")) return;
  const box = card.getBoundingClientRect();
  drag = {
    id: card.dataset.card, card, pointer: event.pointerId, x: event.clientX, y: event.clientY,
    dx: event.clientX - box.left, dy: event.clientY - box.top, ghost: null, timer: 0, isTouch: isTouch && !onGrip,
  };
  if (drag.isTouch) drag.timer = window.setTimeout(lift, longPress);
  document.addEventListener("pointermove", move);
  document.addEventListener("pointerup", drop);
  document.addEventListener("pointercancel", cancel);
  document.addEventListener("keydown", escape, true);
}

/** Starts the drag: a copy of the card follows the pointer. */
function lift() {
  if (!drag || drag.ghost) return;
  const ghost = /** @type {HTMLElement} */ (drag.card.cloneNode(true));
  ghost.classList.add("ghost");
  ghost.setAttribute("aria-hidden", "true");
  ghost.inert = true;
  ghost.style.width = `${drag.card.offsetWidth}px`;
  byId("view-board").append(ghost);
  drag.ghost = ghost;
  setCarried(drag.id, true);
  window.getSelection()?.removeAllRanges();
  follow();
}

function move(event) {
  if (!drag || event.pointerId !== drag.pointer) return;
  const far = Math.hypot(event.clientX - drag.x, event.clientY - drag.y) > slop;
  if (!drag.ghost) {
    if (!far) return;
    if (drag.isTouch) return end();
    lift();
  }
  drag.x = event.clientX;
  drag.y = event.clientY;
  event.preventDefault();
  follow();
}

function follow() {
  const { x, y, dx, dy, ghost, id } = drag;
  ghost.style.transform = `translate(${x - dx}px, ${y - dy}px) rotate(1.5deg)`;
  showPlace(placeAt(x, y, id), id);
  if (y < edge) window.scrollBy(0, -12);
  else if (y > window.innerHeight - edge) window.scrollBy(0, 12);
  const strip = byId("board-displays");
  const row = y < strip.getBoundingClientRect().bottom ? strip : byId("columns");
  if (x < edge / 2) row.scrollBy(-12, 0);
  else if (x > window.innerWidth - edge / 2) row.scrollBy(12, 0);
}

/** Ends the drag without a change. */
function end() {
  if (!drag) return;
  window.clearTimeout(drag.timer);
  drag.ghost?.remove();
  if (drag.ghost) {
    showPlace(null, drag.id);
    setCarried(drag.id, false);
    swallowClick();
  }
  drag = null;
  document.removeEventListener("pointermove", move);
  document.removeEventListener("pointerup", drop);
  document.removeEventListener("pointercancel", cancel);
  document.removeEventListener("keydown", escape, true);
}

/** Discards the click event that browsers send after a drag. */
function swallowClick() {
  const swallow = (event) => { event.preventDefault(); event.stopPropagation(); };
  document.addEventListener("click", swallow, { capture: true, once: true });
  window.setTimeout(() => document.removeEventListener("click", swallow, { capture: true }), 0);
}

function cancel(event) {
  if (event.pointerId === drag?.pointer) end();
}

function escape(event) {
  if (event.key === "Escape" && drag?.ghost) {
    event.preventDefault();
    event.stopPropagation();
    end();
  }
}

async function drop(event) {
  if (!drag || event.pointerId !== drag.pointer) return;
  const { id, ghost } = drag;
  const place = ghost ? placeAt(event.clientX, event.clientY, id) : null;
  end();
  if (!place) return;
  const name = cardName(findCard(board.value.board, id)?.card ?? {});
  if ("display" in place) {
    if (await attempt(() => openCard(id, place.display))) announce(t("{name} is open on {display}.", { name, display: place.display }));
  } else if (await attempt(() => moveCard(id, place.column, place.place))) {
    announce(t("Moved {name}.", { name }));
  }
}

/** Starts dragging. */
export function startDragging() {
  const columns = byId("columns");
  columns.addEventListener("pointerdown", press);
  columns.addEventListener("dragstart", (event) => event.preventDefault());
  columns.addEventListener("contextmenu", (event) => { if (drag?.isTouch) event.preventDefault(); });
  // After a long press the finger moves the card: the page must not scroll.
  document.addEventListener("touchmove", (event) => { if (drag?.ghost) event.preventDefault(); }, { passive: false });
}
