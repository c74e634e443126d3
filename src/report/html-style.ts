/**
 * The style of the HTML report. Its colours and fonts are those of the dashboard (src/admin/dashboard/style/base.css);
 * a test compares them.
 */
export const htmlStyle = `
:root {
  color-scheme: light dark;
  --sans: Inter, "SF Pro Text", system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif;
  --mono: ui-monospace, "SF Mono", "JetBrains Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace;
  --bg: #f6f7f9;
  --panel: #ffffff;
  --sunken: #f1f3f6;
  --line: #e0e3e9;
  --text: #1b1f27;
  --quiet: #586070;
  --accent: #3a4bd0;
  --good: #14693a;
  --good-soft: #e2f3e8;
  --bad: #b0241c;
  --bad-soft: #fceae8;
  --warn: #855000;
  --warn-soft: #fcf0da;
}
@media (prefers-color-scheme: dark) {
  :root {
    --bg: #0e1014;
    --panel: #15181e;
    --sunken: #1c2027;
    --line: #2a2f39;
    --text: #e4e7ed;
    --quiet: #9ca5b4;
    --accent: #93a1ff;
    --good: #74d69a;
    --good-soft: #14291d;
    --bad: #ff938b;
    --bad-soft: #361a18;
    --warn: #f2b765;
    --warn-soft: #32240f;
  }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--bg); color: var(--text); font: 0.875rem / 1.5 var(--sans); overflow-wrap: anywhere; }
header { border-bottom: 1px solid var(--line); background: var(--panel); }
header p, main { max-width: 68rem; margin: 0 auto; padding: 0.75rem 1rem; }
svg { width: 1.15rem; height: 1.15rem; margin-right: 0.4rem; vertical-align: -0.2rem; fill: none; stroke: var(--accent); stroke-width: 1.4; stroke-linejoin: round; }
h1 { margin: 0.75rem 0 0.25rem; font-size: 1.3rem; font-weight: 650; letter-spacing: -0.01em; }
h2 { margin: 1.75rem 0 0.6rem; font-size: 1rem; font-weight: 650; }
h3 { margin: 0; font: 600 0.875rem / 1.5 var(--mono); }
p { margin: 0.35rem 0 0; }
dl { display: flex; flex-wrap: wrap; gap: 0.6rem; margin: 0.9rem 0 0; }
dl div { flex: 1 1 8rem; padding: 0.6rem 0.8rem; border: 1px solid var(--line); border-radius: 8px; background: var(--panel); }
dt { color: var(--quiet); font-size: 0.75rem; }
dd { margin: 0; color: var(--tone, var(--text)); font-size: 1.35rem; font-weight: 650; font-variant-numeric: tabular-nums; }
article { margin: 0 0 0.6rem; padding: 0.7rem 0.9rem; border: 1px solid var(--line); border-left: 3px solid var(--tone); border-radius: 8px; background: var(--panel); }
.good { --tone: var(--good); --soft: var(--good-soft); }
.bad { --tone: var(--bad); --soft: var(--bad-soft); }
.warn { --tone: var(--warn); --soft: var(--warn-soft); }
.none { --tone: var(--quiet); --soft: var(--sunken); }
.badge { display: inline-block; padding: 0 0.4rem; border-radius: 4px; background: var(--soft); color: var(--tone); font: 500 0.75rem / 1.3rem var(--sans); white-space: nowrap; }
.fix { font-weight: 550; }
.quiet { color: var(--quiet); font-size: 0.8125rem; }
details { margin: 0 0 0.5rem; border: 1px solid var(--line); border-radius: 8px; background: var(--panel); }
summary { padding: 0.55rem 0.9rem; cursor: pointer; }
summary .quiet { margin-left: 0.4rem; }
summary:focus-visible { outline: 2px solid var(--accent); outline-offset: 1px; border-radius: 8px; }
ul { margin: 0; padding: 0; border-top: 1px solid var(--line); list-style: none; }
li, li summary { display: grid; grid-template-columns: 7.5rem 13rem 1fr; gap: 0.2rem 0.8rem; padding: 0.45rem 0.9rem; }
li { border-bottom: 1px solid var(--line); }
li:last-child { border-bottom: 0; }
.story, .legend li { display: block; padding: 0; }
.tests li { display: block; overflow-wrap: anywhere; }
.story details { margin: 0; border: 0; }
.story div { padding: 0 0.9rem 0.7rem; }
.rest { margin: 0; border-width: 1px 0 0; border-radius: 0; color: var(--quiet); }
.rest li { color: var(--text); }
.facts { padding: 0 0.9rem 0.6rem; }
code, .rule { font-family: var(--mono); font-size: 0.8125rem; }
.rule { font-weight: 400; color: var(--quiet); }
a { color: var(--accent); }
a:focus-visible { outline: 2px solid var(--accent); outline-offset: 1px; border-radius: 4px; }
.label { margin: 0.8rem 0 0; color: var(--quiet); font-size: 0.75rem; font-weight: 550; }
pre { max-width: 100%; margin: 0.35rem 0 0; padding: 0.5rem 0.7rem; overflow-x: auto; border-radius: 6px; background: var(--sunken); font: 0.8125rem / 1.5 var(--mono); white-space: pre-wrap; }
.about { margin-top: 0.9rem; }
.scroll { position: relative; overflow-x: auto; margin: 0.9rem 0 0; border: 1px solid var(--line); border-radius: 8px; background: var(--panel); }
table { padding: 0 0.9rem 0.6rem 0; border-collapse: separate; border-spacing: 0; font-size: 0.8125rem; overflow-wrap: normal; }
thead th { padding: 0.6rem 0 0.4rem; font: 500 0.75rem / 1 var(--mono); text-align: left; vertical-align: bottom; }
thead th span { display: inline-block; max-height: 14rem; overflow: hidden; writing-mode: vertical-rl; transform: rotate(180deg); white-space: nowrap; }
thead th:first-child { padding-left: 0.9rem; }
thead th:not(:first-child) { text-align: center; }
tbody th { position: sticky; left: 0; padding: 0.1rem 0.6rem 0.1rem 0.9rem; background: var(--panel); font: 500 0.75rem / 1.2 var(--mono); text-align: left; }
tbody th span { display: block; max-width: 16rem; overflow-wrap: break-word; }
td { min-width: 1.7rem; padding: 1px; text-align: center; }
td a { display: block; border-radius: 4px; background: var(--soft); color: var(--tone); font: 600 0.8125rem / 1.55rem var(--mono); text-decoration: none; }
td a:hover { outline: 1px solid var(--tone); }
.legend { display: flex; flex-wrap: wrap; gap: 0.3rem 1.4rem; margin: 0.7rem 0 0; border: 0; }
.legend li { border: 0; font-size: 0.8125rem; }
.legend .sign { display: inline-block; width: 1.5rem; margin-right: 0.35rem; border-radius: 4px; background: var(--soft); color: var(--tone); font: 600 0.8125rem / 1.4rem var(--mono); text-align: center; }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
:target { outline: 2px solid var(--accent); outline-offset: -2px; border-radius: 8px; }
@media (max-width: 44rem) {
  li, li summary { grid-template-columns: auto 1fr; }
  li > :last-child, li summary > :last-child { grid-column: 1 / -1; }
  tbody th span { max-width: 6.5rem; }
}
@media print { body { background: none; } article, details { break-inside: avoid; } }
`;
