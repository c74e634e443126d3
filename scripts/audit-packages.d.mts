/** A vulnerability of a package, as the registry describes it. */
export interface Advisory {
  readonly name: string;
  readonly severity: string;
  readonly title: string;
  readonly url: string;
  readonly range: string;
}

/** The known vulnerabilities. @param timeout in milliseconds @throws when the registry does not answer as it should */
export function advisoriesFor(
  packages: readonly (readonly [name: string, version: string])[],
  timeout: number,
): Promise<readonly Advisory[]>;
