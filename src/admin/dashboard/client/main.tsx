import { render } from "preact";
import { type Clock, get, type JournalPage, problemText, type ScenarioChoice, type ShownRun } from "./api.js";
import { App, type Start } from "./app.js";
import { restoreZone } from "./format.js";
import "./harmless.js";

/** How long to wait before a retry, in milliseconds. */
const retryTime = 2000;

/** What the page begins with. A reason is shown until the sandbox answers. */
async function start(): Promise<Start> {
  for (;;) {
    try {
      const [page, scenario, clock] = await Promise.all([
        get<JournalPage>("/journal"),
        get<ScenarioChoice>("/scenario"),
        get<Clock>("/clock"),
      ]);
      const { url = "", signedIn, report, kept } = document.body.dataset;
      return {
        page,
        scenario,
        clock,
        url,
        signedIn: signedIn === "true",
        isJudging: report === "true",
        kept: kept === undefined ? undefined : (JSON.parse(kept) as ShownRun),
      };
    } catch (error) {
      render(<p class="notice">{problemText(error)}</p>, document.body);
      await new Promise((resolve) => setTimeout(resolve, retryTime));
    }
  }
}

restoreZone();
render(<App {...(await start())} />, document.body);
