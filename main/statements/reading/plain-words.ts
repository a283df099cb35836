import { folded } from '../../../shared/search-query/fold-text.ts';

/** The words of a text without case, accents and signs: headings, kinds and months differ only in these. */
export const plainWords = (text: string): string =>
  folded(text)
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
