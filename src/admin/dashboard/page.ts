import { toHtml } from "./view/html.js";
import { type ShellModel, shell } from "./view/shell.js";
import { signInPage } from "./view/sign-in.js";

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

/** The dashboard, as first painted. */
export function dashboardPage(model: ShellModel & { readonly run: string; readonly report: "on" | "off" }): string {
  const { url, run, report } = model;
  const script = '<script type="module" src="/assets/app.js"></script>\n';
  return document("Requests", shell(model).map(toHtml).join(""), script, { url, run, report });
}

/** The page that asks for the token. */
export function signInDocument(refused: boolean): string {
  return document("Sign in", toHtml(signInPage(refused)));
}

/** @param data values for the script, by name */
function document(title: string, body: string, script = "", data: Readonly<Record<string, string>> = {}): string {
  const attributes = Object.entries(data).map(([name, value]) => ` data-${name}="${toHtml(value)}"`);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · Business Payments Sandbox</title>
<link rel="icon" href="/assets/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/assets/app.css">
${script}</head>
<body${attributes.join("")}>${body}</body>
</html>
`;
}
