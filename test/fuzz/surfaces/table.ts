import type { Generator } from "../input.js";
import { adminApi } from "./admin.js";
import { cursors } from "./cursors.js";
import { faultSequences } from "./faults.js";
import { forms } from "./forms.js";
import { headers } from "./headers.js";
import { rawHttp } from "./http.js";
import { http2 } from "./http2.js";
import { queries } from "./queries.js";
import { tlsRecords } from "./tls.js";
import { tokens } from "./tokens.js";
import { yamlUploads } from "./yaml.js";

export interface Surface {
  readonly name: string;
  readonly make: Generator;
  /** Connections at a time. */
  readonly width: number;
}

/** The places where input arrives. A new surface is a new row. */
export const surfaces: readonly Surface[] = [
  { name: "faults", make: faultSequences, width: 32 },
  { name: "http", make: rawHttp, width: 16 },
  { name: "http2", make: http2, width: 16 },
  // Most of its connections wait for a few milliseconds and cost little.
  { name: "tls", make: tlsRecords, width: 48 },
  { name: "forms", make: forms, width: 16 },
  { name: "queries", make: queries, width: 16 },
  { name: "cursors", make: cursors, width: 16 },
  { name: "tokens", make: tokens, width: 16 },
  { name: "headers", make: headers, width: 16 },
  { name: "admin", make: adminApi, width: 8 },
  // The server needs some time for a large text, and the next ones wait.
  { name: "yaml", make: yamlUploads, width: 4 },
];
