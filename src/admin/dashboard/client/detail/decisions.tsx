import { addressOf, type ExchangeDetail } from "../api.js";
import { Icon, Quiet } from "../parts.js";

const icons = {
  passed: "success",
  refused: "refused",
  injected: "injected",
  "not reached": "unreached",
} as const;

/** The checks of an exchange in order, which of them it passed, and what each is based on. */
export function DecisionList({ detail: { decisions, fault, basis } }: { detail: ExchangeDetail }) {
  if (decisions.length === 0) {
    const why =
      fault === null
        ? "No operation was reached, so nothing was checked. "
        : "The fault acted before anything was checked.";
    return (
      <Quiet>
        {why}
        {fault === null && <BasisLink basis={basis ?? undefined} />}
      </Quiet>
    );
  }
  return (
    <ol class="decisions">
      {decisions.map(({ step, section, checks, outcome, basis: own }) => {
        // If a scenario answers at this step, the request has not failed a check.
        const kind = step === "scenario" && outcome === "refused" ? "injected" : outcome;
        return (
          <li class={kind.replace(" ", "-")}>
            <Icon name={icons[kind]} />
            <span class="sr-only">{kind}: </span>
            <div>
              <b>{step.replaceAll("-", " ")}</b>
              {own === undefined ? (
                section !== null && <span class="basis">§{section}</span>
              ) : (
                <BasisLink basis={own} />
              )}
              <p>{kind === "injected" ? "a scenario answers here" : checks}</p>
            </div>
          </li>
        );
      })}
    </ol>
  );
}

/** `§7`, `bearer.invalid-token (§4.1 rule 2)`, or `sandbox`. */
function BasisLink({ basis }: { basis: string | undefined }) {
  if (basis === undefined) return null;
  if (basis === "sandbox") return <span class="basis">the sandbox's own controls</span>;
  if (basis.startsWith("§")) return <span class="basis">{basis}</span>;
  const [, id = basis, section] = /^(\S+) \(§(.+)\)$/.exec(basis) ?? [];
  return (
    <>
      <a class="basis" href={addressOf(`/assumptions/${id}`)}>
        assumption {id}
      </a>
      {section !== undefined && <span class="basis">§{section}</span>}
    </>
  );
}
