// Uploaded images: a preview during the upload, and a list for use in scenes.

import { part, postFile, remove } from "./api.js";
import { announce, attempt } from "./announce.js";
import { act, byId, el, keyed, setText, showProblem } from "./dom.js";
import { t } from "./language.js";
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
  preview(file, t("{name}, {size}: uploading…", { name: file.name, size: size(file.size) }));
  if (file.size > most) {
    setText(caption(), t("{name} was not uploaded.", { name: file.name }));
    return showProblem(byId("picture-problem"), t("{name} has {size}, the limit is 32 MiB; save it smaller.", { name: file.name, size: size(file.size) }));
  }
  const report = await act(field.closest("label"), byId("picture-problem"), () => postFile(`/v1/images?file=${part(file.name)}`, file));
  if (!report) return setText(caption(), t("{name} was not uploaded.", { name: file.name }));
  setText(caption(), t("{name}: {width} × {height}, {size}. Stored for scenes.", { name: file.name, width: report.width, height: report.height, size: size(report.bytes) }));
  announce(t("Uploaded {name}.", { name: file.name }));
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
    "li", { data: { picture: name } }, el("img", { src: `/v1/images/${part(name)}`, alt: t("Image {name}", { name }), loading: "lazy" }),
    el("span", { class: "hint", text: `${picture.file ? `${picture.file}, ` : ""}${picture.width} × ${picture.height}, ${size(picture.bytes)}` }),
    el("div", { class: "row" },
      el("button", { type: "button", class: "quiet small", text: t("Show"), "aria-label": t("Show image {name}", { name }), onclick: () => newScene({ kind: "image", path: picture.path }) }),
      el("button", { type: "button", class: "quiet small", text: t("Remove"), "aria-label": t("Remove image {name}", { name }), onclick: () => removeImage(name) })));
}

function removeImage(name) {
  return attempt(async () => {
    await remove(`/v1/images/${part(name)}`);
    announce(t("Image removed."));
    await pictures.refresh();
  });
}

/** Starts the list and the upload. */
export function startPictures() {
  byId("picture-file").addEventListener("change", upload);
  pictures.watch((list) => keyed(byId("pictures"), list, (picture) => picture.name, make, () => {}));
}
