// Part of the Dockerfile's target `test`: installs the packages of the recipes that need only Node.js, and of the
// example for Vitest.
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { installPackages, nodeRecipes, recipes } from "../examples/recipes.mjs";

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

for (const name of nodeRecipes) recipes[name].prepare(join(root, "examples", name));

// As in a user's project, which has the sandbox's package among its dependencies.
const { name, devDependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const dependencies = { vitest: devDependencies.vitest, [name]: "file:../.." };
const vitest = join(root, "examples", "vitest");
writeFileSync(join(vitest, "package.json"), JSON.stringify({ private: true, type: "module", dependencies }));
installPackages(vitest);
