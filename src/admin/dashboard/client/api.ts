/** A refusal of the admin API, in its own words. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

/** Asks the admin API, and nothing else. @throws ApiError, or TypeError when it cannot be reached */
async function ask(method: string, path: string, body?: unknown): Promise<Response> {
  const json = body !== undefined && { headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
  return answered(await fetch(path, { method, ...json }));
}

/** Sends the text of a scenario. @throws as the others do */
export async function sendYaml(method: "PUT" | "POST", path: string, body: string): Promise<Response> {
  return answered(await fetch(path, { method, headers: { "Content-Type": "application/yaml" }, body }));
}

async function answered(response: Response): Promise<Response> {
  if (response.ok) return response;
  if (response.status === 401) {
    // The session is over: the server has the page that asks for the token, and this one comes to an end.
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

/** A path with parts that may hold anything. */
export function pathOf(...parts: readonly string[]): string {
  return `/${parts.map(encodeURIComponent).join("/")}`;
}

/** What is asked for, or undefined where there is none (any more). */
export async function orUndefined<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof ApiError && [400, 404].includes(error.status)) return undefined;
    throw error;
  }
}
