import { HttpsClient, type HttpsResponse } from "../../support/https-client.js";
import type { Document } from "./validate.js";

/** What the client gets in addition to the document: its identity. */
export interface Identity {
  readonly clientId: string;
  readonly ca: string;
  readonly cert: string;
  readonly key: string;
}

type Values = Readonly<Record<string, string>>;

/** A request by its parameters, as `query.pageSize` or `path.accountId`, and its answer. */
export interface Exchange {
  readonly operationId: string;
  readonly parameters: Values;
  readonly method: string;
  readonly target: string;
  readonly answer: HttpsResponse;
}

/** A value for a parameter of the path: an example of the document, or a made-up one. */
export function exampleOf({ schema }: Document): string {
  return schema.examples?.[0] ?? "made-up";
}

/** A client that knows no path, parameter or envelope. It reads everything except its identity from the document. */
export class DrivenClient {
  readonly #document: Document;
  readonly #identity: Identity;
  readonly #http: HttpsClient;
  #token: string | undefined;

  constructor(document: Document, identity: Identity) {
    const { ca, cert, key } = identity;
    this.#document = document;
    this.#identity = identity;
    this.#http = new HttpsClient(document.servers[0].url, { ca, identity: { cert, key } });
  }

  get operations(): { readonly id: string; readonly operation: Document }[] {
    return this.#all().map(({ operation }) => ({ id: operation.operationId, operation }));
  }

  /** Calls an operation; missing parameters of the path are examples, or made up. */
  async call(operationId: string, parameters: Values = {}): Promise<Exchange> {
    const found = this.#all().find(({ operation }) => operation.operationId === operationId);
    if (!found) throw new Error(`no operation ${operationId}`);
    const { path, method, operation } = found;
    const query = new URLSearchParams();
    const headers: Record<string, string> = {};
    let target = path;
    for (const parameter of operation.parameters.map((each: Document) => this.#resolve(each))) {
      const given = parameters[`${parameter.in}.${parameter.name}`];
      const value = given ?? (parameter.required ? exampleOf(parameter) : undefined);
      if (value === undefined) continue;
      if (parameter.in === "query") query.set(parameter.name, value);
      if (parameter.in === "header") headers[parameter.name] = value;
      if (parameter.in === "path") target = target.replace(`{${parameter.name}}`, encodeURIComponent(value));
    }
    if (operation.security.some((scheme: Document) => "oauth2" in scheme)) {
      headers["Authorization"] = `Bearer ${await this.#accessToken()}`;
    }
    if (query.size > 0) target += `?${query}`;
    const body = operation.requestBody ? this.#form(operation.requestBody) : undefined;
    if (body) headers["Content-Type"] = "application/x-www-form-urlencoded";
    const answer = await this.#http.send(target, { method: method.toUpperCase(), headers, ...(body ? { body } : {}) });
    return { operationId, parameters, method: method.toUpperCase(), target, answer };
  }

  /** Follows a link of the answer's response (OpenAPI 3.1 §4.8.20); undefined if its expressions have no value. */
  async follow(exchange: Exchange, link: string): Promise<Exchange | undefined> {
    const { answer, operationId } = exchange;
    const { operation } = this.#all().find((each) => each.operation.operationId === operationId) as Document;
    const { operationId: next, parameters } = operation.responses[answer.status].links[link];
    const values: Record<string, string> = {};
    for (const [name, expression] of Object.entries<string>(parameters)) {
      const value = evaluate(expression, exchange);
      if (value !== undefined) values[name] = value;
      else if (expression.startsWith("$response.")) return undefined;
    }
    return this.call(next, values);
  }

  close(): void {
    this.#http.close();
  }

  /** The token of the client-credentials flow: one for all calls, because they are few. */
  async #accessToken(): Promise<string> {
    if (this.#token !== undefined) return this.#token;
    const { tokenUrl } = this.#document.components.securitySchemes.oauth2.flows.clientCredentials;
    const server = this.#document.servers[0].url;
    const { operation } = this.#all().find(({ path }) => tokenUrl === server + path) as Document;
    const { answer } = await this.call(operation.operationId);
    const token: string = answer.json.access_token;
    this.#token = token;
    return token;
  }

  #form(requestBody: Document): string {
    const { properties } = this.#resolve(requestBody.content["application/x-www-form-urlencoded"].schema);
    const form = new URLSearchParams();
    for (const [name, schema] of Object.entries<Document>(properties)) {
      form.set(name, name === "client_id" ? this.#identity.clientId : (schema.const ?? schema.examples[0]));
    }
    return form.toString();
  }

  #all(): { readonly path: string; readonly method: string; readonly operation: Document }[] {
    return Object.entries<Document>(this.#document.paths).flatMap(([path, methods]) =>
      Object.entries<Document>(methods).map(([method, operation]) => ({ path, method, operation })),
    );
  }

  #resolve(value: Document): Document {
    if (value.$ref === undefined) return value;
    return value.$ref
      .slice(2)
      .split("/")
      .reduce((node: Document, name: string) => node[name], this.#document);
  }
}

/** One of the runtime expressions (OpenAPI 3.1 §4.8.20.4) that the document uses. */
function evaluate(expression: string, { parameters, answer }: Exchange): string | undefined {
  const [, request] = /^\$request\.(.+)$/.exec(expression) ?? [];
  if (request !== undefined) return parameters[request];
  const [, pointer] = /^\$response\.body#(.+)$/.exec(expression) ?? [];
  if (pointer === undefined) throw new Error(`${expression} is not a known expression`);
  return pointer
    .slice(1)
    .split("/")
    .reduce((node: Document, name: string) => node?.[name] ?? undefined, answer.json);
}
