/** The longest client id, and the longest name of a scenario. */
export const nameLength = 64;

/** What a client id or the name of a scenario looks like: it appears in file names, URLs and certificates. */
export const namePattern = new RegExp(`^[A-Za-z0-9][A-Za-z0-9._-]{0,${nameLength - 1}}$`);

/** The same for people. */
export const nameRule = `use letters, digits, ".", "_" and "-", at most ${nameLength}, beginning with a letter or digit`;

/** A scope (RFC 6749 §3.3), with a limit of the sandbox's own: it stands in every token. */
export const scopePattern = /^[\x21\x23-\x5b\x5d-\x7e]{1,256}$/;

/** The same for people. */
export const scopeRule = "a scope has no spaces or quotation marks, and at most 256 characters";
