// Uploaded pictures: seen before they are sent, and listed for scenes to show.

import { part, postFile, remove } from "./api.js";
import { announce, attempt } from "./announce.js";
import { act, byId, el, keyed, setText, showProblem } from "./dom.js";
import { showPicture } from "./scenes.js";
import { pictures } from "./store.js";
import { size } from "./words.js";

/** Most bytes of a picture, as the service takes them. */
const most = 32 << 20;

async function upload() {
  const field = byId("picture-file");
  const file = field.files[0];
  field.value = "";
  if (!file) return;
  preview(file, `${file.name}, ${size(file.size)}: uploading…`);
  if (file.size > most) return showProblem(byId("picture-problem"), `${file.name} has ${size(file.size)}. The limit for a picture is ${size(most)}.`);
  const report = await act(field.closest("label"), byId("picture-problem"), () => postFile(`/v1/pictures?file=${part(file.name)}`, file));
  if (!report) return setText(caption(), `${file.name} was not uploaded.`);
  setText(caption(), `${file.name}: ${report.width} × ${report.height}, ${size(report.bytes)}. It is stored on the machine.`);
  announce(`${file.name} is uploaded.`);
  await pictures.refresh();
}

const caption = () => byId("picture-preview").querySelector("figcaption");

/** Shows a file as it is on this machine. @param {File} file @param {string} text */
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
    "li", { data: { picture: name } }, el("img", { src: `/v1/pictures/${part(name)}`, alt: `Picture ${name}`, loading: "lazy" }),
    el("span", { class: "hint", text: `${picture.file ? `${picture.file}, ` : ""}${picture.width} × ${picture.height}, ${size(picture.bytes)}` }),
    el("div", { class: "row" },
      el("button", { type: "button", class: "quiet small", text: "Show", "aria-label": `Show picture ${name}`, onclick: () => showPicture(picture.path) }),
      el("button", { type: "button", class: "quiet small", text: "Remove", "aria-label": `Remove picture ${name}`, onclick: () => removePicture(name) })));
}

function removePicture(name) {
  return attempt(async () => {
    await remove(`/v1/pictures/${part(name)}`);
    announce("The picture is removed.");
    await pictures.refresh();
  });
}

/** Begins. */
export function startPictures() {
  byId("picture-file").addEventListener("change", upload);
  pictures.watch((list) => keyed(byId("pictures"), list, (picture) => picture.name, make, () => {}));
}
