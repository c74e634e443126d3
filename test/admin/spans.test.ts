import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it } from "vitest";
import { type StartOptions, startSandbox } from "../../src/index.js";
import { afterTest } from "../support/cleanups.js";
import { eventually } from "../support/eventually.js";

interface Span {
  readonly name: string;
  readonly traceId: string;
  readonly parentSpanId?: string;
  readonly kind: number;
  readonly status: { readonly code?: number };
  readonly attributes: Readonly<Record<string, string | number>>;
}

/** A collector that takes OTLP over HTTP, as JSON. */
async function collector(answer: (response: ServerResponse) => void = (response) => response.end("{}")) {
  const spans: Span[] = [];
  const paths = new Set<string | undefined>();
  const take = async (request: IncomingMessage, response: ServerResponse) => {
    paths.add(request.url);
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const { resourceSpans } = JSON.parse(Buffer.concat(parts).toString("utf8"));
    for (const { scopeSpans } of resourceSpans)
      for (const scope of scopeSpans) for (const span of scope.spans) spans.push(readSpan(span));
    answer(response);
  };
  const server = createServer((request, response) => void take(request, response));
  return { spans, paths, url: await listening(server) };
}

async function listening(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  afterTest(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

// biome-ignore lint/suspicious/noExplicitAny: the JSON of OTLP
function readSpan({ attributes, ...span }: any): Span {
  // biome-ignore lint/suspicious/noExplicitAny: the JSON of OTLP
  const named = attributes.map(({ key, value }: any) => [key, value.stringValue ?? Number(value.intValue)]);
  return { ...span, attributes: Object.fromEntries(named) };
}

/** A sandbox that is closed after the test, and a client with a token. */
async function start(options: StartOptions) {
  const sandbox = await startSandbox(options);
  afterTest(() => sandbox.close());
  const client = await sandbox.createClient({ clientId: "mine" });
  return { sandbox, client, token: await client.token() };
}

it("each request is a span below the caller's, with its explanation", { tags: "slow" }, async () => {
  const { spans, paths, url } = await collector();
  const { client, token } = await start({ otlp: url });
  const traceparent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
  await client.request("/v1/ping", { token, headers: { traceparent } });
  await client.request("/v1/payments?pageSize=0&access=x", { token });
  await client.useScenario("maintenance");
  await client.request("/v1/ping", { token });
  await eventually(async () => spans.length === 4 || undefined);
  const [issued, ping, refused, injected] = spans;
  expect(paths).toEqual(new Set(["/v1/traces"]));
  expect(issued).toMatchObject({ name: "POST token", kind: 2 });
  expect(ping).toMatchObject({
    name: "GET ping",
    traceId: "4bf92f3577b34da6a3ce929d0e0e4736",
    parentSpanId: "00f067aa0ba902b7",
    attributes: {
      "http.request.method": "GET",
      "http.response.status_code": 200,
      "url.path": "/v1/ping",
      "network.protocol.version": "1.1",
      "sandbox.client": "mine",
      "sandbox.operation": "ping",
    },
  });
  expect(refused?.parentSpanId).toBeUndefined();
  expect(refused?.status.code).toBe(0);
  expect(refused?.attributes).toMatchObject({ "error.type": "INVALID_PAGE_SIZE", "sandbox.list": "payments" });
  expect(refused?.attributes["sandbox.explanation"]).toContain("pageSize");
  expect(injected?.status.code).toBe(2);
  expect(injected?.attributes["sandbox.fault"]).toMatch(/^maintenance\//);
  expect(JSON.stringify(spans)).not.toContain(token);
});

it("a request whose caller does not record its trace is no span", async () => {
  const { spans, url } = await collector();
  const { sandbox, client, token } = await start({ otlp: url });
  const traceparent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00";
  await client.request("/v1/ping", { token, headers: { traceparent } });
  await client.request("/v1/ping", { token });
  await sandbox.close();
  expect(spans.map(({ name }) => name)).toEqual(["POST token", "GET ping"]);
});

it("the spans that wait are sent when the sandbox is closed", async () => {
  const { spans, url } = await collector();
  const { sandbox } = await start({ otlp: `${url}/v1/traces` });
  await sandbox.close();
  expect(spans).toHaveLength(1);
});

it.each([
  ["is not there", async () => "http://127.0.0.1:1"],
  ["never answers", async () => (await collector(() => {})).url],
  ["refuses", async () => (await collector((response) => response.writeHead(400).end())).url],
])("a collector that %s delays no answer, and the sandbox closes", { tags: "slow" }, async (_what, open) => {
  const { sandbox, client, token } = await start({ otlp: await open() });
  await Promise.all(Array.from({ length: 100 }, () => client.request("/v1/ping", { token })));
  expect(await client.countRequests({ status: 200, operation: "ping" })).toBe(100);
  await sandbox.close();
});
