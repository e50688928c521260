// Uploaded images: a preview during the upload, and a list for use in scenes.

import { part, postFile, remove } from "./api.js";
import { announce, attempt } from "./announce.js";
import { act, byId, el, keyed, setText, showProblem } from "./dom.js";
import { newScene } from "./scenes.js";
import { pictures } from "./store.js";
import { size } from "./words.js";

/** The maximum size of an uploaded image, which the service enforces. */
const most = 32 << 20;

async function upload() {
  const field = byId("picture-file");
  const file = field.files[0];
  field.value = "";
  if (!file) return;
  preview(file, `${file.name}, ${size(file.size)}: uploading…`);
  if (file.size > most) {
    setText(caption(), `${file.name} was not uploaded.`);
    return showProblem(byId("picture-problem"), `${file.name} has ${size(file.size)}, the limit is 32 MiB; save it smaller.`);
  }
  const report = await act(field.closest("label"), byId("picture-problem"), () => postFile(`/v1/images?file=${part(file.name)}`, file));
  if (!report) return setText(caption(), `${file.name} was not uploaded.`);
  setText(caption(), `${file.name}: ${report.width} × ${report.height}, ${size(report.bytes)}. Stored for scenes.`);
  announce(`Uploaded ${file.name}.`);
  await pictures.refresh();
}

const caption = () => byId("picture-preview").querySelector("figcaption");

/** Shows a local file before it is uploaded. @param {File} file @param {string} text */
function preview(file, text) {
  const box = byId("picture-preview");
  const image = box.querySelector("img");
  if (image.src) URL.revokeObjectURL(image.src);
  image.src = URL.createObjectURL(file);
  image.alt = file.name;
  setText(caption(), text);
  box.hidden = false;
}

function make(picture) {
  const name = picture.name;
  return el(
    "li", { data: { picture: name } }, el("img", { src: `/v1/images/${part(name)}`, alt: `Image ${name}`, loading: "lazy" }),
    el("span", { class: "hint", text: `${picture.file ? `${picture.file}, ` : ""}${picture.width} × ${picture.height}, ${size(picture.bytes)}` }),
    el("div", { class: "row" },
      el("button", { type: "button", class: "quiet small", text: "Show", "aria-label": `Show image ${name}`, onclick: () => newScene({ kind: "image", path: picture.path }) }),
      el("button", { type: "button", class: "quiet small", text: "Remove", "aria-label": `Remove image ${name}`, onclick: () => removeImage(name) })));
}

function removeImage(name) {
  return attempt(async () => {
    await remove(`/v1/images/${part(name)}`);
    announce("Image removed.");
    await pictures.refresh();
  });
}

/** Starts the list and the upload. */
export function startPictures() {
  byId("picture-file").addEventListener("change", upload);
  pictures.watch((list) => keyed(byId("pictures"), list, (picture) => picture.name, make, () => {}));
}
