import { counted, thousands } from "../../../base/text/numbers.js";
import type { ClientActivity } from "./data.js";
import { ago } from "./overview.js";

/** `258 requests, 3 refused, 3 s ago`. */
export function Activity({ activity: { requests, refusals, lastSeen } }: { readonly activity: ClientActivity }) {
  return (
    <>
      {counted(requests, "request")}
      {refusals > 0 && (
        <>
          , <b>{thousands(refusals)} refused</b>
        </>
      )}
      , {ago(lastSeen, Date.now())}
    </>
  );
}
