import type { Language } from '../../../shared/messages/language.ts';
import type { Orientation } from '../../../shared/reports/export.ts';
import type { Merchant } from '../../../shared/settings/profile.ts';
import { fontPreloads } from './paper-fonts.ts';
import { inCssString, paperStyle } from './paper-style.ts';
import { escaped, safe } from './safe-text.ts';

/** The frame of every page that is printed into a PDF: no script, no other resource but its fonts, A4, page numbers. */

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

/** `footer`: at the foot of every page. `style`: of this kind of paper, after the common one. */
export const printedPage = ({
  language,
  title,
  footer,
  page,
  body,
  orientation = 'portrait',
  isCompact = false,
  style = '',
}: {
  language: Language;
  title: string;
  footer: string;
  /** A text with `{page}` and `{pages}`. */
  page: string;
  body: string;
  orientation?: Orientation;
  isCompact?: boolean;
  style?: string;
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
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; font-src 'self'; img-src data:">
<title>${escaped(title)}</title>
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
