import { bearer, type Generator, input, request, send } from "../input.js";
import { alterBase64 } from "../mutate.js";
import type { Random } from "../random.js";

/** Altered cursors of the server: every answer must be a refusal. */
export const cursors: Generator = (random, _counter, stock) => {
  const requests = Array.from({ length: random.between(1, 6) }, () => {
    const path = random.pick(["/v1/payments", "/v1/payouts"]);
    return request("GET", `${path}?cursor=${encodeURIComponent(altered(random, stock.cursors))}`, [
      bearer(stock.token),
    ]);
  });
  return input({
    title: "altered cursors",
    moves: [send(...requests)],
    requests: requests.length,
    owed: requests.length,
    refused: true,
  });
};

function altered(random: Random, issued: readonly string[]): string {
  const cursor = random.pick(issued);
  switch (random.below(7)) {
    case 0: {
      const other = random.pick(issued.filter((each) => each !== cursor));
      const at = random.between(1, Math.min(cursor.length, other.length) - 1);
      return notIssued(cursor.slice(0, at) + other.slice(at), issued);
    }
    case 1:
      return cursor + cursor;
    case 2:
      return notIssued(Buffer.from(cursor, "base64url").toString(random.pick(["base64", "hex"] as const)), issued);
    case 3:
      return `${random.pick([" ", "\n", "=", "\0", "%"])}${cursor}`;
    case 4:
      return `${cursor}${random.pick(["=", "==", " ", "\n", ".", "%", "\0"])}`;
    case 5:
      return random.bytes(random.pick([1, 33, 60, 200])).toString("base64url");
    default:
      return notIssued(alterBase64(random, cursor), issued);
  }
}

function notIssued(text: string, issued: readonly string[]): string {
  return issued.includes(text) ? `${text}A` : text;
}
