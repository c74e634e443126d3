import { defineCheck } from "../../check.js";
import { ping } from "../../conversation.js";

/** How many requests are named as evidence. */
const mostRequests = 5;

const modern = "TLSv1.3";

export const version = defineCheck({
  id: "tls.version",
  level: "should",
  source: "RFC 9325 §3.1.1",
  exercisedBy: "a request to a sandbox that offers TLS 1.3",
  failsWhen: "no connection has TLS 1.3",
  excuses: ["The sandbox does not offer TLS 1.3 (`tls.maxVersion`)"],
  fix: "Allow TLS 1.3, or update the library or run-time that lacks it.",
  begin: () => ({ requests: [] as number[], isModern: false }),
  exchange({ id, protocol, highestProtocol = modern }, { state }) {
    if (highestProtocol !== modern) return;
    if (protocol === modern) state.isModern = true;
    if (state.requests.length < mostRequests) state.requests.push(id);
  },
  handshake({ protocol }, { state }) {
    if (protocol === modern) state.isModern = true;
  },
  conclude({ finding, state: { requests, isModern } }) {
    const [first] = requests;
    const now = finding.copy();
    if (first === undefined) return now;
    if (isModern) now.exercise(first);
    else now.fail("No connection had TLS 1.3.", requests);
    return now;
  },
  fails: { steps: [ping({ protocol: "TLSv1.2" })] },
  innocent: { steps: [ping({ protocol: "TLSv1.2" }), ping({ connection: 2, ordinal: 1 })] },
});
