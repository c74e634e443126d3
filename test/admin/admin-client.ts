import { Agent, type IncomingHttpHeaders, request } from "node:http";
import { expect } from "vitest";
import type * as z from "zod";
import { errorSchema, healthSchema } from "../../src/admin/common-schemas.js";
import { type AdminErrorCode, adminErrorStatus, guardErrorCodes } from "../../src/admin/error-codes.js";
import { errorCodesOf } from "../../src/admin/openapi.js";
import type { Route } from "../../src/admin/route.js";
import { adminRoutes } from "../../src/admin/routes/table.js";

export interface AdminAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read members of bodies whose shape the client has checked
  readonly json: any;
}

export interface AdminRequest {
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  /** Sent unchanged. */
  readonly body?: string | Buffer;
}

/**
 * A client of the admin API that checks every answer against the table of routes: the status, the content type, the
 * schema without additional members, the error codes, and that it contains no secret. Targets are sent unchanged.
 */
export class AdminClient {
  /** What no answer may contain. */
  readonly secrets = new Set<string>();
  readonly #agent = new Agent({ keepAlive: true });

  constructor(
    readonly url: string,
    readonly token?: string,
  ) {}

  get(target: string, headers: AdminRequest["headers"] = {}): Promise<AdminAnswer> {
    return this.send("GET", target, { headers });
  }

  post(target: string, json: unknown): Promise<AdminAnswer> {
    return this.#sendJson("POST", target, json);
  }

  put(target: string, json: unknown): Promise<AdminAnswer> {
    return this.#sendJson("PUT", target, json);
  }

  putYaml(target: string, body: string): Promise<AdminAnswer> {
    return this.send("PUT", target, { headers: { "Content-Type": "application/yaml" }, body });
  }

  delete(target: string): Promise<AdminAnswer> {
    return this.send("DELETE", target);
  }

  #sendJson(method: string, target: string, json: unknown): Promise<AdminAnswer> {
    return this.send(method, target, { headers: { "Content-Type": "application/json" }, body: JSON.stringify(json) });
  }

  async send(method: string, target: string, { headers = {}, body }: AdminRequest = {}): Promise<AdminAnswer> {
    const authorization = this.token === undefined ? {} : { Authorization: `Bearer ${this.token}` };
    const answer = await this.#exchange(method, target, { ...authorization, ...headers }, body);
    this.#check(method, target, answer);
    return answer;
  }

  close(): void {
    this.#agent.destroy();
  }

  #exchange(
    method: string,
    path: string,
    headers: AdminRequest["headers"],
    body: AdminRequest["body"],
  ): Promise<AdminAnswer> {
    return new Promise((resolve, reject) => {
      const outgoing = request(
        new URL(this.url),
        { method, path, agent: this.#agent, headers: headers as Record<string, string | string[]> },
        (incoming) => {
          const chunks: Buffer[] = [];
          incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
          incoming.on("error", reject);
          incoming.on("end", () => {
            const bytes = Buffer.concat(chunks);
            const isJson = incoming.headers["content-type"] === "application/json" && bytes.length > 0;
            resolve({
              status: incoming.statusCode ?? 0,
              headers: incoming.headers,
              bytes,
              text: bytes.toString(),
              json: isJson ? JSON.parse(bytes.toString()) : undefined,
            });
          });
        },
      );
      outgoing.on("error", reject);
      outgoing.end(body);
    });
  }

  #check(method: string, target: string, answer: AdminAnswer): void {
    expect(answer.headers).toMatchObject({
      "x-content-type-options": "nosniff",
      "cache-control": "no-store",
      "cross-origin-resource-policy": "same-origin",
    });
    for (const secret of this.secrets) expect(answer.text).not.toContain(secret);
    if (method === "HEAD") return;
    const route = routeOf(method, target);
    if (answer.status >= 400) checkError(route, answer);
    else checkSuccess(route, answer);
  }
}

function checkSuccess(route: Route | undefined, { status, headers, text, json }: AdminAnswer): void {
  if (!route) throw new Error(`An answer ${status} to an unknown route: ${text}`);
  expect(status).toBe(route.answer.status);
  if (route.answer.schema) expectExactly(route.answer.schema, json);
  else if (status === 204) expect(text).toBe("");
  else expect([route.answer.contentType].flat()).toContain(headers["content-type"]?.split(";")[0]);
}

function checkError(route: Route | undefined, { status, headers, json }: AdminAnswer): void {
  expect(headers["content-type"]).toBe("application/json");
  if (route?.path === "/health") {
    expectExactly(healthSchema, json);
    return;
  }
  expectExactly(errorSchema, json);
  const { code } = json;
  if (status === 401 || status === 403) {
    expect(guardErrorCodes).toContain(code);
    return;
  }
  expect(status).toBe(adminErrorStatus[code as AdminErrorCode]);
  const always = ["NOT_FOUND", "METHOD_NOT_ALLOWED"];
  expect([...always, ...(route ? errorCodesOf(route) : [])]).toContain(code);
}

/** Checks a value against a schema; a member that the schema does not name is a failure. */
export function expectExactly(schema: z.ZodType, value: unknown): void {
  const result = schema.safeParse(value);
  if (!result.success) throw new Error(`${result.error.message}\nin ${JSON.stringify(value, null, 2)}`);
  expect(value).toEqual(result.data);
}

/** The route that answers a request. */
export function routeOf(method: string, target: string): Route | undefined {
  const path = URL.canParse(target, "http://localhost") ? new URL(target, "http://localhost").pathname : target;
  const fits = (route: Route) => new RegExp(`^${route.path.replaceAll(/\{\w+\}/g, "[^/]+")}$`).test(path);
  const candidates = adminRoutes.filter((route) => route.method === method && fits(route));
  return candidates.find((route) => route.path === path) ?? candidates[0];
}
