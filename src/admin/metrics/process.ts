import { collectDefaultMetrics, Registry } from "prom-client";

/**
 * The default metrics of prom-client. They are those of the process, which may have several sandboxes, and the package
 * cannot end the measurement. So this module is loaded once, with the first scrape.
 */
export const processMetrics = new Registry();

collectDefaultMetrics({ register: processMetrics });
// Gauges with the names of counters, which promtool objects to. The same numbers are there without `_total`, by type.
for (const kind of ["handles", "requests", "resources"])
  processMetrics.removeSingleMetric(`nodejs_active_${kind}_total`);
