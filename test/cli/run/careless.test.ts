import { areNamed } from "./careless.js";

areNamed([
  ["stubborn", "token-revoked", "must token.refused"],
  ["circling", "cursor-refused-once", "must list.restart"],
]);
