import { day } from "../../base/text/duration.js";
import { definedOnly } from "../../base/text/json-object.js";
import { listDefaults } from "../../sandbox/lists/settings.js";
import type { Answer } from "./answer.js";
import { type ListTarget, stand } from "./known.js";

const newest = Date.UTC(2026, 0, 31);

/** More rows than a page has. */
const rows = Array.from({ length: 25 }, (_, index) => ({
  id: `ID-${index}`,
  status: "STATUS",
  createdAt: new Date(newest - index * day).toISOString(),
}));

/** What a list answers that keeps the interface, with the parameters that its document names. */
export function typicalAnswer({ documented }: ListTarget, path: string): Answer {
  const names = { ...listDefaults.parameters, ...definedOnly(documented?.parameters ?? {}) };
  const query = new URL(path, "https://host").searchParams;
  const valueIn = (name: string | null) => (name === null ? null : query.get(name));
  const { default: usual, minimum, maximum } = listDefaults.pageSize;
  const size = Number(valueIn(names.pageSize) ?? usual);
  const start = Number((valueIn(names.cursor) ?? `${stand.cursor}0`).replace(stand.cursor, ""));
  const from = Date.parse(valueIn(names.fromCreatedAt) ?? "1970-01-01");
  const to = Date.parse(valueIn(names.toCreatedAt) ?? "2999-12-31");
  if (!(size >= minimum && size <= maximum && start >= 0 && from <= to))
    return answer(400, { code: "CODE", message: `From ${minimum} to ${maximum}.` });
  const found = rows.filter(({ createdAt }) => Date.parse(createdAt) >= from && Date.parse(createdAt) <= to);
  const end = start + size;
  return answer(200, {
    items: found.slice(start, end),
    ...(end < found.length && { nextCursor: `${stand.cursor}${end}` }),
  });
}

function answer(status: number, body: object): Answer {
  return { status, headers: new Map(), names: [], text: JSON.stringify(body) };
}
