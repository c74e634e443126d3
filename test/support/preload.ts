// The files of a project share what they have loaded. A sandbox loads these when it first needs them, also in the
// background. If the file that started it ended meanwhile, loading would fail, for every later file as well. Vitest runs
// this for each file; the first of a process loads.
const loaded = Symbol.for("sandbox: what is loaded later is loaded");
if (!(loaded in globalThis)) {
  await import("../../src/base/yaml/parser.js");
  await import("../../src/exam/exam.js");
  await import("../../src/sandbox/pki/authority.js");
  await import("../../src/sandbox/pki/defective-server.js");
  await import("../../src/sandbox/pki/environment.js");
  await import("../../src/sandbox/pki/issue.js");
  await import("../../src/sandbox/pki/key-pool.js");
  await import("../../src/sandbox/pki/keys.js");
  await import("../../src/sandbox/pki/make.js");
  await import("../../src/sandbox/pki/pkcs12.js");
  await import("../../src/sandbox/pki/profiles.js");
  await import("../../src/sandbox/scenarios/compile.js");
  await import("../../src/sandbox/scenarios/schema.js");
  Object.assign(globalThis, { [loaded]: true });
}

export {};
