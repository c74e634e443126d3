import { counted } from "../../../base/text/numbers.js";
import { addressOf, type Check, type Missing, type Report, unreachable } from "./api.js";
import { useDashboard } from "./dashboard.js";
import { visible } from "./format.js";
import { TargetChoice } from "./forms.js";
import type { Data } from "./page-data.js";
import { Awaited, Badge, Button, Quiet, type Tone } from "./parts.js";
import { go, hash } from "./router.js";

/** The titles of the groups of checks, by the prefix of their ids. */
const groupTitles: Readonly<Record<string, string>> = {
  token: "Tokens",
  tls: "Connections",
  retry: "Repetitions",
  h2: "HTTP/2",
  list: "Lists",
  request: "Requests",
  certificate: "Certificates",
  answers: "Answer sheet",
};

/**
 * Whether clients are correct: every check, by group, with the requests and handshakes that show it.
 * @param chosen the client that the report is on; undefined for all
 * @param isJudging whether the sandbox judges clients
 */
export function ReportPage({
  data: { clients, report },
  chosen,
  isJudging,
}: {
  data: Data;
  chosen: string | undefined;
  isJudging: boolean;
}) {
  const { reload } = useDashboard();
  const reportOn = (client: string | undefined) => go(client === undefined ? hash("report") : hash("report", client));
  return (
    <div class="sheet">
      <p class="lead">Is the client right?</p>
      {!isJudging ? (
        <p class="hint">
          This sandbox does not judge clients: it was started with <code>report: off</code>. Start it without that
          setting to see a report.
        </p>
      ) : (
        <>
          <Quiet>
            The sandbox judges clients by their requests and connections since the start or the last reset. A check that
            was not exercised has not passed.
          </Quiet>
          <div class="bar">
            <TargetChoice label="The report on" clients={clients} target={chosen} id="report" choose={reportOn} />
            <Button id="refresh-report" onClick={reload}>
              Refresh
            </Button>
          </div>
          <Content report={report?.on === chosen ? report : undefined} chosen={chosen} />
        </>
      )}
    </div>
  );
}

function Content({ report: read, chosen }: { report: Data["report"]; chosen: string | undefined }) {
  const { isLost } = useDashboard();
  if (read === undefined) return <Awaited problem={isLost ? unreachable : undefined} />;
  const { answer: report, missing } = read;
  if (report === "gone") return <p class="hint">There is no client "{visible(chosen ?? "")}" (any more).</p>;
  // Failed checks come first in their group, and so do their groups.
  const checks = report.drills.flatMap((drill) => drill.checks).sort((a, b) => Number(passes(a)) - Number(passes(b)));
  const groupOf = ({ id }: Check) => id.split(".", 1)[0] as string;
  const groups = [...new Set(checks.map(groupOf))];
  return (
    <>
      <Summary report={report} />
      {groups.map((name) => (
        <section key={name} id={`checks-${name}`}>
          <h2>{groupTitles[name] ?? visible(name)}</h2>
          <ul class="cards checks">
            {checks
              .filter((check) => groupOf(check) === name)
              .map((check) => (
                <CheckItem key={check.id} check={check} missing={missing} isOnAll={chosen === undefined} />
              ))}
          </ul>
        </section>
      ))}
    </>
  );
}

function passes({ verdict }: Check): boolean {
  return verdict !== "fail";
}

function Summary({ report }: { report: Report }) {
  const { fail, warn, pass, notExercised } = report.summary;
  return (
    <p class="bar report-summary" role="status">
      <Badge tone={fail > 0 ? "bad" : "plain"}>{fail} failed</Badge>{" "}
      <Badge tone={warn > 0 ? "warn" : "plain"}>{counted(warn, "warning")}</Badge>{" "}
      <Badge tone={pass > 0 ? "good" : "plain"}>{pass} passed</Badge>{" "}
      <Badge tone="plain">{notExercised} not exercised</Badge>
    </p>
  );
}

/** What a check shows. */
interface CheckProps {
  readonly check: Check;
  readonly missing: Missing;
  /** Whether the report is on all clients: then each request is shown with its client. */
  readonly isOnAll: boolean;
}

function CheckItem(props: CheckProps) {
  const { check } = props;
  const { id, level, verdict, message, fix, source } = check;
  const [tone, word] = toneOf(check);
  return (
    <li id={`check-${id}`} class={verdict}>
      <p class="bar">
        <Badge tone={tone}>{word}</Badge>
        <a href={addressOf(`/checks/${id}`)}>
          <code class="id">{visible(id)}</code>
        </a>
        <small class="quiet">{level}</small>
      </p>
      <p>{visible(message)}</p>
      {verdict === "fail" && (
        <p>
          <b>To do: </b>
          {visible(fix)}
        </p>
      )}
      <Quiet>
        Source: {visible(source)}
        <Evidence {...props} />
      </Quiet>
    </li>
  );
}

function toneOf({ verdict, level }: Check): readonly [Tone, string] {
  if (verdict === "pass") return ["good", "passed"];
  if (verdict === "not-exercised") return ["plain", "not exercised"];
  return level === "must" ? ["bad", "failed"] : ["warn", "warning"];
}

/** Links to the requests and handshakes in the journal that show it. The journal may have dropped some. */
function Evidence({ check: { exchanges, handshakes }, missing, isOnAll }: CheckProps) {
  const link = (id: string, key: string, what: string, gone: readonly string[]) =>
    gone.includes(id) ? (
      <>
        <span class="gone">{`${what}\u00a0${id}`}</span> (no longer in the journal)
      </>
    ) : (
      <>
        <a href={hash("requests", key)}>{`${what}\u00a0${id}`}</a>
        {isOnAll && what === "request" && missing.clients[id] !== undefined && ` of ${visible(missing.clients[id])}`}
      </>
    );
  const links = [
    ...exchanges.map((id) => link(id, `r${id}`, "request", missing.requests)),
    ...handshakes.map((id) => link(id, `h${id}`, "handshake", missing.handshakes)),
  ];
  if (links.length === 0) return undefined;
  return (
    <>
      {" "}
      · Seen in{" "}
      {links.map((one, index) => (
        <>
          {index > 0 && ", "}
          {one}
        </>
      ))}
    </>
  );
}
