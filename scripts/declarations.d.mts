/** Keeps the declarations that one refers to, directly or not, and removes all others of the folder. @throws when one needs a package */
export function keepDeclarationsOf(entry: string, folder: string): void;
