/**
 * A shell's command that puts the access token into `$TOKEN`: of the answer that `request` prints. Where none came, the answer goes to
 * standard error, and the command fails.
 */
export function tokenLine(request: string): string {
  // Each -e by itself: sed of BSD and macOS takes everything behind a `t` or a `w` for a name.
  const read = `sed -n -e 's/.*"access_token":"\\([^"]*\\)".*/\\1/p' -e t -e 'w /dev/stderr'`;
  return `TOKEN=$(${request} | ${read}); : "\${TOKEN:?no token came}"`;
}
