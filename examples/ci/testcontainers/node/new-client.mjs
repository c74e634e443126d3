/** Makes a new client at the sandbox: `clientId`, and as PEM `certificate`, `key` and the `ca` to trust. */
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
    /** Activates a scenario for the client; null ends it. */
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
