/** Keeps the declarations that the entry refers to, directly or not, and removes all others. @throws when one needs a package */
export function keepDeclarationsOf(entry: string, folder: string): void;
