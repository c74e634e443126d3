import type { ExchangeDetail } from "../../../src/admin/dashboard/view/data.js";
import { exchangeItem } from "./items.js";

/** An exchange with all its details. */
export function exchangeDetail(changes: object = {}): ExchangeDetail {
  return {
    ...exchangeItem(1),
    peer: null,
    registered: null,
    token: null,
    connection: null,
    trace: null,
    request: { line: "GET /v1/ping HTTP/1.1", headers: [], form: null },
    decisions: [],
    basis: null,
    answer: { status: 200, headers: [], body: null, length: 0, sent: 0, reset: null },
    errorPage: null,
    lastGood: null,
    ...changes,
  } as ExchangeDetail;
}
