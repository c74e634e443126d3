import type { ComponentChildren } from "preact";
import { toHtml } from "./html.js";
import { RequestList } from "./view/request-list.js";
import { EmptyState, ListLine, RequestsFrame } from "./view/requests-frame.js";
import { SearchForm } from "./view/search.js";
import { Chips, type FirstView, Shell } from "./view/shell.js";
import { SignInPage } from "./view/sign-in.js";

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
export function dashboardPage(first: FirstView): string {
  const { page, clock, url } = first;
  return document(
    // The script begins with the same data.
    <Document title="Requests" script="/assets/app.js" data={{ "data-first": JSON.stringify(first) }}>
      <Shell page="requests" chips={<Chips {...first} connection="connecting" now={Date.parse(clock.now)} />}>
        <RequestsFrame
          isShown
          hasDetail={false}
          search={<SearchForm counts={page.counts} />}
          line={<ListLine page={page} />}
          list={<RequestList items={page.items} hasMore={page.nextCursor !== undefined} />}
          empty={page.items.length === 0 && <EmptyState url={url} commands={undefined} />}
        >
          <aside id="detail" class="detail" aria-label="Details" tabindex={-1} hidden />
        </RequestsFrame>
        <div id="page" class="page" hidden />
      </Shell>
      <noscript>
        <p class="noscript">This is the state when the page was loaded. With JavaScript, the page updates itself.</p>
      </noscript>
    </Document>,
  );
}

/** The page that asks for the token. */
export function signInDocument(refused: boolean): string {
  return document(
    <Document title="Sign in">
      <SignInPage refused={refused} />
    </Document>,
  );
}

function document(view: ComponentChildren): string {
  return `<!doctype html>\n${toHtml(view)}\n`;
}

function Document({
  title,
  script,
  data = {},
  children,
}: {
  title: string;
  script?: string;
  data?: Readonly<Record<`data-${string}`, string>>;
  children: ComponentChildren;
}) {
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{`${title} · Business Payments Sandbox`}</title>
        <link rel="icon" href="/assets/icon.svg" type="image/svg+xml" />
        <link rel="stylesheet" href="/assets/app.css" />
        {script !== undefined && <script type="module" src={script} />}
      </head>
      <body {...data}>{children}</body>
    </html>
  );
}
