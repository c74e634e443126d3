import { collectDefaultMetrics, Registry } from "prom-client";

/**
 * The default metrics of prom-client. They are those of the process, which may have several sandboxes, and the package
 * cannot end the measurement. So this module is loaded once, with the first scrape.
 */
export const processMetrics = new Registry();

collectDefaultMetrics({ register: processMetrics });
