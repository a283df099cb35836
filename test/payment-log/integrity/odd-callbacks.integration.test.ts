import { expect, test } from 'vitest';
import { useLog } from '../../../tools/app-harness/use-log.ts';
import type { CallbackFields } from '../../../shared/payments/evidence.ts';
import { verifyClosedLog } from '../../../tools/app-harness/closed-log.ts';
import { filter } from '../../../tools/app-harness/running-payment-log.ts';
import { draft, invalid } from '../../../tools/evidence/evidence.ts';

/** Texts that anyone can send in any parameter. */
const odd = [
  'A\uD800B',
  '\uDC00',
  '\uDC00\uD800',
  'A\u0000B',
  '\u0001\u0002\u0003\u0004\u0005\u0006',
  '\uFEFFA',
];
const oddBodies: readonly [what: string, orderNumber: string, fields: CallbackFields][] = [
  ...['id', 'order_number', 'order_description', 'customer_name', 'order_currency', 'order_amount'].map(
    (name, index): [string, string, CallbackFields] => [
      `lone surrogates and control marks in ${name}`,
      `ODD-${index}`,
      odd.map(text => [name, text]),
    ],
  ),
  ['a lone surrogate in the order number', 'A\uD800B', [['order_number', 'A\uD800B']]],
  ['a lone surrogate in a name', 'ODD-8', [['na\uD800me', 'value']]],
  ['control marks in a name', 'ODD-9', [['\u0001\u0003na\u0000me', 'value']]],
  [
    'the name __proto__',
    'ODD-10',
    [
      ['__proto__', 'value'],
      ['constructor', 'value'],
    ],
  ],
  [
    'repeated names',
    'ODD-11',
    [
      ['status', 'success'],
      ['status', 'fail'],
      ['status', ''],
    ],
  ],
  ['an order number of 60,000 characters', 'x'.repeat(60_000), [['order_number', 'x'.repeat(60_000)]]],
  ['nothing', '', []],
];

const used = useLog('file');

test.each(oddBodies)(
  'a log that stores a callback with %s still verifies',
  async (_, orderNumber, fields) => {
    const body = { fields, form: 'json', via: 'receiver', verification: invalid } as const;
    const frame = {
      orderNumber: orderNumber || null,
      paymentId: fields.find(([name]) => name === 'id')?.[1] ?? null,
      dedupeKey: `callback:${JSON.stringify(fields)}`,
    };
    const written = await used.log.append([draft('callback.received', 0, body, frame)]);
    expect(written.ok).toBe(true);
    await used.log.list(filter({}), null, 10);
    expect(verifyClosedLog(used.folder.file).problems).toEqual([]);
  },
);
