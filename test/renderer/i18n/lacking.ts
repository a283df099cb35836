import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { phrasebook, type Phrases } from '../../../renderer/i18n/translate-server-text.ts';

/** The German phrasebook's pairs, as they are shipped. */
export const pairs = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../../renderer/messages/phrases-de.json'), 'utf8'),
) as Phrases;

/** Main's sentences in German; null where the book has none. */
export const german = phrasebook(pairs);

/** The sentences that the book lacks. */
export const lacking = (sentences: Iterable<string | null | undefined>): string[] =>
  [...new Set(sentences)].filter(
    (sentence): sentence is string => typeof sentence === 'string' && german(sentence) === null,
  );
