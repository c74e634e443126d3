import { remember } from "../../../base/remember.js";
import { defineCheck } from "../../check.js";
import { ping } from "../../conversation.js";

/** How many hosts of redirects are remembered. */
const most = 64;

const redirected = ping({ status: 302, redirectsTo: "elsewhere:8443" });

export const host = defineCheck({
  id: "token.host",
  level: "must",
  source: "RFC 9110 §15.4, RFC 6750 §5.3",
  exercisedBy: "an answer that redirects to another host",
  failsWhen: "an answer redirects to another host, and the token is sent there",
  excuses: [],
  fix: "Do not follow redirects to another host, or remove the header Authorization first.",
  begin: () => ({ redirects: new Map<string, number>() }),
  exchange({ id, host, redirectsTo, tokenSent, tokenRequest }, { finding, state: { redirects } }) {
    if (redirectsTo !== undefined) {
      finding.exercise(id);
      remember(redirects, redirectsTo, id, most);
    }
    const redirect = tokenSent === "nowhere" || tokenRequest !== undefined ? undefined : redirects.get(host);
    if (redirect !== undefined)
      finding.fail("A token was sent to another host, because an answer redirected the request there.", [redirect, id]);
  },
  fails: { steps: [redirected, ping({ host: "elsewhere:8443" })] },
  innocent: { steps: [redirected, ping({ host: "elsewhere:8443", token: undefined, tokenSent: "nowhere" })] },
});
