/**
 * The style of the matrix and of its stories, in addition to that of all reports. The story of a cell is shown when it
 * is the target of the page's address, so that it needs no script.
 */
export const matrixStyle = `
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
td a, td > span { display: block; border-radius: 4px; font: 600 0.8125rem / 1.55rem var(--mono); text-decoration: none; }
td a { background: var(--soft); color: var(--tone); }
td a:hover { outline: 1px solid var(--tone); }
td > span { color: var(--quiet); }
a { color: var(--accent); }
a:focus-visible { outline: 2px solid var(--accent); outline-offset: 1px; border-radius: 4px; }
.legend { display: flex; flex-wrap: wrap; gap: 0.3rem 1.4rem; margin: 0.7rem 0 0; border: 0; }
.legend li { display: block; padding: 0; border: 0; font-size: 0.8125rem; }
.legend .sign { display: inline-block; width: 1.5rem; margin-right: 0.35rem; border-radius: 4px; background: var(--soft); color: var(--tone); font: 600 0.8125rem / 1.4rem var(--mono); text-align: center; }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
pre { max-width: 100%; margin: 0.35rem 0 0; padding: 0.5rem 0.7rem; overflow-x: auto; border-radius: 6px; background: var(--sunken); font: 0.8125rem / 1.5 var(--mono); white-space: pre-wrap; }
h4 { margin: 0.8rem 0 0; color: var(--quiet); font-size: 0.75rem; font-weight: 550; }
.story { display: none; }
.story:target { display: block; position: fixed; z-index: 1; inset: auto 0 0 auto; width: min(44rem, 100%); max-height: 60vh; margin: 0; overflow: auto; box-shadow: 0 0 2rem rgb(0 0 0 / 30%); }
.story:focus { outline: 0; }
.close { position: sticky; top: 0; float: right; margin-left: 1rem; }
@media (max-width: 44rem) { tbody th span { max-width: 6.5rem; } }
@media print { .story:target { position: static; width: auto; max-height: none; box-shadow: none; } }
`;
