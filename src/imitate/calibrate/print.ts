import type { ProbeRequest } from "./answer.js";
import { type CalibrationOptions, Known } from "./known.js";
import { typicalSteps } from "./list-facts.js";
import type { Step } from "./probe.js";

/**
 * The requests of a plan as they would be sent, in their order, and those about lists that keep the interface. Which of
 * them are sent depends on answers. A value that only an answer has is a word in capitals.
 */
export function planText(plan: readonly Step[], options: CalibrationOptions, basePath: string): string {
  const known = new Known(options, new Map(), true);
  const steps = [...plan, ...options.lists.flatMap((list) => typicalSteps(known, list))];
  const requests = steps.flatMap(({ says, request: make }) => {
    const request = make(known);
    return request ? [{ says, request }] : [];
  });
  return requests.map(({ says, request }, index) => requestText(index + 1, says, request, basePath)).join("");
}

function requestText(number: number, says: string, request: ProbeRequest, basePath: string): string {
  const { method, path, headers, body, identity } = request;
  const who =
    identity === "client" ? "" : identity === "other" ? ", with the other certificate" : ", without a certificate";
  const lines = [
    `${number}. ${says}${who}`,
    `   ${method} ${decoded(basePath + path)}`,
    ...Object.entries(headers).map(([name, value]) => `   ${name}: ${value}`),
    ...(body === undefined ? [] : [`   ${body}`]),
  ];
  return `${lines.join("\n")}\n`;
}

function decoded(path: string): string {
  return path.replaceAll(/%3A/gi, ":");
}
