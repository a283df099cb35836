import * as fc from 'fast-check';
import type { CallbackFields } from '../../shared/payments/evidence.ts';

const uuid = fc.uuid();
const amount = fc.oneof(
  fc.integer({ min: 1, max: 9_999_999 }).map(minor => (minor / 100).toFixed(2)),
  fc.integer({ min: 1, max: 99_999 }).map(String),
);
const ip = fc.tuple(fc.nat(255), fc.nat(255), fc.nat(255), fc.nat(255)).map(parts => parts.join('.'));
const pad = (value: number): string => String(value).padStart(2, '0');
const date = fc
  .tuple(
    fc.integer({ min: 2024, max: 2027 }),
    fc.integer({ min: 1, max: 12 }),
    fc.integer({ min: 1, max: 28 }),
    fc.nat(23),
    fc.nat(59),
    fc.nat(59),
  )
  .map(([y, mo, d, h, mi, s]) => `${y}-${pad(mo)}-${pad(d)} ${pad(h)}:${pad(mi)}:${pad(s)}`);

const words = fc.constantFrom(
  'Important gift',
  'Größe L – Straße',
  '100% cotton + wool',
  'naïve café & co',
  'a=b',
  'x & y = z',
  "it's",
  'say "hi"',
  'back\\slash',
  '{curly}',
  '[square]',
  '(round)',
  'a => b',
  'id=1',
  '日本語',
  '👍🏽',
  'tab\there',
  'null',
  '%41%zz',
  '<b>',
  '#{x}',
  ',',
  ';',
  ':',
  '|',
  'Array',
  ')',
  "',",
  '",',
  '&amp;',
  '\\n',
  '\\u0041',
  '$x',
  '£5',
  '100,00',
);
const breaks = fc.constantFrom('\n', '\r\n', ' ');

/** A description as shops write it, with the characters that break careless parsers. */
const text = fc
  .array(
    fc.oneof(
      { weight: 4, arbitrary: words },
      { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 12 }) },
    ),
    { minLength: 1, maxLength: 4 },
  )
  .chain(parts => breaks.map(glue => parts.join(glue)))
  .map(joined =>
    joined
      // oxlint-disable-next-line no-control-regex
      .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u2028\u2029\ufeff\ufffd]/g, '')
      .toWellFormed(),
  );

const oneLine = (value: string): string =>
  value
    .replace(/[\r\n]+/g, ' ')
    .trim()
    .replace(/&$/, '')
    // Without escapes such a value is the same as a quoted cell.
    .replace(/^"((?:[^"]|"")*)"$/, '$1');

/** Callbacks of §2.6. `plain`: for forms without escapes. */
export const callbackArbitrary = (plain: boolean): fc.Arbitrary<CallbackFields> =>
  fc
    .record({
      id: uuid,
      number: fc.oneof(
        fc.integer({ min: 1, max: 999_999 }).map(n => `order-${n}`),
        fc.constantFrom('#279268', 'T-2026-1', '00042'),
      ),
      amount,
      currency: fc.constantFrom('EUR', 'USD', 'PLN', 'KWD'),
      description: text,
      lead: fc.boolean(),
      type: fc.constantFrom('sale', '3ds', 'redirect', 'refund', 'void', 'recurring', 'chargeback'),
      status: fc.constantFrom('success', 'fail', 'waiting'),
      name: fc.option(text),
      email: fc.option(fc.constantFrom('anna@example.com', 'a+b@example.org')),
      card: fc.option(fc.constantFrom('411111****1111', '411111******1111')),
      ip,
      date,
      hash: fc.stringMatching(/^[0-9a-f]{40}$/),
    })
    .map(made => {
      const tidy = plain ? oneLine : (value: string): string => value;
      const fields: CallbackFields = [
        ['id', made.id],
        ['order_number', made.number],
        ['order_amount', made.amount],
        ['order_currency', made.currency],
        ['order_description', `${made.lead ? ' ' : ''}${tidy(made.description) || 'gift'}`],
        ['type', made.type],
        ['status', made.status],
      ];
      if (made.name !== null) fields.push(['customer_name', tidy(made.name) || 'Anna']);
      if (made.email !== null) fields.push(['customer_email', made.email]);
      if (made.card !== null) fields.push(['card', made.card]);
      fields.push(['customer_ip', made.ip], ['date', made.date], ['hash', made.hash]);
      return fields;
    });
