/** What is known about a metric. The exposition and docs/metrics.md derive from it. */
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
    help: "Requests whose answer is known, as in the journal.",
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
    help: "TLS handshakes that failed, and connections that were closed without a request (no-request).",
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
    help: "Connections of the API port that are open: established, or still in the TLS handshake.",
  },
  journalEntries: {
    name: "payments_sandbox_journal_entries",
    type: "gauge",
    labels: ["kind"],
    help: "Entries that the journal keeps: requests, and failed handshakes.",
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
    help: "Whether this replica may answer: 1, or 0 if it cannot read the shared state.",
  },
  replicas: {
    name: "payments_sandbox_shared_replicas",
    type: "gauge",
    help: "Live replicas, as Redis last reported to this one.",
  },
  lag: {
    name: "payments_sandbox_shared_lag_seconds",
    type: "gauge",
    help: "Time since this replica was last known to have all changes. It looks before each request, and twice a second.",
  },
  redisDuration: {
    name: "payments_sandbox_shared_redis_duration_seconds",
    type: "histogram",
    help: "Time that commands to Redis took, including failed ones.",
  },
} as const satisfies MetricTable;

/** The process, under the usual names in dashboards for Node.js. */
export const processMetrics = {
  cpu: {
    name: "process_cpu_seconds_total",
    type: "counter",
    help: "CPU time of the process, user and system, since its start.",
  },
  cpuUser: {
    name: "process_cpu_user_seconds_total",
    type: "counter",
    help: "User CPU time of the process since its start.",
  },
  cpuSystem: {
    name: "process_cpu_system_seconds_total",
    type: "counter",
    help: "System CPU time of the process since its start.",
  },
  residentMemory: {
    name: "process_resident_memory_bytes",
    type: "gauge",
    help: "Resident memory of the process.",
  },
  heapTotal: {
    name: "nodejs_heap_size_total_bytes",
    type: "gauge",
    help: "Size of the JavaScript heap.",
  },
  heapUsed: {
    name: "nodejs_heap_size_used_bytes",
    type: "gauge",
    help: "Used part of the JavaScript heap.",
  },
  externalMemory: {
    name: "nodejs_external_memory_bytes",
    type: "gauge",
    help: "Memory outside the heap that JavaScript objects hold, including buffers.",
  },
  lagMedian: {
    name: "nodejs_eventloop_lag_p50_seconds",
    type: "gauge",
    help: "Median delay of the event loop since the last scrape.",
  },
  lag99: {
    name: "nodejs_eventloop_lag_p99_seconds",
    type: "gauge",
    help: "99th percentile of the delay of the event loop since the last scrape.",
  },
  lagMax: {
    name: "nodejs_eventloop_lag_max_seconds",
    type: "gauge",
    help: "Longest delay of the event loop since the last scrape.",
  },
  gcDuration: {
    name: "nodejs_gc_duration_seconds",
    type: "histogram",
    labels: ["kind"],
    help: "Garbage collections since the first scrape: minor, major, incremental or weakcb.",
  },
} as const satisfies MetricTable;

/** All metrics, by subject. */
export const metricTables = { sandbox: sandboxMetrics, shared: sharedMetrics, process: processMetrics } as const;

/** One value of a metric. The value of a histogram is a distribution. */
export interface Sample {
  /** In the order of the table. */
  readonly labels: readonly string[];
  readonly value: number | Distribution;
}

/** How many values fell into each bucket of a histogram. */
export interface Distribution {
  /** Upper bounds of the buckets, ascending, in the unit of the metric. */
  readonly bounds: readonly number[];
  /** How many values fell into each bucket, not cumulative; the last count is for values above all bounds. */
  readonly counts: readonly number[];
  readonly sum: number;
}

/** A metric, and the function that reads its values. */
export interface Metric {
  readonly facts: MetricFacts;
  readonly read: () => readonly Sample[];
}

/**
 * The metrics of a table.
 * @param readers of the table's metrics; each is called once per scrape
 */
export function metricsOf<T extends MetricTable>(
  table: T,
  readers: { readonly [K in keyof T]: () => readonly Sample[] },
): Metric[] {
  return Object.entries(table).map(([id, facts]) => ({ facts, read: readers[id as keyof T] }));
}

/** The samples of a metric without labels. */
export function single(value: number): readonly Sample[] {
  return [{ labels: [], value }];
}
