/**
 * Saves what is at an address as a file.
 * @param name of the file; the server names it if it is left out
 */
export function download(href: string, name = ""): void {
  const link = document.createElement("a");
  link.href = href;
  link.download = name;
  link.click();
}
