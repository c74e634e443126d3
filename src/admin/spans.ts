import { ROOT_CONTEXT, SpanKind, SpanStatusCode, TraceFlags, type Tracer, trace } from "@opentelemetry/api";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { resourceFromAttributes } from "@opentelemetry/resources";
import { BasicTracerProvider, BatchSpanProcessor, type SpanExporter } from "@opentelemetry/sdk-trace-base";
import { version } from "../base/files/version.js";
import { shownUrl } from "../base/text/user-information.js";
import type { TrafficListener } from "../sandbox/events.js";
import type { Exchange } from "../sandbox/journal/exchange.js";
import type { ExplanationContext } from "../sandbox/journal/explanation-context.js";
import { traceOf } from "../sandbox/journal/trace.js";
import { summaryOf } from "../sandbox/journal/view.js";

/** How many spans wait to be sent; further ones are dropped. */
export const mostWaiting = 2048;
/** How long a batch may take to be sent, and how long the end of the sandbox waits for the last one: milliseconds. */
const exportTimeoutMs = 5000;
const closeTimeoutMs = 2000;

type Facts = ReturnType<typeof summaryOf>;

interface SpanAttribute {
  /** Missing where the name says it. */
  readonly is?: string;
  /** Null: the span does not have it. */
  readonly of: (facts: Facts) => string | number | null;
}

/**
 * The attributes of a span. Names of OpenTelemetry's semantic conventions for HTTP servers; the others are the
 * sandbox's. docs/reference/metrics.md derives from it.
 */
export const spanAttributes: Readonly<Record<string, SpanAttribute>> = {
  "http.request.method": { of: ({ method }) => method },
  "http.response.status_code": { is: "missing if there was no answer", of: ({ status }) => status || null },
  "url.path": { of: ({ target }) => target.split("?", 1)[0] ?? null },
  "url.query": { of: ({ target }) => (target.includes("?") ? target.replace(/^.*?\?/, "") : null) },
  "network.protocol.version": {
    is: "`1.1` or `2`",
    of: ({ httpVersion }) => httpVersion?.slice("HTTP/".length) ?? null,
  },
  "error.type": {
    is: "the code, or `no answer`",
    of: ({ code, status }) => code ?? (status === 0 ? "no answer" : null),
  },
  "sandbox.request": { is: "the id in the journal", of: ({ id }) => id },
  "sandbox.client": { of: ({ client }) => client },
  "sandbox.operation": { is: "`token`, `ping` or `list`", of: ({ operation }) => operation },
  "sandbox.list": { of: ({ list }) => list },
  "sandbox.explanation": { of: ({ explanation }) => explanation },
  "sandbox.fault": { of: ({ fault }) => fault },
  "sandbox.walk": { is: "of a walk through a list", of: ({ walk }) => walk },
  "sandbox.correlation_id": { of: ({ correlationId }) => correlationId },
};

/**
 * Sends a span for each request by OTLP over HTTP, below the caller's `traceparent` (W3C Trace Context). A request
 * never waits for it.
 */
export class Spans implements TrafficListener {
  readonly #provider: BasicTracerProvider;
  readonly #tracer: Tracer;

  /**
   * @param url of the traces, such as http://localhost:4318/v1/traces
   * @param warn is told once when spans cannot be sent
   */
  constructor(
    url: string,
    private readonly context: ExplanationContext,
    warn: (text: string) => void,
  ) {
    const exporter = telling(new OTLPTraceExporter({ url, timeoutMillis: exportTimeoutMs }), (reason) =>
      warn(
        `payments-sandbox: Spans cannot be sent to ${shownUrl(url)} (${reason}). Those of now are lost; this is said once.\n`,
      ),
    );
    this.#provider = new BasicTracerProvider({
      resource: resourceFromAttributes({ "service.name": "payments-sandbox", "service.version": version }),
      spanProcessors: [
        new BatchSpanProcessor(exporter, {
          maxQueueSize: mostWaiting,
          scheduledDelayMillis: 500,
          exportTimeoutMillis: exportTimeoutMs,
        }),
      ],
    });
    this.#tracer = this.#provider.getTracer("payments-sandbox", version);
  }

  over(exchange: Exchange, id: number): void {
    const facts = summaryOf({ item: exchange, number: id, order: id }, this.context);
    const { method, status } = facts;
    const span = this.#tracer.startSpan(
      `${method} ${facts.operation ?? "unknown"}`,
      {
        kind: SpanKind.SERVER,
        startTime: exchange.receivedAt,
        attributes: attributesOf(facts),
      },
      parentOf(exchange),
    );
    // A refusal is the client's error, and not the server's.
    if (status === 0 || status >= 500) span.setStatus({ code: SpanStatusCode.ERROR, message: facts.explanation });
    span.end(exchange.receivedAt + exchange.duration);
  }

  /** Sends what waits, for a short time. */
  async close(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, closeTimeoutMs);
    });
    await Promise.race([this.#provider.shutdown().catch(() => {}), late]);
    clearTimeout(timer);
  }
}

/** The same exporter, which tells the first failure. */
function telling(exporter: SpanExporter, tell: (reason: string) => void): SpanExporter {
  let isTold = false;
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        if (result.error !== undefined && !isTold) {
          isTold = true;
          tell(result.error.message);
        }
        done(result);
      }),
    shutdown: () => exporter.shutdown(),
  };
}

function attributesOf(facts: Facts): Record<string, string | number> {
  const all = Object.entries(spanAttributes).map(([name, { of }]) => [name, of(facts)] as const);
  return Object.fromEntries(all.filter((pair): pair is [string, string | number] => pair[1] !== null));
}

/** The caller's span, if the request names one. */
function parentOf({ rawHeaders }: Exchange) {
  const sent = traceOf(rawHeaders);
  if (sent === undefined) return ROOT_CONTEXT;
  return trace.setSpanContext(ROOT_CONTEXT, {
    traceId: sent.id,
    spanId: sent.parent,
    traceFlags: sent.sampled ? TraceFlags.SAMPLED : TraceFlags.NONE,
    isRemote: true,
  });
}
