import { test } from "vitest";
import { start } from "./fixture.js";
test("speed", async () => {
  const t0 = performance.now();
  const { admin } = await start();
  console.log("start", performance.now() - t0);
  for (let i = 0; i < 5; i++) {
    const t = performance.now();
    await admin.post("/clients", {});
    console.log("single", performance.now() - t);
  }
  for (let r = 0; r < 3; r++) {
  const t = performance.now();
  await Promise.all(Array.from({ length: 200 }, () => admin.post("/clients", {})));
  console.log("200", performance.now() - t);}
  const t2 = performance.now();
  await Promise.all(Array.from({ length: 20 }, () => admin.post("/clients", {keyType: "rsa"})));
  console.log("20 rsa", performance.now() - t2);
});
