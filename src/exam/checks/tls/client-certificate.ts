import { defineCheck } from "../../check.js";
import { refusedToken } from "../../conversation.js";

const bare = { connection: 2, ordinal: 1, thumbprint: undefined, status: 401 } as const;

export const clientCertificate = defineCheck({
  id: "tls.client-certificate",
  level: "must",
  source: "§5 point 1",
  exercisedBy: "a token request, or a request without a token",
  failsWhen:
    "a token request, or another without a token, arrives without a client certificate (a warning under run and start, where a test may mean it)",
  excuses: ["the request says that it expects the refusal", "token.certificate judges requests with a token"],
  fix: "Give the client its certificate and key for every connection; some libraries drop them beside another TLS setting.",
  exchange({ id, operation, thumbprint, expected, tokenRequest, tokenSent }, { finding, known }) {
    if (operation === undefined || (tokenRequest === undefined && tokenSent !== "nowhere")) return;
    if (thumbprint !== undefined) finding.exercise(id);
    else if (expected === undefined)
      finding.failAs(
        known.judging.isExam === true ? "must" : "should",
        "A request was sent over a connection without a client certificate.",
        [id],
      );
  },
  fails: { plain: [], steps: [refusedToken({ ...bare, operation: "token" })] },
  innocent: { plain: [], steps: [refusedToken({ ...bare, operation: "token", expected: "INVALID_CLIENT" })] },
});
