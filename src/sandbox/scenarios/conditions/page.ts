import * as z from "zod";
import { pagePlaces } from "../../lists/place.js";
import { defineCondition } from "../define-condition.js";
import { positive } from "../schema-values.js";

export const page = defineCondition({
  name: "page",
  schema: z.union([z.enum(pagePlaces, `give a number from 1 on, or one of ${pagePlaces.join(", ")}`), positive]).meta({
    description:
      "The page's number in its walk, or its place: `only` is the page of a walk with one page, which is neither `first` nor `last`. A request whose cursor is not genuine has neither; one whose parameters are refused has no place.",
    examples: [2, "last"],
  }),
  begins: true,
  operations: () => ["list"],
  holds: (wanted, facts) => wanted === (typeof wanted === "number" ? facts.page() : facts.place()),
  subject: (wanted) =>
    typeof wanted === "number" ? `page ${wanted}` : wanted === "middle" ? "a middle page" : `the ${wanted} page`,
});
