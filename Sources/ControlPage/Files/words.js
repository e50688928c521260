// How things are called for people.

/** `1920x1080@60` as people read it. @param {string|null|undefined} mode */
export function modeInWords(mode) {
  const match = /^(\d+)x(\d+)(i?)(?:@([\d.]+))?$/.exec(mode ?? "");
  if (!match) return mode ?? "No mode";
  const hertz = match[4] ? `, ${match[4]} Hz` : "";
  return `${match[1]} × ${match[2]}${match[3] ? " interlaced" : ""}${hertz}`;
}

const states = {
  lit: "Lit", lighting: "Lighting", stalled: "Stalled", dark: "Dark", asleep: "Asleep",
  disconnected: "Not plugged in", lost: "Card removed",
};

/** @param {string} state */
export function stateInWords(state) {
  return states[state] ?? state;
}

/** Who a message is for: `display:HDMI-A-1`. @param {string} target */
export function targetInWords(target) {
  const [kind, ...rest] = target.split(":");
  const name = rest.join(":");
  if (kind === "all") return "on all displays";
  if (kind === "role") return name === "internal" ? "on built-in panels" : "on external displays";
  if (kind === "tag") return `on displays tagged ${name}`;
  return `on ${name}`;
}

/** The fields of a request that say who it is for, from a select's value. @param {string} value */
export function targetFields(value) {
  const place = value.indexOf(":");
  return place < 0 ? {} : { [value.slice(0, place)]: value.slice(place + 1) };
}

const sameDay = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" });
const otherDay = new Intl.DateTimeFormat(undefined, {
  month: "short", day: "numeric", hour: "2-digit", minute: "2-digit", hourCycle: "h23",
});

/** A moment of the service, short. @param {{milliseconds: number}|null|undefined} stamp */
export function moment(stamp) {
  if (!stamp) return "";
  const date = new Date(stamp.milliseconds);
  return (date.toDateString() === new Date().toDateString() ? sameDay : otherDay).format(date);
}

/** The time of day of a moment. @param {{milliseconds: number}} stamp */
export const clock = (stamp) => sameDay.format(new Date(stamp.milliseconds));

const longDay = new Intl.DateTimeFormat(undefined, { weekday: "long", year: "numeric", month: "long", day: "numeric" });
const shortDay = new Intl.DateTimeFormat(undefined, { month: "short", day: "numeric" });

/** The day of a moment: `Today`, `Yesterday`, or its date. @param {{milliseconds: number}} stamp @param {boolean} [isShort] */
export function day(stamp, isShort = false) {
  const date = new Date(stamp.milliseconds);
  if (isShort) return shortDay.format(date);
  const yesterday = new Date();
  yesterday.setDate(yesterday.getDate() - 1);
  if (date.toDateString() === new Date().toDateString()) return "Today";
  return date.toDateString() === yesterday.toDateString() ? "Yesterday" : longDay.format(date);
}

/** `3 days 4 h`, `12 min`. @param {number} seconds */
export function duration(seconds) {
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return `${hours} h ${minutes % 60} min`;
  return `${Math.floor(hours / 24)} d ${hours % 24} h`;
}

/** A size of a file. @param {number} bytes */
export function size(bytes) {
  if (bytes < 1000) return `${bytes} B`;
  return bytes < 1_000_000 ? `${Math.round(bytes / 1000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** A long text, cut for a label. @param {string} text */
export function short(text, most = 60) {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > most ? `${line.slice(0, most - 1)}…` : line;
}

/** A field's or a kind's name as a label: `seconds_per_page`. @param {string} name */
export function fieldInWords(name) {
  if (name === "qr") return "QR code";
  return capital(name.replaceAll("_", " "));
}

/** A text with a capital at its beginning. @param {string} text */
export function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** How long a message stays, after "until". @param {any} cover */
function endInWords({ expires, acknowledge }) {
  if (acknowledge) return expires ? `it is acknowledged, or until ${moment(expires)}` : "it is acknowledged";
  return expires ? moment(expires) : "it is withdrawn";
}

/** What covers a message, and for how long. @param {any} cover */
function coverInWords(cover) {
  const name = cover.summary ? `“${short(cover.summary)}”` : `message ${cover.message}`;
  return `Not on ${cover.display}: ${name} covers it until ${endInWords(cover)}.`;
}

/** What was shown on displays, of an answer that waited. @param {any} delivery */
export function deliveryInWords(delivery) {
  const shown = (delivery?.shown ?? []).map((showing) => showing.display);
  const parts = [];
  if (shown.length) parts.push(`On screen: ${shown.join(", ")}.`);
  const covers = delivery?.covers ?? [];
  for (const cover of covers) parts.push(coverInWords(cover));
  const isCovered = (text) => covers.some(({ display }) => text.startsWith(`${display}: `));
  for (const text of delivery?.notShown ?? []) if (!isCovered(text)) parts.push(`Not on ${text}`);
  if (delivery?.unseen && parts.length === 0) parts.push(`No display shows it: ${delivery.unseen}`);
  for (const text of delivery?.warnings ?? []) parts.push(text);
  return parts.join(" ");
}
