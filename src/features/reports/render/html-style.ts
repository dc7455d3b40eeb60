/** How the page looks: light and dark by what the reader has chosen, on paper landscape and without broken rows. */
export const style = `
:root { color-scheme: light dark; --text: #1c2024; --soft: #5b636e; --line: #d5d9df; --back: #ffffff; --band: #f3f5f8;
  --good: #116329; --bad: #b3261e; --weak: #7a4d00; --link: #0b57d0; }
@media (prefers-color-scheme: dark) {
  :root { --text: #e4e7eb; --soft: #a3abb6; --line: #3a414b; --back: #14171b; --band: #1f242b;
    --good: #6fd58a; --bad: #ff9a90; --weak: #f0c069; --link: #8ab4f8; }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--back); color: var(--text); font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto,
  "Noto Sans", "PingFang SC", "Microsoft YaHei", "Noto Sans CJK SC", sans-serif; }
main { max-width: 1280px; margin: 0 auto; padding: 24px 24px 64px; overflow-wrap: anywhere; }
h1 { font-size: 1.8em; line-height: 1.25; margin: 0.4em 0 0.8em; }
h2 { font-size: 1.35em; margin: 2em 0 0.6em; padding-bottom: 0.25em; border-bottom: 2px solid var(--line); }
h3 { font-size: 1.1em; margin: 1.8em 0 0.5em; }
h4 { font-size: 1em; margin: 1.4em 0 0.4em; }
p, ul { margin: 0.5em 0; }
ul { padding-left: 1.4em; }
a { color: var(--link); }
code { font: 0.88em ui-monospace, "Cascadia Code", "SF Mono", Menlo, Consolas, monospace; background: var(--band);
  padding: 0.1em 0.3em; border-radius: 3px; font-weight: normal; }
h3 code, h4 code, th code { color: var(--soft); }
.table { overflow-x: auto; margin: 0.8em 0 1.2em; }
table { border-collapse: collapse; width: 100%; font-size: 0.92em; }
table.facts, table.small { width: auto; }
table.facts { margin: 0.8em 0 1.2em; }
caption { text-align: left; font-weight: 600; padding: 0.2em 0 0.4em; color: var(--soft); }
th, td { border-bottom: 1px solid var(--line); padding: 0.4em 0.7em; text-align: left; vertical-align: top;
  unicode-bidi: isolate; overflow-wrap: break-word; }
.table th, .table td { min-width: 6em; }
.table th[scope="row"] { min-width: 13em; }
thead th { background: var(--band); color: var(--soft); font-weight: 600; vertical-align: bottom; }
th[scope="row"] { font-weight: 500; }
.end { text-align: right; font-variant-numeric: tabular-nums; }
.figure, td.end { white-space: nowrap; }
.good, .bad, .weak { font-weight: 600; }
.good { color: var(--good); }
.bad { color: var(--bad); }
.weak { color: var(--weak); }
.said { margin: 0.8em 0; }
.said figcaption { font-size: 0.9em; color: var(--soft); font-weight: 600; }
blockquote { margin: 0.3em 0; padding: 0.1em 1em; border-left: 3px solid var(--line); background: var(--band);
  unicode-bidi: isolate; }
blockquote .heading { font-weight: 700; }
pre { overflow-x: auto; padding: 0.6em 0; }
pre code { padding: 0; white-space: pre-wrap; }
@page { size: A4 landscape; margin: 14mm; }
@media print {
  :root { color-scheme: light; --text: #000000; --soft: #444444; --line: #bbbbbb; --back: #ffffff; --band: #f3f3f3;
    --good: #0d5020; --bad: #96170f; --weak: #5f3c00; --link: #000000; }
  body { font-size: 9.5pt; }
  main { max-width: none; padding: 0; }
  .table { overflow: visible; }
  .table th, .table td { min-width: 4.5em; padding: 0.3em 0.45em; }
  .table th[scope="row"] { min-width: 10em; }
  tr, li, figcaption { break-inside: avoid; }
  h1, h2, h3, h4, caption, figcaption { break-after: avoid; }
  thead { display: table-header-group; }
}
`;
