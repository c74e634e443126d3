import { thousands } from "../../base/text/numbers.js";
import { quote } from "../../base/text/printable.js";
import { listDefaults } from "./defaults.js";
import { firstInstant, instantOf } from "./instant.js";
import { mostExamined, parametersOf } from "./list.js";
import { pathParametersOf } from "./path.js";
import {
  type CompleteList,
  completeList,
  type FieldGenerator,
  type FieldSettings,
  type ListSettings,
} from "./settings.js";
import { parseTemplate } from "./template.js";

/** A setting of a list that does not fit its other settings. */
export interface Contradiction {
  /** Of the setting, in those of the list. */
  readonly place: readonly string[];
  readonly reason: string;
}

/** How deep objects of a row may be nested. */
const deepest = 16;

/**
 * 2000-01-01T00:00:00Z. A list without a pinned anchor must fit between the year 0001 and this instant, so that it fits
 * whatever the clock says.
 */
const year2000 = 946_684_800_000;

interface Check {
  /** The settings that it compares. */
  readonly of: readonly (keyof ListSettings)[];
  readonly find: (settings: CompleteList, members: readonly Member[]) => Contradiction[];
}

const checks: readonly Check[] = [
  { of: ["parameters", "filters", "dateField"], find: names },
  { of: ["items", "count", "spacing", "anchor"], find: times },
  { of: ["items", "fields", "path"], find: generators },
  { of: ["items", "fields", "dateField"], find: dates },
  { of: ["items", "fields", "filters"], find: filters },
  { of: ["items", "fields", "filters", "count", "envelope"], find: total },
];

/**
 * What does not fit together in the settings of a list. Its schema sees one source; a list has settings of several, and
 * the defaults. What only its items show, `compileList` finds.
 * @param unread settings that are wrong in themselves: they are not compared
 */
export function contradictions(
  name: string,
  given: ListSettings,
  unread: ReadonlySet<PropertyKey | undefined> = new Set(),
): readonly Contradiction[] {
  const settings = completeList(name, given);
  // With items, it has no generated rows.
  const isLeftOut = (key: keyof ListSettings) => unread.has(key) || (key === "items" && given.items !== undefined);
  const members = membersOf(settings.fields);
  return checks.filter(({ of }) => !of.some(isLeftOut)).flatMap(({ find }) => find(settings, members));
}

/** Query parameters have different names. */
function names(settings: CompleteList): Contradiction[] {
  const claims = [
    ...Object.entries(parametersOf(settings)).map(([key, name]) => ({ name, place: ["parameters", key] })),
    ...Object.keys(settings.filters).map((name) => ({ name, place: ["filters", name] })),
  ].filter(({ name }) => name !== undefined);
  return claims
    .filter(({ name }, index) => claims.findIndex((claim) => claim.name === name) < index)
    .map(({ name = "", place }) => ({ place, reason: `the name ${quote(name)} is used twice` }));
}

function times({ count, spacing, anchor }: CompleteList): Contradiction[] {
  const span = (anchor === undefined ? year2000 : instantOf(anchor)) - firstInstant;
  if (count <= 1 || (count - 1) * spacing <= span) return [];
  const most = Math.floor(span / (count - 1));
  const remedy = most < 1 ? "lower the count" : `at most ${most} ms fit this count`;
  return [{ place: ["spacing"], reason: `the oldest rows would be before the year 0001; ${remedy}` }];
}

/** Texts and parameters name parameters of the path. */
function generators({ path }: CompleteList, members: readonly Member[]): Contradiction[] {
  const known = pathParametersOf(path);
  const shown = known.length === 0 ? "none" : known.map((name) => `{${name}}`).join(", ");
  return members.flatMap(({ generator, place }) => {
    // Other objects are told by their members.
    if (generator.type === "object") return [{ place, reason: `objects are nested more than ${deepest} deep` }];
    const [key, used] = namesIn(generator);
    const unknown = used.find((name) => !known.includes(name));
    if (unknown === undefined) return [];
    return [{ place: [...place, key], reason: `the path has no parameter {${unknown}}; it has ${shown}` }];
  });
}

function namesIn(generator: FieldGenerator): readonly [key: string, names: readonly string[]] {
  if (generator.type === "parameter") return ["name", [generator.name]];
  if (generator.type !== "text") return ["", []];
  const names = parseTemplate(generator.template).flatMap((part) =>
    typeof part === "object" && "name" in part ? part.name : [],
  );
  return ["template", names.filter((name) => name !== "number")];
}

function dates({ dateField }: CompleteList, members: readonly Member[]): Contradiction[] {
  const isDate = ({ path, generator, isOptional }: Member) =>
    path === dateField && generator.type === "createdAt" && !isOptional;
  if (dateField === null || members.some(isDate)) return [];
  const reason = `no field of type createdAt at ${quote(dateField)}; null means a list without dates`;
  return [{ place: ["dateField"], reason }];
}

function filters({ filters: given }: CompleteList, members: readonly Member[]): Contradiction[] {
  if (given === listDefaults.filters) return [];
  const filterable = filterableIn(members);
  const others = Object.entries(given).filter(([, field]) => !filterable.has(field));
  return others.map(([parameter, field]) => ({
    place: ["filters", parameter],
    reason: `${quote(field)} is not a field of type choice, boolean or constant; other fields cannot be filtered`,
  }));
}

function total({ count, envelope, filters: given }: CompleteList, members: readonly Member[]): Contradiction[] {
  const key = envelope.total === undefined ? "pages" : "total";
  const filterable = filterableIn(members);
  const isFiltered = Object.values(given).some((field) => filterable.has(field));
  if (envelope[key] === undefined || !isFiltered || count <= mostExamined) return [];
  const most = thousands(mostExamined);
  const reason = `with filters, the rows are counted for each page: lower the count to ${most}, or set filters to {}`;
  return [{ place: ["envelope", key], reason }];
}

/** The dotted paths of the fields that equality filters can test. */
function filterableIn(members: readonly Member[]): ReadonlySet<string> {
  const isFilterable = ({ generator, isOptional }: Member) =>
    !isOptional &&
    (generator.type === "choice" ||
      generator.type === "boolean" ||
      (generator.type === "constant" && Object(generator.value) !== generator.value));
  return new Set(members.filter(isFilterable).map(({ path }) => path));
}

/** A member of a row, or of an object in it. */
interface Member {
  readonly generator: FieldGenerator;
  /** Of its generator, in the settings of the list. */
  readonly place: readonly string[];
  /** Dotted. */
  readonly path: string;
  /** Of the objects that it is in. */
  readonly depth: number;
  /** Whether it, or an object that it is in, is null on some rows. */
  readonly isOptional: boolean;
}

function membersOf(fields: FieldSettings): readonly Member[] {
  const inside = (member: Member): readonly Member[] => {
    const { generator, place, path, depth } = member;
    if (generator.type === "nullable")
      return inside({ ...member, generator: generator.of, place: [...place, "of"], isOptional: true });
    if (generator.type !== "object" || depth > deepest) return [member];
    const members = Object.entries(generator.fields).map(([name, each]) => ({
      ...member,
      generator: each,
      place: [...place, "fields", name],
      path: path === "" ? name : `${path}.${name}`,
      depth: depth + 1,
    }));
    return members.flatMap(inside);
  };
  const row: Member = { generator: { type: "object", fields }, place: [], path: "", depth: 0, isOptional: false };
  return inside(row);
}
