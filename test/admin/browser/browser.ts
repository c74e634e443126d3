import { pathToFileURL } from "node:url";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { describe, expect } from "vitest";
import { patience } from "../../support/patience.js";
import type { TestSandbox } from "../fixture.js";
import { chromiumPath, isChromiumThere } from "./chromium.js";

/** A group of tests that is skipped if there is no browser; the configuration says so. */
export const describeInBrowser = isChromiumThere ? describe : describe.skip;

const flags = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

let browser: Promise<Browser> | undefined;
const open: WatchedPage[] = [];

/** Closes the pages of a test. Errors of scripts, refused loads, and what the Content-Security-Policy has blocked fail it. */
export async function closePages(): Promise<void> {
  const pages = open.splice(0);
  for (const { page } of pages) await page.context().close();
  for (const { problems } of pages) expect(problems).toEqual([]);
}

export async function closeBrowser(): Promise<void> {
  await (await browser)?.close();
  browser = undefined;
}

/** A page, with everything that the browser reported. */
interface WatchedPage {
  readonly page: Page;
  readonly problems: string[];
}

/** The dashboard in a browser. */
export interface DashboardPage extends WatchedPage {
  /** The texts of the rows of the list of requests, newest first. */
  rows(): Promise<string[]>;
  /** Waits for a row with this text, and opens it. */
  openRow(text: string): Promise<void>;
}

export interface PageOptions extends BrowserContextOptions {
  /** The view, such as `#/clock`. */
  readonly hash?: string;
  /** Console errors that the test expects. */
  readonly expected?: RegExp;
  /** Whether the chart and the refusals are open. */
  readonly isChartOpen?: boolean;
  /** The answers to the page's questions, in order; one without an answer is a problem. */
  readonly answers?: readonly boolean[];
  /** Whether the page is the one that requests the token, which has no script. */
  readonly asksForToken?: boolean;
  /** Whether it is that of a kept run. */
  readonly isKept?: boolean;
}

/**
 * Opens the dashboard of a sandbox in a fresh browser profile. It is closed after the test, and must have caused no
 * problem.
 */
export async function openDashboard(
  { sandbox }: { readonly sandbox: Pick<TestSandbox["sandbox"], "adminUrl"> },
  options: PageOptions = {},
): Promise<DashboardPage> {
  const {
    hash = "",
    expected,
    answers = [],
    asksForToken = false,
    isKept = false,
    isChartOpen = false,
    ...rest
  } = options;
  // It works without a network: the page sends requests only to the sandbox.
  const watched = await watchedPage(`${sandbox.adminUrl}/`, rest, expected, [...answers]);
  const { page } = watched;
  if (isChartOpen) await page.addInitScript(() => localStorage.setItem("payments-sandbox-overview", "open"));
  await page.goto(`${sandbox.adminUrl}/${hash}`);
  if (!asksForToken) await page.locator(isKept ? "#kept" : ".connection.live").waitFor();
  return {
    ...watched,
    rows: () => page.locator("#list .row").allTextContents(),
    async openRow(text) {
      await page.locator("#list .row", { hasText: text }).first().click();
      await page.locator("#detail[data-key] #why").waitFor();
    },
  };
}

/** Drags over the chart, from one part of its width to another. */
export async function dragOver(page: Page, from: number, to: number): Promise<void> {
  const box = await page.locator("#chart").boundingBox();
  if (!box) throw new Error("There is no chart.");
  const moveTo = (part: number) => page.mouse.move(box.x + 1 + part * (box.width - 2), box.y + 20);
  await moveTo(from);
  await page.mouse.down();
  await moveTo(to);
  await page.mouse.up();
}

/**
 * Opens a file in a fresh browser profile. It is closed after the test, and must have requested nothing else and caused
 * no problem.
 */
export async function openFile(path: string, options: BrowserContextOptions = {}): Promise<Page> {
  const url = pathToFileURL(path).href;
  const { page } = await watchedPage(url, options);
  await page.goto(url);
  return page;
}

/**
 * A page without content.
 * @param allowed the beginning of every address that it may request
 */
async function watchedPage(
  allowed: string,
  options: BrowserContextOptions,
  expected?: RegExp,
  answers: boolean[] = [],
): Promise<WatchedPage> {
  browser ??= chromium.launch({ executablePath: chromiumPath, args: flags });
  const context = await (await browser).newContext({ viewport: { width: 1280, height: 800 }, ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(patience);
  const problems: string[] = [];
  const note = (text: string) => {
    if (!expected?.test(text)) problems.push(text);
  };
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) note(message.text());
  });
  page.on("request", (request) => {
    if (!request.url().startsWith(allowed)) problems.push(`requests ${request.url()}`);
  });
  page.on("pageerror", (error) => note(String(error)));
  page.on("dialog", (dialog) => {
    const answer = answers.shift();
    if (answer === undefined) note(`dialog: ${dialog.message()}`);
    void (answer ? dialog.accept() : dialog.dismiss());
  });
  const watched = { page, problems };
  open.push(watched);
  return watched;
}

/** Goes to an address within the page, such as `#/requests`, as a link does. */
export async function goTo(page: Page, hash: string): Promise<void> {
  await page.evaluate((to) => location.assign(to), hash);
}

/** Compares two requests, by their keys, and waits until both sides are shown. */
export async function compare(page: Page, left: string, right: string): Promise<void> {
  await goTo(page, `#/requests/${left}/with/${right}`);
  // The comparison before may have the same request on one side.
  await page.locator(`.compared p:first-child a[href="#/requests/${left}"]`).waitFor();
  await page.locator(`.compared p:last-child a[href="#/requests/${right}"]`).waitFor();
}
