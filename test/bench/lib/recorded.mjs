/** Headers that each server adds by itself. */
const own = new Set(["date", "connection", "keep-alive", "content-length"]);

/** An answer of the sandbox, for contenders that send the same bytes: its headers and its body. */
export async function recordAnswer(sandbox, path) {
  const { rawHeaders, text } = await sandbox.send({
    path,
    headers: { Authorization: `Bearer ${await sandbox.token()}` },
  });
  const headers = {};
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (!own.has(rawHeaders[index].toLowerCase())) headers[rawHeaders[index]] = rawHeaders[index + 1];
  }
  return { path, headers, body: text };
}
