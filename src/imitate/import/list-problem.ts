import * as z from "zod";
import { nameOf, validate } from "../../base/yaml/issues.js";
import { contradictions } from "../../sandbox/lists/contradictions.js";
import { listSchema } from "../../sandbox/lists/list-schema.js";
import type { ListSettings } from "../../sandbox/lists/settings.js";

const schema = z.object({ lists: z.record(z.string(), listSchema) });

/** The first thing that `sandbox.yaml` must not have in a list that was made; its path, and a message that names it. */
export function listProblem(
  name: string,
  settings: ListSettings,
): { readonly path: readonly PropertyKey[]; readonly message: string } | undefined {
  const validated = validate({ lists: { [name]: settings } }, schema);
  if (!validated.success) return validated.issues[0];
  const [contradiction] = contradictions(name, settings);
  if (contradiction === undefined) return undefined;
  const path = ["lists", name, ...contradiction.place];
  return { path, message: `${nameOf(path, "")}: ${contradiction.reason}` };
}
