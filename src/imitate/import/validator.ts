import { Ajv2020, type ErrorObject, type ValidateFunction } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import type { AnswerSchemas, JsonSchema } from "./answer-schemas.js";
import { patternTest } from "./pattern-match.js";

/** What is wrong with a value, and where: a JSON pointer (RFC 6901). */
export interface Fault {
  readonly pointer: string;
  readonly reason: string;
}

/** Validates answers against the schemas of a document. */
export class AnswerValidator {
  readonly #ajv: Ajv2020;

  /** @param schemas all schemas that `validator` is called with come from it, and have been made before */
  constructor(schemas: AnswerSchemas) {
    this.#ajv = new Ajv2020({
      allErrors: true,
      strict: false,
      validateSchema: false,
      logger: false,
      code: { regExp: linearTime },
    });
    formats.default(this.#ajv);
    this.#ajv.addSchema({ $defs: schemas.definitions }, "document");
  }

  /**
   * @returns finds the first faults of an answer
   * @throws Error if the schema cannot be used
   */
  validator(schema: JsonSchema): (answer: unknown) => readonly Fault[] {
    const placed = JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#/', '"$ref":"document#/'));
    const validate: ValidateFunction = this.#ajv.compile(placed);
    return (answer) => (validate(answer) === true ? [] : (validate.errors ?? []).filter(saysWhy).map(faultOf));
  }
}

/** Errors that only say that others have happened inside: of a condition, and of alternatives of which none fits. */
function saysWhy({ keyword, params }: ErrorObject): boolean {
  return keyword !== "if" && keyword !== "anyOf" && !(keyword === "oneOf" && params["passingSchemas"] === null);
}

function faultOf({ instancePath, message = "is wrong", keyword, params }: ErrorObject): Fault {
  const named = keyword === "additionalProperties" ? `: ${JSON.stringify(params["additionalProperty"])}` : "";
  const values = keyword === "enum" ? `: ${JSON.stringify(params["allowedValues"]).slice(0, 100)}` : "";
  return { pointer: instancePath, reason: `${message}${named}${values}` };
}

/** Runs the patterns of a document in linear time. What cannot be compared counts as matched. */
const linearTime = Object.assign(
  (pattern: string) => {
    const matches = patternTest(pattern);
    return { test: (text: string) => matches?.(text) ?? true, toString: () => pattern };
  },
  { code: "linearTime" },
);
