/** Asks the sandbox for a client of its own: `clientId`, and as PEM `certificate`, `key` and the `ca` to trust. */
export async function newClient(adminUrl) {
  const answer = await fetch(`${adminUrl}/clients`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: "{}",
  });
  if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
  const { clientId, certificate, key, ca } = await answer.json();
  return {
    clientId,
    certificate,
    key,
    ca,
    /** Has the client meet a scenario from now on; null ends it. */
    async useScenario(name) {
      const chosen = await fetch(`${adminUrl}/clients/${clientId}/scenario`, {
        method: "PUT",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ name }),
      });
      if (!chosen.ok) throw new Error(`${chosen.status} ${await chosen.text()}`);
    },
  };
}
