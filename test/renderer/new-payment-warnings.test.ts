import { expect, test } from 'vitest';
import { translateToKeys } from '../../tools/app-harness/translate.ts';
import { warningsOf } from '../../renderer/screens/new-payment/problems.ts';

/** What the form warns of without refusing it. */

const warnings = (orderNumber: string, description: string, statusByOrder = true) =>
  warningsOf({ orderNumber, description }, { statusByOrder }, translateToKeys);

test('letters beyond ASCII are warned of: gateways upper-case them in different ways', () => {
  expect(warnings('CF-1', 'Two nights')).toEqual({});
  expect(warnings('Größe-1', 'Café')).toEqual({ orderNumber: 'new.not-ascii', description: 'new.not-ascii' });
});

test('an order number that some gateways cannot look up is warned of, where look-ups by number are on', () => {
  expect(warnings('CF/1', 'x y')).toEqual({ orderNumber: 'new.order.hard-to-look-up' });
  expect(warnings('CF/1', 'x y', false)).toEqual({});
});
