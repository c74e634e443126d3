// The client recipes: the programs that each needs, how it is prepared in its own folder, and the command that runs it.
import { execFileSync } from "node:child_process";
import { cpSync } from "node:fs";
import { join } from "node:path";

/** The packages of a recipe, at the versions that its own package.json names. */
export function installPackages(folder) {
  const npm = process.platform === "win32" ? "npm.cmd" : "npm";
  const quiet = ["--ignore-scripts", "--no-audit", "--no-fund", "--no-package-lock", "--loglevel", "error"];
  execFileSync(npm, ["install", ...quiet], { cwd: folder, stdio: ["ignore", "ignore", "inherit"] });
}

const withNode = { needs: [], prepare: () => [process.execPath, "main.mjs"] };

const withPackages = {
  needs: [],
  prepare(folder) {
    installPackages(folder);
    return [process.execPath, "main.mjs"];
  },
};

/** The programs of docs/guide/exam.md. They are made for the exam, and take the whole of it. */
const ofExam = { folder: "exam", isForExam: true };

export const recipes = {
  "exam-node": { ...ofExam, needs: [], prepare: () => [process.execPath, "client.mjs"] },
  "exam-python": {
    ...ofExam,
    needs: [["python3", "--version"]],
    prepare: () => ["python3", "-B", "client.py"],
  },
  curl: {
    needs: [
      ["bash", "--version"],
      ["curl", "--version"],
      ["jq", "--version"],
    ],
    // curl starts a process for each request.
    ignores: ["tls.reuse"],
    speaksHttp2: true,
    prepare: () => ["bash", "client.sh"],
  },
  "node-https": withNode,
  "node-undici": { ...withPackages, speaksHttp2: true },
  "openid-client": withPackages,
  oauth4webapi: withPackages,
  python: {
    needs: [["python3", "--version"]],
    prepare: () => ["python3", "-B", "main.py"],
  },
  ruby: {
    needs: [["ruby", "--version"]],
    prepare: () => ["ruby", "main.rb"],
  },
  php: {
    needs: [["php", "-r", 'echo "PHP ", PHP_VERSION, " with curl ", curl_version()["version"];']],
    called: "php with its curl extension",
    speaksHttp2: true,
    prepare: () => ["php", "main.php"],
  },
  java: {
    needs: [
      ["javac", "--version"],
      ["java", "--version"],
    ],
    speaksHttp2: true,
    prepare(folder) {
      const sources = ["ApiException.java", "Json.java", "Main.java", "PaymentsClient.java"];
      execFileSync("javac", ["-Xlint:all", "-Werror", "-d", "classes", ...sources], { cwd: folder, stdio: "inherit" });
      return ["java", "-cp", "classes", "Main"];
    },
  },
  go: {
    needs: [["go", "version"]],
    speaksHttp2: true,
    prepare(folder) {
      execFileSync("go", ["vet", "./..."], { cwd: folder, stdio: "inherit" });
      execFileSync("go", ["build", "-o", "client", "."], { cwd: folder, stdio: "inherit" });
      return [join(folder, "client")];
    },
  },
};

/** The recipes that need only Node.js, and print what the cases expect. */
export const nodeRecipes = Object.keys(recipes).filter(
  (name) => recipes[name].needs.length === 0 && !recipes[name].isForExam,
);

/** The first words of a program's version text; undefined if it is not installed. */
export function versionOf([program, ...args]) {
  try {
    return execFileSync(program, args, { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] })
      .trim()
      .split(/\n|, v| \(/, 1)[0];
  } catch {
    return undefined;
  }
}

/** Copies a recipe, and returns the command that runs it there. */
export function prepare(name, examples, work) {
  const folder = join(work, name);
  cpSync(join(examples, recipes[name].folder ?? name), folder, { recursive: true });
  return { folder, command: recipes[name].prepare(folder) };
}
