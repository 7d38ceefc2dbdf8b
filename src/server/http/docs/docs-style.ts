/** The style sheet of the API's page, in the colors of src/web/styles/tokens.css. */
export const DOCS_STYLE = `:root {
  color-scheme: light dark;
  --page: light-dark(#f6f0e4, #171110);
  --surface: light-dark(#fffdf9, #201817);
  --sunken: light-dark(#ede4d3, #100b0a);
  --ink: light-dark(#2b1d1a, #f4eadc);
  --muted: light-dark(#68564d, #bcab9b);
  --line: light-dark(#dfd2bd, #3b2e2a);
  --accent: light-dark(#6b182c, #e6ab9f);
  --focus: light-dark(#8a5300, #f0cb84);
}
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; }
body { margin: 0 auto; max-width: 80rem; padding: 1.5rem 1rem 4rem; background: var(--page); color: var(--ink);
  font: 1rem/1.55 system-ui, sans-serif; overflow-wrap: anywhere; }
h1, h2 { font-family: Georgia, serif; font-weight: normal; line-height: 1.2; margin: 0; }
h1 { font-size: 2rem; }
h2 { font-size: 1.5rem; border-bottom: 1px solid var(--line); padding-bottom: 0.4rem; }
h3 { font-size: 0.95rem; margin: 1.1rem 0 0.3rem; }
h3 span { color: var(--muted); font-weight: normal; }
p { margin: 0.5rem 0; max-width: 46rem; }
a { color: var(--accent); }
:focus-visible { outline: 2px solid var(--focus); outline-offset: 2px; }
code, pre { font: 0.875rem/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
td pre { white-space: pre-wrap; overflow-wrap: anywhere; }
pre { margin: 0; padding: 0.75rem; background: var(--sunken); border-radius: 6px; overflow-x: auto; }
nav ul { list-style: none; margin: 1rem 0; padding: 0; display: flex; flex-wrap: wrap; gap: 0.25rem 1rem; }
nav a { display: inline-block; padding: 0.35rem 0; }
section { margin-top: 2rem; }
details { margin-top: 0.5rem; background: var(--surface); border: 1px solid var(--line); border-radius: 8px; }
summary { padding: 0.7rem 0.9rem; cursor: pointer; }
summary .summary { color: var(--muted); }
.method { display: inline-block; min-width: 3.9rem; font-size: 0.8125rem; font-weight: 600; color: var(--accent); }
.call { padding: 0 0.9rem 1rem; border-top: 1px solid var(--line); }
.who { color: var(--muted); }
table { border-collapse: collapse; width: 100%; }
td { border-top: 1px solid var(--line); padding: 0.4rem 0.75rem 0.4rem 0; text-align: left; vertical-align: top; }
td:first-child { white-space: nowrap; }
@media (min-width: 60rem) {
  .columns { display: grid; grid-template-columns: 12rem minmax(0, 1fr); gap: 2.5rem; }
  nav ul { position: sticky; top: 1rem; display: block; }
}
`;
