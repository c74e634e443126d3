import type { ComponentProps, VNode } from "preact";
import { useLayoutEffect } from "preact/hooks";
import { unreachable } from "./api.js";
import { ClientsPage } from "./clients.js";
import { ClockPage } from "./clock.js";
import { useDashboard } from "./dashboard.js";
import type { ScenarioWriting } from "./editor/writing.js";
import { visible } from "./format.js";
import { useRead } from "./hooks.js";
import type { Data } from "./page-data.js";
import { Awaited } from "./parts.js";
import { ReportPage } from "./report.js";
import { editorSource, hash, type Route } from "./router.js";
import { ScenariosPage } from "./scenarios.js";

/** What the pages get. */
interface PageProps {
  readonly route: Route;
  readonly data: Data;
  /** The present start of the sandbox. */
  readonly run: string;
  /** Whether the sandbox judges clients. */
  readonly isJudging: boolean;
}

/** The current page; empty for the list of requests, which is a part of its own. */
export function Page(props: PageProps) {
  const { page, parts, unknown } = props.route;
  const isEmpty = page === "requests" && unknown === undefined;
  const isWriting = page === "scenarios" && editorSource(parts) !== undefined;
  const name = `page ${page}${parts.length > 0 ? " chosen" : ""}${isWriting ? " writing" : ""}`;
  useLayoutEffect(() => document.getElementById("page")?.scrollTo(0, 0), [page]);
  return (
    <div id="page" class={page === "requests" || unknown !== undefined ? "page" : name} hidden={isEmpty}>
      {unknown === undefined ? <Content {...props} /> : <NoPage address={unknown} />}
    </div>
  );
}

function NoPage({ address }: { address: string }) {
  return (
    <div class="sheet">
      <p class="hint">
        There is no page "{visible(address)}". Go to the <a href={hash("requests")}>Requests</a>, or choose another page
        above.
      </p>
    </div>
  );
}

function Content({ route: { page, parts }, data, run, isJudging }: PageProps): VNode | null {
  const { isLost } = useDashboard();
  const [chosen] = parts;
  if (page !== "requests" && !data.pages.has(page))
    return (
      <div class="sheet">
        <Awaited problem={isLost ? unreachable : undefined} />
      </div>
    );
  switch (page) {
    case "requests":
      return null;
    case "report":
      return <ReportPage data={data} chosen={chosen} isJudging={isJudging} />;
    case "clients":
      return <ClientsPage data={data} parts={parts} />;
    case "scenarios": {
      const source = editorSource(parts);
      const { clients, scenarios } = data;
      if (source)
        return <Writing key={parts.join("/")} source={source} run={run} clients={clients} scenarios={scenarios} />;
      return <ScenariosPage data={data} chosen={chosen} />;
    }
    case "clock":
      return <ClockPage data={data} />;
  }
}

/** The editor of scenarios, which has its own script. */
function Writing(props: ComponentProps<typeof ScenarioWriting>) {
  const { value: editor, problem } = useRead(() => import("./editor/writing.js"), []);
  return editor ? (
    <editor.ScenarioWriting {...props} />
  ) : (
    <div class="sheet">
      <Awaited problem={problem} />
    </div>
  );
}
