import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { resolveConfiguration } from "../../../src/sandbox/config/resolve.js";
import type { ValueKinds } from "../../../src/sandbox/config/setting-kinds.js";
import {
  flagName,
  readSetting,
  type SettingName,
  settingFacts,
  settingNames,
  settingsFromEnvironment,
} from "../../../src/sandbox/config/settings.js";
import { configured, folderWith } from "./configuration.js";

/** Three valid values: of a flag, a variable and a file. */
type Values = readonly [flag: unknown, variable: string, file: unknown];

/** Those of a setting whose kind permits more than it does. */
const special: { readonly [Name in SettingName]?: Values } = {
  host: ["127.0.0.1", "127.0.0.2", "127.0.0.3"],
  publicUrl: ["https://a.test", "https://b.test", "https://c.test"],
  basePath: ["/a", "/b", "/c"],
  scenarios: ["one", "two", "three"],
  otlp: ["http://a/v1/traces", "http://b/v1/traces", "http://c/v1/traces"],
};

const ofKind: Readonly<Record<keyof ValueKinds, Values>> = {
  port: [1001, "1002", 1003],
  "defect ports": [9444, "9450-9452", 9460],
  text: ["a", "b", "c"],
  path: ["a", "b", "c"],
  seed: ["a", "b", "c"],
  "idle time": ["1s", "2s", "3s"],
  streams: [1, "2", 3],
  megabytes: [1, "2", 3],
  list: [["a.test"], "b.test,c.test", ["d.test"]],
  protocols: [["h2"], "http/1.1", ["http/1.1", "h2"]],
  switch: [true, "false", true],
};

/** Another value than the default comes first, and from a file as well. */
function valuesOf(name: SettingName): Values {
  const { kind, default: usual } = settingFacts(name);
  if (typeof kind === "string") return special[name] ?? ofKind[kind];
  const [first = "", second = ""] = kind.toSorted((one, other) => Number(one === usual) - Number(other === usual));
  return [first, second, first];
}

const row = (first: number, count: number) => Array.from({ length: count }, (_, index) => first + index);

/** Three ports: from a first one on, or a range. */
const expectedPorts = (value: unknown) => row(Number.parseInt(String(value), 10), 3);

/** An object with a value at a key; a dot in the key means a nested object. */
function nested(key: string, value: unknown): object {
  return Object.fromEntries([
    [key.split(".")[0], key.includes(".") ? nested(key.slice(key.indexOf(".") + 1), value) : value],
  ]);
}

/** Those of which the configuration has a list, because by default there are two. */
const isHost = (name: SettingName): name is "host" | "adminHost" => name === "host" || name === "adminHost";

function isOfFiles(
  name: SettingName,
): name is `shared${"Ca" | "Cert" | "Key"}` | `server${"Certificate" | "Key" | "Chain"}` {
  return name.startsWith("shared") || name.startsWith("server");
}

describe("every setting", () => {
  // Those of Redis and of the server are tested in shared.test.ts and server-files.test.ts: each is one part of the configuration.
  it.each(settingNames.filter((name) => name !== "config" && name !== "freshCerts" && !isOfFiles(name)))(
    "%s: flag, variable, file, default, in this order",
    async (name) => {
      const [flag, variable, file] = valuesOf(name);
      const { variable: variableName, key } = settingFacts(name);
      const folder = folderWith({
        "sandbox.yaml": JSON.stringify(nested(key ?? "", file)),
        "one/x": "",
        "two/x": "",
        "three/x": "",
      });
      const read = async (flags: object, environment: Record<string, string>) =>
        (await resolveConfiguration(flags, environment, folder))[isHost(name) ? (`${name}s` as const) : name];
      const expected = (value: unknown) => {
        if (isHost(name)) return [value];
        if (name === "defectPorts") return expectedPorts(value);
        if (name === "certs" || name === "scenarios" || name === "keep") return join(folder, String(value));
        return value;
      };
      const parsed = readSetting(name, variable, variableName);
      expect(await read({ [name]: flag }, { [variableName]: variable })).toEqual(expected(flag));
      expect(await read({}, { [variableName]: variable })).toEqual(expected(parsed));
      expect(await read({ [name]: undefined }, { [variableName]: "" })).toEqual(expected(file));
    },
  );

  it("has its own flag, variable and key, in one style", () => {
    const facts = settingNames.map(settingFacts);
    expect(new Set(facts.map(({ flag }) => flag)).size).toBe(facts.length);
    expect(new Set(facts.map(({ variable }) => variable)).size).toBe(facts.length);
    for (const name of settingNames) {
      expect(flagName(name)).toMatch(/^--[a-z]+(-[a-z]+)*$/);
      expect(settingFacts(name).variable).toBe(`SANDBOX_${flagName(name).slice(2).replaceAll("-", "_").toUpperCase()}`);
    }
  });

  it("has a default that needs no file", async () => {
    const folder = folderWith({});
    expect(await resolveConfiguration({}, {}, folder)).toMatchObject({
      port: 8443,
      adminPort: 8090,
      hosts: ["127.0.0.1", "::1"],
      adminHosts: ["127.0.0.1", "::1"],
      adminAuth: "auto",
      adminToken: undefined,
      certs: join(folder, "certs"),
      hostCerts: join(folder, "certs"),
      publicUrl: undefined,
      basePath: "",
      hostnames: [],
      keyType: undefined,
      freshCerts: false,
      scenario: undefined,
      // It need not exist.
      scenarios: join(folder, "scenarios"),
      seed: undefined,
      file: undefined,
      tls: { clientCertificate: "request", clientCa: [] },
      clients: [],
    });
  });
});

describe("the defect ports", () => {
  it.each([
    [{ defectPorts: true }, {}, row(8444, 3)],
    [{ defectPorts: 0 }, {}, [0, 0, 0]],
    [{ defectPorts: false }, { SANDBOX_DEFECT_PORTS: "9000" }, []],
    [{}, { SANDBOX_DEFECT_PORTS: "on" }, row(8444, 3)],
    [{}, { SANDBOX_DEFECT_PORTS: "9000-9002" }, row(9000, 3)],
    [{}, { SANDBOX_DEFECT_PORTS: "9000-9010" }, row(9000, 11)],
    [{}, { SANDBOX_DEFECT_PORTS: "all" }, Array(11).fill(0)],
    [{}, {}, []],
  ])("%j %j: %j", async (flags, environment, ports) => {
    expect((await resolveConfiguration(flags, environment, folderWith({}))).defectPorts).toEqual(ports);
  });

  it.each(["9000-9001", "9000-9011", "9010-9000", "0-2", "65530-65540"])("%s is no range of them", async (range) => {
    const failure = resolveConfiguration({}, { SANDBOX_DEFECT_PORTS: range }, folderWith({}));
    await expect(failure).rejects.toThrow(
      `SANDBOX_DEFECT_PORTS is "${range}"; give true, false, all, the first of three ports, from 0 to 65533, or a range of 3 to 11 ports, such as 8444-8446 or 8444-8454.`,
    );
  });
});

describe("paths", () => {
  it("of flags and variables are relative to the current folder, those of the file to the file", async () => {
    const folder = folderWith({ "deep/own.yaml": "certs: keys\nscenarios: ours\n", "deep/ours/x": "", "mine/x": "" });
    const fromFile = await resolveConfiguration({ config: "deep/own.yaml" }, {}, folder);
    expect([fromFile.certs, fromFile.scenarios]).toEqual([join(folder, "deep/keys"), join(folder, "deep/ours")]);
    const fromFlag = await resolveConfiguration(
      { config: "deep/own.yaml", scenarios: "mine" },
      { SANDBOX_CERTS: "k" },
      folder,
    );
    expect([fromFlag.certs, fromFlag.scenarios]).toEqual([join(folder, "k"), join(folder, "mine")]);
  });

  it("hostCerts is the path of the folder on the host, and is unchanged", async () => {
    expect((await configured("hostCerts: C:\\Users\\x\\certs\n")).hostCerts).toBe("C:\\Users\\x\\certs");
  });

  it("the default folder of scenarios is optional, and a configured one must exist", async () => {
    const folder = folderWith({ "scenarios/x.yaml": "" });
    expect((await resolveConfiguration({}, {}, folder)).scenarios).toBe(join(folder, "scenarios"));
    await expect(resolveConfiguration({ scenarios: "nowhere" }, {}, folder)).rejects.toThrow(
      /no folder of scenarios .*nowhere/,
    );
  });
});

describe("invalid texts for a setting", () => {
  it.each<[SettingName, string]>([
    ["port", "abc"],
    ["port", "65536"],
    ["port", "8443x"],
    ["port", ""],
    ["adminAuth", "yes"],
    ["keyType", "RSA"],
    ["logFormat", "xml"],
    ["freshCerts", "maybe"],
    ["defectPorts", "65534"],
    ["defectPorts", "8444-"],
    ["defectPorts", "8444,8445,8446"],
    ["defectPorts", "maybe"],
    ["host", ""],
    ["adminToken", "  "],
    ["hostnames", ""],
  ])("%s: %j", (name, text) => {
    expect(() => readSetting(name, text, flagName(name))).toThrow(
      expect.objectContaining({
        name: "SettingError",
        message: expect.stringContaining(`${flagName(name)} is "${text}"`),
      }),
    );
  });

  it.each([
    ["1", true],
    ["yes", true],
    ["false", false],
    ["off", false],
  ])("a switch can be written %s", (text, value) => {
    expect(readSetting("freshCerts", text, "x")).toBe(value);
  });

  it("a list is separated by commas, and spaces are ignored", () => {
    expect(readSetting("hostnames", " a.test, b.test ,,", "x")).toEqual(["a.test", "b.test"]);
  });

  it("an empty variable counts as unset", () => {
    expect(settingsFromEnvironment({ SANDBOX_PORT: "", SANDBOX_HOST: undefined })).toEqual({});
  });

  it.each(["http://localhost", "localhost:8443", "https://localhost/v1", "https://localhost?x", "ftp://x", "https://"])(
    "the public URL %s",
    async (publicUrl) => {
      await expect(resolveConfiguration({ publicUrl }, {}, folderWith({}))).rejects.toThrow(/must have the form https/);
    },
  );

  it("a public URL is normalised: without a slash at its end and without the default port", async () => {
    const { publicUrl } = await resolveConfiguration({ publicUrl: "https://Sandbox.test:443/" }, {}, folderWith({}));
    expect(publicUrl).toBe("https://sandbox.test");
  });

  it.each([
    [{ basePath: "foo" }, {}, "--base-path: The base path"],
    [{ basePath: "/foo//" }, {}, "--base-path: The base path"],
    [{ basePath: "/\u202e" }, {}, String.raw`The base path "/\u202e" has "\u202e": it may have`],
    [{ basePath: "/{\u202e}" }, {}, String.raw`The base path "/{\u202e}" has {\u{202e}}: a parameter's name`],
    [{}, { SANDBOX_BASE_PATH: "foo" }, "SANDBOX_BASE_PATH: The base path"],
    [{}, { SANDBOX_PUBLIC_URL: "x" }, "SANDBOX_PUBLIC_URL: The public URL"],
    [{}, { SANDBOX_SCENARIOS: "none" }, "SANDBOX_SCENARIOS: There is no folder"],
    [{}, { SANDBOX_CONFIG: "none" }, "SANDBOX_CONFIG: There is no configuration file"],
    [{ config: "none" }, { SANDBOX_CONFIG: "other" }, "--config: There is no configuration file"],
  ])("%j and %j: the message begins with the source", async (flags, environment, message) => {
    await expect(resolveConfiguration(flags, environment, folderWith({}))).rejects.toThrow(message);
  });

  it.each([
    [{ port: 19_000, adminPort: 19_000 }, "--admin-port: The port 19000 is the admin port, and that of the API."],
    [{ port: 19_004, defectPorts: "19000-19004" }, "--defect-ports: The port 19004 is that of the API, and one of"],
    [{ port: 19_002, defectPorts: 19_000 }, "--defect-ports: The port 19002 is that of the API, and one of the defect"],
    [
      { adminPort: 19_001, defectPorts: 19_000 },
      "--admin-port: The port 19001 is the admin port, and one of the defect",
    ],
    [{ adminPort: 8443 }, "--admin-port: The port 8443 is the admin port, and that of the API."],
  ])("%j: one port for two purposes", async (flags, message) => {
    await expect(resolveConfiguration(flags, {}, folderWith({}))).rejects.toThrow(message);
  });

  it.each([
    { port: 0, adminPort: 0 },
    { port: 19_000, adminPort: 19_000, host: "127.0.0.2" },
  ])("%j: ports that do not collide", async (flags) => {
    const resolved = resolveConfiguration({ ...flags, defectPorts: 0 }, {}, folderWith({}));
    await expect(resolved).resolves.toMatchObject(flags.host ? {} : flags);
  });

  it.each(["a b", "geheimß", "a\tb"])(
    "the admin token %j, which no header could carry; it is not repeated",
    async (adminToken) => {
      const failure = resolveConfiguration({ adminToken }, {}, folderWith({}));
      await expect(failure).rejects.toThrow(/^--admin-token: The admin token must have printable ASCII/);
      await expect(failure).rejects.not.toThrow(adminToken);
    },
  );

  it.each(["a b", "x".repeat(65), "a/b", "é"])("the seed %j", async (seed) => {
    const failure = resolveConfiguration({}, { SANDBOX_SEED: seed }, folderWith({}));
    await expect(failure).rejects.toThrow(/^SANDBOX_SEED is ".*"; give a text of letters, digits/);
    await expect(configured(`seed: "${seed}"`)).rejects.toThrow(/seed: give a text of letters, digits/);
  });
});

describe("the file", () => {
  it("must exist if it is named; sandbox.yaml is optional", async () => {
    const folder = folderWith({});
    await expect(resolveConfiguration({ config: "x.yaml" }, {}, folder)).rejects.toThrow(
      /no configuration file .*x\.yaml/,
    );
    expect((await resolveConfiguration({}, {}, folder)).file).toBeUndefined();
  });

  it.each([
    "",
    "\n",
    "# only a comment",
    "# one\n\n   # another\n",
    "\n \n\t\n",
    "\uFEFF# with a mark\n",
    "# a\r\n\r\n# b\r\n",
    "---\n",
    "{}",
    "null",
  ])("changes nothing if it is empty: %j", async (text) => {
    const configuration = await configured(text);
    expect(configuration).toMatchObject({ port: 8443, clients: [], tls: { clientCertificate: "request" } });
    expect(Object.keys(configuration.lists)).toEqual(["payments", "payouts"]);
  });

  it("of thousands of empty lines is read", async () => {
    expect((await configured(`${"\n".repeat(10_000)}${" \t\n".repeat(10_000)}port: 1\n`)).port).toBe(1);
  });
});
