import * as z from "zod";
import { suggest } from "../../base/text/nearest.js";
import { quote } from "../../base/text/printable.js";
import { htmlOf, markdownOf, type ReferencePage } from "../../base/text/reference-page.js";
import { errorCodes, isErrorCode } from "../../sandbox/errors.js";
import { shippedScenarios } from "../../sandbox/scenarios/shipped.js";
import { AdminError } from "../error.js";
import { errorPage } from "../reference/error-page.js";
import { llmsText } from "../reference/llms.js";
import { type Route, route } from "../route.js";

const page = {
  status: 200,
  description: "The page: HTML for a browser, Markdown otherwise.",
  contentType: "text/markdown",
} as const;
const name = z.string().regex(/^\w[\w.-]{0,63}$/, "give a name as it stands in an answer or a report");

export const referenceRoutes: readonly Route[] = [
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
    summary: "What an error code means, what causes it, and how to fix the client",
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
    summary: "What a check of the exam demands, and how to fix the client",
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
