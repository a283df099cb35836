import * as fc from 'fast-check';
import { runs } from '../../../tools/app-harness/runs.ts';
import { describe, expect, test } from 'vitest';
import { hidePersonal, showPersonal, type Content } from '../../../main/payment-log/evidence/pii.ts';
import { accepted, callback, lookUp, note, requested, unanswered } from '../../../tools/evidence/evidence.ts';

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
        if (received.kind === 'callback.received')
          roundTrip({ ...received, body: { ...received.body, fields } });
        roundTrip(
          lookUp(0, other, { customer: { email: one }, extra: { customer_name: other, gateway: one } }),
        );
      }),
      { numRuns: runs(250) },
    );
  });
});
