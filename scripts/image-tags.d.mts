export const imagePlatforms: readonly string[];
export function imageTags(version: string, released: readonly string[]): string[];
export function imageScript(name: string, version: string, released: readonly string[]): string;
