import type { Language } from '../../shared/messages/language.ts';
import type { Merchant } from '../../shared/settings/profile.ts';

/** The frame of every page that is printed into a PDF: no script, no other resource, A4, page numbers. */

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escaped and isolated, so that bidirectional characters in it have no effect after it. */
export const safe = (text: string): string =>
  text === '' ? '' : `<bdi>${text.replaceAll(/[&<>"']/g, found => escapes[found] ?? found)}</bdi>`;

/** For a style sheet's string: quotation marks, backslashes and line breaks would end it. */
const inCssString = (text: string): string => text.replaceAll(/["\\\n\r<]/g, ' ');

const style = (footer: string, pages: string): string => `
:root { color-scheme: light; font: 10pt/1.45 Inter, "Segoe UI", system-ui, sans-serif; color: #14181f; }
@page { size: A4; margin: 18mm 16mm 20mm;
  @bottom-left { content: "${inCssString(footer)}"; font: 8pt Inter, system-ui, sans-serif; color: #5b6472; }
  @bottom-right { content: ${pages}; font: 8pt Inter, system-ui, sans-serif; color: #5b6472; } }
* { box-sizing: border-box; }
body { margin: 0; overflow-wrap: anywhere; }
h1 { font-size: 18pt; line-height: 1.2; margin: 0 0 1mm; font-weight: 650; }
h2 { font-size: 12pt; margin: 8mm 0 2mm; font-weight: 650; break-after: avoid; }
h3 { font-size: 10pt; margin: 5mm 0 1mm; font-weight: 650; break-after: avoid; }
p { margin: 0 0 2mm; }
.letterhead { display: flex; justify-content: space-between; gap: 10mm; margin-bottom: 9mm; }
.letterhead address { font-style: normal; text-align: end; white-space: pre-line; }
.lead { color: #5b6472; }
.quiet { color: #5b6472; font-size: 8.5pt; }
.amount { font-size: 22pt; font-weight: 650; font-variant-numeric: tabular-nums; }
.state { font-size: 12pt; font-weight: 600; }
dl { display: grid; grid-template-columns: 45mm 1fr; gap: 1mm 5mm; margin: 0; }
dt { color: #5b6472; } dd { margin: 0; }
table { border-collapse: collapse; width: 100%; font-size: 8.5pt; }
thead { display: table-header-group; }
th { white-space: nowrap; text-align: start; font-weight: 600; color: #5b6472; border-bottom: 1px solid #9aa2ae; }
th, td { padding: 1mm 3mm 1mm 0; vertical-align: top; }
td { border-bottom: 1px solid #e2e5ea; }
th.number, td.number { text-align: end; font-variant-numeric: tabular-nums; white-space: nowrap; padding-inline-end: 0; padding-inline-start: 3mm; }
tr { break-inside: avoid; } tr.total td { font-weight: 650; border-bottom: 1px solid #9aa2ae; }
td.when { white-space: nowrap; font-variant-numeric: tabular-nums; }
code, pre { font: 7.5pt/1.4 "JetBrains Mono", ui-monospace, monospace; }
pre { white-space: pre-wrap; background: #f4f5f7; padding: 2mm; margin: 1mm 0 2mm; }
ul, ol { margin: 0; padding-inline-start: 5mm; } li { margin-bottom: 1mm; }
.annex { break-before: page; }
.event { break-inside: avoid; margin-bottom: 4mm; }
.nowrap { white-space: nowrap; }`;

/** Name, address and phone number as on a letter. */
export const letterhead = (
  heading: string,
  lead: string,
  merchant: Merchant,
): string => `<header class="letterhead">
<div><h1>${heading}</h1><p class="lead">${lead}</p></div>
<address><strong>${safe(merchant.name)}</strong>
${[...merchant.address, merchant.phone].filter(Boolean).map(safe).join('\n')}</address>
</header>`;

/** `footer`: at the foot of every page; `pageOf` returns "Page 1 of 2" for two counters, as CSS. */
export const printedPage = ({
  language,
  title,
  footer,
  page,
  body,
}: {
  language: Language;
  title: string;
  footer: string;
  /** A text with `{page}` and `{pages}`. */
  page: string;
  body: string;
}): string => {
  const pages = page
    .split(/(\{page\}|\{pages\})/)
    .filter(Boolean)
    .map(part => (part.startsWith('{') ? `counter(${part.slice(1, -1)})` : `"${inCssString(part)}"`))
    .join(' ');
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${safe(title).replaceAll(/<\/?bdi>/g, '')}</title>
<style>${style(footer, pages)}</style>
</head>
<body>
${body}
</body>
</html>
`;
};
