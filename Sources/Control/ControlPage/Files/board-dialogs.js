// The dialogs of the board: the text and color of a card, and the title of a column.

import { announce } from "./announce.js";
import { ChangedMeanwhile, cardName, changeBoard, columnName, findCard } from "./board-save.js";
import { askConflict } from "./conflict.js";
import { open } from "./dialogs.js";
import { act, byId, el, setText, showProblem } from "./dom.js";
import { draft, keepDraft } from "./drafts.js";
import { t } from "./language.js";
import { board } from "./store.js";

const fields = ["title", "content", "footer"];
const accents = [
  ["", t("Style default")], ["#d9480f", t("Orange")], ["#c2255c", t("Red")], ["#2f9e44", t("Green")], ["#1c7ed6", t("Blue")],
  ["#7048e8", t("Violet")], ["#f2b705", t("Yellow")],
];

/** The card on which the edit is based, as it was when the dialog opened; null for a new card. */
let base = null;
let column = 0;
/** Whether the resolution of a conflict is to be saved. */
let isDue = false;

function showAccents(chosen) {
  const known = accents.some(([value]) => value === chosen) ? accents : [...accents, [chosen, chosen]];
  const swatches = known.map(([value, label]) => {
    const radio = el("input", { type: "radio", name: "accent", value, checked: value === chosen });
    radio.style.setProperty("--swatch", value || "transparent");
    return el("label", { class: "swatch", title: label }, radio, el("span", { class: "sr", text: label }));
  });
  byId("card-accent").replaceChildren(byId("card-accent").querySelector("legend"), el("div", { class: "swatches" }, ...swatches));
}

function fill(card) {
  for (const field of fields) byId(`card-${field}`).value = card?.[field] ?? "";
  showAccents(card?.accent ?? "");
}

/** Returns the card from the form, without empty fields. */
function typed() {
  const card = base ? structuredClone(base) : {};
  for (const field of fields) {
    const text = byId(`card-${field}`).value;
    if (text) card[field] = text;
    else delete card[field];
  }
  const accent = byId("card-form").elements.accent.value;
  if (accent) card.accent = accent;
  else delete card.accent;
  return card;
}

const draftName = () => `card.${base?.id ?? `new.${column}`}`;

/** Opens the dialog for a card; null creates a card in the column. @param {string|null} id @param {number} [index] */
export function askCard(id, index = 0) {
  const found = id ? findCard(board.value.board, id) : null;
  base = found ? structuredClone(found.card) : null;
  column = found ? found.column : index;
  setText(byId("card-dialog-title"), base ? cardName(base) : t("New card in {column}", { column: columnName(board.value.board.columns[column], column) }));
  byId("card-remove").hidden = !base;
  fill(base);
  showProblem(byId("card-problem"));
  restore();
  open(byId("card-dialog"));
  byId("card-title").focus();
}

/** Restores the unsaved changes of an earlier edit. */
function restore() {
  const kept = draft(draftName());
  if (!kept) return;
  fill(JSON.parse(kept));
  showProblem(byId("card-problem"), t("Your unsaved changes are restored."));
}

const same = (one, other) => JSON.stringify(one ?? null) === JSON.stringify(other ?? null);

/** Returns the place of the card in a board; throws `ChangedMeanwhile` if the card changed since the dialog opened. */
function expected(document) {
  const found = findCard(document, base.id);
  if (!found || !same(found.card, base)) throw new ChangedMeanwhile(found?.card ?? null);
  return found;
}

async function save(event) {
  event.preventDefault();
  do {
    isDue = false;
    await saveOnce();
  } while (isDue);
}

async function saveOnce() {
  const mine = typed();
  if (!mine.title && !mine.content) return showProblem(byId("card-problem"), t("The card is empty: enter a title or a text."));
  if (base && same(mine, base)) return close();
  await act(byId("card-save"), byId("card-problem"), async () => {
    try {
      await changeBoard((document) => {
        if (base) Object.assign(document.columns[expected(document).column].cards, { [expected(document).place]: mine });
        else document.columns[Math.min(column, document.columns.length - 1)].cards.push(mine);
      });
      close();
      announce(t("Saved {name}.", { name: cardName(mine) }));
    } catch (error) {
      if (!(error instanceof ChangedMeanwhile)) throw error;
      await settle(mine, error.theirs);
    }
  });
}

const asText = (card) => (card ? [...fields.map((field) => card[field] ?? ""), card.accent ? t("Color {accent}", { accent: card.accent }) : ""].filter(Boolean).join("\n") : t("(removed)"));

/** Asks which version to keep. */
async function settle(mine, theirs) {
  const text = theirs ? t("Another client saved this card while you edited it. Marked lines differ.") : t("Another client removed this card while you edited it.");
  const choice = await askConflict({ text, theirs: asText(theirs), mine: asText(mine), both: theirs ? t("Keep both, mine as a new card") : t("Restore mine") });
  if (choice === "later") return;
  if (choice === "theirs") {
    keepDraft(draftName(), "");
    if (!theirs) return close();
    base = structuredClone(theirs);
    fill(theirs);
    return;
  }
  if (choice === "mine" && theirs) {
    base = structuredClone(theirs);
  } else {
    keepDraft(draftName(), "");
    base = null;
  }
  isDue = true;
}

async function remove() {
  const name = cardName(base);
  await act(byId("card-remove"), byId("card-problem"), async () => {
    try {
      await changeBoard((document) => {
        const found = expected(document);
        document.columns[found.column].cards.splice(found.place, 1);
      });
      close();
      announce(t("Removed {name}.", { name }));
    } catch (error) {
      if (!(error instanceof ChangedMeanwhile)) throw error;
      if (error.theirs) base = structuredClone(error.theirs);
      throw new Error(t("Another client changed this card. Press Remove again to remove it anyway."));
    }
  });
}

function close() {
  keepDraft(draftName(), "");
  byId("card-dialog").close();
}

/** Opens the dialog that renames or removes a column. @param {number} index */
export function askColumn(index) {
  column = index;
  const found = board.value.board.columns[index];
  byId("name-text").value = found?.title ?? "";
  setText(byId("name-dialog-title"), columnName(found ?? {}, index));
  setText(byId("name-remove"), removal(found?.cards.length ?? 0));
  showProblem(byId("name-problem"));
  open(byId("name-dialog"));
}

/** Returns the label of the button that removes a column. @param {number} count the number of cards in it */
function removal(count) {
  if (count === 0) return t("Remove");
  return count === 1 ? t("Remove with its card") : t("Remove with its {count} cards", { count });
}

async function changeColumn(button, change) {
  const old = board.value.board.columns[column]?.title;
  const done = await act(button, byId("name-problem"), () => changeBoard((document) => {
    if (document.columns[column]?.title !== old) throw new Error(t("Another client changed the columns. Check the board and try again."));
    change(document.columns);
  }));
  if (done) byId("name-dialog").close();
}

/** Starts the dialogs. */
export function startCardDialog() {
  byId("card-form").addEventListener("submit", save);
  byId("card-form").addEventListener("input", () => keepDraft(draftName(), JSON.stringify(typed())));
  byId("card-remove").addEventListener("click", remove);
  byId("name-form").addEventListener("submit", (event) => {
    event.preventDefault();
    const title = byId("name-text").value.trim();
    changeColumn(byId("name-save"), (columns) => { columns[column] = { ...columns[column], title }; });
  });
  byId("name-remove").addEventListener("click", () => changeColumn(byId("name-remove"), (columns) => columns.splice(column, 1)));
  board.watch(({ board: document }) => {
    if (!byId("card-dialog").open || !base) return;
    if (!same(findCard(document, base.id)?.card, base)) showProblem(byId("card-problem"), t("Another client changed this card. Your text is still here; Save compares both versions."));
  });
}
