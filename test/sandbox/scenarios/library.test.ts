import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { type FileProblem, formatProblem } from "../../../src/base/yaml/problem.js";
import { unknownScenarioMessage } from "../../../src/sandbox/scenarios/engine.js";
import { readScenarioFolder } from "../../../src/sandbox/scenarios/folder.js";
import { builtInScenarios, type LibraryOptions, ScenarioLibrary } from "../../../src/sandbox/scenarios/library.js";
import { eventually } from "../../support/eventually.js";
import { upload } from "./upload.js";

const cleanups: (() => void)[] = [];

afterEach(() => {
  for (const cleanup of cleanups.splice(0).reverse()) cleanup();
});

/** A scenario that answers with a code. */
function answering(code: string): string {
  return `description: Answers with ${code}.\nrules:\n  - name: only\n    then: { error: ${code} }\n`;
}

class Folder {
  readonly path = mkdtempSync(join(tmpdir(), "scenarios-"));

  constructor() {
    cleanups.push(() => rmSync(this.path, { recursive: true, force: true }));
  }

  file(name: string): string {
    return join(this.path, name);
  }

  save(name: string, text: string | Buffer): void {
    writeFileSync(this.file(name), text);
  }
}

/** A library that watches a folder, with everything that it reported. */
async function open(folder: Folder, options: Partial<LibraryOptions> = {}) {
  const broken: string[] = [];
  const library = await ScenarioLibrary.open({
    builtIn: "/nonexistent",
    folder: folder.path,
    onBroken: (problems: readonly FileProblem[]) =>
      broken.push(...problems.map((problem) => formatProblem(problem).replace(`${folder.path}/`, ""))),
    ...options,
  });
  cleanups.push(() => library.close());
  const code = (name: string) => library.scenario(name)?.rules[0]?.words.replace("the error ", "");
  return { library, broken, code };
}

describe("the folder", () => {
  it("has one scenario for each file, with its name", async () => {
    const folder = new Folder();
    folder.save("one.yaml", answering("NOT_FOUND"));
    folder.save("two.yml", answering("FORBIDDEN"));
    folder.save("README.md", "no scenario");
    const { library, broken } = await open(folder);
    expect(library.all().map(({ name, origin }) => [name, origin])).toEqual([
      ["one", "folder"],
      ["two", "folder"],
    ]);
    expect(broken).toEqual([]);
  });

  it("takes precedence over the built-in scenarios, and uploaded ones over both", async () => {
    const folder = new Folder();
    folder.save("maintenance.yaml", answering("NOT_FOUND"));
    const { library, code } = await open(folder, { builtIn: builtInScenarios });
    expect([code("maintenance"), library.get("maintenance")?.origin]).toEqual(["NOT_FOUND", "folder"]);
    expect(library.get("hang")?.origin).toBe("built-in");
    await upload(library, "maintenance", answering("FORBIDDEN"));
    expect([code("maintenance"), library.get("maintenance")?.origin]).toEqual(["FORBIDDEN", "uploaded"]);
  });

  it("may be missing", async () => {
    const library = await ScenarioLibrary.open({ builtIn: "/nonexistent", folder: "/nonexistent/either" });
    cleanups.push(() => library.close());
    expect(library.all()).toEqual([]);
  });

  it.each([
    ["binary", Buffer.from([0x89, 0x50, 0x4e, 0x47, 0xff, 0xfe, 0x00]), ": This is not text in UTF-8."],
    ["5 MB", Buffer.alloc(5_000_000, 0x20), ": The file is larger than 131072 bytes."],
    ["empty", "", ":1:1: The key description is missing."],
  ])("reports a file that is %s, once", async (_name, content, message) => {
    const folder = new Folder();
    folder.save("bad.yaml", content);
    const { library, broken } = await open(folder);
    await library.reload();
    await library.reload();
    expect(broken).toEqual([`bad.yaml${message}`]);
    expect(library.scenario("bad")).toBeUndefined();
  });

  it("says once which files it ignores", async () => {
    const folder = new Folder();
    folder.save("my scenario.yaml", answering("NOT_FOUND"));
    folder.save("-dash.yaml", answering("NOT_FOUND"));
    folder.save("one.yaml", answering("NOT_FOUND"));
    folder.save("one.yml", answering("FORBIDDEN"));
    folder.save(".hidden.yaml", "not even looked at: [");
    mkdirSync(folder.file("folder.yaml"));
    const { library, broken, code } = await open(folder);
    await library.reload();
    expect(broken).toEqual([
      expect.stringMatching(/^-dash\.yaml: A scenario has the name of its file/),
      "folder.yaml: This is not a file.",
      expect.stringMatching(/^my scenario\.yaml: A scenario has the name of its file/),
      "one.yml: one.yaml gives the same name to a scenario; rename one of them.",
    ]);
    expect(library.all().map(({ name }) => name)).toEqual(["one"]);
    expect(code("one")).toBe("NOT_FOUND");
  });

  it("reads nothing outside it, wherever a link leads", async () => {
    const outside = new Folder();
    outside.save("secret.yaml", answering("NOT_FOUND"));
    outside.save("passwords.txt", "root:x:0:0\n");
    const folder = new Folder();
    folder.save("real.yaml", answering("FORBIDDEN"));
    symlinkSync(outside.file("secret.yaml"), folder.file("link.yaml"));
    symlinkSync(outside.file("passwords.txt"), folder.file("etc.yaml"));
    symlinkSync("/dev/zero", folder.file("endless.yaml"));
    symlinkSync(folder.file("nothing.yaml"), folder.file("dangling.yaml"));
    symlinkSync("real.yaml", folder.file("inside.yaml"));
    const { library, broken, code } = await open(folder);
    expect(library.all().map(({ name }) => name)).toEqual(["inside", "real"]);
    expect(code("inside")).toBe("FORBIDDEN");
    expect(broken).toEqual([
      "dangling.yaml: This is a link that leads nowhere.",
      ...["endless", "etc", "link"].map((name) => `${name}.yaml: This is a link that leads out of the folder.`),
    ]);
    expect(JSON.stringify(library.all())).not.toContain("root:x");
  });

  it("reports if it cannot be read, which is different from empty", async () => {
    const folder = new Folder();
    folder.save("file.yaml", answering("NOT_FOUND"));
    const { passedOver } = await readScenarioFolder(folder.file("file.yaml"));
    expect(passedOver.map(({ message }) => message)).toEqual([expect.stringContaining("ENOTDIR: not a directory")]);
    expect((await readScenarioFolder(folder.file("nothing"))).passedOver).toEqual([]);
  });

  it.each(["../../etc/passwd", "..", "", "a b", "-a", "x".repeat(65), "a\u0000b"])(
    "does not accept the name %j",
    async (name) => {
      const folder = new Folder();
      const { library } = await open(folder);
      expect(library.get(name)).toBeUndefined();
      await expect(upload(library, name, answering("NOT_FOUND"))).rejects.toThrow("is not a name of a scenario");
    },
  );
});

describe("a saved file", () => {
  it("takes effect if an editor replaces it", { tags: "slow" }, async () => {
    const folder = new Folder();
    folder.save("one.yaml", answering("NOT_FOUND"));
    const { code, broken } = await open(folder);
    folder.save("one.yaml~", answering("FORBIDDEN"));
    renameSync(folder.file("one.yaml~"), folder.file("one.yaml"));
    await eventually(() => code("one") === "FORBIDDEN");
    expect(broken).toEqual([]);
  });

  it("has no effect once it is deleted, and a built-in one is effective again", async () => {
    const folder = new Folder();
    folder.save("one.yaml", answering("NOT_FOUND"));
    folder.save("hang.yaml", answering("NOT_FOUND"));
    const { library } = await open(folder, { builtIn: builtInScenarios });
    unlinkSync(folder.file("one.yaml"));
    unlinkSync(folder.file("hang.yaml"));
    await eventually(() => library.get("one") === undefined && library.get("hang")?.origin === "built-in");
  });
});

describe("reading", () => {
  it("waits for the first request, and happens once", async () => {
    const folder = new Folder();
    folder.save("one.yaml", answering("NOT_FOUND"));
    const library = new ScenarioLibrary({ builtIn: "/nonexistent", folder: folder.path });
    cleanups.push(() => library.close());
    expect([library.isRead, library.all()]).toEqual([false, []]);
    await Promise.all([library.read(), library.read()]);
    expect([library.isRead, library.all().length]).toEqual([true, 1]);
  });

  it("does not watch once it is closed", async () => {
    const folder = new Folder();
    const library = new ScenarioLibrary({ builtIn: "/nonexistent", folder: folder.path });
    library.close();
    await library.read();
    folder.save("one.yaml", answering("NOT_FOUND"));
    expect(library.all()).toEqual([]);
  });
});

it("of two uploads with the same name, the later one is kept, whichever takes longer to check", async () => {
  const { library, code } = await open(new Folder());
  await Promise.all([
    upload(library, "same", `description: x\nrules:\n${"  - then: { error: NOT_FOUND }\n".repeat(500)}`),
    upload(library, "same", answering("FORBIDDEN")),
  ]);
  expect(code("same")).toBe("FORBIDDEN");
});

describe("an unknown name", () => {
  it("is answered with what lists all, if none is similar", async () => {
    const { library } = await open(new Folder(), { builtIn: builtInScenarios });
    expect(unknownScenarioMessage("zzzzzzzzzzzz", library)).toBe(
      'There is no scenario "zzzzzzzzzzzz"; payments-sandbox scenarios, or GET /scenarios of the admin API, lists all names.',
    );
  });
});

describe("the built-in scenarios", () => {
  it("are read once for all sandboxes in a process", async () => {
    const folder = new Folder();
    const open = () => ScenarioLibrary.open({ builtIn: builtInScenarios, folder: folder.path });
    const [one, other] = [await open(), await open()];
    cleanups.push(() => [one, other].map((library) => library.close()));
    for (const { name, scenario } of one.all()) expect(other.scenario(name)).toBe(scenario);
    expect(one.scenario("maintenance")).toBeDefined();
  });

  it("are read again if the text of a file has changed", async () => {
    const builtIn = new Folder();
    const code = async () => {
      const library = await ScenarioLibrary.open({ builtIn: builtIn.path, folder: undefined });
      return library.scenario("one")?.rules[0]?.words.replace("the error ", "");
    };
    builtIn.save("one.yaml", answering("NOT_FOUND"));
    expect(await code()).toBe("NOT_FOUND");
    builtIn.save("one.yaml", answering("FORBIDDEN"));
    expect(await code()).toBe("FORBIDDEN");
  });
});
