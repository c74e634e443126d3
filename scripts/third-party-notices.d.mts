/** What is used of the bundler's list of the files of one bundle: for each module, how much of it is in them. */
type Outputs = readonly {
  readonly type: "chunk";
  readonly modules: Readonly<Record<string, { readonly renderedLength: number }>>;
}[];

/** The notices of the bundled packages, as a text. @throws when the licence of a package is not known, or has no text */
export function thirdPartyNotices(outputs: readonly Outputs[]): string;

/** Reads the bundled files. @throws when a file has its own licence that is not in the notices */
export function findFurtherLicences(outputs: readonly Outputs[]): void;
