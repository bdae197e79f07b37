/** The look of report.html: light and dark, and on paper. Every text colour has a contrast of at least 4.5 to 1. */
export const STYLE = `
:root { color-scheme: light dark; --page: #f6f7f9; --card: #fff; --ink: #1c2330; --soft: #545d6b; --line: #d5dae1; --link: #0a58b8;
  --critical: #b3131f; --major: #9a4400; --minor: #6d5600; --info: #1257a8; --good: #14693a; --bad: #b3131f; --none: #545d6b;
  --critical-fill: #d1242f; --major-fill: #e0701a; --minor-fill: #d9ad18; --info-fill: #3b82d6; }
@media (prefers-color-scheme: dark) { :root { --page: #0f1319; --card: #181d25; --ink: #e8ebf0; --soft: #a5afbd; --line: #343c48; --link: #7db4ff;
  --critical: #ff8a8f; --major: #ffab66; --minor: #ecc94b; --info: #86b9ff; --good: #6cd694; --bad: #ff8a8f; --none: #a5afbd; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--ink); font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Liberation Sans", sans-serif; overflow-wrap: anywhere; }
a { color: var(--link); } code { font: .875em ui-monospace, "SF Mono", Consolas, "Liberation Mono", monospace; }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
h1, h2, h3, h4, p, ul, ol, dl, dd, figure { margin: 0; } ul, ol { padding-left: 1.4em; }
h1 { font-size: 1.7rem; line-height: 1.25; } h2 { font-size: 1.15rem; } h2 code { font-size: 1.05rem; } h3 { font-size: 1rem; } h4 { font-size: 1rem; font-weight: 600; }
.skip { position: absolute; left: -999px; } .skip:focus { left: 1rem; top: 1rem; background: var(--card); padding: .5rem 1rem; z-index: 2; }
header, main, footer { max-width: 1180px; margin: 0 auto; padding: 1.25rem; } main { padding-top: 0; display: grid; gap: 1.25rem; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: 1.25rem; display: grid; gap: .75rem; align-content: start; min-width: 0; }
.verdict { border-left: 10px solid var(--none); } .verdict.good { border-left-color: var(--good); } .verdict.bad { border-left-color: var(--bad); } .verdict.warn { border-left-color: var(--major); }
.stamp { font-weight: 700; letter-spacing: .06em; font-size: .95rem; color: var(--none); } .good .stamp { color: var(--good); } .bad .stamp { color: var(--bad); } .warn .stamp { color: var(--major); }
.facts { display: flex; flex-wrap: wrap; gap: .4rem 2rem; } .facts div { display: flex; flex-direction: column; } .facts dt { color: var(--soft); font-size: .875rem; } .facts dd { font-weight: 600; }
.two { display: grid; gap: 1.25rem; grid-template-columns: repeat(auto-fit, minmax(min(100%, 420px), 1fr)); }
.bars { display: grid; grid-template-columns: max-content 1fr max-content; gap: .4rem .75rem; align-items: center; } .bars svg { width: 100%; height: 14px; display: block; }
.fill-CRITICAL { fill: var(--critical-fill); } .fill-MAJOR { fill: var(--major-fill); } .fill-MINOR { fill: var(--minor-fill); } .fill-INFO { fill: var(--info-fill); }
.badge { font-weight: 700; font-size: .8rem; border: 1.5px solid currentColor; border-radius: 5px; padding: 0 .4em; white-space: nowrap; }
.CRITICAL { color: var(--critical); } .MAJOR { color: var(--major); } .MINOR { color: var(--minor); } .INFO { color: var(--info); }
.tag { font-size: .8rem; border-radius: 5px; padding: .05em .45em; border: 1px solid var(--line); color: var(--soft); white-space: nowrap; } .tag.stop { color: var(--bad); border-color: currentColor; } .tag.fixed { color: var(--good); border-color: currentColor; }
form { display: flex; flex-wrap: wrap; gap: .75rem 1.5rem; align-items: end; } fieldset { border: 0; padding: 0; margin: 0; display: flex; flex-wrap: wrap; gap: .25rem 1rem; min-width: 0; } legend, .field { color: var(--soft); font-size: .875rem; }
.field { display: grid; gap: .15rem; } label.check { display: inline-flex; gap: .35rem; align-items: center; min-height: 28px; }
input[type=search], select, button { font: inherit; color: var(--ink); background: var(--page); border: 1px solid var(--soft); border-radius: 6px; padding: .25rem .5rem; min-height: 34px; max-width: 100%; }
.many > .file { content-visibility: auto; contain-intrinsic-size: auto 500px; } .file > .head { display: flex; flex-wrap: wrap; gap: .25rem .75rem; align-items: baseline; } .soft { color: var(--soft); font-size: .9rem; }
.beside { display: grid; gap: 1.25rem; grid-template-columns: minmax(0, 1fr); } @media (min-width: 860px) { .beside.media { grid-template-columns: minmax(0, 320px) minmax(0, 1fr); } .versions.both { grid-template-columns: minmax(0, 2fr) minmax(0, 1fr); } }
.versions { display: grid; gap: 1.25rem; align-content: start; } .column { display: grid; gap: .75rem; align-content: start; }
figure img, figure video { max-width: 100%; max-height: 420px; border-radius: 6px; border: 1px solid var(--line); background: var(--page); display: block; } figure audio { width: 100%; } figcaption { color: var(--soft); font-size: .85rem; }
.issue { border-top: 1px solid var(--line); padding-top: .75rem; display: grid; gap: .4rem; } .line { display: flex; flex-wrap: wrap; gap: .3rem .5rem; align-items: center; }
.text { white-space: pre-line; max-width: 75ch; } details > summary { cursor: pointer; color: var(--link); width: fit-content; min-height: 24px; } details[open] > :not(summary) { margin-top: .4rem; }
table { border-collapse: collapse; width: 100%; font-size: .9rem; } th, td { text-align: left; padding: .35rem .6rem .35rem 0; border-bottom: 1px solid var(--line); vertical-align: top; } .scroll { overflow-x: auto; }
[hidden] { display: none !important; }
@media print { :root { color-scheme: light; --page: #fff; --card: #fff; --ink: #000; --soft: #444; --line: #bbb; --link: #000; --critical: #b3131f; --major: #9a4400; --minor: #6d5600; --info: #1257a8; --good: #14693a; --bad: #b3131f; }
  .filters, .skip, figure audio { display: none; } .card { border: 0; padding: .5rem 0; } .many > .file { content-visibility: visible; } .issue { break-inside: avoid; } .fill-CRITICAL, .fill-MAJOR, .fill-MINOR, .fill-INFO { print-color-adjust: exact; } }
`;
