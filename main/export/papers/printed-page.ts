import { formatterFor } from '../../../shared/messages/catalogues.ts';
import { msg, type Language } from '../../../shared/messages/message.ts';
import type { Orientation } from '../../../shared/reports/export.ts';
import type { Merchant } from '../../../shared/settings/profile.ts';
import { fontFaces, fontPreloads } from './paper-fonts.ts';
import { escaped, safe } from './safe-text.ts';

/** The frame of every page that is printed into a PDF: no script, no other resource but its fonts, A4, page numbers. */

/** The style sheet of every paper. */

/** For a style sheet's string: quotation marks, backslashes and line breaks, form feeds among them, would end it. */
export const inCssString = (text: string): string => text.replaceAll(/["\\<]|\p{Cc}/gu, ' ');

/** `pages`: the content of a page's number. `compact`: narrower margins, for many lines. */
export const paperStyle = ({
  footer,
  pages,
  orientation,
  isCompact,
}: {
  footer: string;
  pages: string;
  orientation: Orientation;
  isCompact: boolean;
}): string => {
  const margin = isCompact ? '10mm 12mm 12mm' : '16mm 18mm 18mm';
  const foot = 'font: 7pt/1.25 Inter, sans-serif; color: #5b6472; vertical-align: top; padding-top: 2mm;';
  return `${fontFaces}
:root { color-scheme: light; font: 9.5pt/1.45 Inter, sans-serif; color: #14181f; }
@page { size: A4 ${orientation}; margin: ${margin};
  @bottom-left { content: "${inCssString(footer)}"; ${foot} padding-right: 5mm; }
  @bottom-right { content: ${pages}; ${foot} white-space: nowrap; } }
* { box-sizing: border-box; }
body { margin: 0; overflow-wrap: anywhere; }
h1 { font-size: 17pt; line-height: 1.2; margin: 0 0 1mm; font-weight: 600; letter-spacing: -0.01em; }
h2 { font-size: 11pt; margin: 7mm 0 2mm; font-weight: 600; break-after: avoid; }
h3 { font-size: 9.5pt; margin: 5mm 0 1mm; font-weight: 600; break-after: avoid; }
strong { font-weight: 600; }
p { margin: 0 0 2mm; }
.letterhead { display: flex; justify-content: space-between; gap: 12mm; margin-bottom: 7mm; padding-bottom: 5mm; border-bottom: 0.5pt solid #c4cad3; }
.letterhead address { font-style: normal; font-size: 8.5pt; text-align: end; white-space: pre-line; max-width: 75mm; }
.letterhead address strong { font-size: 10pt; }
.logo { display: block; max-width: 48mm; max-height: 16mm; margin-bottom: 4mm; object-fit: contain; object-position: left; }
.lead { color: #5b6472; margin: 0; }
.quiet { color: #5b6472; font-size: 8pt; }
.amount { font-size: 22pt; line-height: 1.2; font-weight: 600; font-variant-numeric: tabular-nums; margin: 0; letter-spacing: -0.01em; }
.state { font-size: 11.5pt; font-weight: 600; margin-bottom: 5mm; }
dl { display: grid; grid-template-columns: 42mm 1fr; gap: 1mm 5mm; margin: 0; }
dt { color: #5b6472; } dd { margin: 0; }
table { border-collapse: collapse; width: 100%; font-size: 8.5pt; }
thead { display: table-header-group; }
th { white-space: nowrap; text-align: start; font-weight: 600; color: #5b6472; border-bottom: 0.5pt solid #9aa2ae; }
th, td { padding: 1mm 3mm 1mm 0; vertical-align: top; }
td { border-bottom: 0.5pt solid #e2e5ea; }
th.number, td.number { text-align: end; font-variant-numeric: tabular-nums; white-space: nowrap; padding-inline-end: 0; padding-inline-start: 3mm; }
/* Numbers end where the next column begins. */
.number + :not(.number) { padding-inline-start: 4mm; }
tr { break-inside: avoid; }
td.when { white-space: nowrap; font-variant-numeric: tabular-nums; }
.story td.when { width: 48mm; color: #5b6472; }
code, pre { font: 7.5pt/1.4 "JetBrains Mono", monospace; font-variant-ligatures: none; }
pre { white-space: pre-wrap; background: #f4f5f7; padding: 2mm; margin: 1mm 0 2mm; }
ul, ol { margin: 0; padding-inline-start: 5mm; } li { margin-bottom: 1mm; }
.annex { break-before: page; }
.event { break-inside: avoid; margin-bottom: 4mm; }
.nowrap { white-space: nowrap; }`;
};

/** Logo, name, address and phone number as on a letter. `beside`: what is between the heading and the address. */
export const letterhead = (heading: string, lead: string, merchant: Merchant, beside = ''): string => {
  const logo =
    merchant.logo === ''
      ? ''
      : `<img class="logo" alt="${escaped(merchant.name)}" src="${escaped(merchant.logo)}">\n`;
  return `<header class="letterhead">
<div class="heading">${logo}<div><h1>${heading}</h1><p class="lead">${lead}</p></div></div>
${beside}<address><strong>${safe(merchant.name)}</strong>
${[...merchant.address, merchant.phone].filter(Boolean).map(safe).join('\n')}</address>
</header>`;
};

/** `title`: the kind of paper, `name`: which one. `style`: of this kind of paper, after the common one. */
export const printedPage = ({
  language,
  merchant,
  title,
  name,
  body,
  orientation = 'portrait',
  isCompact = false,
  style = '',
}: {
  language: Language;
  merchant: Pick<Merchant, 'name'>;
  title: string;
  name: string;
  body: string;
  orientation?: Orientation;
  isCompact?: boolean;
  style?: string;
}): string => {
  const pages = formatterFor(language)(msg('printed.page', { page: '{page}', pages: '{pages}' }))
    .split(/(\{page\}|\{pages\})/)
    .filter(Boolean)
    .map(part => (part.startsWith('{') ? `counter(${part.slice(1, -1)})` : `"${inCssString(part)}"`))
    .join(' ');
  const footer = `${merchant.name} · ${title} · ${name}`;
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; font-src 'self'; img-src data:">
<title>${escaped(`${title} ${name}`)}</title>
${fontPreloads}
<style>${paperStyle({ footer, pages, orientation, isCompact })}
${style}</style>
</head>
<body>
${body}
</body>
</html>
`;
};
