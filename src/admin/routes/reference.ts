import * as z from "zod";
import { suggest } from "../../base/text/nearest.js";
import { quote } from "../../base/text/printable.js";
import { htmlOf, markdownOf, type ReferencePage } from "../../base/text/reference-page.js";
import { type AssumptionId, assumption, assumptionIds, configurationKey } from "../../sandbox/assumptions.js";
import { errorCodes, isErrorCode } from "../../sandbox/errors.js";
import { shippedScenarios } from "../../sandbox/scenarios/shipped.js";
import { nullableText } from "../common-schemas.js";
import type { AdminContext } from "../context.js";
import { AdminError } from "../error.js";
import { errorPage } from "../reference/error-page.js";
import { llmsText } from "../reference/llms.js";
import { route } from "../route.js";

const page = {
  status: 200,
  description: "The page: HTML for a browser, Markdown otherwise.",
  contentType: "text/markdown",
} as const;
const name = z.string().regex(/^\w[\w.-]{0,63}$/, "give a name as it stands in an answer or a report");

const assumptionSchema = z
  .object({
    id: z.string(),
    section: z.string(),
    point: z.string().describe("What the interface leaves open."),
    choice: z.string().describe("What the sandbox does by default."),
    why: z.string(),
    key: nullableText.describe("The key in sandbox.yaml that changes it."),
    setting: z.unknown(),
    changed: z.boolean().describe("Whether `setting` differs from the default."),
  })
  .meta({ id: "Assumption" });

export const referenceRoutes = [
  route({
    method: "GET",
    path: "/assumptions",
    summary: "What the interface leaves open, and what the sandbox does there",
    answer: { status: 200, description: "All of them.", schema: z.object({ items: z.array(assumptionSchema) }) },
    handle: (_input, context) => ({ items: assumptionIds.map((id) => assumptionOf(id, context)) }),
  }),
  route({
    method: "GET",
    path: "/assumptions/{id}",
    summary: "What an assumption decides, why, and how to change it",
    params: z.object({ id: name }),
    answer: page,
    errors: ["NOT_FOUND"],
    handle: ({ params: { id }, accept }, context) => {
      const known = assumptionIds.find((candidate) => candidate === id);
      if (known === undefined) throw unknown("assumption", id, assumptionIds);
      return answer(assumptionPage(assumptionOf(known, context)), accept);
    },
  }),
  route({
    method: "GET",
    path: "/llms.txt",
    summary: "Where a language model finds what (llmstxt.org)",
    answer: { status: 200, description: "The text.", contentType: "text/plain" },
    handle: () => new Response(llmsText(), { headers: { "Content-Type": "text/plain; charset=utf-8" } }),
  }),
  route({
    method: "GET",
    path: "/errors/{code}",
    summary: "What an error code means, its causes, and how to fix the client",
    params: z.object({ code: name }),
    answer: page,
    errors: ["NOT_FOUND"],
    handle: ({ params: { code }, accept }, { scenarios }) => {
      if (!isErrorCode(code)) throw unknown("error code", code, errorCodes);
      return answer(errorPage(code, shippedScenarios(scenarios.library.all())), accept);
    },
  }),
  route({
    method: "GET",
    path: "/checks/{id}",
    summary: "What a check demands, and how to fix the client",
    params: z.object({ id: name }),
    answer: page,
    errors: ["NOT_FOUND"],
    handle: async ({ params: { id }, accept }, { scenarios, checkPages }) => {
      const pages = await checkPages(shippedScenarios(scenarios.library.all()));
      const found = pages.find(({ title }) => title === id);
      if (!found)
        throw unknown(
          "check",
          id,
          pages.map(({ title }) => title),
        );
      return answer(found, accept);
    },
  }),
];

/** An assumption with its present setting. */
function assumptionOf(id: AssumptionId, { assumptions }: AdminContext): z.output<typeof assumptionSchema> {
  const { section, point, choice, why, ...rest } = assumption(id);
  const errors = assumptions.errors as Readonly<Record<string, unknown>>;
  const values = assumptions.values as Readonly<Record<string, unknown>>;
  const setting = "value" in rest ? values[id] : errors[id];
  const changed = "value" in rest ? JSON.stringify(setting) !== JSON.stringify(rest.value) : setting !== undefined;
  return { id, section, point, choice, why, key: configurationKey(id), setting: setting ?? null, changed };
}

function assumptionPage(entry: z.output<typeof assumptionSchema>): ReferencePage {
  const { id, section, point, choice, why, key, setting, changed } = entry;
  const how = key === null ? "Nothing changes it." : `The key \`${key}\` of \`sandbox.yaml\` changes it.`;
  return {
    title: id,
    sections: [
      { text: `Left open (§${section}): ${point}.` },
      { heading: "What the sandbox does", text: choice },
      { heading: "Why", text: why },
      { heading: "How to change it", text: changed ? `${how} Here it is set to \`${JSON.stringify(setting)}\`.` : how },
      { text: "All assumptions are in docs/reference/assumptions.md." },
    ],
  };
}

function unknown(what: string, given: string, known: readonly string[]): AdminError {
  return new AdminError("NOT_FOUND", `There is no ${what} ${quote(given)}. ${suggest(given, known)}`);
}

/** A browser names HTML in `Accept`; curl and agents do not. */
function answer(made: ReferencePage, accept: string | undefined): Response {
  const isHtml = accept?.includes("text/html") ?? false;
  return new Response(isHtml ? htmlOf(made) : markdownOf(made), {
    headers: { "Content-Type": `text/${isHtml ? "html" : "markdown"}; charset=utf-8`, Vary: "Accept" },
  });
}
