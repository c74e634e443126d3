import { it } from "vitest";
import { sharedSandbox } from "./sandbox.js";
const sandbox = sharedSandbox();
it("dbg", async () => {
  for (const [kind, path, v] of [["truncate","/v1/payments?pageSize=100","TLSv1.3"],["truncate","/v1/ping","TLSv1.3"],["reset","/v1/ping","TLSv1.3"],["reset","/v1/ping","TLSv1.2"],["truncate","/v1/payments","TLSv1.2"]] as const) {
    await sandbox().upload("d-"+kind, `  - { name: it, then: { connection: ${kind} } }`);
    const c = await sandbox().clientUnder("d-"+kind);
    const seen: Record<string, number> = {};
    for (let i=0;i<150;i++) { const w = await c.wire(path, {}, { maxVersion: v }); const e = await w.end(); const k = `${e} notify=${w.closeNotify} body=${w.body.length}/${w.announced}`; seen[k]=(seen[k]??0)+1; }
    console.log(kind, path, v, seen);
  }
}, 60000);
