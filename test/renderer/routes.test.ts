import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { namedPeriods } from '../../shared/reports/periods.ts';
import { hrefOf, readRoute, views, type Route } from '../../renderer/routes.ts';
import { settingsSections } from '../../shared/settings/sections.ts';

const text = fc.string({ minLength: 1, maxLength: 40, unit: 'grapheme' });
const route: fc.Arbitrary<Route> = fc.oneof(
  fc.constantFrom<Route>(
    { screen: 'new' },
    { screen: 'callbacks' },
    { screen: 'callbacks', tab: 'inbox' },
    { screen: 'handover-note' },
    { screen: 'sandbox' },
    { screen: 'bulk-look-up', outcome: 'failed' },
    { screen: 'reconciliation', cause: null },
    { screen: 'reconciliation', cause: 'settled-twice' },
  ),
  fc.record({
    screen: fc.constantFrom('payment' as const, 'customer' as const),
    profileId: text,
    orderNumber: text,
  }),
  fc.record({
    screen: fc.constant('payments' as const),
    view: fc.constantFrom(...views),
    words: fc.string({ unit: 'grapheme' }),
  }),
  fc.record({
    screen: fc.constant('overview' as const),
    period: fc.constantFrom(...namedPeriods, '2026-10-05..2026-10-09' as const),
    currency: fc.constantFrom('EUR', 'JPY', null),
  }),
  fc.record({
    screen: fc.constant('look-up' as const),
    by: fc.constantFrom('payment-id' as const, 'order-number' as const),
    value: text,
  }),
  fc.record({
    screen: fc.constant('settings' as const),
    section: fc.constantFrom(...settingsSections),
    id: fc.option(text),
  }),
);

test('every route has an address, and the address leads to it', () => {
  fc.assert(
    fc.property(route, place => {
      expect(readRoute(hrefOf(place))).toEqual(place);
    }),
  );
});

test('an invalid address opens the form for a new payment, and none is an error', () => {
  expect(readRoute('')).toEqual({ screen: 'new' });
  expect(readRoute('#/nowhere')).toEqual({ screen: 'new' });
  expect(readRoute('#/payment/only-one')).toMatchObject({ screen: 'payments' });
  expect(readRoute('#/payment/%E0%A4%A/x')).toMatchObject({ screen: 'payment' });
  fc.assert(
    fc.property(fc.string(), hash => {
      expect(readRoute(hash)).toHaveProperty('screen');
    }),
  );
});
