/**
 * A shell command that reads the access token from the answer that `request` prints, and puts it into `$TOKEN`. If the
 * answer has no token, it is printed to standard error, and the command fails.
 */
export function tokenLine(request: string): string {
  // Each command has its own -e: the sed of BSD and macOS reads everything after a `t` or a `w` as a name.
  const read = `sed -n -e 's/.*"access_token":"\\([^"]*\\)".*/\\1/p' -e t -e 'w /dev/stderr'`;
  return `TOKEN=$(${request} | ${read}); : "\${TOKEN:?no token came}"`;
}
