import { createHash } from 'node:crypto';
import { safe } from '../export/papers/safe-text.ts';
import { formatterFor } from '../../shared/messages/catalogues.ts';
import { msg, type Language } from '../../shared/messages/message.ts';

/** The two pages that a customer can see after the payment page, in the order of the profile's fields. */
export const returnPageKinds = ['thank-you', 'cancelled'] as const;
type ReturnPageKind = (typeof returnPageKinds)[number];

const style = `
:root { color-scheme: light dark; --ink: #14181f; --quiet: #4a5361; --page: #f4f5f7; --card: #fff; }
@media (prefers-color-scheme: dark) { :root { --ink: #eef1f6; --quiet: #b9c1cf; --page: #12151c; --card: #1b202a; } }
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 1rem; background: var(--page); color: var(--ink); font: 1.0625rem/1.5 system-ui, "Segoe UI", sans-serif; overflow-wrap: anywhere; }
main { width: 100%; max-width: 32rem; padding: 2rem 1.5rem; border-radius: 0.75rem; background: var(--card); }
section + section { margin-top: 2rem; }
h1, h2 { margin: 0 0 0.5rem; font-size: 1.375rem; line-height: 1.25; }
p { margin: 0; color: var(--quiet); }
`;

/** The style is allowed by its hash; nothing else is loaded or run. */
export const returnPagePolicy = `default-src 'none'; style-src 'sha256-${createHash('sha256')
  .update(style)
  .digest('base64')}'; base-uri 'none'; form-action 'none'`;

/** A redirect proves nothing: neither page says whether a payment was made. `name`: of the merchant, as HTML. */
const wordsOf = (kind: ReturnPageKind, language: Language, name: string | null) => {
  const say = formatterFor(language);
  return {
    title: say(msg(`return-page.${kind}`)),
    text: say(
      name === null
        ? msg(`return-page.${kind}.unnamed`)
        : msg(`return-page.${kind}.text`, { merchant: name }),
    ),
  };
};

/**
 * A complete page in English and German, without scripts, links and other files. `merchant`: the name that customers
 * know; null if there is none.
 */
export const returnPage = (kind: ReturnPageKind, merchant: string | null): string => {
  const name = merchant === null ? null : safe(merchant);
  const en = wordsOf(kind, 'en', name);
  const de = wordsOf(kind, 'de', name);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="referrer" content="no-referrer">
<meta http-equiv="Content-Security-Policy" content="${returnPagePolicy}">
<title>${en.title} · ${de.title}</title>
<style>${style}</style>
</head>
<body>
<main>
<section>
<h1>${en.title}</h1>
<p>${en.text}</p>
</section>
<section lang="de">
<h2>${de.title}</h2>
<p>${de.text}</p>
</section>
</main>
</body>
</html>
`;
};
