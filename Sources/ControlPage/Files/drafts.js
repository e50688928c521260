// Half-typed texts, kept in the browser so that neither a restart of the service nor of the browser loses them.

const prefix = "placard.draft.";

/** @param {string} name @returns {string} empty where there is none */
export function draft(name) {
  try {
    return localStorage.getItem(prefix + name) ?? "";
  } catch {
    return "";
  }
}

/** @param {string} name @param {string} text an empty one forgets it */
export function keepDraft(name, text) {
  try {
    if (text) localStorage.setItem(prefix + name, text);
    else localStorage.removeItem(prefix + name);
  } catch {
    // Private windows and full disks keep nothing; the text is still in its field.
  }
}

/**
 * Keeps a field's text from now on, and puts the kept one back if the field is empty.
 * @param {HTMLInputElement|HTMLTextAreaElement} field @param {string} name
 */
export function keepField(field, name) {
  if (!field.value) field.value = draft(name);
  field.addEventListener("input", () => keepDraft(name, field.value));
}

/** A switch that stays as it was left. @param {HTMLInputElement} box @param {string} name @param {() => void} [changed] */
export function keepSwitch(box, name, changed) {
  const kept = draft(name);
  if (kept) box.checked = kept === "on";
  box.addEventListener("change", () => {
    keepDraft(name, box.checked ? "on" : "off");
    changed?.();
  });
}
