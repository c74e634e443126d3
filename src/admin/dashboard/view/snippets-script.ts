import type { Call } from "./call.js";
import { isBorrowed, type ProgramFacts, place, type SnippetFacts, text, tokenForm } from "./program-facts.js";

export function node(facts: ProgramFacts, { method, target, headers, bearer, form }: Call): string {
  const { origin, tokenTarget } = place(facts);
  const holder = bearer && isBorrowed(facts) ? `const holder = ${nodeAgent(facts.ca, facts.holder)};\n` : "";
  const names = new Map<string, string[]>();
  for (const [name, value] of headers) names.set(name, [...(names.get(name) ?? []), value]);
  const listed = [...names].map(([name, values]) => `${text(name)}: ${literal(values)}`);
  if (bearer) listed.push('Authorization: "Bearer " + JSON.parse(token.body).access_token');
  const last = form === undefined ? "" : `, ${text(form)}`;
  const token = bearer
    ? `const form = ${text(tokenForm(facts))};
const type = { "Content-Type": "application/x-www-form-urlencoded" };
const token = await call("POST", ${text(tokenTarget)}, type, form${holder === "" ? "" : ", holder"});
`
    : "";
  return `// node call.mjs
import { readFileSync } from "node:fs";
import { Agent, request } from "node:https";

const agent = ${nodeAgent(facts.ca, facts.own)};
${holder}
function call(method, path, headers, body${holder === "" ? "" : ", over = agent"}) {
  return new Promise((resolve, reject) => {
    const outgoing = request(${text(origin)}, { method, path, headers, agent${holder === "" ? "" : ": over"} }, async (answer) => {
      let text = "";
      for await (const chunk of answer.setEncoding("utf8")) text += chunk;
      resolve({ status: answer.statusCode, body: text });
    });
    outgoing.on("error", reject);
    outgoing.end(body);
  });
}

${token}console.log(await call(${text(method)}, ${text(target)}, {${listed.length > 0 ? ` ${listed.join(", ")} ` : ""}}${last}));
agent.destroy();${holder === "" ? "" : "\nholder.destroy();"}`;
}

function nodeAgent(ca: string, own: SnippetFacts | undefined): string {
  const files = own ? `\n  cert: readFileSync(${text(own.cert)}),\n  key: readFileSync(${text(own.key)}),` : "";
  return `new Agent({
  keepAlive: true,
  ca: readFileSync(${text(ca)}),${files}
})`;
}

function literal(values: readonly string[]): string {
  return values.length === 1 ? text(values[0] as string) : `[${values.map(text).join(", ")}]`;
}

export function python(facts: ProgramFacts, { method, target, headers, bearer, form }: Call): string {
  const { hostname, port, tokenTarget } = place(facts);
  const holder = bearer && isBorrowed(facts) ? `\n${pythonContext("holder", facts.ca, facts.holder)}` : "";
  const listed = headers.map(([name, value]) => `(${text(name)}, ${text(value)})`);
  if (bearer) listed.push('("Authorization", "Bearer " + json.loads(token)["access_token"])');
  const last = form === undefined ? "" : `, ${text(form)}`;
  const token = bearer
    ? `form = ${text(tokenForm(facts))}
form_type = ("Content-Type", "application/x-www-form-urlencoded")
status, token = call("POST", ${text(tokenTarget)}, [form_type], form${holder === "" ? "" : ", holder"})
`
    : "";
  return `# python3 call.py
import http.client, json, ssl

${pythonContext("context", facts.ca, facts.own)}${holder}


def call(method, path, headers, body=None${holder === "" ? "" : ", over=context"}):
    connection = http.client.HTTPSConnection(${text(hostname)}, ${port}, context=${holder === "" ? "context" : "over"})
    connection.putrequest(method, path, skip_accept_encoding=True)
    for name, value in headers:
        connection.putheader(name, value)
    if body is not None:
        connection.putheader("Content-Length", str(len(body)))
    connection.endheaders(body.encode() if body else None)
    answer = connection.getresponse()
    return answer.status, answer.read().decode()


${token}print(*call(${text(method)}, ${text(target)}, [${listed.join(", ")}]${last}))`;
}

function pythonContext(name: string, ca: string, own: SnippetFacts | undefined): string {
  const files = own ? `\n${name}.load_cert_chain(${text(own.cert)}, ${text(own.key)})` : "";
  return `${name} = ssl.create_default_context(cafile=${text(ca)})${files}`;
}
