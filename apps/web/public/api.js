// The API as the page uses it: the key in a header, problems as errors a person can read.

/** What the API answered instead: `status`, and a message for a person. */
export class ApiError extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

/** `parameters` that are undefined are left out. */
export async function get(key, path, parameters = {}, signal = undefined) {
  const given = Object.entries(parameters).filter(([, value]) => value !== undefined);
  const query = given.length === 0 ? '' : `?${new URLSearchParams(given)}`;
  const response = await fetch(path + query, { headers: { authorization: `Bearer ${key}` }, signal });
  if (response.ok) return response.json();
  throw await errorOf(response);
}

/** Resolves to the answer's JSON. */
export async function post(key, path, body = {}) {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const response = await fetch(path, { method: 'POST', headers, body: JSON.stringify(body) });
  if (response.ok) return response.json();
  throw await errorOf(response);
}

export async function errorOf(response) {
  const problem = await response.json().catch(() => ({}));
  return new ApiError(response.status, problem.detail ?? problem.title ?? `the answer was ${response.status}`);
}
