import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { settingFacts, settingNames, settingsFromEnvironment } from "../../src/sandbox/config/settings.js";
import { serverHostnames } from "../../src/sandbox/pki/hostnames.js";

// Checks without a container engine; `node scripts/check-container.mjs` checks running containers.
const read = (name: string) => readFileSync(fileURLToPath(new URL(`../../${name}`, import.meta.url)), "utf8");

const text = read("docker-compose.yml");
// biome-ignore lint/suspicious/noExplicitAny: the tests check the shape of the file
const compose: any = parse(text, { strict: true, uniqueKeys: true });
const { sandbox, test } = compose.services;
const dockerfile = read("Dockerfile");

/** The options of Node in `npm start`. */

/** How the compose file takes a variable from the shell or `.env`. */
const taken = (variable: string, otherwise: string) => `\${${variable}:-${otherwise}}`;

/** The same in every container, with what determines the value instead. */
const fixed: Readonly<Record<string, { value: string; because: string }>> = {
  SANDBOX_HOST: { value: "0.0.0.0", because: "ports are published on the host's loopback" },
  SANDBOX_ADMIN_HOST: { value: "0.0.0.0", because: "ports are published on the host's loopback" },
  SANDBOX_PORT: { value: "8443", because: "SANDBOX_PORT_ON_HOST" },
  SANDBOX_ADMIN_PORT: { value: "8090", because: "SANDBOX_ADMIN_PORT_ON_HOST" },
  SANDBOX_CERTS: { value: "/certs", because: "./certs is mounted there" },
  SANDBOX_HOST_CERTS: { value: `${taken("PWD", ".")}/certs`, because: "./certs is mounted" },
  SANDBOX_PUBLIC_URL: {
    value: `https://localhost:${taken("SANDBOX_PORT_ON_HOST", "8443")}`,
    because: "SANDBOX_PORT_ON_HOST",
  },
  SANDBOX_SCENARIOS: { value: "/scenarios", because: "on the host, the variable is the folder that is mounted" },
  SANDBOX_CONFIG: { value: "/app/sandbox.yaml", because: "on the host, the variable is the file that is mounted" },
};

const imageVariables = Object.fromEntries(
  [...dockerfile.matchAll(/\b(SANDBOX_[A-Z_]+)=(\S+)/g)].map(([, name, value]) => [name, value]),
);
/** This is a single sandbox. Those of deploy/compose share their state. */
const variables = settingNames.filter((name) => !name.startsWith("shared")).map((name) => settingFacts(name).variable);

/** Taken from the shell or `.env`, with the default of each. */
const passed: Readonly<Record<string, string>> = {
  ...Object.fromEntries(variables.filter((variable) => !(variable in fixed)).map((variable) => [variable, ""])),
  SANDBOX_ADMIN_AUTH: "none",
  SANDBOX_DEFECT_PORTS: "8444-8446",
};

describe("every setting has its place in the container", () => {
  it.each(variables)("%s is passed through, or fixed for a reason", (variable) => {
    const inContainer = sandbox.environment[variable] ?? imageVariables[variable];
    const line = taken(variable, passed[variable] ?? "");
    if (variable in fixed) expect(inContainer).toBe(fixed[variable]?.value);
    else expect(inContainer, `docker-compose.yml needs the line ${variable}: ${line}`).toBe(line);
  });

  it("publishes every port on the host's loopback", () => {
    const replicas = parse(read("deploy/compose/compose.yaml"), { strict: true, uniqueKeys: true });
    for (const { services } of [compose, replicas]) {
      const ports = Object.values<{ ports?: string[] }>(services).flatMap(({ ports = [] }) => ports);
      expect(ports.length).toBeGreaterThanOrEqual(2);
      for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:/);
    }
  });

  it("no other variable is passed to it", () => {
    const given = [...Object.keys(sandbox.environment), ...Object.keys(imageVariables)];
    expect([...new Set(given)].sort()).toEqual([...variables].sort());
  });

  it("a variable that is not set in the shell counts as unset in the container", () => {
    expect(settingsFromEnvironment(passed)).toEqual({ adminAuth: "none", defectPorts: "8444-8446" });
  });

  it("the shell's SANDBOX_SCENARIOS and SANDBOX_CONFIG choose what is mounted, read-only", () => {
    const mounts = Object.fromEntries(
      sandbox.volumes.slice(1).map(({ target, ...mount }: { target: string }) => [target, mount]),
    );
    const bind = (source: string) => ({ type: "bind", source, read_only: true });
    expect(sandbox.volumes[0]).toBe("./certs:/certs");
    expect(mounts).toEqual({
      "/scenarios": bind(taken("SANDBOX_SCENARIOS", "./scenarios")),
      "/app/sandbox.yaml": bind(taken("SANDBOX_CONFIG", "./sandbox.yaml")),
    });
  });

  it("the defect ports have the same numbers on the host and in the container, because their URLs are in client.env", () => {
    const ports = taken("SANDBOX_DEFECT_PORTS", "8444-8446");
    expect(sandbox.ports).toContain(`127.0.0.1:${ports}:${ports}`);
  });

  it("no interpolation is nested or uses :+, because an old docker-compose cannot read that", () => {
    for (const [expression] of text.matchAll(/\$\{[^}]*\}/g)) {
      expect(expression).toMatch(/^\$\{[A-Z_]+:-[^${}]*\}$/);
    }
  });
});

describe("the sandbox's container", () => {
  it("has only the permissions that it needs", () => {
    expect(sandbox).toMatchObject({
      read_only: true,
      cap_drop: ["ALL"],
      cap_add: ["SETUID", "SETGID"],
      security_opt: ["no-new-privileges:true"],
    });
    expect(sandbox.privileged).toBeUndefined();
    // An init process that runs as root without KILL cannot pass SIGTERM on to a sandbox of another user.
    expect(sandbox.init).toBeUndefined();
    for (const port of sandbox.ports) expect(port).toMatch(/^127\.0\.0\.1:/);
    expect(test).toMatchObject({ read_only: true, cap_drop: ["ALL"], security_opt: ["no-new-privileges:true"] });
    expect(test.cap_add).toBeUndefined();
  });

  it("starts Node without options", () => {
    const entrypoint = /^ENTRYPOINT (\[.*\])$/m.exec(dockerfile)?.[1] ?? "";
    expect(JSON.parse(entrypoint)).toEqual(["sh", "/app/entrypoint.sh", "node", "/app/dist/container.js"]);
  });

  it("has production files only, with any build arguments, and is the default target", () => {
    const stages = dockerfile.split(/^FROM /m).slice(1);
    const production = stages.find((stage) => / AS sandbox\n/.test(stage)) ?? "";
    expect([...production.matchAll(/^COPY (.+)$/gm)].map(([, what]) => what)).toEqual([
      "package.json LICENSE ./",
      "scenarios scenarios",
      "scripts/container/entrypoint.sh ./",
      "--from=build /app/dist dist",
    ]);
    expect(stages.at(-1)?.trim()).toBe("sandbox");
    expect([sandbox.build.target, test.build.target]).toEqual(["sandbox", "test"]);
  });
});

describe("`docker compose run --rm test`", () => {
  it("is not started by a plain `up`, and waits for a healthy sandbox", () => {
    expect(test.profiles).toEqual(["test"]);
    expect(sandbox.profiles).toBeUndefined();
    expect(test.depends_on).toEqual({ sandbox: { condition: "service_healthy" } });
  });

  it("reaches the sandbox by a name of its server certificate", () => {
    const host = /:-https:\/\/([^:]+):8443\}$/.exec(test.environment.SANDBOX_URL)?.[1];
    expect(host).toBe("sandbox");
    expect(serverHostnames([])).toContain(host);
    expect(sandbox.networks.default.aliases).toContain(host);
  });

  it("does not use the addresses of a shell that has read client.env", () => {
    expect(test.environment.SANDBOX_URL).toMatch(/^\$\{SANDBOX_TEST_URL:-/);
    expect(test.environment.SANDBOX_ADMIN_URL).toMatch(/^\$\{SANDBOX_TEST_ADMIN_URL:-/);
  });
});

it("the build's context has only what a stage copies", () => {
  const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, files = ""]) => files.split(" "));
  const allowed = read(".dockerignore")
    .split("\n")
    .filter((line) => line.startsWith("!"))
    .map((line) => line.slice(1));
  const uncovered = copied.filter((file) => !allowed.some((each) => file === each || file.startsWith(`${each}/`)));
  expect(uncovered).toEqual([]);
  expect(allowed.filter((each) => !copied.some((file) => file === each || file.startsWith(`${each}/`)))).toEqual([]);
});

it.each(["sandbox", "test"])("the image's user can read what a clone with the umask 077 has: %s", (target) => {
  const [, stage = ""] = dockerfile.split(new RegExp(`^FROM \\S+ AS ${target}$`, "m"));
  const [own = ""] = stage.split(/^FROM /m);
  const steps = [...own.matchAll(/^(COPY (?!--from)|RUN chmod -R a\+rX \.? ?)/gm)].map(([step]) => step.trim());
  expect(steps.length).toBeGreaterThan(1);
  expect(steps.at(-1)).toMatch(/^RUN chmod/);
});
