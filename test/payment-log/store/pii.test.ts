import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runs } from '../../../tools/app-harness/runs.ts';
import { type Content, hidePersonal, showPersonal } from '../../../main/payment-log/evidence/pii.ts';
import { accepted, callback, lookUp, note, requested, unanswered } from '../../../tools/evidence/evidence.ts';
import { decodeBody, encodeBody, readShape } from '../../../main/payment-log/evidence/body-codec.ts';
import { createCatchUpBarrier } from '../../../main/payment-log/sqlite/worker/catch-up-barrier.ts';

const roundTrip = (content: Content): void => {
  const { text, values } = hidePersonal(content);
  const stored: Content = { ...content, body: JSON.parse(text) };
  expect(showPersonal(stored, values)).toEqual(content.body);
};

describe('personal values', () => {
  const jane = { name: 'Jane Doe', email: 'jane@example.com' };

  test.each([
    [
      'a request',
      requested(0, { customer: jane, request: JSON.stringify({ operation: 'purchase', customer: jane }) }),
    ],
    [
      'a callback',
      callback(0, 'sale', 'success', { customer_city: 'Ghent', 'custom_data[email]': 'jane@example.com' }),
    ],
    ['a look-up', lookUp(0, 'settled', { extra: { customer_phone: '555 1234' } })],
    [
      'an answer that is no JSON',
      unanswered(0, {
        answer: {
          httpStatus: 500,
          contentType: 'text/html',
          body: '<p>No mail to jane@example.com',
          truncated: false,
        },
      }),
    ],
  ])('personal values are removed from %s and restored', (_what, draft) => {
    const { text, values } = hidePersonal(draft);
    expect(values.length).toBeGreaterThan(0);
    for (const word of ['Jane', 'jane@', 'Ghent', '555 1234', '192.0.2.7']) expect(text).not.toContain(word);
    roundTrip(draft);
  });

  test('personal values do not include other values, which stay', () => {
    const { text } = hidePersonal(callback(0, 'sale', 'success', { customer_city: 'Ghent' }));
    for (const word of ['CF-1001', '123.40', 'EUR', '411111******1111', '123456789012'])
      expect(text).toContain(word);
    expect(hidePersonal(requested()).values).toEqual([]);
    expect(hidePersonal(accepted()).values).toEqual([]);
    expect(hidePersonal(note(0, 'jane@example.com will call')).values).toEqual([]);
  });

  test('personal values include secrets too, so that the hashed body can be restored', () => {
    const draft = callback(0, 'sale', 'success', { card_token: 'tok-1', hash: 'ab'.repeat(20) });
    expect(hidePersonal(draft).text).not.toMatch(/tok-1|abab/);
    roundTrip(draft);
    const answer = { httpStatus: 200, contentType: null, truncated: false };
    const response = unanswered(0, { answer: { ...answer, body: '{"recurring_token":["tok-2"]}' } });
    expect(hidePersonal(response).text).not.toContain('tok-2');
    roundTrip(response);
  });

  test('personal values with any texts are restored unchanged', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.json(),
      fc.constantFrom(
        '',
        '{}',
        '{"customer":{"name":""}}',
        '{"a":["x@y",""]}',
        '{"customer":"", "x": 1}',
        'customer',
        '•••',
        '{"hash":"•••"}',
        '{"recurring_token":["tok","•••",""],"a":"hash"}',
        'hash=1',
      ),
    );
    const names = fc.constantFrom(
      'customer_name',
      'customer_email',
      'status',
      'ip',
      'billing[zip]',
      'custom_data[x]',
      'hash',
      'card_token',
    );
    fc.assert(
      fc.property(text, text, fc.array(fc.tuple(names, text)), (one, other, fields) => {
        roundTrip(requested(0, { request: one, customer: { name: other } }));
        roundTrip(
          unanswered(0, { answer: { httpStatus: 200, contentType: null, body: one, truncated: false } }),
        );
        const received = callback(0, 'sale', 'success');
        roundTrip({ ...received, body: { ...received.body, fields } });
        roundTrip(
          lookUp(0, other, { customer: { email: one }, extra: { customer_name: other, gateway: one } }),
        );
      }),
      { numRuns: runs(250) },
    );
  });
});

const known = { orderNumber: 'CF-1001', paymentId: 'p-1' };

test('any encoded body is decoded byte for byte', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom(
      '',
      'CF-1001',
      'p-1',
      'null',
      '{"a":"CF-1001"}',
      '{"a": 1}',
      '{"é":["\\u0001","x"]}',
      '\u0001\u0005',
    ),
    fc.json(),
    fc.constantFrom(
      ...['request', 'body'].map(key => JSON.stringify({ [key]: JSON.stringify({ [key]: '{"x":"y"}' }) })),
    ),
  );
  const leaf = fc.oneof(
    text,
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.boolean(),
    fc.constant(null),
  );
  const key = fc.constantFrom('fields', 'request', 'body', 'status', 'currency', 'x', '__proto__', 'reason');
  const { body } = fc.letrec(tie => ({
    body: fc.oneof(
      { depthSize: 'small' },
      leaf,
      fc.array(tie('body'), { maxLength: 4 }),
      fc.array(fc.tuple(text, text), { maxLength: 4 }),
      fc.dictionary(key, tie('body'), { maxKeys: 5 }),
    ),
  }));
  fc.assert(
    fc.property(body, value => {
      const { shape, values } = encodeBody(value, known);
      expect(decodeBody(readShape(shape), values, known)).toBe(JSON.stringify(value));
    }),
    { numRuns: runs(500) },
  );
});

test('callbacks of one kind have the same shape', () => {
  const shapeOf = (draft: ReturnType<typeof callback>): string => encodeBody(draft.body, draft).shape;
  const one = shapeOf(callback(0, 'sale', 'success'));
  expect(shapeOf(callback(1, 'sale', 'success', { rrn: '9', card: '5555****4444', hash: 'ff' }))).toBe(one);
  expect(shapeOf(callback(2, 'sale', 'fail'))).not.toBe(one);
});

test('JSON that was sent or received is encoded by its shape too', () => {
  const raised = requested();
  expect(encodeBody(raised.body, raised).values).not.toContain('operation');
  const asked = lookUp(0, 'settled');
  expect(encodeBody(asked.body, asked).values).not.toContain('payment_id');
});

test('what was read from a list that was behind is read again once the list has caught up', async () => {
  let late = 0;
  const barrier = createCatchUpBarrier(1, isLate => (late += Number(isLate)));
  barrier.advanceTarget(5);
  // The first read waits in vain, the second one does not wait.
  await barrier.waitUntilApplied();
  await barrier.waitUntilApplied();
  barrier.advanceApplied(3);
  expect(late).toBe(0);
  barrier.advanceApplied(5);
  expect(late).toBe(1);
  barrier.advanceTarget(6);
  barrier.advanceApplied(6);
  expect(late).toBe(1);
});

test('a read that waited for the list is not repeated', async () => {
  let late = 0;
  const barrier = createCatchUpBarrier(10_000, isLate => (late += Number(isLate)));
  barrier.advanceTarget(1);
  const read = barrier.waitUntilApplied();
  barrier.advanceApplied(1);
  await read;
  barrier.advanceTarget(2);
  barrier.advanceApplied(2);
  expect(late).toBe(0);
});
