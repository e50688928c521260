// Conversion of names, times and reports into the texts of the page.

/** Returns a mode such as `1920x1080@60` as `1920 × 1080, 60 Hz`. @param {string|null|undefined} mode */
export function modeInWords(mode) {
  const match = /^(\d+)x(\d+)(i?)(?:@([\d.]+))?$/.exec(mode ?? "");
  if (!match) return mode ?? "No mode";
  const hertz = match[4] ? `, ${match[4]} Hz` : "";
  return `${match[1]} × ${match[2]}${match[3] ? " interlaced" : ""}${hertz}`;
}

const states = {
  lit: "Lit", lighting: "Lighting", stalled: "Stalled", dark: "Dark", asleep: "Asleep",
  disconnected: "Disconnected", lost: "Lost",
};

/** Returns the label of a display's state. @param {string} state */
export function stateInWords(state) {
  return states[state] ?? state;
}

/** Returns the target of a message, such as `display:HDMI-A-1`, as a phrase. @param {string} target */
export function targetInWords(target) {
  const [kind, ...rest] = target.split(":");
  const name = rest.join(":");
  if (kind === "all") return "on all displays";
  if (kind === "role") return name === "internal" ? "on internal displays" : "on external displays";
  if (kind === "tag") return `on displays tagged ${name}`;
  return `on ${name}`;
}

/** Returns the name of a display with its monitor. @param {any} display */
export function displayLabel(display) {
  return display.monitor ? `${display.name} (${display.monitor})` : display.name;
}

/** Returns the possible targets as options of a select. @param {any[]} present the connected displays @param {any[]} sessions */
export function targetOptions(present, sessions) {
  const roles = new Set(present.map((display) => display.role));
  const tags = new Set(sessions.map((session) => session.tag).filter((tag) => tag && !/^(card:|write:)/.test(tag)));
  const options = [{ value: "all", label: "All displays" }];
  for (const display of present) options.push({ value: `display:${display.name}`, label: displayLabel(display), group: "One display" });
  if (roles.has("external")) options.push({ value: "role:external", label: "External displays", group: "By role" });
  if (roles.has("internal")) options.push({ value: "role:internal", label: "Internal displays", group: "By role" });
  for (const tag of [...tags].sort()) options.push({ value: `tag:${tag}`, label: tag, group: "By tag" });
  return options;
}

/** Returns the fields of a request that select its target, from the value of a select. @param {string} value */
export function targetFields(value) {
  const place = value.indexOf(":");
  return place < 0 ? {} : { [value.slice(0, place)]: value.slice(place + 1) };
}

const sameDay = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" });
const otherDay = new Intl.DateTimeFormat(undefined, {
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

const longDay = new Intl.DateTimeFormat(undefined, { weekday: "long", year: "numeric", month: "long", day: "numeric" });
const shortDay = new Intl.DateTimeFormat(undefined, { month: "short", day: "numeric" });

/** Returns the day of a point in time: `Today`, `Yesterday`, or its date. @param {{milliseconds: number}} stamp @param {boolean} [isShort] */
export function day(stamp, isShort = false) {
  const date = new Date(stamp.milliseconds);
  if (isShort) return shortDay.format(date);
  const yesterday = new Date();
  yesterday.setDate(yesterday.getDate() - 1);
  if (date.toDateString() === new Date().toDateString()) return "Today";
  return date.toDateString() === yesterday.toDateString() ? "Yesterday" : longDay.format(date);
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
  return bytes < 1_048_576 ? `${(bytes / 1024).toFixed(1)} KiB` : `${(bytes / 1_048_576).toFixed(1)} MiB`;
}

/** Returns a text in one line, truncated for a label. @param {string} text */
export function short(text, most = 60) {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > most ? `${line.slice(0, most - 1)}…` : line;
}

/** Returns the name of a field or a kind, such as `seconds_per_page`, as a label. @param {string} name */
export function fieldInWords(name) {
  if (name === "qr") return "QR code";
  return capital(name.replaceAll("_", " "));
}

/** Returns a text with its first letter in upper case. @param {string} text */
export function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Returns the end of a covering message, as it follows "until". @param {any} cover */
function endInWords({ expires, acknowledge }) {
  if (acknowledge) return expires ? `it is acknowledged or ${moment(expires)}` : "it is acknowledged";
  return expires ? moment(expires) : "it is withdrawn";
}

/** Returns a sentence with the message that covers another one, and its end. @param {any} cover */
function coverInWords(cover) {
  const name = cover.summary ? `“${short(cover.summary)}”` : `message ${cover.message}`;
  return `Not shown on ${cover.display}: ${name} covers it until ${endInWords(cover)}.`;
}

/** Returns the result of a request that waited for displays to show its content. @param {any} delivery */
export function deliveryInWords(delivery) {
  const shown = (delivery?.shown ?? []).map((showing) => showing.display);
  const parts = [];
  if (shown.length) parts.push(`On screen: ${shown.join(", ")}.`);
  const covers = delivery?.covers ?? [];
  for (const cover of covers) parts.push(coverInWords(cover));
  const isCovered = (text) => covers.some(({ display }) => text.startsWith(`${display}: `));
  for (const text of delivery?.notShown ?? []) if (!isCovered(text)) parts.push(`Not shown on ${text}`);
  if (delivery?.unseen && parts.length === 0) parts.push(`No display shows it: ${delivery.unseen}`);
  for (const text of delivery?.warnings ?? []) parts.push(text);
  return parts.join(" ");
}
