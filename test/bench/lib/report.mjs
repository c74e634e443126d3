import { readFileSync } from "node:fs";
import { availableParallelism, cpus, loadavg, release, totalmem, type } from "node:os";
import { verdict } from "./bench.mjs";

/** The machine on which the figures were measured. */
export function describeMachine() {
  return {
    date: new Date().toISOString().slice(0, 19),
    node: process.version,
    openssl: process.versions.openssl,
    cpu: `${availableParallelism()} × ${cpus()[0]?.model ?? "unknown"}`,
    memory: `${Math.round(totalmem() / 2 ** 30)} GiB`,
    system: `${type()} ${release()}`,
    loadBefore: loadavg()[0],
    peers: peerVersions(),
  };
}

function peerVersions() {
  const { dependencies } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
  return dependencies;
}

/** Prints figures and rows as Markdown. */
export function printTable({ figures, rows, notes, quick }, machine) {
  console.log(`\n${machine.date}, Node ${machine.node}, ${machine.cpu}, ${machine.memory}, ${machine.system}`);
  if (quick) console.log("Short rounds: these are not measurements.");
  console.log("\n| | | median | range | server busy | client busy |\n|-|-|-|-|-|-|");
  for (const { group, name, unit, median, low, high, busy } of figures) {
    const shares = busy ? `${percent(busy.server)} | ${percent(busy.client)}` : " | ";
    console.log(`| ${group} | ${name} | ${whole(median)} ${unit} | ${whole(low)} to ${whole(high)} | ${shares} |`);
  }
  console.log("\n| ratio | median | range | target | | by CPU time |\n|-|-|-|-|-|-|");
  for (const row of rows) {
    const { name, ratio, byCpu, target } = row;
    const range = `${ratio.low.toFixed(2)} to ${ratio.high.toFixed(2)}`;
    console.log(
      `| ${name} | ${ratio.median.toFixed(2)} | ${range} | ${targetText(target)} | ${verdict(row)} | ${byCpu?.median.toFixed(2) ?? ""} |`,
    );
  }
  for (const note of notes) console.log(`\n${note}`);
}

function targetText({ least, most, byCpu }) {
  if (least === undefined && most === undefined) return "";
  return `${least === undefined ? `≤ ${most}` : `≥ ${least}`}${byCpu ? " by CPU" : ""}`;
}

function whole(value) {
  return Math.round(value).toLocaleString("en");
}

function percent(share) {
  return Number.isNaN(share) ? "" : `${Math.round(share * 100)} %`;
}
