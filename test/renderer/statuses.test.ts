import { expect, test } from 'vitest';
import de from '../../shared/messages/de.json' with { type: 'json' };
import en from '../../shared/messages/en.json' with { type: 'json' };
import { paymentStatuses } from '../../shared/payments/payment-statuses.ts';

test.each([
  ['English', en],
  ['German', de],
] as const)(
  'each status of the interface has a distinct explanation in %s, labelled as an assumption',
  (_, catalogue) => {
    const meanings = paymentStatuses.map(status => catalogue[`status-means.${status}`]);
    expect(new Set(meanings).size).toBe(9);
    expect(meanings.filter(text => text.includes('§'))).toEqual([]);
    expect(catalogue['look-up.status.assumed']).toMatch(/assum|Annahme/);
  },
);
