import { escapeMarkup } from "../../base/text/markup.js";
import type { ShownRun } from "../context.js";

/**
 * A page loads only files of the sandbox, and no content of a page can become a script: no inline scripts or styles,
 * and (by trusted types) no text that is parsed as markup.
 */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "font-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join("; ");

export const pageHeaders = {
  "Content-Type": "text/html; charset=utf-8",
  "Content-Security-Policy": policy,
  "Cross-Origin-Opener-Policy": "same-origin",
  // With `no-referrer`, the form of the sign-in page would be sent with `Origin: null`.
  "Referrer-Policy": "same-origin",
} as const;

/** What the script of the dashboard cannot ask the admin API for. */
export interface PageFacts {
  /** Base URL of the API. */
  readonly url: string;
  /** Whether the user signed in with a token, and can sign out. */
  readonly signedIn: boolean;
  /** Whether the sandbox judges clients. */
  readonly report: boolean;
  /** Undefined for a sandbox that runs. */
  readonly kept: ShownRun | undefined;
}

/** The page of the dashboard. Its script fetches what it shows. */
export function dashboardPage({ url, signedIn, report, kept }: PageFacts): string {
  const run = kept === undefined ? "" : ` data-kept="${escapeMarkup(JSON.stringify(kept))}"`;
  return htmlPage({
    title: "Requests",
    head: '<link rel="modulepreload" href="/assets/shared.js">\n<script type="module" src="/assets/app.js"></script>',
    facts: ` data-url="${escapeMarkup(url)}" data-signed-in="${signedIn}" data-report="${report}"${run}`,
    body: '<noscript><p class="notice">The dashboard needs JavaScript.</p></noscript>',
  });
}

/**
 * The page that asks for the token of the admin API. It works without a script.
 * @param refused whether another token was sent
 */
export function signInPage(refused: boolean): string {
  return htmlPage({
    title: "Sign in",
    body: `<main class="sign-in stack floating">
<h1>Business Payments Sandbox</h1>
<p>The admin API demands its token: the value of --admin-token, or the token that was printed at the start.</p>
<form method="post">
<label for="token">Admin token</label>
<input id="token" name="token" type="password" required autofocus autocomplete="current-password"${refused ? ' aria-describedby="problem" aria-invalid="true"' : ""}>
${refused ? '<p id="problem" class="problem" role="alert">This is not the token.</p>' : ""}
<button type="submit" class="button primary">Sign in</button>
</form>
</main>`,
  });
}

function htmlPage({
  title,
  head = "",
  facts = "",
  body,
}: Readonly<Record<"title" | "body", string>> & { readonly head?: string; readonly facts?: string }): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · Business Payments Sandbox</title>
<link rel="icon" href="/assets/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/assets/app.css">
${head}
</head>
<body${facts}>
${body}
</body>
</html>
`;
}
