import { msg } from '../../../shared/messages/message.ts';
import { readWire } from '../../../shared/money/wire-amount.ts';
import { cardInText, formOf, referenceOf, wordsOf, type Line, type Lines, type NotRead } from './line.ts';
import { dayInZone, readWhen } from './dates.ts';
import { kindOfWord } from './kinds.ts';
import { decoded } from '../files/decode.ts';
import { StatementRefusal } from '../files/statement-refusal.ts';
import { maxRows, tooManyRows } from '../files/statement-rows.ts';
import { createXmlReader, type Element } from '../files/xml.ts';

/** Account statements in XML, ISO 20022 camt.053 (also .052 and .054), versions .02 to .12. */

/** What an entry or one of its transactions says. */
type Booked = {
  amount: string;
  currency: string;
  indicator: string;
  fee: string;
  references: string[];
  order: string | null;
  texts: string[];
  at: string;
};
type Entry = Booked & { status: string; booked: string; valued: string; isBatch: boolean; details: Booked[] };

const nothing = (): Booked => ({
  amount: '',
  currency: '',
  indicator: '',
  fee: '',
  references: [],
  order: null,
  texts: [],
  at: '',
});

const isNone = (text: string): boolean => text === '' || /^not ?provided$/i.test(text);

/** Elements of references; `EndToEndId` is what the merchant chose. */
const references: ReadonlySet<string> = new Set([
  'AcctSvcrRef',
  'TxId',
  'InstrId',
  'PmtInfId',
  'MsgId',
  'Ref',
  'UETR',
  'ClrSysRef',
]);

const attributeOf = (element: Element | undefined, name: string): string => element?.attributes[name] ?? '';

/** Adds the text of an element to the entry or transaction that it belongs to. `inner`: the path inside it. */
const addTo = (booked: Booked, inner: readonly Element[], text: string): void => {
  const name = inner.at(-1)?.name ?? '';
  const parent = inner.at(-2)?.name ?? '';
  if (name === 'Amt' && (inner.length === 1 || (parent === 'TxAmt' && booked.amount === ''))) {
    booked.amount = text;
    booked.currency = attributeOf(inner.at(-1), 'Ccy');
  } else if (name === 'CdtDbtInd' && inner.length === 1) booked.indicator = text;
  else if (name === 'TtlChrgsAndTaxAmt') booked.fee = text;
  else if (name === 'Amt' && (parent === 'Rcrd' || parent === 'Chrgs') && booked.fee === '')
    booked.fee = text;
  else if (name === 'EndToEndId') booked.order = isNone(text) ? null : referenceOf(text);
  else if (references.has(name) && !isNone(text)) booked.references.push(referenceOf(text) ?? text);
  else if (name === 'Ustrd' || name === 'AddtlTxInf' || name === 'AddtlNtryInf') booked.texts.push(text);
  else if ((name === 'TxDtTm' || name === 'AccptncDtTm' || name === 'TxDt') && booked.at === '')
    booked.at = text;
};

/**
 * A bank's statement as lines: an entry with several transactions is a payout of them. `found`: the encoding by its bytes;
 * the file may declare another one. Throws `StatementRefusal`.
 */
export const readCamt = (bytes: Buffer, found: string, zone: string | null): Lines => {
  const entries: Entry[] = [];
  let entry: Entry | null = null;
  let detail: Booked | null = null;
  let isCamt = false;
  let count = 0;
  const period = { first: '', last: '' };
  const reader = createXmlReader({
    open: path => {
      const element = path.at(-1);
      if (path.length === 1)
        isCamt =
          element?.name === 'Document' &&
          Object.values(element.attributes).some(of => /camt\.05[234]/.test(of));
      if (element?.name === 'Ntry')
        entry = { ...nothing(), status: '', booked: '', valued: '', isBatch: false, details: [] };
      else if (element?.name === 'TxDtls' && entry) {
        count += 1;
        if (count > maxRows) throw tooManyRows();
        detail = nothing();
      } else if (element?.name === 'Btch' && entry) entry.isBatch = true;
    },
    close: (path, raw) => {
      const text = raw.trim();
      const name = path.at(-1)?.name;
      const within = (of: string): readonly Element[] =>
        path.slice(path.findLastIndex(one => one.name === of) + 1);
      if (name === 'FrDtTm' || (name === 'FrDt' && period.first === '')) period.first = text.slice(0, 10);
      else if (name === 'ToDtTm' || (name === 'ToDt' && period.last === '')) period.last = text.slice(0, 10);
      else if (name === 'TxDtls' && entry && detail) {
        entry.details.push(detail);
        detail = null;
      } else if (name === 'Ntry' && entry) {
        entries.push(entry);
        if (entries.length > maxRows) throw tooManyRows();
        entry = null;
      } else if (detail) addTo(detail, within('TxDtls'), text);
      else if (entry) {
        const inner = within('Ntry');
        const [first] = inner;
        if (first?.name === 'Sts') entry.status ||= text;
        else if (first?.name === 'BookgDt') entry.booked ||= text;
        else if (first?.name === 'ValDt') entry.valued ||= text;
        else addTo(entry, inner, text);
      }
    },
  });
  const declared = /encoding=["']([\w.-]+)["']/.exec(bytes.subarray(0, 200).toString('latin1'))?.[1];
  const encoding = found.startsWith('utf-16') ? found : (declared ?? 'utf-8');
  for (const piece of decoded(bytes, encoding)) reader.write(piece);
  reader.end();
  if (!isCamt)
    throw new StatementRefusal(msg('statement-file.other-xml'), msg('statement-file.other-xml.hint'));
  return linesOf(entries, period.first !== '' && period.last !== '' ? period : null, zone);
};

const linesOf = (entries: readonly Entry[], period: Lines['period'], zone: string | null): Lines => {
  const lines: Line[] = [];
  const notRead: NotRead[] = [];
  let skipped = 0;
  const inZone = zone === null ? null : dayInZone(zone);
  const dayOf = (text: string): string | null => {
    const when = readWhen(text, 'ymd');
    return when === null || when.at === null || inZone === null ? (when?.day ?? null) : inZone(when.at);
  };
  let line = 0;
  for (const [index, entry] of entries.entries()) {
    const settled = dayOf(entry.booked) ?? dayOf(entry.valued);
    const batch = `entry ${index + 1}`;
    if (entry.status === 'PDNG' || entry.status === 'INFO') {
      notRead.push({ line: line + 1, why: 'pending' });
      line += Math.max(1, entry.details.length);
      continue;
    }
    const add = (booked: Booked, fallback: Entry, kindOf: 'payment' | 'payout'): void => {
      // A collective booking has the number of its last transaction.
      if (kindOf === 'payment') line += 1;
      const currency = booked.currency || fallback.currency;
      const size = readWire(booked.amount || fallback.amount, currency);
      const fee = booked.fee === '' ? 0n : readWire(booked.fee, currency);
      if (size === null || fee === null) {
        notRead.push({ line, why: currency === '' ? 'currency' : 'amount' });
        return;
      }
      const isMinus = (booked.indicator || fallback.indicator) === 'DBIT';
      const gross = isMinus ? -size : size;
      const text = [...booked.texts, ...fallback.texts].join(' ');
      const meant = kindOfWord(text);
      const isFee = meant?.kind === 'fee' && fallback.details.length > 1;
      const paid = meant?.kind === 'chargeback' ? 'chargeback' : isMinus ? 'refund' : 'sale';
      lines.push({
        line,
        kind: kindOf === 'payout' ? 'payout' : isFee ? 'fee' : paid,
        isKindCertain: meant?.kind === 'chargeback' || meant?.kind === 'refund' || !isMinus,
        order: booked.order,
        references: booked.references,
        approval: null,
        card: cardInText(text),
        words: wordsOf(text),
        form:
          kindOf === 'payout' || entry.details.length > 1 || (entry.isBatch && entry.details.length > 0)
            ? null
            : formOf(text),
        day: dayOf(booked.at),
        settled,
        currency,
        gross: isFee ? 0n : gross,
        fee: isFee ? -gross : fee,
        net: kindOf === 'payout' || isFee ? gross : gross - fee,
        batch: entry.details.length > 1 || entry.isBatch ? batch : null,
      });
    };
    const [only] = entry.details;
    if (entry.details.length > 1 || (entry.isBatch && only)) {
      for (const detail of entry.details) add(detail, { ...entry, texts: [] }, 'payment');
      add(
        { ...nothing(), amount: entry.amount, currency: entry.currency, indicator: entry.indicator },
        entry,
        'payout',
      );
      skipped += 1;
    } else {
      const own = only ?? nothing();
      add(
        {
          ...own,
          order: own.order ?? entry.order,
          references: [...own.references, ...entry.references],
          fee: own.fee || entry.fee,
        },
        entry,
        'payment',
      );
    }
  }
  return { lines, notRead, skipped, period };
};
