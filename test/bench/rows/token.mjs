// Token issue: certificate, client, grant and scope checked, one token made. oidc-provider keeps opaque ones in its own
// memory.
import { startOidcProvider, startSandbox } from "../contenders.mjs";
import { tokenRequest } from "../lib/load.mjs";

export async function token(bench) {
  const { certs } = bench;
  const sandbox = await startSandbox(bench.cli, certs);
  const opaque = await startOidcProvider(certs, { jwt: false });
  const jwt = await startOidcProvider(certs, { jwt: true });
  const other = bench.against ? await startSandbox(bench.against, certs, { name: "other" }) : undefined;
  try {
    const request = () => tokenRequest("/oauth/v2/oauth-token", "demo");
    const oidcRequest = () => tokenRequest("/token", "demo");
    const contenders = [
      { name: "sandbox", server: sandbox, request },
      ...(other ? [{ name: "sandbox, other build", server: other, request }] : []),
      { name: opaque.name, server: opaque, request: oidcRequest },
      { name: jwt.name, server: jwt, request: oidcRequest },
    ];
    const figures = await bench.withLoad(certs.client, (load) => bench.rates("token", load, contenders));
    bench.compare("token: sandbox / oidc-provider, opaque", figures.sandbox, figures[opaque.name], {
      least: 1,
      byCpu: true,
    });
    bench.compare("token: sandbox / oidc-provider, ES256", figures.sandbox, figures[jwt.name]);
    bench.compare("token: sandbox / other build", figures.sandbox, figures["sandbox, other build"]);
  } finally {
    for (const server of [sandbox, opaque, jwt, other]) await server?.stop();
  }
}
