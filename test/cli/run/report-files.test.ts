import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { reportFiles, writeReportFiles } from "../../../src/cli/report/files.js";
import { examSheet } from "../../../src/exam/sheet.js";
import { formatReport, type ReportEnding, reportEndings } from "../../../src/report/format.js";
import { SettingError } from "../../../src/sandbox/config/settings.js";
import { mixedReport } from "../../exam/formats/sample.js";
import { afterTest } from "../../support/cleanups.js";
import { closeFolder, isRoot } from "../../support/users.js";

let folder = "";

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "sandbox-report-"));
  afterTest(() => rmSync(folder, { recursive: true, force: true }));
});

const report = mixedReport();
const sheet = examSheet(report, "must");
const textOf = (ending: ReportEnding) => formatReport(ending, report, sheet);

async function written(...names: string[]): Promise<readonly string[]> {
  const paths = names.map((name) => join(folder, name));
  await writeReportFiles(await reportFiles(paths), report, sheet);
  return paths.map((path) => readFileSync(path, "utf8"));
}

describe("the files of a report", () => {
  it("have the formats of their endings, in any case, and nothing else is left in the folder", async () => {
    const names = reportEndings.map((ending) => `report${ending}`);
    expect(await written(...names, "again.JSON")).toEqual([...reportEndings, ".json" as const].map(textOf));
    expect(readdirSync(folder).sort()).toEqual([...names, "again.JSON"].sort());
  });

  it("replace existing files, and the target of a link", async () => {
    writeFileSync(join(folder, "real.json"), "old");
    symlinkSync("real.json", join(folder, "link.json"));
    const [text] = await written("link.json");
    expect(readFileSync(join(folder, "real.json"), "utf8")).toBe(text);
    expect(readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isSymbolicLink())).toHaveLength(1);
  });

  it("are not made by the check before the command", async () => {
    await reportFiles([join(folder, "report.json")]);
    expect(readdirSync(folder)).toEqual([]);
  });

  it.each([
    ["report", `give a file that ends with ${reportEndings.join(", ")}`],
    ["report.txt", `give a file that ends with ${reportEndings.join(", ")}`],
    [".json", "give a file that ends with"],
    ["missing/report.json", "there is no folder"],
    ["file/report.json", "there is no folder"],
    ["folder.json", "it is a folder"],
  ])("cannot be %s", async (name, message) => {
    mkdirSync(join(folder, "folder.json"));
    writeFileSync(join(folder, "file"), "");
    const error = await reportFiles([join(folder, name)]).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(SettingError);
    expect((error as Error).message).toContain(message);
  });

  it.runIf(process.platform === "linux")("cannot be in a folder without write permission", async () => {
    const closed = isRoot ? "/proc/self" : folder;
    if (closed === folder) closeFolder(folder, 0o500);
    await expect(reportFiles([join(closed, "report.json")])).rejects.toThrow("its folder cannot be written");
  });

  it("are all written, even if one of them fails", async () => {
    const files = await reportFiles(["a.json", "b.json"].map((name) => join(folder, name)));
    mkdirSync(join(folder, "a.json"));
    await expect(writeReportFiles(files, report, sheet)).rejects.toThrow(/^The report ".*a\.json" cannot be written: /);
    expect(readdirSync(folder).sort()).toEqual(["a.json", "b.json"]);
    expect(JSON.parse(readFileSync(join(folder, "b.json"), "utf8"))).toEqual(report);
  });
});
