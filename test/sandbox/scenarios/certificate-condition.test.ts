import { expect, it } from "vitest";
import { identityProfiles } from "../../../src/sandbox/pki/profiles.js";
import { certificateConditions } from "../../../src/sandbox/scenarios/certificate-condition.js";

it("a rule can name every misfit that the sandbox makes, and no other", () => {
  const misfits = identityProfiles.filter(({ kind }) => kind === "misfit").map(({ name }) => name);
  expect(certificateConditions.slice(2).toSorted()).toEqual(misfits.toSorted());
});
