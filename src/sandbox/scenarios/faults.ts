import { alter } from "./faults/alter.js";
import { certificate } from "./faults/certificate.js";
import { clock } from "./faults/clock.js";
import { close } from "./faults/close.js";
import { concurrency } from "./faults/concurrency.js";
import { delay } from "./faults/delay.js";
import { drip } from "./faults/drip.js";
import { error } from "./faults/error.js";
import { garbage } from "./faults/garbage.js";
import { goaway } from "./faults/goaway.js";
import { hang } from "./faults/hang.js";
import { page } from "./faults/page.js";
import { rateLimit } from "./faults/rate-limit.js";
import { redirect } from "./faults/redirect.js";
import { reset } from "./faults/reset.js";
import { respond } from "./faults/respond.js";
import { slowHeaders } from "./faults/slow-headers.js";
import { stall } from "./faults/stall.js";
import { streamRefused } from "./faults/stream-refused.js";
import { streamReset } from "./faults/stream-reset.js";
import { token } from "./faults/token.js";
import { truncate } from "./faults/truncate.js";

/**
 * Every fault. The documents have them in this order, and several faults of a rule are called in it. It is loaded with
 * the schema, when scenarios are read: a start without scenarios needs neither.
 */
export const faults = [
  clock,
  certificate,
  delay,
  error,
  respond,
  redirect,
  rateLimit,
  concurrency,
  token,
  page,
  alter,
  reset,
  close,
  hang,
  truncate,
  garbage,
  drip,
  stall,
  slowHeaders,
  goaway,
  streamRefused,
  streamReset,
] as const;
