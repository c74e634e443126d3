import type { Metafile } from "esbuild";

type Metafiles = readonly Pick<Metafile, "outputs">[];

/** The notices of the packages that are in bundles, as a text. @throws when the licence of one is not known, or has no text */
export function thirdPartyNotices(root: string, metafiles: Metafiles): string;

/** Reads the bundled files. @throws when one has a licence of its own that is not in the notices */
export function findFurtherLicences(root: string, metafiles: Metafiles): void;
