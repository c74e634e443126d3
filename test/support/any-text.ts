import fc from "fast-check";

/** Any characters but halves of surrogate pairs. fast-check's own `unit: "binary"` takes a second to prepare. */
const character = fc.nat({ max: 0x10f7ff }).map((n) => String.fromCodePoint(n < 0xd800 ? n : n + 0x800));

export const anyText = (limits: { readonly minLength?: number; readonly maxLength?: number } = {}) =>
  fc.string({ unit: character, ...limits });
