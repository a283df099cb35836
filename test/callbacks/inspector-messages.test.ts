import { expect, test } from 'vitest';
import { inspect as inspectText, inspectFound } from '../../main/callbacks/inspect.ts';
import type { Candidate } from '../../main/callbacks/verify-callback.ts';
import { parameters } from '../../main/callbacks/parameter-spec.ts';
import { interpretCallback } from '../../main/callbacks/interpret.ts';
import { diagnoseSignature } from '../../main/callbacks/diagnose-signature.ts';
import { hashOf, rewritings, type SignatureVariant } from '../../main/callbacks/diagnose-signature-causes.ts';
import { documentedTypes, observedTypes } from '../../shared/callbacks/callback-meaning.ts';
import { formatterFor, inEnglish } from '../../shared/messages/catalogues.ts';
import { msg, type Message } from '../../shared/messages/message.ts';
import type { CallbackFields } from '../../shared/payments/evidence.ts';
import { faultyMessages } from '../../tools/app-harness/faulty-messages.ts';

/** Every message of the inspector is in both catalogues, with the values that its placeholders need. */

const fieldsOf = (changes: Record<string, string> = {}): CallbackFields =>
  Object.entries({
    id: '6f1d2c3b-0000-4000-8000-000000000001',
    order_number: 'A-1',
    order_amount: '10.00',
    order_currency: 'EUR',
    order_description: 'Blue chair & lamp',
    type: 'sale',
    status: 'success',
    customer_ip: '192.0.2.7',
    hash: '0'.repeat(40),
    ...changes,
  });

const inspect = async (fields: CallbackFields, password: string | null = 'secret') => {
  const candidates: Candidate[] =
    password === null ? [] : [{ profileId: 'shop', password, digest: 'md5' as const }];
  const { callbacks } = await inspectFound([{ fields, form: 'urlencoded' }], { candidates });
  return callbacks.flatMap(one => [
    one.explanation,
    one.meaning.title,
    one.meaning.text,
    one.nearMiss?.sentence,
    ...one.problems.map(({ message }) => message),
    ...one.fields.flatMap(({ description, problem }) => [description, problem]),
  ]);
};

test('the inspector’s messages about every meaning of type and status, allowed or not, are complete', async () => {
  const types = [...documentedTypes, ...observedTypes, '', 'odd'];
  const messages: (Message | null | undefined)[] = [];
  for (const type of types)
    for (const status of ['success', 'fail', 'waiting', 'undefined', '', 'odd'])
      for (const more of [{}, { order_status: 'pending' }, { order_status: 'decline', reason: 'No' }]) {
        const fields = fieldsOf({ type, status, ...more });
        const { title, text } = interpretCallback(fields);
        messages.push(title, text, ...(await inspect(fields)));
      }
  expect(faultyMessages(messages)).toEqual([]);
});

test('the inspector’s messages about every parameter and every problem with its value are complete', async () => {
  expect(faultyMessages(parameters.map(({ description }) => description))).toEqual([]);
  const messages: (Message | null | undefined)[] = [];
  for (const { name } of parameters)
    for (const value of [
      '',
      'null',
      'x',
      'eur',
      '4111111111111111',
      '13/2038',
      '2026-02-31 10:00:00',
      '\uFFFD',
    ])
      // Without a password: the search for a cause is the subject of another test.
      messages.push(
        ...(await inspect([...fieldsOf().filter(([field]) => field !== name), [name, value]], null)),
      );
  messages.push(
    ...(await inspect([
      ['order_number', 'A-1'],
      ['order_number', 'A-2'],
      ['hash', 'x'],
      ['status', 'fail'],
    ])),
  );
  messages.push(...(await inspect(fieldsOf().filter(([name]) => name !== 'hash'))));
  messages.push(...(await inspect(fieldsOf(), null)));
  messages.push(
    ...(await inspect([
      ['payment_id', '1'],
      ['trans_id', '2'],
      ['order_id', 'A-1'],
      ['hash', 'x'],
    ])),
  );
  expect(faultyMessages(messages)).toEqual([]);
});

test('the inspector’s messages about every near miss, single or in pairs, are complete', () => {
  const base: SignatureVariant = {
    id: '6f1d2c3b-0000-4000-8000-000000000001',
    number: ' #0042 a+b ',
    amount: '1000.10',
    currency: 'Eur',
    description: ' Größe &amp; "Maß" a%20b\r\nc ',
    password: ' p&amp;w ',
    casing: 'ascii',
    scheme: 'md5',
    charset: 'utf8',
    layout: 'documented',
  };
  const messages: (Message | undefined)[] = [];
  const causes = new Set<string>();
  for (const [index, first] of rewritings.entries())
    for (const second of [null, rewritings[(index + 7) % rewritings.length]]) {
      const one = first.apply(base);
      const both = one && second ? second.apply(one) : one;
      if (!both) continue;
      const fields: CallbackFields = [
        ['id', base.id],
        ['order_number', base.number],
        ['order_amount', base.amount],
        ['order_currency', base.currency],
        ['order_description', base.description],
        ['hash', hashOf(both).hash],
      ];
      const near = diagnoseSignature(fields, [
        { profileId: 'shop', password: base.password, digest: 'md5' },
      ]).nearMiss;
      for (const cause of near?.causes ?? []) causes.add(cause);
      messages.push(near?.sentence);
    }
  expect(causes.size).toBeGreaterThan(30);
  expect(faultyMessages(messages)).toEqual([]);
});

test('the inspector’s messages about swapped values, another password and a limit are complete', async () => {
  const candidates = [
    { profileId: 'shop', password: 'secret', digest: 'md5' as const },
    { profileId: 'other', name: 'Other', password: 'other', digest: 'md5' as const },
  ];
  const record = { amount: '12.00', currency: 'USD', description: 'Red lamp ' };
  const signed = {
    id: '6f1d2c3b-0000-4000-8000-000000000001',
    number: 'A-1',
    amount: '10.00',
    currency: 'EUR',
    description: 'Red lamp',
    password: 'secret',
    casing: 'ascii',
    scheme: 'md5',
    charset: 'utf8',
    layout: 'documented',
  } as const;
  const causes = new Set<string>();
  const messages: (Message | null | undefined)[] = [];
  for (const changes of [
    { amount: record.amount },
    { currency: record.currency },
    { description: record.description },
    { description: 'R' },
    { description: 'Red' },
    { id: '6f1d2c3b-0000-4000-8000-000000000002' },
    { number: 'B-1' },
    { amount: '9.00', currency: 'GBP' },
    { amount: '11.00' },
    { password: 'other' },
    { password: 'other', amount: '10' },
    { amount: '10', description: 'Red lamp ' },
  ]) {
    const { nearMiss } = diagnoseSignature(
      [
        ['id', signed.id],
        ['order_number', signed.number],
        ['order_amount', signed.amount],
        ['order_amount', '11.00'],
        ['order_currency', signed.currency],
        ['order_description', signed.description],
        ['order_id', 'B-1'],
        ['trans_id', '6f1d2c3b-0000-4000-8000-000000000002'],
        ['exchange_amount', '9.00'],
        ['exchange_currency', 'GBP'],
        ['hash', hashOf({ ...signed, ...changes }).hash],
      ],
      candidates,
      { record, expected: 'shop' },
    );
    expect({ changes, found: nearMiss !== null }).toEqual({ changes, found: true });
    for (const cause of nearMiss?.causes ?? []) causes.add(cause);
    messages.push(nearMiss?.sentence);
  }
  expect([...causes]).toEqual(
    expect.arrayContaining([
      'amount-of-our-record',
      'currency-of-our-record',
      'description-cut',
      'id-is-trans_id',
      'order-number-is-order_id',
      'amount-is-exchange_amount',
      'currency-is-exchange_currency',
      'amount-repeated',
      'other-profile',
    ]),
  );
  messages.push(...(await inspect(fieldsOf({ order_description: 'x'.repeat(5_000) }))));
  for (const extent of ['complete', 'limited', 'too-long'] as const)
    messages.push(msg(`signature.no-cause.${extent}`, { tried: 14 }));
  const body = 'order_number=A-1&order_amount=1&type=sale&status=success';
  for (const text of [
    '',
    `${body}\n${body}`,
    encodeURIComponent(body),
    Buffer.concat([Buffer.from(body), Buffer.from([0xff])]),
  ])
    messages.push(...(await inspectText(text, { candidates, maxCallbacks: 1 })).problems);
  expect(new Set(messages.map(message => message?.key))).toContain('inspection.first');
  expect(faultyMessages(messages)).toEqual([]);
});

test('the inspector’s messages are one sentence in either language, also with several clauses', () => {
  const sentence = msg('signature.fits.path', {
    clauses: msg('signature.and', {
      first: msg('signature.amount', { to: '`100.00`', from: '`100`' }),
      second: msg('signature.description', { to: '`Chair`', from: msg('signature.empty') }),
    }),
  });
  expect(inEnglish(sentence)).toBe(
    'The signature matches if the amount is `100.00` instead of `100` and the description is `Chair` instead of empty. Something between your provider and this computer probably changed it.',
  );
  expect(formatterFor('de')(sentence)).toBe(
    'Die Signatur passt, wenn der Betrag `100.00` statt `100` ist und die Beschreibung `Chair` statt leer ist. Wahrscheinlich hat etwas zwischen dem Anbieter und diesem PC den Wert umgeschrieben.',
  );
});
