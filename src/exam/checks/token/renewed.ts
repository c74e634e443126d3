import { remember } from "../../../base/remember.js";
import { defineCheck } from "../../check.js";
import { refusedPing, token } from "../../conversation.js";

/** How many refused tokens, and how many requests, of a client are remembered. */
const most = 64;

/** So many new tokens in a row that are refused for one call are more than a client with a limit requests. */
const mostTokens = 5;
/** The same where several calls are known: the first token of each, and two new ones. */
const tokensOfCall = 3;

const again = (name: string) => [token(name), refusedPing({ token: name })];

export const renewed = defineCheck({
  id: "token.renewed",
  level: "must",
  source: "RFC 6750 §3.1, good practice",
  exercisedBy: "a second token that is refused with 401",
  failsWhen:
    "for one request, more than five new tokens in a row, and more than three for each of its calls, are refused with 401 (a warning if the calls are unknown)",
  excuses: [],
  fix: "Get one new token after a 401, and report a second 401.",
  begin: () => ({ refused: new Map<string, number>(), inRow: new Map<string, readonly number[]>() }),
  exchange(observed, { finding, state: { refused, inRow }, known }) {
    const { id, token, tokenSent, tokenRequest, status, ending, expected } = observed;
    if (tokenRequest !== undefined || tokenSent === "nowhere" || token === undefined) return;
    if (ending !== "delivered" || expected !== undefined) return;
    // Only what got through shows that a new token was worth it.
    if (status < 400) inRow.clear();
    if (status !== 401 || refused.has(token)) return;
    remember(refused, token, id, most);
    if (refused.size > 1) finding.exercise(id);
    const key = `${observed.method} ${observed.target.slice(0, 256)}`;
    const row = [...(inRow.get(key) ?? []), id];
    remember(inRow, key, row, most);
    if (row.length <= Math.max(mostTokens, tokensOfCall * (known.limit ?? 1))) return;
    const message = "New token after new token was refused with 401, and the client went on.";
    finding.failAs(known.limit === undefined ? "should" : "must", message, row.slice(-mostTokens));
  },
  fails: { plain: again("first"), steps: ["1", "2", "3", "4", "5", "6"].map((name) => refusedPing({ token: name })) },
  innocent: {
    plain: ["1", "2", "3"].flatMap(again),
    steps: ["1", "2", "3", "4", "5", "6"].flatMap(again),
  },
});
