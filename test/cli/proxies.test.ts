import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { directVariables, diversionsTo, diversionText, sandboxHosts } from "../../src/cli/proxies.js";

const both = (value: string) => ({ NO_PROXY: value, no_proxy: value });

describe("the variables by which a command reaches a sandbox", () => {
  it.each<[string, Record<string, string>, Record<string, string>]>([
    ["none is given", {}, both("localhost,::1")],
    ["one is given", { NO_PROXY: "a.example" }, both("a.example,localhost,::1")],
    ["the other is given", { no_proxy: ".b" }, both(".b,localhost,::1")],
    ["both are given", { NO_PROXY: "a,b", no_proxy: "b,c" }, both("a,b,c,localhost,::1")],
    ["one is empty", { NO_PROXY: "a", no_proxy: "" }, both("a,localhost,::1")],
    ["they have spaces and empty entries", { NO_PROXY: " a , b c,,", no_proxy: "\td" }, both("a,b,c,d,localhost,::1")],
    ["a host is given", { NO_PROXY: "localhost,a,localhost" }, both("localhost,a,::1")],
    [
      "it has forms that not all clients read",
      { no_proxy: "localhost:1,10.0.0.0/8,fd00::/8" },
      both("localhost:1,10.0.0.0/8,fd00::/8,localhost,::1"),
    ],
    ["it has brackets, which stop httpx", { no_proxy: "[FD00::1]:1,[::1]" }, both("FD00::1,::1,localhost")],
    ["all hosts are exempt", { NO_PROXY: "*" }, both("*")],
    ["all hosts are exempt in one", { NO_PROXY: "a", no_proxy: " * " }, both("*")],
    [
      "it has another case, as in Windows",
      { No_Proxy: "a", no_proxy: "b" },
      { ...both("a,b,localhost,::1"), No_Proxy: "a,b,localhost,::1" },
    ],
    [
      "npm has its own",
      { NO_PROXY: "a", npm_config_no_proxy: "b" },
      { ...both("a,localhost,::1"), npm_config_no_proxy: "b,localhost,::1" },
    ],
    ["that of npm is empty", { npm_config_no_proxy: "" }, both("localhost,::1")],
  ])("%s", (_, environment, variables) => {
    expect(directVariables({ ...environment, HTTPS_PROXY: "x", PATH: "y" }, ["localhost", "::1"])).toEqual(variables);
  });

  it("have names and bare addresses only: no port, no brackets, no CIDR", () => {
    const hosts = sandboxHosts({
      hostnames: ["[FD00::1]", "Pay.Test"],
      hosts: ["0.0.0.0", "::"],
      adminHosts: ["192.0.2.1"],
    });
    const standing = ["localhost", "sandbox", "host.docker.internal", "127.0.0.1", "::1"];
    expect(hosts).toEqual([...standing, "fd00::1", "pay.test", "192.0.2.1"]);
  });
});

describe("what sends clients to a proxy", () => {
  const names = (environment: Record<string, string>, host = "localhost") =>
    diversionsTo(host, environment).map(({ what }) => what.split(/ (?:is|are|has) /, 1)[0]);

  it.each([
    "HTTPS_PROXY",
    "https_proxy",
    "HTTP_PROXY",
    "http_proxy",
    "ALL_PROXY",
    "all_proxy",
    "Https_Proxy",
    "npm_config_proxy",
    "npm_config_https_proxy",
  ])("%s", (name) => {
    const text = `${name} is set`;
    expect(names({ [name]: "http://127.0.0.1:9" })).toEqual([name]);
    expect(names({ [name]: "http://127.0.0.1:9", NO_PROXY: "localhost" })).toEqual([]);
    expect(names({ [name]: "" })).toEqual([]);
    expect(diversionText({ [name]: "http://127.0.0.1:9", NO_PROXY: "localhost" }, ["localhost"])).toContain(text);
    expect(diversionText({ [name]: "" }, ["localhost"])).toBe("");
  });

  it.each<[Record<string, string>, string, boolean]>([
    [{ NO_PROXY: "*" }, "localhost", true],
    [{ NO_PROXY: "a, LocalHost" }, "localhost", true],
    [{ no_proxy: "a localhost" }, "localhost", true],
    [{ NO_PROXY: "::1" }, "::1", true],
    [{ NO_PROXY: ".test" }, "pay.test", true],
    [{ NO_PROXY: "test" }, "localtest", false],
    [{ NO_PROXY: ".pay.test" }, "pay.test", false],
    // Some clients read these, and others do not.
    [{ NO_PROXY: "*.test" }, "pay.test", false],
    [{ NO_PROXY: "test" }, "pay.test", false],
    [{ NO_PROXY: "a,*" }, "localhost", false],
    [{ NO_PROXY: "localhost:8443" }, "localhost", false],
    [{ NO_PROXY: "[::1]" }, "::1", false],
    [{ NO_PROXY: "127.0.0.0/8" }, "127.0.0.1", false],
    // Clients prefer the one or the other.
    [{ NO_PROXY: "localhost", no_proxy: "a" }, "localhost", false],
    [{ NO_PROXY: "a", no_proxy: "localhost" }, "localhost", false],
    [{ NO_PROXY: "localhost", no_proxy: "" }, "localhost", false],
    [{ NO_PROXY: "", no_proxy: "localhost" }, "localhost", true],
    [{ NO_PROXY: "localhost", npm_config_no_proxy: "a" }, "localhost", false],
    [{ NO_PROXY: "" }, "localhost", false],
  ])("%j exempts %s: %s", (environment, host, isExempt) => {
    expect(names({ ...environment, HTTPS_PROXY: "x" }, host).filter((name) => name === "HTTPS_PROXY")).toHaveLength(
      isExempt ? 0 : 1,
    );
  });

  it.each<[string, string, boolean]>([
    ["-Dhttps.proxyHost=p", "localhost", false],
    ["-Dhttps.proxyHost=p", "127.0.0.1", false],
    ["-Dhttps.proxyHost=p", "::1", false],
    ["-Dhttps.proxyHost=p", "sandbox", true],
    ["-Dhttp.proxyHost=p -Dhttp.nonProxyHosts=a", "localhost", false],
    // These three are direct whatever is given, except if it is empty.
    ["-Dhttps.proxyHost=p -Dhttp.nonProxyHosts=*.a", "localhost", false],
    ["-Dhttps.proxyHost=p -Dhttp.nonProxyHosts=*.a", "127.0.0.2", false],
    ["-Dhttps.proxyHost=p -Dhttp.nonProxyHosts=*.a", "::1", false],
    ["-Dhttps.proxyHost=p -Dhttp.nonProxyHosts=*.a", "sandbox", true],
    ["-Dhttps.proxyHost=p -Dhttp.nonProxyHosts=*.a", "host.docker.internal", true],
    ["-Dhttp.nonProxyHosts= -Dhttps.proxyHost=p", "localhost", true],
    ["-Dhttps.proxyHost=p -Dhttp.nonProxyHosts", "127.0.0.1", true],
    ["-Dhttps.proxyHost=p '-Dhttp.nonProxyHosts='", "::1", true],
    ["-Dhttps.proxyHost=p '-Dhttp.nonProxyHosts=*.a|LOCAL*'", "localhost", false],
    ['-Dhttps.proxyHost=p -Dhttp.nonProxyHosts="*.a|*box"', "sandbox", false],
  ])("of Java: %s sends %s to it: %s", (options, host, isDiverted) => {
    expect(names({ JAVA_TOOL_OPTIONS: options, NO_PROXY: host }, host)).toEqual(
      isDiverted ? ["JAVA_TOOL_OPTIONS"] : [],
    );
  });

  it.each<[string, string, string]>([
    ["a, [::1]", "[::1]", "a,::1,localhost,sandbox,host.docker.internal,127.0.0.1"],
    ["[fd00::1]:8443,a", "[fd00::1]:8443", "fd00::1,a,localhost,sandbox,host.docker.internal,127.0.0.1,::1"],
    ["fd00::/8,a,[::1", "fd00::/8, [::1", "a,localhost,sandbox,host.docker.internal,127.0.0.1,::1"],
    ["a ::1", "a ::1", "a,::1,localhost,sandbox,host.docker.internal,127.0.0.1"],
    ["localhost:x", "localhost:x", "localhost,sandbox,host.docker.internal,127.0.0.1,::1"],
  ])("NO_PROXY=%s stops httpx, also without a proxy", (text, entries, line) => {
    for (const name of ["NO_PROXY", "no_proxy"]) {
      const found = diversionsTo("localhost", { [name]: text });
      const what = `${name} has ${entries}: the client httpx (Python) ends with an error when it reads this.`;
      expect(found).toEqual([{ what, fix: `export NO_PROXY=${line}; export no_proxy="$NO_PROXY"` }]);
    }
  });

  it.each(["", "*", "[::1], *", ".test,*.test", "::1,fe80::1%eth0", "10.0.0.0/8", "localhost:8443", "http://[::1]:1"])(
    "NO_PROXY=%s does not stop httpx",
    (text) => {
      expect(diversionsTo("localhost", { NO_PROXY: text })).toEqual([]);
    },
  );

  it("is fixed by the line of the guide, if no exemption is given", () => {
    const [found] = diversionsTo("localhost", { HTTPS_PROXY: "x" });
    expect(readFileSync("docs/guide/connect.md", "utf8").split("\n")).toContain(found?.fix);
  });

  it("of Java: the hosts that are given stay in the fix", () => {
    const environment = { MAVEN_OPTS: "-Dhttps.proxyHost=p", _JAVA_OPTIONS: "-Dhttp.nonProxyHosts=*.a" };
    const [found] = diversionsTo("sandbox", environment);
    expect(found?.fix).toBe("Give it in _JAVA_OPTIONS: -Dhttp.nonProxyHosts=*.a|localhost|127.*|[::1]|sandbox");
  });

  it("of Java: a command is told the hosts that it sends to the proxy, and no others", () => {
    const options = "-Dhttps.proxyHost=p -Dhttp.nonProxyHosts=*.corp";
    const told = (hosts: readonly string[]) => diversionText({ JAVA_TOOL_OPTIONS: options }, hosts);
    expect(told(["localhost", "127.0.0.1", "::1", "pay.corp"])).toBe("");
    expect(told(["localhost", "sandbox", "host.docker.internal", "fd00::1"])).toBe(
      " JAVA_TOOL_OPTIONS has -Dhttps.proxyHost, and no -Dhttp.nonProxyHosts names sandbox, host.docker.internal, fd00::1: Java sends these requests to that proxy. Give it in JAVA_TOOL_OPTIONS: -Dhttp.nonProxyHosts=*.corp|localhost|127.*|[::1]|sandbox|host.docker.internal|[fd00::1]",
    );
  });
});
