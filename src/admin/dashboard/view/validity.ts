import { instant, span } from "./format.js";
import { badge } from "./parts.js";
import { h, type Tree } from "./tree.js";

/**
 * Whether a certificate is within its validity dates, and for how long.
 * @param now in milliseconds since the epoch
 */
export function validity(
  { notBefore, notAfter }: { readonly notBefore: string | null; readonly notAfter: string | null },
  now: number,
): Tree {
  if (notBefore === null || notAfter === null) return badge("plain", "dates unknown");
  const title = `${instant(notBefore)} to ${instant(notAfter)}`;
  const from = Date.parse(notBefore);
  const until = Date.parse(notAfter);
  const [tone, text] =
    now < from
      ? ["bad", `not valid for ${span(from - now)} yet`]
      : now > until
        ? ["bad", `expired ${span(now - until)} ago`]
        : ["good", `valid, ${span(until - now)} left`];
  return h("span", { class: `badge ${tone}`, title }, text);
}
