import type { CallbackFields } from '../../../shared/payments/evidence.ts';
import { isKnownName } from '../parameter-spec.ts';

/** Go's maps as `fmt` prints them: `map[id:x type:y]`, and `map[id:[x] type:[y]]` for url.Values. */

type Key = { name: string; start: number; value: number };

const mapOpening = 'map[';
const keyToken = /(?<=[[ ])([A-Za-z_]\w*(?:\[\w*\])*):(\[?)/g;

/**
 * The longest run of keys in rising order, the later of two equal ones. Go sorts the keys of a map, so a name inside a
 * value is out of order.
 */
const risingKeys = (keys: readonly Key[]): Key[] => {
  /** The best last key of each length, and the key before each. */
  const tails: number[] = [];
  const before: number[] = [];
  keys.forEach((key, index) => {
    let low = 0;
    let high = tails.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((keys[tails[middle] ?? 0]?.name ?? '') < key.name) low = middle + 1;
      else high = middle;
    }
    before[index] = low > 0 ? (tails[low - 1] ?? -1) : -1;
    tails[low] = index;
  });
  const chain: Key[] = [];
  for (let at = tails[tails.length - 1] ?? -1; at >= 0; at = before[at] ?? -1) {
    const key = keys[at];
    if (key) chain.unshift(key);
  }
  return chain;
};

/** Limit of names in one line. */
const maxKeys = 2_000;

/** The callback parameters of the map in a line, and where it begins; null if there is no map. */
export const readGoMap = (line: string): { fields: CallbackFields; at: number; end: number } | null => {
  const opening = line.indexOf(mapOpening);
  if (opening < 0) return null;
  const lists: Key[] = [];
  const plain: Key[] = [];
  keyToken.lastIndex = opening + mapOpening.length;
  for (let found = keyToken.exec(line); found; found = keyToken.exec(line)) {
    const [, name = '', bracket = ''] = found;
    if (!isKnownName(name)) continue;
    const key = { name, start: found.index, value: found.index + name.length + 1 };
    plain.push(key);
    if (bracket !== '') lists.push({ ...key, value: key.value + 1 });
    if (plain.length >= maxKeys) break;
  }
  const isValues = lists.length * 2 > plain.length;
  const keys = risingKeys(isValues ? lists : plain);
  const first = keys[0];
  if (!first) return null;
  let end = line.length;
  const fields = keys.map(({ name, value }, index): [string, string] => {
    const next = keys[index + 1];
    if (next) return [name, line.slice(value, next.start - (isValues ? 2 : 1))];
    const close = line.indexOf(isValues ? ']]' : ']', value);
    const stop = close < 0 ? line.indexOf(']', value) : close;
    end = stop < 0 ? line.length : stop + (isValues ? 2 : 1);
    return [name, line.slice(value, stop < 0 ? line.length : stop)];
  });
  return { fields, at: line.lastIndexOf(mapOpening, first.start), end };
};
