import { readNumber } from './numbers.ts';
import { daysBetween, readWhen } from './dates.ts';
import { kindOfWord } from './kinds.ts';
import { cardInText, formOf, referenceOf, wordsOf, type Line, type Lines, type NotRead } from './line.ts';
import { decoded } from '../files/decode.ts';

/** Account statements of SWIFT, MT940 (and MT942). */

const booking =
  /^(?<value>\d{6})(?<booked>\d{4})?(?<mark>E?R?[CD])(?<funds>[A-Z])?(?<amount>\d{1,15},\d{0,3})(?<type>[A-Z][A-Z0-9]{3})(?<order>(?:(?!\/\/)[^\n]){0,35})(?:\/\/(?<bank>[^\n]*))?/;

/** The marks of references and texts inside `:86:`: `EREF+…` in Germany, `/EREF/…` in the Netherlands. */
const marks =
  /(?:\/(?<slash>EREF|KREF|MREF|REMI|ORDP|BENM|NAME|IBAN|BIC|TRTP|CSID|MARF|RTRN|PREF|ISDT|TRCD|CNTP)\/)|(?<plus>EREF|KREF|MREF|CRED|DEBT|COAM|OAMT|SVWZ|ABWA|ABWE|PURP|IBAN|BIC|TAN\d?)\+/g;

/** The text of `:86:` by mark; what has none is under ''. Subfields and lines are one text, because references wrap. */
const textsOf = (information: string): ReadonlyMap<string, string> => {
  const flat = information.replaceAll(/\r?\n/g, '');
  // The sign before each subfield is the bank's own.
  const mark = /^\d{3}([?~<>^|])\d\d/.exec(flat)?.[1];
  const joined = mark
    ? flat
        .split(mark)
        .slice(1)
        .map(field => [field.slice(0, 2), field.slice(2)] as const)
        .filter(
          ([number]) =>
            Number(number) === 0 || (Number(number) >= 20 && Number(number) < 30) || Number(number) >= 60,
        )
        .map(([number, text]) => (number === '00' ? `${text} ` : text))
        .join('')
    : flat;
  const texts = new Map<string, string>();
  let name = '';
  let from = 0;
  const take = (until: number): void => {
    texts.set(name, `${texts.get(name) ?? ''}${joined.slice(from, until)}`.trim());
  };
  for (const found of joined.matchAll(marks)) {
    take(found.index);
    name = found.groups?.['slash'] ?? found.groups?.['plus'] ?? '';
    from = found.index + found[0].length;
  }
  take(joined.length);
  return texts;
};

/** A reference that the bank names; null for its words for none. */
const named = (text: string | undefined): string | null => {
  const reference = referenceOf(text);
  return reference === null || /^(nonref|not ?provided)$/i.test(reference) ? null : reference;
};

/** The tags of a message, with their lines. */
const tagsOf = (text: string): { tag: string; text: string; line: number }[] => {
  const tags: { tag: string; text: string; line: number }[] = [];
  for (const [index, row] of text.split(/\r\n|\n|\r/).entries()) {
    const found = /^:(\d\d[A-Z]?):(.*)$/.exec(row);
    if (found) tags.push({ tag: found[1] ?? '', text: found[2] ?? '', line: index + 1 });
    else if (/^-}?$|^\{|^$/.test(row)) continue;
    else {
      const last = tags.at(-1);
      if (last) last.text += `\n${row}`;
    }
  }
  return tags;
};

/** The day on which it was booked: MMDD of the year that is nearest to the value date. */
const bookedDay = (booked: string | undefined, valued: string): string => {
  if (booked === undefined) return valued;
  const year = Number(valued.slice(0, 4));
  const days = [year - 1, year, year + 1].map(one => `${one}-${booked.slice(0, 2)}-${booked.slice(2)}`);
  return days.reduce(
    (best, day) => (daysBetween(day, valued) < daysBetween(best, valued) ? day : best),
    valued.slice(0, 4) + days[1]?.slice(4),
  );
};

/** A bank's statement as lines. `encoding`: its label. */
export const readMt940 = (bytes: Buffer, encoding: string): Lines => {
  const lines: Line[] = [];
  const notRead: NotRead[] = [];
  let currency = '';
  let skipped = 0;
  const tags = tagsOf([...decoded(bytes, encoding)].join(''));
  for (const [index, { tag, text, line }] of tags.entries()) {
    if (/^60[FM]$/.test(tag)) currency = text.slice(7, 10);
    if (tag !== '61') {
      if (tag !== '86') skipped += 1;
      continue;
    }
    const found = booking.exec(text)?.groups;
    const next = tags[index + 1];
    const texts = textsOf(next?.tag === '86' ? next.text : '');
    const size = found && readNumber(found['amount'] ?? '', currency, 'comma');
    const valued = found && readWhen(`20${found['value']}`, 'ymd')?.day;
    if (size == null || valued == null) {
      notRead.push({ line, why: size == null ? 'amount' : 'day' });
      continue;
    }
    const { mark = '', order, bank, type = '' } = found ?? {};
    // RC takes a credit back, RD a debit.
    const isMinus = mark.endsWith('RC') || (mark.endsWith('D') && !mark.endsWith('RD'));
    const gross = isMinus ? -size : size;
    const purpose = [texts.get('SVWZ') ?? texts.get('REMI'), texts.get('')].filter(Boolean).join(' ');
    const supplement = text.split('\n').slice(1).join(' ');
    const meant = kindOfWord(`${purpose} ${supplement}`)?.kind;
    lines.push({
      line,
      kind: meant === 'chargeback' ? 'chargeback' : isMinus ? 'refund' : 'sale',
      isKindCertain: meant === 'chargeback' || meant === 'refund' || !isMinus,
      order: named(texts.get('EREF')) ?? named(order),
      references: [bank, texts.get('KREF'), texts.get('PREF'), order].flatMap(of => named(of) ?? []),
      approval: null,
      card: cardInText(purpose),
      words: wordsOf(`${purpose} ${supplement}`),
      form: formOf(`${type} ${purpose}`),
      day: null,
      settled: bookedDay(found?.['booked'], valued),
      currency,
      gross,
      fee: 0n,
      net: gross,
      batch: null,
    });
  }
  return { lines, notRead, skipped, period: null };
};
