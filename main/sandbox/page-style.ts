/** The style of the sandbox's pages, with a distinct accent, so that no page looks like a real gateway's. */
export const pageStyle = `
:root {
  color-scheme: light dark;
  --ground: #f3f1ee; --paper: #ffffff; --ink: #1d1b19; --soft: #5c5650; --line: #d8d2ca;
  --accent: #8a3b00; --on-accent: #ffffff; --band: #ffd48a; --band-ink: #3a1d00; --band-dark: #f7c26a;
  --good: #14603a; --bad: #9b1c1c;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #171513; --paper: #221f1c; --ink: #f2eee9; --soft: #b7afa6; --line: #443e38;
    --accent: #ffb65c; --on-accent: #2b1600; --band: #5a3500; --band-ink: #ffe3b8; --band-dark: #4a2b00;
    --good: #7fd6a6; --bad: #ff9c94;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0; min-height: 100vh; background: var(--ground); color: var(--ink);
  font: 1rem/1.5 system-ui, "Segoe UI", "Liberation Sans", sans-serif;
  display: flex; flex-direction: column; align-items: center;
}
.band {
  margin: 0; width: 100%; padding: .6rem 1rem; text-align: center; letter-spacing: .02em; color: var(--band-ink);
  background: repeating-linear-gradient(-45deg, var(--band) 0 14px, var(--band-dark) 14px 28px);
  position: sticky; top: 0; z-index: 1; border-bottom: 1px solid var(--line);
}
main { width: 100%; background: var(--paper); border: 1px solid var(--line); border-radius: 14px; padding: 1.75rem; }
main.card { max-width: 34rem; margin: 2rem 1rem 1rem; }
main.wide { max-width: 76rem; margin: 1.5rem 1rem 1rem; overflow-x: auto; }
@media (max-width: 36rem) { main.card, main.wide { margin: 0; border-width: 0 0 1px; border-radius: 0; padding: 1.25rem; } }
footer { max-width: 34rem; padding: 0 1.5rem 2rem; color: var(--soft); font-size: .875rem; text-align: center; }
h1 { font-size: 1.25rem; line-height: 1.3; margin: 0 0 1rem; text-wrap: balance; }
h2 { font-size: 1rem; margin: 1.75rem 0 .5rem; }
p { margin: .5rem 0; }
.amount { font-size: 2.5rem; line-height: 1.1; font-weight: 650; font-variant-numeric: tabular-nums; margin: 0 0 1rem; overflow-wrap: anywhere; }
.amount small { font-size: 1.1rem; font-weight: 500; color: var(--soft); }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .35rem 1rem; margin: 0; }
dt { color: var(--soft); }
dd { margin: 0; overflow-wrap: anywhere; }
.note { color: var(--soft); font-size: .9rem; }
.good { color: var(--good); }
.bad { color: var(--bad); }
fieldset { border: 0; padding: 0; margin: 0; min-width: 0; }
fieldset + fieldset { margin-top: 1rem; }
form { margin-top: 1.5rem; }
legend { padding: 0; font-weight: 600; margin: 0 0 .5rem; }
.scenario { display: block; margin: .6rem 0; }
button, .button {
  display: block; width: 100%; text-align: left; font: inherit; padding: .7rem 1rem; border-radius: 10px; cursor: pointer;
  border: 1px solid var(--line); background: transparent; color: inherit; text-decoration: none;
}
button span, .button span { display: block; color: var(--soft); font-size: .875rem; }
button strong { font-weight: 600; }
button:hover, .button:hover { border-color: var(--accent); }
button.primary, .button.primary { background: var(--accent); border-color: var(--accent); color: var(--on-accent); }
button.primary span, .button.primary span { color: inherit; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 3px; }
.choices { display: grid; grid-template-columns: repeat(auto-fill, minmax(16rem, 1fr)); gap: .25rem 1.25rem; margin-bottom: .75rem; }
.choices label { display: block; }
.choices select { width: 100%; }
.pair { display: grid; gap: .4rem; margin-top: 1.25rem; }
p:has(> .button) { margin: 1rem 0 0; }
label { color: var(--soft); font-size: .875rem; }
select, input {
  font: inherit; color: inherit; background: var(--paper); border: 1px solid var(--soft); border-radius: 8px;
  padding: .45rem .6rem; max-width: 100%;
}
table { width: 100%; border-collapse: collapse; font-size: .9rem; }
caption { text-align: left; color: var(--soft); padding: 1.5rem 0 .5rem; }
th, td { text-align: left; vertical-align: top; padding: .55rem .75rem .55rem 0; border-top: 1px solid var(--line); }
th { color: var(--soft); font-weight: 500; }
td.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
td form + form { margin-top: .4rem; }
td form { margin: 0; display: flex; flex-wrap: wrap; gap: .4rem; align-items: center; }
td button { display: inline-block; width: auto; padding: .3rem .7rem; border-radius: 8px; }
td input { width: 7rem; padding: .3rem .5rem; }
code { font: .85em/1.4 ui-monospace, "Liberation Mono", monospace; overflow-wrap: anywhere; }
ul.plain { list-style: none; margin: 0; padding: 0; }
`;
