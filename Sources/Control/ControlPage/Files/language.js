// The language of the page: the one chosen in the Service view, or that of the browser.

import { german } from "./german.js";

/** @type {Record<string, Record<string, string>>} the words of each language, by the English ones */
const tables = { en: {}, de: german };

const key = "placard.language";

function chosen() {
  try {
    return localStorage.getItem(key) ?? "";
  } catch {
    return "";
  }
}

/** Returns the language that the browser prefers among those of the page. */
function preferred() {
  const tags = navigator.languages.map((tag) => tag.slice(0, 2).toLowerCase());
  return tags.find((tag) => tag in tables) ?? "en";
}

/** The language: `en` or `de`. */
export const language = chosen() in tables ? chosen() : preferred();

/** The locale of dates and numbers: that of the browser if it has the language. */
export const locale = navigator.languages.find((tag) => tag.toLowerCase().startsWith(language)) ?? language;

/**
 * Returns a text in the language of the page.
 * @param {string} text the English text, with names in braces for values
 * @param {Record<string, any>} [values] the values by their names
 */
export function t(text, values = {}) {
  const words = tables[language][text] ?? text;
  return words.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? String(values[name]) : whole));
}

const named = ["aria-label", "placeholder", "alt", "title", "content"];

/** Translates the texts of index.html, before other parts of the page add to it. */
function translatePage() {
  document.documentElement.lang = language;
  if (language === "en") return;
  const table = tables[language];
  const walker = document.createTreeWalker(document.documentElement, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (node instanceof Element) {
      for (const name of named) {
        const words = table[node.getAttribute(name) ?? ""];
        if (words !== undefined) node.setAttribute(name, words);
      }
      continue;
    }
    const text = node.nodeValue ?? "";
    const words = table[text.trim().replace(/\s+/g, " ")];
    if (words !== undefined) node.nodeValue = text.replace(/\S[^]*\S|\S/, () => words);
  }
}

/** Translates the page, and starts the choice of the language, which loads the page again. */
export function startLanguage() {
  translatePage();
  const field = /** @type {HTMLSelectElement} */ (document.getElementById("language"));
  field.value = language;
  field.addEventListener("change", () => {
    try {
      localStorage.setItem(key, field.value);
    } catch {
      // Storage may be disabled. The page keeps the language of the browser.
    }
    location.reload();
  });
}
