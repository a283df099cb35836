import {
  addressesIn,
  isPasted,
  orderNumbersIn,
  uuidsIn,
} from '../../../../../shared/search-query/pasted-text.ts';
import { linkWord } from '../../../projection/link-word.ts';
import type { LogDatabase } from '../../store/database.ts';
import { allOf, trigramsOf } from '../../store/trigrams.ts';

/**
 * The search words of a text that may be pasted: if it has a payment link, a payment id or the number of an order, only
 * these count. A text without any stays as it is.
 */
export type IdsInText = (text: string) => string;

export const idsInText = (database: LogDatabase): IdsInText => {
  const isOrder = database
    .prepare<[string, string], number>('SELECT 1 FROM payment WHERE order_number IN (?, ?) LIMIT 1')
    .pluck();
  const isId = database
    .prepare<[string, string], number>('SELECT 1 FROM payment_id WHERE payment_id IN (?, ?) LIMIT 1')
    .pluck();
  const isWord = database
    .prepare<[string], number>('SELECT 1 FROM search WHERE search MATCH ? LIMIT 1')
    .pluck();
  return text => {
    const trimmed = text.trim();
    const uuids = uuidsIn(trimmed);
    if (trimmed.startsWith('=') || trimmed.toLowerCase() === uuids[0]) return trimmed;
    const links = addressesIn(trimmed)
      .map(linkWord)
      .filter(word => isWord.get(allOf(trigramsOf(` ${word} `))) !== undefined);
    if (links.length > 0) return `=${links.join('|')}`;
    const orders = isPasted(trimmed)
      ? orderNumbersIn(trimmed).filter(number => isOrder.get(number, number.toUpperCase()) !== undefined)
      : [];
    const known = [...uuids.filter(id => isId.get(id, id.toUpperCase()) !== undefined), ...orders];
    const ids = known.length > 0 ? known : uuids;
    return ids.length > 0 ? `=${ids.join('|')}` : trimmed;
  };
};
