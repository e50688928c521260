// The preview of the scene in the editor, for any display size: the service draws it and shows it on no display.

import { postForPicture } from "./api.js";
import { byId, fillSelect, sentence, setText, showProblem } from "./dom.js";
import { t } from "./language.js";
import { currentView } from "./router.js";
import { connected, displays } from "./store.js";
import { displayLabel } from "./words.js";

/** The time from the last change until the preview is drawn, in milliseconds. */
const pause = 250;

let timer = 0;
let isDrawing = false;
/** @type {any} the scene to draw next; null if there is none */
let due = null;
/** @type {any} the last scene */
let last = null;
let address = "";

/** Draws a scene soon; null keeps the last picture, and shows why. @param {any} scene @param {string} [reason] */
export function previewScene(scene, reason = "") {
  window.clearTimeout(timer);
  due = scene;
  if (!scene) return showProblem(byId("preview-problem"), reason);
  last = scene;
  if (currentView() === "scenes") timer = window.setTimeout(draw, pause);
}

/** Returns the size to draw. */
function size() {
  const [width, height, display] = byId("preview-size").value.split(" ");
  return { width: Number(width), height: Number(height), ...(display ? { display } : {}) };
}

async function draw() {
  if (isDrawing || !due || !byId("preview-size").value) return;
  isDrawing = true;
  const scene = due;
  due = null;
  const time = byId("preview-time").value;
  try {
    const at = time ? { at: new Date(time).getTime() } : {};
    const blob = await postForPicture("/v1/render", { scene, ...size(), ...at });
    const image = byId("preview");
    if (address) URL.revokeObjectURL(address);
    address = URL.createObjectURL(blob);
    image.src = address;
    image.hidden = false;
    showProblem(byId("preview-problem"));
  } catch (error) {
    if (error.status !== 0) showProblem(byId("preview-problem"), sentence(error));
  } finally {
    isDrawing = false;
  }
  if (due) draw();
}

function shape() {
  const { width, height } = size();
  if (width && height) byId("preview-bezel").style.setProperty("--aspect", (width / height).toFixed(4));
  setText(byId("preview-caption"), width ? `${width} × ${height}` : "");
  if (last) previewScene(last);
}

const usual = [[1920, 1080], [3840, 2160], [1280, 720], [800, 480], [1080, 1920]];

/** Starts the preview. */
export function startPreview() {
  displays.watch(() => {
    const present = connected().filter((display) => display.width && display.height)
      .map((display) => ({ value: `${display.width} ${display.height} ${display.name}`, label: displayLabel(display), group: t("Displays") }));
    const others = usual.map(([width, height]) => ({ value: `${width} ${height}`, label: `${width} × ${height}`, group: t("Sizes") }));
    const before = byId("preview-size").value;
    fillSelect(byId("preview-size"), [...present, ...others]);
    if (byId("preview-size").value !== before) shape();
  });
  byId("preview-size").addEventListener("change", shape);
  byId("preview-time").addEventListener("change", shape);
}
