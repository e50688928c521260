// Unsent texts and the state of switches, stored in the browser: a restart of the service or the browser keeps them.

const prefix = "placard.draft.";

/** Returns a draft. @param {string} name @returns {string} empty if there is none */
export function draft(name) {
  try {
    return localStorage.getItem(prefix + name) ?? "";
  } catch {
    return "";
  }
}

/** Stores a draft. @param {string} name @param {string} text an empty text deletes the draft */
export function keepDraft(name, text) {
  try {
    if (text) localStorage.setItem(prefix + name, text);
    else localStorage.removeItem(prefix + name);
  } catch {
    // Storage may be disabled or full. The field still has the text.
  }
}

/**
 * Stores the text of a field after each input, and restores the stored text if the field is empty.
 * @param {HTMLInputElement|HTMLTextAreaElement} field @param {string} name
 */
export function keepField(field, name) {
  if (!field.value) field.value = draft(name);
  field.addEventListener("input", () => keepDraft(name, field.value));
}

/** Restores the state of a switch, and stores it after each change. @param {HTMLInputElement} box @param {string} name @param {() => void} [changed] */
export function keepSwitch(box, name, changed) {
  const kept = draft(name);
  if (kept) box.checked = kept === "on";
  box.addEventListener("change", () => {
    keepDraft(name, box.checked ? "on" : "off");
    changed?.();
  });
}
