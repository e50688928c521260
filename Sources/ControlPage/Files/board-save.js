// Changes of the board. Each is written so that it can be done again on a newer board: two people who change different
// cards both get their way, and only who changes the same card is asked.

import { post, put } from "./api.js";
import { notice } from "./announce.js";
import { closeSession } from "./sessions.js";
import { board, connected, displays, sessions } from "./store.js";

/** Somebody else has changed the very thing that is to be changed. */
export class ChangedMeanwhile extends Error {
  /** @param {any} theirs what it is by now; null where it is gone */
  constructor(theirs) {
    super("Another user changed this meanwhile.");
    this.theirs = theirs;
  }
}

/** Where a card is. @param {any} document the board @param {string} id @returns {{column: number, place: number, card: any}|null} */
export function findCard(document, id) {
  for (const [column, { cards }] of document.columns.entries()) {
    const place = cards.findIndex((card) => card.id === id);
    if (place >= 0) return { column, place, card: cards[place] };
  }
  return null;
}

/** What a card is called. @param {any} card */
export function cardName(card) {
  return card.title || card.content || "Card without a title";
}

/** What a column is called. @param {any} column @param {number} index */
export function columnName(column, index) {
  return column.title || `Column ${index + 1}`;
}

/**
 * Changes the board; where somebody else was quicker, the change is done again on what it is by now.
 * @param {(document: any) => void} change changes a copy; may throw `ChangedMeanwhile`
 */
export async function changeBoard(change) {
  for (let left = 4; ; left -= 1) {
    const { board: current, revision } = board.value;
    const next = structuredClone(current);
    change(next);
    try {
      board.take(await put("/v1/board", next, revision));
      if (left < 4) notice("Another user changed the board, too. Both changes are saved.");
      return;
    } catch (error) {
      if (error.status !== 412 || left === 0) throw error;
      await board.refresh();
    }
  }
}

/** Moves a card within the board. @param {string} id @param {number} column @param {number} place among the column's other cards */
export function moveCard(id, column, place) {
  return changeBoard((document) => {
    const found = findCard(document, id);
    if (!found) throw new Error("Another user removed this card.");
    document.columns[found.column].cards.splice(found.place, 1);
    const target = document.columns[Math.min(column, document.columns.length - 1)];
    target.cards.splice(Math.min(place, target.cards.length), 0, found.card);
  });
}

/** The session that shows a card. @param {string} id */
export function openCardOf(id) {
  return board.value.open.find((open) => open.card === id);
}

/** Opens a card on a display, or brings it there. @param {string} id @param {string} display */
export async function openCard(id, display) {
  const found = findCard(board.value.board, id);
  if (!found) throw new Error("Another user removed this card.");
  const there = openCardOf(id);
  if (there?.display === display) return;
  if (there) await put(`/v1/sessions/${there.session}`, { display });
  else await post("/v1/sessions", { scene: { kind: "card", ...found.card }, tag: `card:${id}`, display });
  await Promise.all([board.refresh(), sessions.refresh(), displays.refresh()]);
}

/** Ends the session that shows a card. @param {string} id */
export async function closeCard(id) {
  const there = openCardOf(id);
  if (there) await closeSession(there.session);
}

/** The displays that a card can be opened on, in the order in which they are shown. */
export const places = () => connected().map((display) => display.name);
