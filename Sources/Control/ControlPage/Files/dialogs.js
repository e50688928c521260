// Dialogs, which close with Escape, their Close button, or a click on the backdrop.

/** Opens a dialog, which gets the focus. @param {HTMLDialogElement} dialog */
export function open(dialog) {
  if (!dialog.open) dialog.showModal();
}

/** Starts all dialogs. An alert dialog requires a decision, so a click on its backdrop does not close it. */
export function startDialogs() {
  for (const dialog of document.querySelectorAll("dialog")) {
    for (const button of dialog.querySelectorAll("[data-close]")) button.addEventListener("click", () => dialog.close());
    if (dialog.getAttribute("role") === "alertdialog") continue;
    let isPressedBeside = false;
    dialog.addEventListener("pointerdown", (event) => { isPressedBeside = event.target === dialog; });
    dialog.addEventListener("click", (event) => { if (event.target === dialog && isPressedBeside) dialog.close(); });
  }
}
