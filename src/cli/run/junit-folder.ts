import { chmod, mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { readRegularFile, unreadableBecause, utf8Text } from "../../base/files/regular-file.js";
import { quote } from "../../base/text/printable.js";
import type { TestResults } from "../../report/told-tests.js";
import { redactPrinted } from "../../sandbox/journal/redact.js";

/** Most bytes of all files of a run, and most files. */
const most = { bytes: 16_777_216, files: 200 } as const;

/** What the runner of a command told of its tests. */
export interface RunTests {
  readonly results: TestResults;
  /** Why files could not be used: sentences. */
  readonly problems: readonly string[];
}

/** The folder in which a command may write JUnit XML (docs/guide/explore.md). Each run has a new one. */
export class JunitFolder {
  private constructor(private readonly path: string) {}

  /**
   * Creates an empty folder that only this user can read.
   * @param path in a folder that is removed afterwards
   */
  static async create(path: string): Promise<JunitFolder> {
    await mkdir(path, { mode: 0o700 });
    return new JunitFolder(path);
  }

  /** For the environment of the command. */
  get variables(): Readonly<Record<string, string>> {
    return { SANDBOX_JUNIT: join(this.path, "junit.xml") };
  }

  /**
   * Reads every `*.xml` of the folder. The command has ended, and may have put anything there. Links are not followed.
   * Of a test that is in several files, one that failed decides.
   */
  async read(): Promise<RunTests> {
    const results = new Map<string, string | null>();
    const problems: string[] = [];
    // The command may have removed the folder.
    const entries = await readdir(this.path, { withFileTypes: true }).catch(() => []);
    const files = entries.filter(({ name }) => name.toLowerCase().endsWith(".xml"));
    files.sort((one, other) => (one.name < other.name ? -1 : 1));
    if (files.length > most.files)
      problems.push(`Of ${files.length} files with JUnit XML, only ${most.files} were read.`);
    let left: number = most.bytes;
    for (const file of files.slice(0, most.files)) {
      const { name } = file;
      try {
        if (!file.isFile()) throw new Error("it is not a regular file");
        const bytes = await readRegularFile(join(this.path, name), left);
        left -= bytes.length;
        // A run without such files does not load the parser.
        const { testsIn } = await import("../../report/junit-tests.js");
        for (const [test, message] of await testsIn(utf8Text(bytes)))
          results.set(test, message ?? results.get(test) ?? null);
      } catch (error) {
        problems.push(`The JUnit file ${quote(redactPrinted(name))} cannot be used: ${unreadableBecause(error)}.`);
      }
    }
    return { results, problems };
  }

  /** Removes the folder, which the command may have closed or removed. */
  async remove(): Promise<void> {
    await chmod(this.path, 0o700).catch(() => {});
    await rm(this.path, { recursive: true, force: true });
  }
}
