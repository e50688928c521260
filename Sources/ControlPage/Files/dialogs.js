// Dialogs: opened with the focus in them, closed with Escape, their button, or a click beside them.

/** @param {HTMLDialogElement} dialog */
export function open(dialog) {
  if (!dialog.open) dialog.showModal();
}

/** Has the buttons of all dialogs close them. */
export function startDialogs() {
  for (const dialog of document.querySelectorAll("dialog")) {
    for (const button of dialog.querySelectorAll("[data-close]")) button.addEventListener("click", () => dialog.close());
    if (dialog.getAttribute("role") === "alertdialog") continue;
    let isPressedBeside = false;
    dialog.addEventListener("pointerdown", (event) => { isPressedBeside = event.target === dialog; });
    dialog.addEventListener("click", (event) => { if (event.target === dialog && isPressedBeside) dialog.close(); });
  }
}
