import type { Answer, Item, Sent } from "../../call-types.js";

// The answers of the admin API, by the types of its own schemas.
export type Exchange = Item<"GET /requests">;
export type ExchangeDetail = Answer<"GET /requests/{id}">;
export type Handshake = Item<"GET /handshakes">;
export type Client = Answer<"GET /clients/{id}">;
export type Certificate = Client["certificates"][number];
export type Identity = Item<"GET /identities">;
export type MintedClient = Answer<"POST /clients">;
export type RotatedClient = Answer<"POST /clients/{id}/rotate">;
/** How a request is sent again, and what came of it. */
export type Repetition = NonNullable<Sent<"POST /requests/{id}/repeat">["body"]>;
export type Repeated = Answer<"POST /requests/{id}/repeat">;
/** What is wrong with the text of a scenario. */
export type Findings = Answer<"POST /scenario/check">;
export type Clock = Answer<"GET /clock">;
export type Scenario = Item<"GET /scenarios">;
export type ScenarioChoice = Answer<"GET /scenario">;
export type Report = Answer<"GET /report">;
export type Check = Report["drills"][number]["checks"][number];

/** A run that has ended, and is only read. */
export type { ShownRun } from "../../context.js";

export type JournalPage = Answer<"GET /journal">;
/** An item of `GET /journal`. Its key is also in the address: `#/requests/r12`. */
export type JournalItem = JournalPage["items"][number];
/** Evidence that the journal no longer has, and whose the other evidence is. */
export type Missing = Answer<"GET /journal/missing">;
export type Overview = Answer<"GET /journal/overview">;
/** What the journal knows about a client. */
export type ClientActivity = Overview["clients"][number];

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
  return answered(await fetch(addressOf(path), { method, keepalive: method !== "GET", ...json }));
}

/**
 * Sends the text of a scenario.
 * @throws like the other functions
 */
export async function sendYaml(method: "PUT" | "POST", path: string, body: string): Promise<Response> {
  return answered(await fetch(addressOf(path), { method, headers: { "Content-Type": "application/yaml" }, body }));
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
  const answer = await ask("POST", path, body);
  return (answer.status === 204 ? undefined : answer.json()) as Promise<T>;
}

export async function remove(path: string): Promise<void> {
  await ask("DELETE", path);
}

/**
 * The address of a path of the admin API. Several kept runs are below one server, each with the path of its page before
 * those of its own.
 */
export function addressOf(path: string): string {
  return location.pathname.replace(/\/[^/]*$/, "") + path;
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

export const unreachable = "The sandbox cannot be reached.";

/** Why something failed, for the user. */
export function problemText(error: unknown): string {
  if (error instanceof TypeError) return unreachable;
  return error instanceof Error ? error.message : String(error);
}

/**
 * An exchange; undefined if the journal no longer has it.
 * @param key such as `r12`
 */
export function detailOf(key: string): Promise<ExchangeDetail | undefined> {
  return orUndefined(get<ExchangeDetail>(pathOf("requests", key.slice(1))));
}

/**
 * Saves what is at an address as a file.
 * @param name of the file; the server names it if it is left out
 */
export function download(href: string, name = ""): void {
  const link = document.createElement("a");
  link.href = href;
  link.download = name;
  link.click();
}
