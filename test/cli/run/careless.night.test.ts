import { areNamed } from "./careless.js";

areNamed([
  ["capped", "unavailable-for-five-seconds", "must retry.after"],
  ["hasty", "maintenance", "must retry.after"],
  ["stubborn", "unauthorized-once", "must token.refused"],
  ["bearing", "token-revoked", "must token.refused"],
  ["insistent", "invalid-client", "should retry.permanent"],
  ["rushing", "maintenance", "should retry.others"],
]);
