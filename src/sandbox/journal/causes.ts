import type { CauseKind } from "./causes/cause-kind.js";
import { certificateCauses } from "./causes/certificate.js";
import { requestCauses } from "./causes/request.js";
import { tokenCauses } from "./causes/token.js";

/** Every kind of cause by its name: its facts, what has a part in it, and its explanation. */
const causeKinds = { ...certificateCauses, ...tokenCauses, ...requestCauses } as const;

type Kinds = typeof causeKinds;

/** The facts of a kind: what its explanation gets. */
type FactsOf<Explain> = Explain extends (facts: infer Facts extends object, ...more: never[]) => string
  ? Facts
  : object;

/**
 * Why a request was refused, as facts. The client never sees them; the journal makes its explanation from them.
 * Instants are milliseconds since the epoch.
 */
export type Cause = {
  [Kind in keyof Kinds]: { readonly kind: Kind } & Readonly<FactsOf<Kinds[Kind]["explain"]>>;
}[keyof Kinds];

/** The kind of a cause, for code that treats all alike. */
export function kindOf({ kind }: Cause): CauseKind<Cause> {
  return causeKinds[kind] as CauseKind<Cause>;
}
