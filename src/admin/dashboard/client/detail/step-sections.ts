import type { OperationName } from "../../../../sandbox/operations.js";

/** The steps of every operation that takes a token. */
const withToken = { "access-token": "4.1 rule 2", scope: "5 point 7" };

/** The section that requires the check of each step of an operation. */
const stepSections: Readonly<Record<OperationName, Readonly<Record<string, string>>>> = {
  token: {
    form: "4.1",
    "no-other-authentication": "4.1",
    "grant-type": "4.1",
    client: "4.1 rule 1",
    scope: "4.1",
  },
  ping: {
    ...withToken,
    parameters: "4.2",
  },
  list: { ...withToken, parameters: "7" },
};

/** The section that a step of an operation is based on; undefined for the sandbox's own steps. */
export function sectionOfStep(operation: OperationName | null, step: string): string | undefined {
  if (step === "correlation-id") return "7 rule 3";
  return operation === null ? undefined : stepSections[operation][step];
}
