// The tags of the container image of a release, and the script that builds and pushes it: docs/releasing.md.

/**
 * `1.0.0` never moves. `1.0` and `1` move to the newest release of their line, and `latest` to the newest of all. A release
 * of an older line does not move the tags of a newer one, and a pre-release moves none.
 * @param {string} version of the release
 * @param {readonly string[]} released the tags of Git, such as v1.0.0
 */
export function imageTags(version, released) {
  if (!/^\d+\.\d+\.\d+$/.test(version)) return [version];
  const numbersOf = (text) => text.split(".").map(Number);
  const isNewer = (one, other) => {
    const place = one.findIndex((number, index) => number !== other[index]);
    return place !== -1 && one[place] > other[place];
  };
  const own = numbersOf(version);
  const others = released.flatMap((tag) => /^v(\d+\.\d+\.\d+)$/.exec(tag)?.[1] ?? []).map(numbersOf);
  const isNewestOf = (length) =>
    !others.some((other) => other.slice(0, length).join() === own.slice(0, length).join() && isNewer(other, own));
  return [
    version,
    ...(isNewestOf(2) ? [own.slice(0, 2).join(".")] : []),
    ...(isNewestOf(1) ? [String(own[0])] : []),
    ...(isNewestOf(0) ? ["latest"] : []),
  ];
}

export const imagePlatforms = ["linux/amd64", "linux/arm64"];

/** Builds the image from the context beside it, for all platforms, and pushes it with its tags. */
export function imageScript(name, version, released) {
  const tags = imageTags(version, released).map((tag) => `  --tag "$1/${name}:${tag}" \\\n`);
  return `#!/bin/sh
# Builds and pushes the image of ${name} ${version}: sh ${name}-${version}-image.sh REGISTRY
# It needs Docker with buildx, and QEMU for the platforms that this machine is not (docker run --privileged tonistiigi/binfmt --install all).
set -eu
[ $# = 1 ] || { echo "usage: sh $0 REGISTRY" >&2; exit 2; }
docker buildx build --platform ${imagePlatforms.join(",")} --provenance=mode=max --sbom=true --push \\
${tags.join("")}  - < "$(dirname "$0")/${name}-${version}-image-context.tar.gz"
`;
}
