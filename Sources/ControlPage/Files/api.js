// All requests of the page go through here: statuses are checked, POSTs carry an Idempotency-Key, and what is refused
// becomes a Refusal with the service's own sentence.

/** What the service refused, or that it did not answer. */
export class Refusal extends Error {
  /** @param {number} status 0 where nothing answered @param {string} message @param {any} [problem] */
  constructor(status, message, problem) {
    super(message);
    this.status = status;
    this.problem = problem;
  }
}

/** Told of each answer (true) and of each time that nothing answered (false). */
let onContact = (/** @type {boolean} */ answered) => {};

/** Whom to tell whether the service answers. @param {(answered: boolean) => void} listener */
export function watchContact(listener) {
  onContact = listener;
}

const silent = "The service does not answer. Your input is kept; try again when the service is back.";

/** A key that nobody has used: `crypto.randomUUID` is missing where the page comes over plain HTTP. */
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

/** One more attempt where nothing answered a POST: its key keeps it from being done twice. */
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
  const text = problem?.detail || `The service answered with status ${response.status}.`;
  return new Refusal(response.status, text, problem);
}

/**
 * A request and its answer.
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
 * Items of a list, page by page, until there are enough.
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
/** All items of a list, page by page. @param {string} path @returns {Promise<any[]>} */
export const getAll = async (path) => (await getSome(path, Infinity)).items;
/** Also gives the entity tag. @param {string} path */
export const getTagged = (path) => request("GET", path);
/** @param {string} path @param {any} [json] */
export const post = async (path, json) => (await request("POST", path, { json })).body;
let uploads = 0;

/**
 * How often the service is asked whether it answers while a file is sent, and how long that may take: milliseconds. The
 * progress of the file would not show that a service has stopped, since the kernels' buffers accept megabytes meanwhile.
 */
const uploadPatience = 10000;

/** Whether a file is being sent: on a slow link nothing else gets through then. */
export const isUploading = () => uploads > 0;

/** Sends a file; gives up when the service no longer answers. @param {string} path @param {Blob} file */
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
 * @param {string} path @param {any} [json] @param {string|null} [expecting] the revision that it was made from
 */
export async function put(path, json, expecting) {
  const headers = expecting ? { "if-match": `"${expecting}"` } : {};
  return (await request("PUT", path, { json, headers })).body;
}

/**
 * A picture, unless it is the one that is known already.
 * @param {string} path @param {string|null} known @param {AbortSignal} [signal]
 * @returns {Promise<{tag: string|null, blob: Blob}|null>} null where it is the known one
 */
export async function picture(path, known, signal) {
  const headers = known ? { "if-none-match": known } : {};
  const response = await reach(path, { headers, signal });
  if (response.status === 304) return null;
  if (!response.ok) throw await refusal(response);
  return { tag: response.headers.get("etag"), blob: await response.blob() };
}

/** A part of a path, from a name that may hold anything. @param {string|number} name */
export const part = (name) => encodeURIComponent(String(name));

/** Whether the service answers at all; nothing is told of it. @param {number} [patience] milliseconds */
export async function isAlive(patience = 4000) {
  try {
    const response = await fetch("/v1/health/live", { cache: "no-store", signal: AbortSignal.timeout(patience) });
    if (response.status === 401) location.assign("/login");
    return response.status < 500;
  } catch {
    return false;
  }
}
