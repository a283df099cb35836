import * as fc from 'fast-check';
import { runs } from '../../../tools/app-harness/runs.ts';
import { expect, test } from 'vitest';
import { encodeBody, readShape, decodeBody } from '../../../main/payment-log/evidence/body-codec.ts';
import { callback, lookUp, requested } from '../../../tools/evidence/evidence.ts';

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
