// Measures the dashboard in Debian's Chromium: `npm run bench:dashboard`, about five minutes. It measures the time to
// paint the list with 10,000 entries; the time for a key and the load of the page's main thread while 500 requests a
// second arrive; and whether memory grows.
import { chromium } from "playwright-core";
import { startSandbox } from "../../dist/index.js";

const entries = 10_000;
const rate = 500;
/** Requests that wait for their answer. */
const mostWaiting = 50;
const minutes = Number(process.argv[2] ?? 3);
const typed = "client:demo -code:INVALID_PAGE_SIZE op:list";

const sleep = (time) => new Promise((resolve) => setTimeout(resolve, time));
const rounded = (value, digits = 0) => Number(value.toFixed(digits));

function median(values) {
  return [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)];
}

function show(what, value) {
  process.stdout.write(`| ${what} | ${value} |\n`);
}

/** Sends requests, every tenth of which is refused. */
async function loader(sandbox) {
  const demo = await sandbox.identity("demo");
  const token = await demo.token();
  let count = 0;
  const send = () => {
    count += 1;
    const path = count % 10 === 0 ? "/v1/payments?pageSize=0" : `/v1/ping?n=${count}`;
    return demo.request(path, { token }).catch(() => {});
  };
  return {
    sent: () => count,
    async fill(number) {
      for (let sent = 0; sent < number; sent += 50) await Promise.all(Array.from({ length: 50 }, send));
    },
    /** @returns a function that ends it */
    start(perSecond) {
      const begun = performance.now();
      let sent = 0;
      let waiting = 0;
      const timer = setInterval(() => {
        const due = ((performance.now() - begun) * perSecond) / 1000;
        // A machine that is too busy for this rate falls behind; the last line of the table shows that.
        for (; sent < due && waiting < mostWaiting; sent += 1) {
          waiting += 1;
          void send().finally(() => {
            waiting -= 1;
          });
        }
      }, 10);
      return () => clearInterval(timer);
    },
  };
}

async function firstPaint(browser, url) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  const work = await taskTime(page, "threadTicks");
  await page.goto(url);
  await page.locator(".connection.live").waitFor();
  const paint = await page.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? 0);
  const cpu = (await work()) * 1000;
  await context.close();
  return { paint, cpu };
}

/**
 * How long the tasks of the page's main thread have taken, in seconds.
 * @param clock `timeTicks`; or `threadTicks` for CPU time, which depends little on other load on the machine
 */
async function taskTime(page, clock) {
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable", { timeDomain: clock });
  return async () => metric(session, "TaskDuration");
}

async function metric(session, wanted) {
  const { metrics } = await session.send("Performance.getMetrics");
  return metrics.find(({ name }) => name === wanted).value;
}

/** Types a query, and reads the time that the browser took from each key to the next paint. */
async function typing(page) {
  await page.evaluate(() => {
    globalThis.keys = [];
    new PerformanceObserver((list) => {
      for (const { name, duration } of list.getEntries()) if (name === "keydown") globalThis.keys.push(duration);
    }).observe({ type: "event", durationThreshold: 16 });
  });
  await page.getByRole("combobox").focus();
  for (let round = 0; round < 3; round++) {
    await page.keyboard.type(typed, { delay: 120 });
    await page.getByRole("combobox").fill("");
    await sleep(500);
  }
  const slow = (await page.evaluate(() => globalThis.keys)).sort((one, other) => one - other);
  return { keys: 3 * typed.length, slow };
}

async function heap(session) {
  await session.send("HeapProfiler.collectGarbage");
  return (await metric(session, "JSHeapUsedSize")) / 1024 / 1024;
}

const sandbox = await startSandbox({ seed: "bench" });
const browser = await chromium.launch({
  executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium",
  args: ["--headless", "--no-sandbox", "--disable-gpu"],
});
try {
  const load = await loader(sandbox);
  await load.fill(entries);
  const paints = [];
  for (let round = 0; round < 7; round++) paints.push(await firstPaint(browser, sandbox.adminUrl));
  show(`first paint with ${entries} entries, median of 7`, `${rounded(median(paints.map(({ paint }) => paint)))} ms`);
  show("CPU time of the page's main thread until it follows", `${rounded(median(paints.map(({ cpu }) => cpu)))} ms`);

  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  await page.goto(sandbox.adminUrl);
  await page.locator(".connection.live").waitFor();
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable");
  const before = load.sent();
  const begun = performance.now();
  const stop = load.start(rate);
  await sleep(5000);
  const { keys, slow } = await typing(page);
  show(`keys of ${keys} that took 16 ms or more until the next paint`, slow.length);
  show("the slowest key", slow.length === 0 ? "under 16 ms" : `${rounded(slow.at(-1))} ms`);

  const samples = [];
  const clocks = [await taskTime(page, "timeTicks"), await taskTime(page, "threadTicks")];
  const read = () => Promise.all(clocks.map((clock) => clock()));
  const [first, wall] = [await read(), performance.now()];
  for (let sample = 0; sample <= minutes * 4; sample++) {
    samples.push(await heap(session));
    await sleep(15_000);
  }
  const passed = (performance.now() - wall) / 1000;
  const shares = (await read()).map((time, index) => `${rounded(((time - first[index]) / passed) * 100, 1)} %`);
  show("share of time in which the page's main thread was busy", shares[0]);
  show("share of a core that it took", shares[1]);
  show(
    `memory of the page after 1, and ${minutes} minutes`,
    `${rounded(samples[4] ?? samples[0], 1)} and ${rounded(samples.at(-1), 1)} MiB`,
  );
  show("requests a second, as they were sent", rounded(((load.sent() - before) * 1000) / (performance.now() - begun)));
  stop();
} finally {
  await browser.close();
  await sandbox.close(0);
}
