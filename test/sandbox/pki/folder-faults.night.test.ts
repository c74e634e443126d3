import { beforeAll, describe, it } from "vitest";
import { folderToCopy } from "./fixture.js";
import { expectDeviceNamed, expectKeyNamed, expectPipeNamed, keyFiles, unusableKeys } from "./unusable.js";

// More of folder-faults.test.ts.
const copiedFolder = folderToCopy(beforeAll);

describe.each(keyFiles.slice(1))("a key that cannot be used in %s is named", (file) => {
  const kinds = Object.entries(unusableKeys).filter(([kind]) => kind !== "encrypted");
  it.each(kinds)("%s", (_name, make) => expectKeyNamed(copiedFolder(), file, make()));
});

describe.skipIf(process.platform === "win32")("a file that is not regular is named", () => {
  const files = ["ca.pem", "ca.key.pem", "server.pem", "server.key.pem", "token-signing.key.pem", "cursor.key"];
  const ofAnIdentity = ["cert.pem", "key.pem", "client.p12"].map((name) => `clients/demo/${name}`);

  it.each([...files, ...ofAnIdentity])("a named pipe: %s", (file) => expectPipeNamed(copiedFolder(), file));

  it.each([...files, ...ofAnIdentity])("a link to a device: %s", (file) => expectDeviceNamed(copiedFolder(), file));
});
