// What the single executable runs. Node 20 can start only one CommonJS script from an executable, and the package
// consists of modules. So the executable carries the package's files, and writes them once into a folder of the user's.
const { randomUUID } = require("node:crypto");
const { lstatSync, mkdirSync, renameSync, rmSync, statSync, writeFileSync } = require("node:fs");
const { createRequire } = require("node:module");
const { homedir, tmpdir, userInfo } = require("node:os");
const { dirname, join } = require("node:path");
const { getAsset } = require("node:sea");

/** The files with their sizes, and a digest of all that they contain. */
const { digest, sizes } = JSON.parse(getAsset("contents.json", "utf8"));

/** Where the files may be, the best place first. */
function places() {
  const found = [];
  const cache = process.env.XDG_CACHE_HOME || process.env.LOCALAPPDATA;
  if (cache) found.push(join(cache, "payments-sandbox"));
  try {
    found.push(join(homedir(), ".cache", "payments-sandbox"));
  } catch {
    // A user without an entry in the system's list, as in a container.
  }
  found.push(join(tmpdir(), `payments-sandbox-${process.getuid?.() ?? userInfo().username}`));
  return found;
}

/** Makes a folder that nobody else can write to: what is in it is run. */
function privateFolder(folder) {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (process.getuid === undefined) return;
  const found = lstatSync(folder);
  const { uid, mode } = found;
  if (!found.isDirectory()) throw new Error(`${folder} is not a folder`);
  if (uid !== process.getuid()) throw new Error(`${folder} belongs to another user`);
  if (mode & 0o022) throw new Error(`${folder} can be written by others`);
}

/** A system removes old files of its temporary folder one by one. */
function isComplete(folder) {
  return Object.entries(sizes).every(
    ([name, size]) => statSync(join(folder, name), { throwIfNoEntry: false })?.size === size,
  );
}

/** Another process may put the same folder there, and use it already: it then stays. */
function putInPlace(fresh, folder) {
  try {
    renameSync(fresh, folder);
  } catch (error) {
    if (isComplete(folder)) return;
    if (statSync(folder, { throwIfNoEntry: false }) === undefined) throw error;
    const broken = `${fresh}-broken`;
    renameSync(folder, broken);
    renameSync(fresh, folder);
    rmSync(broken, { recursive: true, force: true });
  }
}

/** @returns the folder with the package's files */
function unpacked(place) {
  privateFolder(place);
  const folder = join(place, digest);
  if (isComplete(folder)) return folder;
  const fresh = join(place, `${digest}-${randomUUID()}`);
  try {
    for (const name of Object.keys(sizes)) {
      mkdirSync(dirname(join(fresh, name)), { recursive: true, mode: 0o700 });
      writeFileSync(join(fresh, name), Buffer.from(getAsset(name)), { mode: 0o600 });
    }
    putInPlace(fresh, folder);
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
  return folder;
}

function firstUsable() {
  const problems = [];
  for (const place of places()) {
    try {
      return unpacked(place);
    } catch (error) {
      problems.push(error.message);
    }
  }
  process.stderr.write(
    `payments-sandbox: Its files cannot be unpacked: ${problems.join("; ")}. XDG_CACHE_HOME names a folder for them.\n`,
  );
  process.exit(1);
}

const command = join(firstUsable(), "dist", "cli.js");
// Node puts the executable in the place of the script. The command starts itself with its script, as with Node.
if (process.argv[2] === command) process.argv.splice(2, 1);
process.argv[1] = command;
createRequire(command)("../start.cjs");
