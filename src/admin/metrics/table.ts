/** What is known about a metric. The metric itself and docs/reference/metrics.md derive from it. */
export interface MetricFacts {
  /** The name in Prometheus, with the unit and, for a counter, `_total`. */
  readonly name: string;
  readonly type: "counter" | "gauge" | "histogram";
  /** Most metrics have none. */
  readonly labels?: readonly string[];
  readonly help: string;
}

type MetricTable = Readonly<Record<string, MetricFacts>>;

/** What the sandbox itself does. */
export const sandboxMetrics = {
  requests: {
    name: "payments_sandbox_requests_total",
    type: "counter",
    labels: ["operation", "status", "code", "fault"],
    help: "Requests, as in the journal.",
  },
  requestDuration: {
    name: "payments_sandbox_request_duration_seconds",
    type: "histogram",
    labels: ["operation"],
    help: "Time from the arrival of a request until its answer was sent or its connection was lost.",
  },
  handshakeFailures: {
    name: "payments_sandbox_handshake_failures_total",
    type: "counter",
    labels: ["cause"],
    help: "Failed TLS handshakes, and connections without a request (no-request).",
  },
  connections: {
    name: "payments_sandbox_connections_total",
    type: "counter",
    help: "Connections whose TLS handshake succeeded.",
  },
  openConnections: {
    name: "payments_sandbox_open_connections",
    type: "gauge",
    labels: ["state"],
    help: "Open connections of the API: established, or in the TLS handshake.",
  },
  journalEntries: {
    name: "payments_sandbox_journal_entries",
    type: "gauge",
    labels: ["kind"],
    help: "Entries that the journal keeps: requests, failed handshakes.",
  },
  journalBytes: {
    name: "payments_sandbox_journal_bytes",
    type: "gauge",
    help: "Estimated memory of the requests in the journal.",
  },
} as const satisfies MetricTable;

/** The state that sandboxes share; only with `--shared`. */
export const sharedMetrics = {
  available: {
    name: "payments_sandbox_shared_available",
    type: "gauge",
    help: "1, or 0 if this replica cannot read the shared state and so does not answer.",
  },
  replicas: {
    name: "payments_sandbox_shared_replicas",
    type: "gauge",
    help: "Live replicas, as Redis last reported.",
  },
  lag: {
    name: "payments_sandbox_shared_lag_seconds",
    type: "gauge",
    help: "Time since this replica last had all changes. It looks before each request, and twice a second.",
  },
  redisDuration: {
    name: "payments_sandbox_shared_redis_duration_seconds",
    type: "histogram",
    help: "Time that commands to Redis took, including failed ones.",
  },
} as const satisfies MetricTable;

/** The metrics of the sandbox itself, by subject. Those of the process are the default ones of prom-client. */
export const metricTables = { sandbox: sandboxMetrics, shared: sharedMetrics } as const;
