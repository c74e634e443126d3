/** A path that a document names although the repository does not have it. */
export interface PathElsewhere {
  readonly page: string;
  readonly path: string;
  readonly reason: string;
}

/** A test fails if one of them is no longer named, or exists. */
export const notHere: readonly PathElsewhere[] = [
  {
    page: "docs/releasing.md",
    path: "business-payments-sandbox-VERSION-image.sh",
    reason: "`npm run release` makes it in dist-release/",
  },
];

/** A command that no test runs. */
export interface NotRun {
  readonly page: string;
  /** The whole command. */
  readonly command: string;
  readonly reason: string;
}

const recipe = "`npm run test:examples` runs it under two dozen scenarios";
const ofTheWholeRepository = "it builds or tests the whole repository, as CI does";

/** A test fails if a document no longer has one of them. */
export const notRun: readonly NotRun[] = [
  {
    page: "README.md",
    command: "docker compose up",
    reason: "it needs a container engine; scripts/check-container.mjs",
  },
  {
    page: "README.md",
    command: "npx --no-install payments-sandbox exam --report report.html -- node client.mjs",
    reason: "the program is the reader's; test/cli/run/exam.night.test.ts runs an exam with one",
  },
  ...["README.md", "docs/guide/ci.md"].map((page) => ({
    page,
    command: "cp CLONE/business-payments-sandbox.tgz . && npm install --save-dev ./business-payments-sandbox.tgz",
    reason: "the project is the reader's; test/package/packed.slow.test.ts installs in this way",
  })),
  {
    page: "docs/guide/exam.md",
    command: "npx --no-install payments-sandbox exam --report report.html -- node client.mjs",
    reason: "it takes a minute; `npm run test:examples` runs the exam of this program",
  },
  {
    page: "docs/guide/agents.md",
    command: "claude mcp add payments-sandbox -- npx --no-install payments-sandbox mcp",
    reason: "it changes the settings of the reader's agent; test/cli/mcp starts the server",
  },
  ...["start", "run"].map((verb) => ({
    page: "docs/guide/explore.md",
    command: `payments-sandbox ${verb} --scenarios DIR --scenario ping.hang${verb === "run" ? " -- node client.mjs" : ""}`,
    reason: "the folder is one that --keep has written for the reader",
  })),
  {
    page: "docs/guide/tests.md",
    command: "npx --no-install payments-sandbox open kept",
    reason: "it serves until it is stopped; test/cli/run/keep.test.ts opens kept runs",
  },
  {
    page: "docs/guide/lists.md",
    command: "payments-sandbox import openapi.yaml",
    reason: "the document is the reader's; test/cli/import.test.ts imports one",
  },
  ...[
    "npm version --no-git-tag-version 1.0.0",
    "npm run test:all",
    "npm run release",
    "git tag --sign v1.0.0 && git push origin v1.0.0",
    "npm run release -- --publish",
    "sh dist-release/business-payments-sandbox-1.0.0-image.sh REGISTRY",
  ].map((command) => ({
    page: "docs/releasing.md",
    command,
    reason: "it needs the rights of a maintainer; test/package/release.night.test.ts prepares a release",
  })),
  { page: "CONTRIBUTING.md", command: "npm ci && npm test", reason: ofTheWholeRepository },
  ...[
    " -- --seconds 600",
    " -- --seed 17 --surface faults",
    " -- --seed 17 --surface faults --first 1234 --count 1",
  ].map((flags) => ({
    page: "CONTRIBUTING.md",
    command: `npm run fuzz${flags}`,
    reason: "it puts a load on the machine; test/fuzz has tests of its parts",
  })),
  ...[
    "npx --no-install payments-sandbox calibrate --url https://test.bank.example/business --client-id my-integration --ca bank-ca.pem --cert client.pem --key client.key --list /v1/payments",
    "npx --no-install payments-sandbox calibrate --check --yes --url https://test.bank.example/business --client-id my-integration --ca bank-ca.pem --cert client.pem --key client.key",
  ].map((command) => ({
    page: "docs/guide/lists.md",
    command,
    reason: "it is about a service of the reader; test/imitate/calibrate has its own services",
  })),
  {
    page: "docs/shared.md",
    command:
      "payments-sandbox start --shared redis://redis.internal:6379/0 --certs /certs --public-url https://sandbox.internal:8443 --hostname sandbox.internal",
    reason: "the Redis is the reader's; test/replicas starts replicas with one",
  },
  { page: "examples/go/README.md", command: "go run .", reason: `it compiles for a while; ${recipe}` },
  {
    page: "examples/java/README.md",
    command: "javac -d classes *.java && java -cp classes Main",
    reason: `it needs a JDK; ${recipe}`,
  },
  ...["node-undici", "openid-client", "oauth4webapi"].map((name) => ({
    page: `examples/${name}/README.md`,
    command: "npm install && node main.mjs",
    reason: `it installs packages; ${recipe}`,
  })),
  ...[
    "NODE_OPTIONS=--experimental-vm-modules npx jest --config jest.modules.json",
    "npx jest --config jest.commonjs.json",
  ].map((command) => ({
    page: "examples/jest/README.md",
    command: `npm install --no-save ../../business-payments-sandbox.tgz && ${command}`,
    reason: "it installs Jest; test/package/jest.night.test.ts",
  })),
];

/**
 * Names in the prose that the sandbox does not have: flags of another program, a route that is still to be written. A
 * test fails if one of them is no longer named.
 */
export const notOurs: readonly NotRun[] = [
  ...["npm audit signatures", "npm version --no-git-tag-version 1.0.0"].map((command) => ({
    page: "docs/releasing.md",
    command,
    reason: "a verb of npm itself",
  })),
  ...["README.md", "docs/guide/ci.md"].map((page) => ({
    page,
    command: "npm install --save-dev business-payments-sandbox",
    reason: "it is for the time when a registry has the package",
  })),
  { page: "README.md", command: "node CLONE/dist/cli.js exam -- pytest", reason: "CLONE is the reader's" },
  { page: "docs/guide/ci.md", command: "node CLONE/dist/cli.js run -- pytest", reason: "CLONE is the reader's" },
  { page: "examples/README.md", command: "--no-install", reason: "npx has it" },
  { page: "docs/edge.md", command: "--inspect", reason: "Node has it" },
  {
    page: "docs/guide/ci.md",
    command: "--cert certs\\clients\\demo\\client.p12:sandbox --cert-type P12",
    reason: "curl has it, on Windows",
  },
  { page: "examples/jest/README.md", command: "--experimental-vm-modules", reason: "Node has it" },
];
