import type { Metafile } from "esbuild";

type Metafiles = readonly Pick<Metafile, "outputs">[];

/** The notices of the bundled packages, as a text. @throws when the licence of a package is not known, or has no text */
export function thirdPartyNotices(root: string, metafiles: Metafiles): string;

/** Reads the bundled files. @throws when a file has its own licence that is not in the notices */
export function findFurtherLicences(root: string, metafiles: Metafiles): void;
