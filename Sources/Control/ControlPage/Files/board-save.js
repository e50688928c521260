// Changes of the board. Each can be repeated on a newer revision, so that changes of different cards never conflict. If
// another client changed the same card, the page asks the user.

import { post, put } from "./api.js";
import { notice } from "./announce.js";
import { t } from "./language.js";
import { closeSession } from "./sessions.js";
import { board, connected, displays, sessions } from "./store.js";

/** The error of a change whose object was changed by another client. */
export class ChangedMeanwhile extends Error {
  /** @param {any} theirs the current object; null if it was removed */
  constructor(theirs) {
    super(t("The object was changed by another client."));
    this.theirs = theirs;
  }
}

/** Returns the place of a card; null if the board does not have it. @param {any} document the board @param {string} id @returns {{column: number, place: number, card: any}|null} */
export function findCard(document, id) {
  for (const [column, { cards }] of document.columns.entries()) {
    const place = cards.findIndex((card) => card.id === id);
    if (place >= 0) return { column, place, card: cards[place] };
  }
  return null;
}

/** Returns the name of a card. @param {any} card */
export function cardName(card) {
  return card.title || card.content || t("Untitled card");
}

/** Returns the name of a column. @param {any} column @param {number} index */
export function columnName(column, index) {
  return column.title || t("Column {number}", { number: index + 1 });
}

/**
 * Changes the board. If another client changed it first, repeats the change on the current board.
 * @param {(document: any) => void} change changes a copy of the board; can throw `ChangedMeanwhile`
 */
export async function changeBoard(change) {
  for (let left = 4; ; left -= 1) {
    const { board: current, revision } = board.value;
    const next = structuredClone(current);
    change(next);
    try {
      board.take(await put("/v1/board", next, revision));
      if (left < 4) notice(t("Another client also changed the board. Both changes are saved."));
      return;
    } catch (error) {
      if (error.status !== 412 || left === 0) throw error;
      await board.refresh();
    }
  }
}

/** Moves a card within the board. @param {string} id @param {number} column @param {number} place the index among the other cards of the column */
export function moveCard(id, column, place) {
  return changeBoard((document) => {
    const found = findCard(document, id);
    if (!found) throw new Error(t("Another client removed this card."));
    document.columns[found.column].cards.splice(found.place, 1);
    const target = document.columns[Math.min(column, document.columns.length - 1)];
    target.cards.splice(Math.min(place, target.cards.length), 0, found.card);
  });
}

/** Returns the session that shows a card; undefined if the card is not open. @param {string} id */
export function openCardOf(id) {
  return board.value.open.find((open) => open.card === id);
}

/** Opens a card on a display, or moves it there. @param {string} id @param {string} display */
export async function openCard(id, display) {
  const found = findCard(board.value.board, id);
  if (!found) throw new Error(t("Another client removed this card."));
  const there = openCardOf(id);
  if (there?.display === display) return;
  if (there) await put(`/v1/sessions/${there.session}`, { display });
  else await post("/v1/sessions", { scene: { kind: "card", ...found.card }, tag: `card:${id}`, display });
  await Promise.all([board.refresh(), sessions.refresh(), displays.refresh()]);
}

/** Closes the session that shows a card. @param {string} id */
export async function closeCard(id) {
  const there = openCardOf(id);
  if (there) await closeSession(there.session);
}

/** Returns the displays on which a card can be opened, in the order of the page. */
export const places = () => connected().map((display) => display.name);
