import type { Check, CheckFacts } from "./check.js";
import { code } from "./checks/answers/code.js";
import { rows } from "./checks/answers/rows.js";
import { chain } from "./checks/certificate/chain.js";
import { nearItsEnd } from "./checks/certificate/near-its-end.js";
import { oldConnection } from "./checks/certificate/old-connection.js";
import { certificateRenewed } from "./checks/certificate/renewed.js";
import { goaway } from "./checks/h2/goaway.js";
import { refusedRetried } from "./checks/h2/refused-retried.js";
import { begunAgain } from "./checks/list/begun-again.js";
import { complete } from "./checks/list/complete.js";
import { cursor } from "./checks/list/cursor.js";
import { emptyPage } from "./checks/list/empty-page.js";
import { filters } from "./checks/list/filters.js";
import { loop } from "./checks/list/loop.js";
import { lostPage } from "./checks/list/lost-page.js";
import { pageSize } from "./checks/list/page-size.js";
import { restart } from "./checks/list/restart.js";
import { restarts } from "./checks/list/restarts.js";
import { correlationId } from "./checks/request/correlation-id.js";
import { parameters } from "./checks/request/parameters.js";
import { path } from "./checks/request/path.js";
import { values } from "./checks/request/values.js";
import { after } from "./checks/retry/after.js";
import { backoff } from "./checks/retry/backoff.js";
import { bounded } from "./checks/retry/bounded.js";
import { others } from "./checks/retry/others.js";
import { paced } from "./checks/retry/paced.js";
import { permanent } from "./checks/retry/permanent.js";
import { recovers } from "./checks/retry/recovers.js";
import { clientCertificate } from "./checks/tls/client-certificate.js";
import { encrypted } from "./checks/tls/encrypted.js";
import { reuse } from "./checks/tls/reuse.js";
import { serverCertificate } from "./checks/tls/server-certificate.js";
import { version } from "./checks/tls/version.js";
import { certificate } from "./checks/token/certificate.js";
import { expired } from "./checks/token/expired.js";
import { form } from "./checks/token/form.js";
import { granted } from "./checks/token/granted.js";
import { header } from "./checks/token/header.js";
import { host } from "./checks/token/host.js";
import { noSecret } from "./checks/token/no-secret.js";
import { refused } from "./checks/token/refused.js";
import { renewed } from "./checks/token/renewed.js";
import { retried } from "./checks/token/retried.js";
import { reused } from "./checks/token/reused.js";
import { sent } from "./checks/token/sent.js";
import { shared } from "./checks/token/shared.js";
import { type } from "./checks/token/type.js";

/**
 * Every check of the exam, in the order in which reports show them. Documents, reports and parity tests derive from
 * this table.
 */
const table = [
  noSecret,
  form,
  reused,
  shared,
  expired,
  refused,
  certificate,
  header,
  type,
  sent,
  granted,
  renewed,
  retried,
  host,
  serverCertificate,
  clientCertificate,
  encrypted,
  version,
  reuse,
  after,
  paced,
  backoff,
  bounded,
  permanent,
  recovers,
  others,
  filters,
  cursor,
  restart,
  pageSize,
  emptyPage,
  loop,
  complete,
  lostPage,
  begunAgain,
  restarts,
  path,
  parameters,
  values,
  correlationId,
  refusedRetried,
  goaway,
  certificateRenewed,
  oldConnection,
  chain,
  nearItsEnd,
  rows,
  code,
] as const;

export type CheckId = (typeof table)[number]["id"];

/** All checks, in the order of the table. */
export const checks: readonly Check<CheckId>[] = table;

/** Their ids, in the same order. */
export const checkIds: readonly CheckId[] = checks.map(({ id }) => id);

const byId = new Map<string, Check<CheckId>>(checks.map((check) => [check.id, check]));

/** The facts of one check. */
export function checkFacts(id: CheckId): CheckFacts {
  return byId.get(id) as CheckFacts;
}

/** Whether a text, from a flag or a file, is the id of a check. */
export function isCheckId(text: string): text is CheckId {
  return byId.has(text);
}
