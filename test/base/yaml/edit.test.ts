import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseYaml } from "../../../src/base/yaml/document.js";
import { editYaml, type YamlEdit } from "../../../src/base/yaml/edit.js";
import { anyText } from "../../support/any-text.js";

const edit = (text: string, ...edits: YamlEdit[]) => editYaml(text, "sandbox.yaml", edits);
const invoices: YamlEdit = {
  path: ["lists", "invoices"],
  value: { path: "/v2/invoices", envelope: { items: "data" } },
};

const commented = `# top
port: 8443    # aligned

# the lists
lists:
    # first
    a: { path: /v1/a, pageSize: { maximum: 50 } }   # behind it
    # b: later

# the end
assumptions:
  token.lifetime: 300
  ping.response: { body: { status: 'OK' } }
`;

describe("a file is extended", () => {
  it("whose comments stay in place", async () => {
    const after = await edit(commented, invoices);
    expect(after).toBe(
      commented.replace(
        "# behind it\n",
        "# behind it\n    invoices:\n      path: /v2/invoices\n      envelope: { items: data }\n",
      ),
    );
  });

  it("in one place on three levels: each addition is in the right place", async () => {
    const before = "port: 1\nlists:\n  payments:\n    count: 5\n";
    const after = await edit(
      before,
      { path: ["lists", "payments", "order"], value: "ascending" },
      { path: ["lists", "orders"], value: { count: 6 } },
      { path: ["assumptions", "token.lifetime"], value: 60 },
    );
    expect(after).toBe(
      "port: 1\nlists:\n  payments:\n    count: 5\n    order: ascending\n  orders: { count: 6 }\nassumptions: { token.lifetime: 60 }\n",
    );
  });

  it("that has only comments", async () => {
    expect(await edit("# nothing yet\n", invoices)).toBe(
      "# nothing yet\n\nlists:\n  invoices:\n    path: /v2/invoices\n    envelope: { items: data }\n",
    );
  });

  it("that is empty", async () => {
    expect(await edit("", { path: ["port"], value: 1 })).toBe("port: 1\n");
  });

  it("that does not end with a line break", async () => {
    expect(await edit("port: 1", { path: ["adminPort"], value: 2 })).toBe("port: 1\nadminPort: 2\n");
  });

  it("that ends with an empty value", async () => {
    expect(await edit("lists: # none yet\n", { path: ["lists", "a"], value: { path: "/a" } })).toBe(
      "lists: # none yet\n  a: { path: /a }\n",
    );
  });

  it("with its own line breaks", async () => {
    expect(await edit("port: 1\r\n", { path: ["lists", "a", "path"], value: "/a" })).toBe(
      "port: 1\r\nlists:\r\n  a: { path: /a }\r\n",
    );
  });

  it("inside braces", async () => {
    const text = "lists: { a: { path: /a } } # here\n";
    expect(await edit(text, { path: ["lists", "b"], value: { path: "/b" } })).toBe(
      'lists: { a: { path: /a }, "b": {"path":"/b"} } # here\n',
    );
  });
});

describe("a value is replaced", () => {
  it("and the rest of its line is kept", async () => {
    expect(await edit(commented, { path: ["port"], value: 9443 })).toBe(commented.replace("8443", "9443"));
  });

  it("inside braces", async () => {
    const value = { path: ["assumptions", "ping.response", "body", "status"], value: "UP" } as const;
    expect(await edit(commented, value)).toBe(commented.replace("status: 'OK'", '"status": "UP"'));
  });

  it("inside braces, where a key has no colon", async () => {
    expect(await edit("lists: { a, b: 1 }\n", { path: ["lists", "a"], value: 2 })).toBe('lists: { "a": 2, b: 1 }\n');
  });

  it("with its comment, if an earlier edit wrote it", async () => {
    const before = "# mine\n# Seen: 400\n# and more\nport: 1\n";
    expect(await edit(before, { path: ["port"], value: 2, comment: "Seen: 401" })).toBe(
      "# mine\n# Seen: 401\nport: 2\n",
    );
  });

  it("and the same edit again changes nothing", async () => {
    const again = { ...invoices, comment: "Imported from a.yaml" };
    const once = await edit(commented, again);
    expect(once).toContain("    # Imported from a.yaml\n    invoices:\n");
    expect(await edit(once, again)).toBe(once);
  });

  it("that is a block of text", async () => {
    expect(await edit("a: |\n  one\n  two\nb: 1\n", { path: ["a"], value: 1 })).toBe("a: 1\nb: 1\n");
  });
});

describe("a value that cannot be extended is named with its position", () => {
  it.each([
    ["a list", "- 1\n", /sandbox\.yaml:1:1: This is not a map/],
    ["a text", "port: 1\nlists: none\n", /sandbox\.yaml:2:8: "lists" is not a map/],
    ["an alias", "x: &a {}\nlists: *a\n", /sandbox\.yaml:2:8: This repeats another value/],
  ])("%s", async (_what, text, message) => {
    await expect(edit(text, invoices)).rejects.toThrow(message);
  });
});

it("written values are read back unchanged, for any names and values", async () => {
  const json = fc.jsonValue({ maxDepth: 3 }).filter((value) => !JSON.stringify(value).includes("__proto__"));
  const name = anyText({ minLength: 1 }).filter((text) => text !== "__proto__");
  const bases = [
    "",
    "# only\n",
    commented,
    "lists: { a: 1 }\n",
    "lists:\n- 1\n".replace("- 1", "  a:\n   - 1\n   # x"),
  ];
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...bases), name, json, fc.string(), async (base, key, value, comment) => {
      const text = await edit(base, { path: ["lists", key], value, comment });
      const before = ((await parseYaml(base, "a")).value ?? {}) as { lists?: object };
      const after = (await parseYaml(text, "a")).value;
      expect(after).toEqual({ ...before, lists: { ...before.lists, [key]: JSON.parse(JSON.stringify(value)) } });
    }),
    { numRuns: 50 },
  );
});
