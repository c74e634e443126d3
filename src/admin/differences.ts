import type { Answer } from "./call-types.js";

/** The detail of an exchange. */
type Detail = Answer<"GET /requests/{id}">;

/** One fact in which two exchanges differ; a side is undefined if it does not have the fact. */
interface Difference {
  readonly name: string;
  readonly left: string | undefined;
  readonly right: string | undefined;
}

/** The differences of one kind. */
export interface DifferenceGroup {
  readonly title: string;
  readonly rows: readonly Difference[];
}

type Fact = readonly [name: string, value: string | number | null | undefined];

/** What differs between two exchanges, by group. Groups without a difference are left out. */
export function differences(left: Detail, right: Detail): DifferenceGroup[] {
  const others = groupsOf(right);
  return groupsOf(left)
    .map(([title, facts], index) => ({ title, rows: differing(facts, others[index]?.[1] ?? []) }))
    .filter(({ rows }) => rows.length > 0);
}

function groupsOf(detail: Detail): (readonly [title: string, facts: readonly Fact[]])[] {
  const { peer, token, connection, request, answer, decisions, target } = detail;
  const question = target.indexOf("?");
  return [
    [
      "Outcome",
      [
        ["Status", detail.status === 0 ? "no answer" : detail.status],
        ["Error code", detail.code],
        ["Fault", detail.fault],
        ["Server defect", detail.serverDefect],
        ["Rests on", detail.basis],
        ["Delivered", detail.delivered === false ? "no" : null],
      ],
    ],
    [
      "Request",
      [
        ["Method", detail.method],
        ["Path", question < 0 ? target : target.slice(0, question)],
        ["Operation", detail.operation],
        ["List", detail.list],
        ["Client", detail.client],
        ["Certificate of", detail.certificateClient],
      ],
    ],
    ["Query", question < 0 ? [] : [...new URLSearchParams(target.slice(question + 1))]],
    ["Request headers", request.headers],
    [
      "Form",
      (request.form ?? []).flatMap(({ name, values }) =>
        values.map((value) => [name, value ?? "not decodable"] as const),
      ),
    ],
    [
      "Certificate",
      [
        ["Subject", peer?.subject],
        ["Issuer", peer?.issuer],
        ["Thumbprint", peer?.thumbprint],
        ["Valid from", peer?.notBefore],
        ["Valid until", peer?.notAfter],
        ["Chain", peer?.chain],
        ["Folder", peer?.identity],
      ],
    ],
    [
      "Access token",
      [
        ["Issued to", token?.issuedTo],
        ["Bound to", token?.thumbprint],
        ["Scope", token?.scope],
        ["Token ID", token?.id],
      ],
    ],
    [
      "Connection",
      [
        ["Number", connection?.id],
        ["From", connection?.remoteAddress],
        ["Asked for", connection?.serverName],
        ["TLS", connection && `${connection.protocol}, ${connection.cipher}`],
        ["HTTP", connection?.httpVersion],
      ],
    ],
    ["Decisions", decisions.map(({ step, outcome }) => [step.replaceAll("-", " "), outcome] as const)],
    ["Answer headers", answer.headers.filter(([name]) => name.toLowerCase() !== "date")],
    ["Body", bodyFacts(answer.body, answer.length)],
  ];
}

/** A JSON body by the paths of its values; any other body as a whole. */
function bodyFacts(body: string | null, length: number): readonly Fact[] {
  if (body === null) return length === 0 ? [] : [["Length", `${length} characters, not kept`]];
  try {
    const facts: Fact[] = [];
    flatten("", JSON.parse(body), facts);
    return facts;
  } catch {
    return [["Text", body]];
  }
}

function flatten(path: string, value: unknown, facts: Fact[]): void {
  if (typeof value !== "object" || value === null || Object.keys(value).length === 0) {
    facts.push([path === "" ? "value" : path, JSON.stringify(value)]);
    return;
  }
  for (const [name, member] of Object.entries(value)) {
    const step = Array.isArray(value) ? `[${name}]` : path === "" ? name : `.${name}`;
    flatten(path + step, member, facts);
  }
}

/** Facts by name; a repeated name is a separate fact: `X-A`, `X-A (2)`. Names are compared case-insensitively. */
function byName(facts: readonly Fact[]): Map<string, { readonly name: string; readonly value: string }> {
  const named = new Map<string, { name: string; value: string }>();
  const seen = new Map<string, number>();
  for (const [name, value] of facts) {
    if (value == null) continue;
    const lower = name.toLowerCase();
    const count = (seen.get(lower) ?? 0) + 1;
    seen.set(lower, count);
    const suffix = count > 1 ? ` (${count})` : "";
    named.set(lower + suffix, { name: name + suffix, value: String(value) });
  }
  return named;
}

function differing(left: readonly Fact[], right: readonly Fact[]): Difference[] {
  const ours = byName(left);
  const theirs = byName(right);
  const keys = [...ours.keys(), ...[...theirs.keys()].filter((key) => !ours.has(key))];
  return keys.flatMap((key) => {
    const [one, other] = [ours.get(key), theirs.get(key)];
    if (one?.value === other?.value) return [];
    return [{ name: one?.name ?? other?.name ?? key, left: one?.value, right: other?.value }];
  });
}
