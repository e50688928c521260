// The requests of the page. Each POST has an Idempotency-Key, and an error status becomes a Refusal with the sentence
// that the service sent.

import { t } from "./language.js";

/** The error of a request that the service refused or did not answer. */
export class Refusal extends Error {
  /** @param {number} status the HTTP status; 0 without an answer @param {string} message @param {any} [problem] */
  constructor(status, message, problem) {
    super(message);
    this.status = status;
    this.problem = problem;
  }
}

/** The listener for answers (true) and failed requests (false). */
let onContact = (/** @type {boolean} */ answered) => {};

/** Sets the listener that is called after each request. @param {(answered: boolean) => void} listener */
export function watchContact(listener) {
  onContact = listener;
}

const silent = t("The service does not answer. Your input is kept; try again when the service is back.");

/** Returns a random key. `crypto.randomUUID` needs a secure context (W3C Web Cryptography); plain HTTP has no such context. */
function newKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** @param {string} path @param {RequestInit} options @returns {Promise<Response>} */
async function reach(path, options) {
  try {
    const response = await fetch(path, { cache: "no-store", credentials: "same-origin", ...options });
    onContact(response.status !== 502 && response.status !== 504);
    return response;
  } catch (error) {
    if (options.signal?.aborted) throw error;
    onContact(false);
    throw new Refusal(0, silent);
  }
}

/** Repeats a POST once if there was no answer. Its Idempotency-Key prevents a second execution. */
async function reachTwice(path, options) {
  try {
    return await reach(path, options);
  } catch (error) {
    if (options.method !== "POST" || error.status !== 0) throw error;
    await new Promise((done) => setTimeout(done, 400));
    return reach(path, options);
  }
}

async function refusal(response) {
  const problem = await response.json().catch(() => null);
  if (response.status === 401) location.assign("/login");
  const text = problem?.detail || t("The service answered with status {status} and no reason.", { status: response.status });
  return new Refusal(response.status, text, problem);
}

/**
 * Sends a request, and returns the answer.
 * @param {string} method @param {string} path @param {{json?: any, file?: Blob, signal?: AbortSignal, headers?: Record<string, string>}} [rest]
 * @returns {Promise<{status: number, tag: string|null, body: any, response: Response}>}
 */
async function request(method, path, { json, file, signal, headers = {} } = {}) {
  const options = { method, signal, headers: { accept: "application/json", ...headers } };
  if (json !== undefined) {
    options.body = JSON.stringify(json);
    options.headers["content-type"] = "application/json";
  } else if (file) {
    options.body = file;
    options.headers["content-type"] = file.type;
  }
  if (method === "POST") options.headers["idempotency-key"] = newKey();
  const response = await reachTwice(path, options);
  if (!response.ok && response.status !== 304) throw await refusal(response);
  const type = response.headers.get("content-type") ?? "";
  const body = response.status !== 204 && /json/.test(type) ? await response.json() : null;
  return { status: response.status, tag: response.headers.get("etag"), body, response };
}

/** @param {string} path */
export const get = async (path) => (await request("GET", path)).body;
/**
 * Reads a list page by page until there are enough items.
 * @param {string} path @param {number} enough the number of items after which no other page is requested
 * @returns {Promise<{items: any[], isPartial: boolean}>} `isPartial` if the list has another page
 */
export async function getSome(path, enough) {
  const items = [];
  let next = path;
  while (next && items.length < enough) {
    const { body, response } = await request("GET", next);
    items.push(...body);
    next = body.length ? /^<(\/[^>]*)>; rel="next"/.exec(response.headers.get("link") ?? "")?.[1] ?? "" : "";
  }
  return { items, isPartial: next !== "" };
}
/** Reads all items of a list. @param {string} path @returns {Promise<any[]>} */
export const getAll = async (path) => (await getSome(path, Infinity)).items;
/** Returns the answer with its entity tag. @param {string} path */
export const getTagged = (path) => request("GET", path);
/** @param {string} path @param {any} [json] */
export const post = async (path, json) => (await request("POST", path, { json })).body;
/** Sends a request that is answered with an image. It changes nothing, and is not repeated. @param {string} path @param {any} json @returns {Promise<Blob>} */
export async function postForPicture(path, json) {
  const response = await reach(path, { method: "POST", body: JSON.stringify(json), headers: { "content-type": "application/json", accept: "image/png" } });
  if (!response.ok) throw await refusal(response);
  return response.blob();
}
let uploads = 0;

/**
 * The period and the time limit of the probes during an upload, in milliseconds. The progress of the upload does not
 * show that a service has stopped, since the socket buffers of both kernels accept megabytes.
 */
const uploadPatience = 10000;

/** Returns whether an upload is running. On a slow link it delays all other requests. */
export const isUploading = () => uploads > 0;

/** Uploads a file; aborts when the service no longer answers. @param {string} path @param {Blob} file */
export async function postFile(path, file) {
  const upload = new AbortController();
  const asking = setInterval(async () => { if (!(await isAlive(uploadPatience))) upload.abort(); }, uploadPatience);
  uploads += 1;
  try {
    return (await request("POST", path, { file, signal: upload.signal })).body;
  } catch (error) {
    if (!upload.signal.aborted) throw error;
    onContact(false);
    throw new Refusal(0, silent);
  } finally {
    clearInterval(asking);
    uploads -= 1;
  }
}
/** @param {string} path */
export const remove = async (path) => (await request("DELETE", path)).body;

/**
 * @param {string} path @param {any} [json] @param {string|null} [expecting] the revision on which the edit is based
 */
export async function put(path, json, expecting) {
  const headers = expecting ? { "if-match": `"${expecting}"` } : {};
  return (await request("PUT", path, { json, headers })).body;
}

/**
 * Requests an image, unless its entity tag is known.
 * @param {string} path @param {string|null} known the known entity tag @param {AbortSignal} [signal]
 * @returns {Promise<{tag: string|null, blob: Blob}|null>} null if the image has not changed
 */
export async function picture(path, known, signal) {
  const headers = known ? { "if-none-match": known } : {};
  const response = await reach(path, { headers, signal });
  if (response.status === 304) return null;
  if (!response.ok) throw await refusal(response);
  return { tag: response.headers.get("etag"), blob: await response.blob() };
}

/** Escapes a name as one segment of a path. @param {string|number} name */
export const part = (name) => encodeURIComponent(String(name));

/** Returns whether the service answers; the listener for answers is not called. @param {number} [patience] milliseconds */
export async function isAlive(patience = 4000) {
  try {
    const response = await fetch("/v1/health/live", { cache: "no-store", signal: AbortSignal.timeout(patience) });
    if (response.status === 401) location.assign("/login");
    return response.status < 500;
  } catch {
    return false;
  }
}
