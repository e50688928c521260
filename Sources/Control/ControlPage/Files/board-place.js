// The drop target of a carried card: a position in a column, or a display.

import { byId, el } from "./dom.js";

/** @typedef {{display: string}|{column: number, place: number}} Place */

const mark = el("li", { class: "drop-mark", "aria-hidden": "true" });

/** Returns the cards of a column without the carried one. @param {number} column @param {string} id */
function others(column, id) {
  const list = byId("columns").children[column]?.querySelector(".cards");
  return { list, cards: list ? [...list.children].filter((card) => card !== mark && card.dataset.card !== id) : [] };
}

/** Marks the drop target; null removes the mark. @param {Place|null} place @param {string} id */
export function showPlace(place, id) {
  for (const drop of byId("board-displays").children) {
    drop.classList.toggle("is-over", Boolean(place && "display" in place && drop.dataset.dropDisplay === place.display));
  }
  if (!place || "display" in place) return mark.remove();
  const { list, cards } = others(place.column, id);
  list?.insertBefore(mark, cards[place.place] ?? null);
}

/** Returns the drop target at a point of the window. @param {number} x @param {number} y @param {string} id @returns {Place|null} */
export function placeAt(x, y, id) {
  const below = document.elementFromPoint(x, y);
  const drop = below?.closest("[data-drop-display]");
  if (drop) return { display: /** @type {HTMLElement} */ (drop).dataset.dropDisplay ?? "" };
  const column = /** @type {HTMLElement|null} */ (below?.closest(".column"));
  if (!column) return null;
  const index = Number(column.dataset.column);
  const { cards } = others(index, id);
  const place = cards.filter((card) => {
    const box = card.getBoundingClientRect();
    return box.top + box.height / 2 < y;
  }).length;
  return { column: index, place };
}

/** Marks the card that is carried. @param {string} id @param {boolean} isCarried */
export function setCarried(id, isCarried) {
  const card = document.querySelector(`.card[data-card="${CSS.escape(id)}"]`);
  card?.classList.toggle("is-carried", isCarried);
  card?.querySelector(".card-grip")?.setAttribute("aria-pressed", String(isCarried));
  document.body.classList.toggle("is-carrying", isCarried);
}
