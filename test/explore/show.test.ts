import { writeFileSync } from "node:fs";
import { it } from "vitest";
import { terminalText } from "../../src/explore/formats/terminal.js";
import { hostileReport, sampleReport } from "./sample.js";
it("shows", () => {
  for (const columns of [80, 60, 40, 120]) writeFileSync(`/tmp/matrix/t${columns}.txt`, terminalText(sampleReport(), { level: "must", coloured: false, columns }));
  writeFileSync("/tmp/matrix/colour.txt", terminalText(sampleReport(), { level: "must", coloured: true, columns: 80 }));
  writeFileSync("/tmp/matrix/hostile.txt", terminalText(hostileReport(), { level: "must", coloured: false, columns: 80 }));
});
