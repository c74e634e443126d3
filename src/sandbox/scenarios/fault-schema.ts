import * as z from "zod";
import { enumerated } from "../../base/text/enumerated.js";
import type { KeyFault, KindFault } from "./define-fault.js";
import { actsOnHandshake, type Fault, type FaultGroup, leavesNothing, writtenAs } from "./fault.js";
import { compileFaults, faults, settingsAlone } from "./faults.js";
import { keys, oneOf } from "./schema-values.js";

// The schema of a rule's `then`, from the list of faults.

type Known = (typeof faults)[number];

/** A kind as it is written: alone or, if it has settings, with them. */
type Written<K> =
  K extends KindFault<FaultGroup, infer Name, infer Keys>
    ? Name | (Keys extends z.ZodRawShape ? { kind: Name } & z.input<z.ZodObject<Keys>> : never)
    : never;

type WrittenKind<Under extends FaultGroup> = Written<Extract<Known, KindFault<Under>>>;

type ThenShape = { [K in Extract<Known, KeyFault> as K["name"]]: z.ZodOptional<K["schema"]> } & {
  [Under in FaultGroup]: z.ZodOptional<z.ZodType<WrittenKind<Under>, WrittenKind<Under>>>;
};

const all: readonly Fault[] = faults;

/** What is said of a key with several kinds. */
const groups: Readonly<Record<FaultGroup, string>> = {
  connection: "Break the connection, or send the answer in an unusual way.",
  stream: "End the HTTP/2 stream without an answer. Other streams go on.",
};

/** The keys of `then`, in their order. */
const names = [...new Set(all.map(({ name, under }) => under ?? name))];

function schemaOf(key: string): z.ZodType {
  const kinds = all.filter(({ under }) => under === key);
  const own = all.find(({ name, under }) => under === undefined && name === key);
  const schema = own ? described(own) : schemaOfKinds(key, kinds);
  return schema.optional();
}

function described({ schema, description, examples }: Fault): z.ZodType {
  if (schema === undefined) throw new Error("A fault with a key of its own has a schema.");
  return schema.meta({ ...schema.meta(), description, examples: [...examples] });
}

function schemaOfKinds(key: string, kinds: readonly Fault[]): z.ZodType {
  const values = kinds.map(({ name }) => name) as [string, ...string[]];
  const set = kinds.filter(({ keys: own }) => own !== undefined);
  const alone = kinds.filter(({ keys: own }) => own === undefined).map(({ name }) => name);
  const withKeys = set.map(({ name, keys: own = {} }) => `${name} with ${enumerated(Object.keys(own), "or")}`);
  const message = `give ${withKeys.join(", ")}; what has no keys stands alone, as in "${key}: ${alone[0]}"`;
  return z
    .union([
      oneOf(values, `kind of ${key} fault`).meta({ enumDescriptions: kinds.map(({ description }) => description) }),
      ...set.map(({ name, keys: own }) =>
        z.strictObject({ kind: z.literal(name, message).describe("The kind."), ...own }),
      ),
    ])
    .meta({ description: groups[key as FaultGroup], examples: kinds.flatMap(({ examples }) => examples) });
}

/** Each of these makes the answer, so a rule can have only one of them; the two limits can be combined. */
const answering = [...new Set(all.map(({ makes }) => makes))].flatMap((makes) =>
  makes === undefined ? [] : [all.filter((fault) => fault.makes === makes).map(({ name }) => name)],
);

const namesOf = (which: (fault: Fault) => unknown) => all.filter(which).map(({ name }) => name);
/** The faults whose answer is not the real one, and those that change the real one. */
const unalterable = namesOf(({ isUnalterable }) => isUnalterable);
const altering = namesOf(({ onAnswer }) => onAnswer);
/** The faults that can be combined with all others. */
const free = namesOf(({ acts, under }) => acts === "always" && under === undefined);
/** The kinds that leave something of the answer. */
const answered = all
  .filter((fault) => fault.under !== undefined && !leavesNothing({ fault, settings: settingsAlone(fault) }))
  .map(writtenAs);

const several = answering.map((group) => group.join(" with ")).join(", ");

/** The schema of a rule's `then`. */
export const faultSchema = z
  .strictObject(Object.fromEntries(names.map((key) => [key, schemaOf(key)])) as ThenShape, keys)
  .refine((value) => Object.keys(value).length > 0, `say what happens: ${names.join(", ")}`)
  .refine(
    (value) => answering.filter((group) => group.some((name) => name in value)).length <= 1,
    `give only one of ${several}: each makes the answer`,
  )
  .refine(
    (value) => {
      const given = compileFaults(value);
      return !given.some(leavesNothing) || given.every(({ fault }) => fault.acts === "always");
    },
    `only ${enumerated(free, "and")} can be combined with a connection or a stream that ends without an answer: give ${enumerated(answered, "or")}, or leave the rest out`,
  )
  .refine((value) => {
    const given = compileFaults(value);
    return !actsOnHandshake(given) || given.length === 1;
  }, "a fault of the handshake cannot be combined with others: there is no request yet")
  .refine(
    (value) => !Object.keys(groups).every((key) => key in value),
    "give either connection or stream: a request comes on one stream of one connection",
  )
  .refine(
    (value) => !altering.some((name) => name in value) || !unalterable.some((name) => name in value),
    `${enumerated(altering, "and")} changes the real answer: it cannot be combined with ${enumerated(unalterable, "or")}`,
  )
  .meta({
    description: `One fault, or several that change different things. One of ${coded(answering.flat(), "or")} makes the answer, or the two limits together; ${coded(altering, "and")} changes it; \`connection\` breaks it, or changes how it is sent; ${coded(free, "and")} go with any.`,
    minProperties: 1,
    // Editors cannot read the refinements.
    anyOf: answering.map((group) => ({ type: "object", propertyNames: { enum: besides(group) } })),
  });

function coded(keys: readonly string[], word: "and" | "or"): string {
  return enumerated(
    keys.map((key) => `\`${key}\``),
    word,
  );
}

/** The keys that a rule may have whose answer is made by a group of faults. */
function besides(group: readonly string[]): string[] {
  const isAlterable = !group.some((name) => unalterable.includes(name));
  const others = answering.filter((other) => other !== group).flat();
  return names.filter((name) => !others.includes(name) && (isAlterable || !altering.includes(name)));
}
