import { expect, test } from 'vitest';
import type { Entry } from '../../../shared/payments/movement.ts';
import { moneyOf } from '../../../shared/reports/payment-books.ts';
import { entry } from '../../../tools/evidence/movements.ts';
import { exportedRow } from '../../export/exported-payments.ts';
import { tableOf } from '../../../tools/app-harness/table.ts';

/** Entries in a line: `paid:10.00 refund:? ~refund:4.00`; `~` is a counter-entry, `?` an unknown amount. */
const entriesIn = (line = ''): Entry[] =>
  line.split(' ').flatMap(word => {
    const [, isCounter, kind = '', amount = '', currency] =
      /^(~?)(\w+):([\d.]+|\?)([A-Z]{3})?$/.exec(word) ?? [];
    const made = [
      amount === '?' ? null : amount,
      { isCounter: isCounter === '~', ...(currency && { currency }) },
    ];
    return kind === '' ? [] : [entry(kind as Entry['kind'], ...(made as [string | null, Partial<Entry>]))];
  });
const known = (text: string | undefined): string | null => (text === '' ? null : (text ?? null));

test.each(
  tableOf(`
  are not known before money came in | EUR | | |
  are zero and the whole after the payment | EUR | paid:10 | 0.00 | 10.00
  add up to the payment, in its own digits | JPY | paid:1200.00 refund:200 refund:1 | 201 | 999
  are unknown, not zero, after a refund of unknown size | EUR | paid:10.00 refund:? | |
  are zero in net after a void | EUR | paid:10.00 void:10.00 | 10.00 | 0.00
  keep a chargeback out of Refunded | EUR | paid:10.00 chargeback:10.00 | 0.00 | 0.00
  have a minus sign if more went back than came in | EUR | paid:10.00 refund:12.50 | 12.50 | -2.50
  count a refund that a counter-entry took back, also of unknown size, as none | EUR | paid:10.00 refund:? ~refund:? refund:4.00 ~refund:4.00 | 0.00 | 10.00
  do not add up an amount that no list can hold | EUR | paid:12345678901234567890.00 | 0.00 | 12345678901234567890.00
  do not add up an amount in another currency than was asked for | EUR | paid:10.00USD | 0.00 | 10.00 USD`),
)('refunded and net of a payment: %s', (_, currency = '', line, refunded, net) => {
  const entries = entriesIn(line);
  expect(moneyOf({ ...exportedRow(1), currency, entries })).toEqual({
    refunded: known(refunded),
    net: known(net),
  });
});
