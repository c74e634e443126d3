/** A refusal of the admin API, with its message. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

/**
 * Sends a request to the admin API.
 * @throws ApiError, or TypeError if it cannot be reached
 */
async function ask(method: string, path: string, body?: unknown): Promise<Response> {
  const json = body !== undefined && { headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
  return answered(await fetch(path, { method, keepalive: method !== "GET", ...json }));
}

/**
 * Sends the text of a scenario.
 * @throws like the other functions
 */
export async function sendYaml(method: "PUT" | "POST", path: string, body: string): Promise<Response> {
  return answered(await fetch(path, { method, headers: { "Content-Type": "application/yaml" }, body }));
}

async function answered(response: Response): Promise<Response> {
  if (response.ok) return response;
  if (response.status === 401) {
    // The session has ended. Reload: the server sends the sign-in page.
    location.reload();
    return new Promise(() => {});
  }
  const problem = await response.json().catch(() => undefined);
  throw new ApiError(response.status, problem?.message ?? `The admin API answered ${response.status}.`);
}

export async function get<T>(path: string): Promise<T> {
  return (await ask("GET", path)).json() as Promise<T>;
}

export async function getText(path: string): Promise<string> {
  return (await ask("GET", path)).text();
}

export async function put(path: string, body: unknown): Promise<void> {
  await ask("PUT", path, body);
}

export async function post<T>(path: string, body: unknown): Promise<T> {
  return (await ask("POST", path, body)).json() as Promise<T>;
}

export async function remove(path: string): Promise<void> {
  await ask("DELETE", path);
}

/** A path. Its parts may contain any characters. */
export function pathOf(...parts: readonly string[]): string {
  return `/${parts.map(encodeURIComponent).join("/")}`;
}

/** The answer, or undefined if it does not exist (any more). */
export async function orUndefined<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof ApiError && [400, 404].includes(error.status)) return undefined;
    throw error;
  }
}
