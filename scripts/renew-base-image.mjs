// Renews the digest of the base image in the Dockerfile: `npm run renew:base`. It asks the registry through Docker, so
// it needs Docker with buildx, and the network. `--file FILE` changes another file, for tests.
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

/** How long the registry may take, in milliseconds. */
const timeout = 60_000;

/** Lists of images, one for each platform. The digest of a single image would be wrong on every other platform. */
const indexTypes = [
  "application/vnd.oci.image.index.v1+json",
  "application/vnd.docker.distribution.manifest.list.v2+json",
];

const platforms = ["linux/amd64", "linux/arm64"];

const pinned = /(\bnode:[\w.-]+)@(sha256:[0-9a-f]{64})/g;

const { values } = parseArgs({ options: { file: { type: "string" } } });
const file = values.file ?? fileURLToPath(new URL("../Dockerfile", import.meta.url));

try {
  const text = readFileSync(file, "utf8");
  const images = [...new Set([...text.matchAll(pinned)].map(([, image]) => image))];
  if (images.length !== 1) throw new Error(`${file} must name one base image by its digest; it names ${images.length}`);
  const [image] = images;
  const digest = digestOf(image);
  const renewed = text.replaceAll(pinned, `$1@${digest}`);
  writeFileSync(file, renewed);
  console.log(renewed === text ? `${image} still has ${digest}.` : `${image} now has ${digest}.`);
} catch (error) {
  console.error(`The digest of the base image was not renewed: ${error.message}.`);
  process.exitCode = 1;
}

/**
 * The digest that the registry gives for an image.
 * @throws Error when it gives none that fits
 */
function digestOf(image) {
  const words = ["buildx", "imagetools", "inspect", image, "--format", "{{json .Manifest}}"];
  const { error, status, stdout, stderr } = spawnSync("docker", words, { encoding: "utf8", timeout });
  if (error?.code === "ENOENT") throw new Error("there is no command docker");
  if (error?.code === "ETIMEDOUT") throw new Error(`the registry did not answer within ${timeout / 1000} s`);
  if (error) throw error;
  if (status !== 0) throw new Error(`docker got no answer from the registry: ${firstLine(stderr)}`);
  const { mediaType, digest, manifests } = manifestIn(stdout);
  if (!indexTypes.includes(mediaType) || !Array.isArray(manifests))
    throw new Error(`${image} is not a list of images for several platforms`);
  const has = manifests.map(({ platform }) => `${platform?.os}/${platform?.architecture}`);
  const missing = platforms.filter((platform) => !has.includes(platform));
  if (missing.length > 0) throw new Error(`${image} has no image for ${missing.join(" and ")}`);
  if (!/^sha256:[0-9a-f]{64}$/.test(digest)) throw new Error(`the digest of ${image} cannot be read`);
  return digest;
}

function manifestIn(text) {
  try {
    return Object(JSON.parse(text));
  } catch {
    throw new Error("docker did not print JSON");
  }
}

function firstLine(text) {
  return text.trim().split("\n")[0].replace(/\.$/, "");
}
