/** What a client id or the name of a scenario looks like: it appears in file names, URLs and certificates. */
export const namePattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/** The same for people. */
export const nameRule = 'use letters, digits, ".", "_" and "-", at most 64, beginning with a letter or digit';
