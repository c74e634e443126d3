import { Finding } from "./finding.js";
import type { Judge } from "./judge.js";
import type { ExchangeObservation } from "./observation.js";

/** Checks `request.*`: whether requests are those of the interface. */
export class RequestJudge implements Judge {
  private readonly path = new Finding("request.path");
  private readonly parameters = new Finding("request.parameters");
  private readonly values = new Finding("request.values");
  private readonly correlationId = new Finding("request.correlation-id");

  exchange({ id, operation, refusal, unknown, hasValues, correlated, status, ending }: ExchangeObservation): void {
    const kind = refusal?.kind;
    const code = refusal?.code;
    if (kind === "no-such-path")
      this.path.fail("A request was sent to a path that is not part of the interface.", [id]);
    else if (kind === "method")
      this.path.fail("A request was sent with a method that its path does not support.", [id]);
    else if (operation !== undefined) this.path.exercise(id);

    const [first] = unknown;
    if (first !== undefined) {
      const { name, near } = first;
      const end = near === undefined ? "." : `; did you mean "${near}"?`;
      this.parameters.fail(`A request had the unknown query parameter "${name}"${end}`, [id]);
    } else if (operation !== undefined) this.parameters.exercise(id);

    // A parameter that the operation does not know is refused with the same code.
    const isUnknown = first !== undefined && kind === "parameter";
    if (code === "VALIDATION_ERROR" && operation !== "token" && hasValues && !isUnknown)
      this.values.fail("A date, a filter or produceError had a value that was refused (VALIDATION_ERROR).", [id]);
    // The last step of an operation judges values: a request that got the answer of the operation has passed it.
    else if (hasValues && answered(status, code, ending)) this.values.exercise(id);

    if (code === "INVALID_CORRELATION_ID")
      this.correlationId.fail("The correlation ID of a request was refused (INVALID_CORRELATION_ID).", [id]);
    else if (correlated && answered(status, code, ending)) this.correlationId.exercise(id);
  }

  findings(): readonly Finding[] {
    return [this.path, this.parameters, this.values, this.correlationId];
  }
}

/** Whether the sandbox read the parameters, and accepted them. */
function answered(status: number, code: string | undefined, ending: ExchangeObservation["ending"]): boolean {
  return ending === "delivered" && ((status >= 200 && status < 300) || code === "EXAMPLE_ERROR");
}
