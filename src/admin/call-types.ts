import type * as z from "zod";
import type { Frozen } from "../base/frozen.js";
import type { AdminRoute } from "./routes/table.js";

/** The calls of the admin API by their names, such as `GET /clients/{id}`. */
type Calls = { readonly [Each in AdminRoute as `${Each["method"]} ${Each["path"]}`]: Each };

export type CallName = keyof Calls;

/** The answer of a call, as its schema has it. */
export type Answer<Name extends CallName> = Frozen<z.output<NonNullable<Calls[Name]["answer"]["schema"]>>>;

/** An item of an answer that is a list. */
export type Item<Name extends CallName> =
  Answer<Name> extends { readonly items: readonly (infer Each)[] } ? Each : never;

/** What a call is sent, as its schemas read it. */
export type Sent<Name extends CallName> = Part<"params", Calls[Name]["params"]> &
  Part<"query", Calls[Name]["query"]> &
  Part<"body", Calls[Name]["body"]> &
  ForClient<Name> & {
    /** A status that is accepted although it is not a success. */
    readonly accept?: number;
  };

type Part<Place extends string, Schema extends z.ZodType | undefined> = [NonNullable<Schema>] extends [never]
  ? unknown
  : object extends z.input<NonNullable<Schema>>
    ? { readonly [Each in Place]?: Frozen<z.input<NonNullable<Schema>>> }
    : { readonly [Each in Place]: Frozen<z.input<NonNullable<Schema>>> };

/** A call such as `GET /clock`, which exists for one client, too: `GET /clients/{id}/clock`. */
type ForClient<Name extends string> = Name extends `${infer Method} ${infer Path}`
  ? `${Method} /clients/{id}${Path}` extends CallName
    ? { readonly client?: string | undefined }
    : unknown
  : never;
