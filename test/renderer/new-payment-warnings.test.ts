import { expect, test } from 'vitest';
import { translateToKeys } from '../../tools/app-harness/translate.ts';
import { warningsOf } from '../../renderer/screens/new-payment/problems.ts';

/** Warnings of the form; they do not prevent submitting it. */

const warnings = (orderNumber: string, description: string, statusByOrder = true) =>
  warningsOf({ orderNumber, description }, { statusByOrder }, translateToKeys);

test('letters outside ASCII cause a warning, because gateways upper-case them in different ways', () => {
  expect(warnings('CF-1', 'Two nights')).toEqual({});
  expect(warnings('Größe-1', 'Café')).toEqual({ orderNumber: 'new.not-ascii', description: 'new.not-ascii' });
});

test('an order number that some gateways cannot look up causes a warning if look-ups by number are on', () => {
  expect(warnings('CF/1', 'x y')).toEqual({ orderNumber: 'new.order.hard-to-look-up' });
  expect(warnings('CF/1', 'x y', false)).toEqual({});
});
