import { createHash } from 'node:crypto';

/** What the browser's own style lacks: the band that says what this is, and lines between rows. */
const pageStyle = `
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
body { max-width: 76rem; margin: 0 auto; padding: 0 1rem; }
.band { position: sticky; top: 0; padding: .5rem; text-align: center; background: #ffd48a; color: #3a1d00; }
.amount { font-size: 2rem; }
.good { color: light-dark(#14603a, #7fd6a6); }
.bad { color: light-dark(#9b1c1c, #ff9c94); }
fieldset { display: flex; flex-wrap: wrap; gap: .75rem; margin: 1rem 0; }
button, input, select { font: inherit; min-height: 2rem; }
button span { display: block; font-size: .875rem; }
table { width: 100%; border-collapse: collapse; }
th, td { text-align: left; vertical-align: top; padding: .5rem; border-top: 1px solid; overflow-wrap: anywhere; }
`;

/** Text that is already HTML; all other values are escaped. */
export type Html = { readonly html: string };

const escape = (text: string): string =>
  text.replaceAll(/[&<>"']/g, character => `&#${character.codePointAt(0)};`);

type Part = Html | string | number | null | readonly Html[];

const render = (part: Part): string => {
  if (part === null) return '';
  if (typeof part === 'string' || typeof part === 'number') return escape(String(part));
  return 'html' in part ? part.html : part.map(({ html }) => html).join('');
};

/** A template whose values are escaped unless they are Html; null writes nothing. */
export const html = (strings: TemplateStringsArray, ...parts: readonly Part[]): Html => ({
  html: strings.map((text, index) => text + render(parts[index] ?? null)).join(''),
});

const style: Html = { html: `<style>${pageStyle}</style>` };
const styleHash = createHash('sha256').update(pageStyle).digest('base64');

/**
 * The headers of every page: only its own style may load, and its address is never sent as a referrer. `formTargets`:
 * further origins for forms.
 */
export const pageHeaders = (formTargets: readonly string[] = []): Record<string, string> => ({
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': [
    "default-src 'none'",
    'img-src data:',
    `style-src 'sha256-${styleHash}'`,
    `form-action ${["'self'", ...formTargets].join(' ')}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; '),
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-robots-tag': 'noindex, nofollow',
  'cache-control': 'no-store',
});

/** A complete page, marked as the sandbox's. */
export const page = (title: string, body: Html): string =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex, nofollow" />
        <meta name="color-scheme" content="light dark" />
        <link rel="icon" href="data:," />
        <title>${title} · Sandbox, no money moves</title>
        ${style}
      </head>
      <body>
        <p class="band"><strong>Sandbox</strong> — no money moves</p>
        <main>${body}</main>
        <footer>
          This page belongs to a simulated payment provider for training and tests. It never asks for a card
          number: please do not type one anywhere.
        </footer>
      </body>
    </html> `.html;
