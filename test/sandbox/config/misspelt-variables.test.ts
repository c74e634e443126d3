import { expect, it } from "vitest";
import { misspeltVariables } from "../../../src/sandbox/config/misspelt-variables.js";
import { settingFacts, settingNames } from "../../../src/sandbox/config/settings.js";

it.each([
  ["SANDBOX_SENARIO", "SANDBOX_SCENARIO"],
  ["SANDBOX_SCENARIOSS", "SANDBOX_SCENARIOS"],
  ["SANDBOX_ADMINPORT", "SANDBOX_ADMIN_PORT"],
  ["SANDBOX_SED", "SANDBOX_SEED"],
])("%s: did you mean %s?", (variable, meant) => {
  expect(misspeltVariables({ [variable]: "x" })).toEqual([
    `${variable} is not the variable of a setting. Did you mean ${meant}?`,
  ]);
});

it("does not report variables that are read, those of clients, and other names", () => {
  const read = settingNames.map((name) => settingFacts(name).variable);
  const others = [
    "SANDBOX_URL",
    "SANDBOX_CERT_FILE",
    "SANDBOX_P12_PASSWORD",
    "SANDBOX_PORT_ON_HOST",
    "SANDBOX_WHATEVER",
  ];
  const environment = Object.fromEntries([...read, ...others, "PATH", "SCENARIO"].map((name) => [name, "x"]));
  expect(misspeltVariables(environment)).toEqual([]);
});
