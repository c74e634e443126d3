import { collectDefaultMetrics, Registry } from "prom-client";

/**
 * The default metrics of prom-client. There is one process, however many sandboxes it has, and the package cannot stop
 * to measure it: so this module is loaded with the first scrape, and once.
 */
export const processMetrics = new Registry();

collectDefaultMetrics({ register: processMetrics });
