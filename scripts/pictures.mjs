// Takes the pictures of the dashboard in docs/pictures: `npm run pictures`, with Debian's chromium, and pngquant and
// fonts-inter if they are installed. Each must be below 150 kB. The tests do not take pictures, because they do not
// change the tree.
import { execFileSync } from "node:child_process";
import { mkdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { startSandbox } from "../dist/index.js";

const folder = fileURLToPath(new URL("../docs/pictures/", import.meta.url));
const mostBytes = 150_000;

/** The pictures, and what each one shows. */
const pictures = [
  { name: "requests", hash: ({ expired }) => `#/requests/r${expired}`, sign: "#why" },
  { name: "requests-dark", hash: ({ expired }) => `#/requests/r${expired}`, sign: "#why", colorScheme: "dark" },
  { name: "scenarios", hash: () => "#/scenarios/cursor-refused-once", sign: ".numbered .tok-key", colorScheme: "dark" },
  { name: "narrow", hash: () => "#/requests", sign: ".row", width: 390, height: 780 },
];

/** Typical traffic of an integration: requests that succeed, requests that are refused, and injected failures. */
async function traffic(sandbox) {
  const [demo, other, expired] = await Promise.all(["demo", "other", "expired"].map((name) => sandbox.identity(name)));
  const quietly = (request) => request.catch(() => {});
  const headers = { "User-Agent": "payments-sdk/2.4.1", Accept: "application/json" };
  const token = await demo.token();
  await quietly(expired.token());
  const get = (path, more = {}) => demo.request(path, { token, headers: { ...headers, ...more } });
  await get("/v1/ping");
  const page = (await get("/v1/payments?pageSize=50&status=COMPLETED")).json();
  await get(`/v1/payments?pageSize=50&status=COMPLETED&cursor=${page.nextCursor}`);
  await get(`/v1/payments?pageSize=50&status=FAILED&cursor=${page.nextCursor}`);
  await other.request("/v1/ping", { token, headers });
  await get("/v1/payments?pageSize=500");
  await get("/V1/Ping");
  await get("/v1/ping", { "X-Correlation-ID": "order-4711" });
  for (let count = 0; count < 5; count++) await quietly(get("/v1/payments", { "Sandbox-Scenario": "flaky" }));
  await fetch(sandbox.url.replace("https:", "http:")).catch(() => {});
  await get("/v1/payments?pageSize=50", { "Sandbox-Scenario": "maintenance" });
  await get("/v1/payouts");
  await demo.clock.advance("301s");
  const late = await get("/v1/payouts");
  await demo.clock.reset();
  await demo.request("/v1/ping", { token: await demo.token(), headers });
  await other.useScenario("cursor-refused-once");
  const requests = await sandbox.requests();
  return { expired: requests.find((entry) => entry.correlationId === late.headers["x-correlation-id"])?.id };
}

function squeeze(file) {
  try {
    execFileSync("pngquant", ["--force", "--skip-if-larger", "--speed", "1", "--output", file, "64", file]);
  } catch {
    process.stderr.write(`${file}: not compressed: pngquant is not installed, or failed.\n`);
  }
  const { size } = statSync(file);
  if (size > mostBytes) throw new Error(`${file} has ${size} bytes.`);
  process.stdout.write(`${file}: ${size} bytes\n`);
}

mkdirSync(folder, { recursive: true });
const sandbox = await startSandbox({ seed: "pictures" });
const browser = await chromium.launch({
  executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium",
  args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"].concat([
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
  ]),
});
try {
  const ids = await traffic(sandbox);
  for (const { name, hash, sign, width = 1280, height = 800, colorScheme = "light" } of pictures) {
    const viewport = { width, height };
    const page = await browser.newPage({ viewport, colorScheme, deviceScaleFactor: width > 400 ? 1.5 : 2 });
    await page.goto(`${sandbox.adminUrl}/${hash(ids)}`);
    await page.locator(".connection.live").waitFor();
    await page.locator(sign).first().waitFor();
    const file = join(folder, `${name}.png`);
    await page.screenshot({ path: file });
    squeeze(file);
    await page.close();
  }
} finally {
  await browser.close();
  await sandbox.close();
}
