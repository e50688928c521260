// Conversion of names, times and reports into the texts of the page.

import { locale, t } from "./language.js";

/** Returns a mode such as `1920x1080@60` as `1920 × 1080, 60 Hz`. @param {string|null|undefined} mode */
export function modeInWords(mode) {
  const match = /^(\d+)x(\d+)(i?)(?:@([\d.]+))?$/.exec(mode ?? "");
  if (!match) return mode ?? t("No mode");
  const hertz = match[4] ? t(", {number} Hz", { number: match[4] }) : "";
  return `${match[1]} × ${match[2]}${match[3] ? t(" interlaced") : ""}${hertz}`;
}

const states = {
  lit: t("Lit"), lighting: t("Lighting"), stalled: t("Stalled"), dark: t("Dark"), asleep: t("Asleep"),
  disconnected: t("Disconnected"), lost: t("Lost"),
};

/** Returns the label of a display's state. @param {string} state */
export function stateInWords(state) {
  return states[state] ?? state;
}

/** Returns the target of a message, such as `display:HDMI-A-1`, as a phrase. @param {string} target */
export function targetInWords(target) {
  const [kind, ...rest] = target.split(":");
  const name = rest.join(":");
  if (kind === "all") return t("on all displays");
  if (kind === "role") return name === "internal" ? t("on internal displays") : t("on external displays");
  if (kind === "tag") return t("on displays tagged {name}", { name });
  return t("on {name}", { name });
}

/** Returns the name of a display with its monitor. @param {any} display */
export function displayLabel(display) {
  return display.monitor ? `${display.name} (${display.monitor})` : display.name;
}

/** Returns the possible targets as options of a select. @param {any[]} present the connected displays @param {any[]} sessions */
export function targetOptions(present, sessions) {
  const roles = new Set(present.map((display) => display.role));
  const tags = new Set(sessions.map((session) => session.tag).filter((tag) => tag && !/^(card:|write:)/.test(tag)));
  const options = [{ value: "all", label: t("All displays") }];
  for (const display of present) options.push({ value: `display:${display.name}`, label: displayLabel(display), group: t("One display") });
  if (roles.has("external")) options.push({ value: "role:external", label: t("External displays"), group: t("By role") });
  if (roles.has("internal")) options.push({ value: "role:internal", label: t("Internal displays"), group: t("By role") });
  for (const tag of [...tags].sort()) options.push({ value: `tag:${tag}`, label: tag, group: t("By tag") });
  return options;
}

/** Returns the fields of a request that select its target, from the value of a select. @param {string} value */
export function targetFields(value) {
  const place = value.indexOf(":");
  return place < 0 ? {} : { [value.slice(0, place)]: value.slice(place + 1) };
}

const decimal = new Intl.NumberFormat(locale, { minimumFractionDigits: 1, maximumFractionDigits: 1 });

const sameDay = new Intl.DateTimeFormat(locale, { hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" });
const otherDay = new Intl.DateTimeFormat(locale, {
  month: "short", day: "numeric", hour: "2-digit", minute: "2-digit", hourCycle: "h23",
});

/** Returns a point in time; the time alone if it is today. @param {{milliseconds: number}|null|undefined} stamp */
export function moment(stamp) {
  if (!stamp) return "";
  const date = new Date(stamp.milliseconds);
  return (date.toDateString() === new Date().toDateString() ? sameDay : otherDay).format(date);
}

/** Returns the time of day of a point in time. @param {{milliseconds: number}} stamp */
export const clock = (stamp) => sameDay.format(new Date(stamp.milliseconds));

const longDay = new Intl.DateTimeFormat(locale, { weekday: "long", year: "numeric", month: "long", day: "numeric" });
const shortDay = new Intl.DateTimeFormat(locale, { month: "short", day: "numeric" });

/** Returns the day of a point in time: `Today`, `Yesterday`, or its date. @param {{milliseconds: number}} stamp @param {boolean} [isShort] */
export function day(stamp, isShort = false) {
  const date = new Date(stamp.milliseconds);
  if (isShort) return shortDay.format(date);
  const yesterday = new Date();
  yesterday.setDate(yesterday.getDate() - 1);
  if (date.toDateString() === new Date().toDateString()) return t("Today");
  return date.toDateString() === yesterday.toDateString() ? t("Yesterday") : longDay.format(date);
}

/** Returns a duration in its two largest units, such as `3d 4h`, as `placard health` prints it. @param {number} seconds */
export function duration(seconds) {
  const units = [["d", 86400], ["h", 3600], ["m", 60], ["s", 1]];
  const first = units.findIndex(([, length]) => seconds >= length);
  if (first < 0) return "0s";
  let left = seconds;
  const parts = [];
  for (const [name, length] of units.slice(first, first + 2)) {
    if (left >= length) parts.push(`${Math.floor(left / length)}${name}`);
    left %= length;
  }
  return parts.join(" ");
}

/** Returns the size of a file in binary units, as the command line prints it. @param {number} bytes */
export function size(bytes) {
  if (bytes < 1024) return `${bytes} B`;
  return bytes < 1_048_576 ? t("{number} KiB", { number: decimal.format(bytes / 1024) }) : t("{number} MiB", { number: decimal.format(bytes / 1_048_576) });
}

/** Returns a text in one line, truncated for a label. @param {string} text */
export function short(text, most = 60) {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > most ? `${line.slice(0, most - 1)}…` : line;
}

/** Returns the name of a field or a kind, such as `seconds_per_page`, as a label. @param {string} name */
export function fieldInWords(name) {
  if (name === "qr") return t("QR code");
  return t(capital(name.replaceAll("_", " ")));
}

/** Returns the description of a field in the schema. @param {any} spec */
export function descriptionInWords(spec) {
  return t(capital(spec.description ?? ""));
}

/** Returns the rotation of a display, as it follows its mode; empty for none. @param {number} degrees */
export function turnedInWords(degrees) {
  return degrees ? t(", rotated by {degrees}°", { degrees }) : "";
}

/** Returns a text with its first letter in upper case. @param {string} text */
export function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Returns the end of a covering message, as it follows "until". @param {any} cover */
function endInWords({ expires, acknowledge }) {
  if (acknowledge) return expires ? t("it is acknowledged or {time}", { time: moment(expires) }) : t("it is acknowledged");
  return expires ? moment(expires) : t("it is withdrawn");
}

/** Returns a sentence with the message that covers another one, and its end. @param {any} cover */
function coverInWords(cover) {
  const name = cover.summary ? `“${short(cover.summary)}”` : t("message {id}", { id: cover.message });
  return t("Not shown on {display}: {name} covers it until {end}.", { display: cover.display, name, end: endInWords(cover) });
}

/** Returns the result of a request that waited for displays to show its content. @param {any} delivery */
export function deliveryInWords(delivery) {
  const shown = (delivery?.shown ?? []).map((showing) => showing.display);
  const parts = [];
  if (shown.length) parts.push(t("On screen: {names}.", { names: shown.join(", ") }));
  const covers = delivery?.covers ?? [];
  for (const cover of covers) parts.push(coverInWords(cover));
  const isCovered = (text) => covers.some(({ display }) => text.startsWith(`${display}: `));
  for (const text of delivery?.notShown ?? []) if (!isCovered(text)) parts.push(t("Not shown on {text}", { text }));
  if (delivery?.unseen && parts.length === 0) parts.push(t("No display shows it: {unseen}", { unseen: delivery.unseen }));
  for (const { display, letterHeight, readableDistance } of delivery?.legibility ?? []) {
    const words = t("the smallest letters are {height} mm high, readable from {distance} m", { height: decimal.format(letterHeight), distance: decimal.format(readableDistance) });
    parts.push(`${display}: ${words}.`);
  }
  for (const text of delivery?.warnings ?? []) parts.push(text);
  return parts.join(" ");
}
