import { expect, test } from 'vitest';
import { profileDefaults } from '../../shared/settings/profile.ts';

/** The settings of a new profile for what the interface does not show, each with its evidence in docs/integrate. */
const defaults = {
  methods: ['card'],
  sessionPath: '/api/v1/sessions/',
  statusForm: 'get-json',
  statusByOrder: true,
  digest: 'md5',
  requestUppercasing: 'unicode',
  gatewayZone: 'UTC',
  amountRule: null,
  refundAmountInCallback: 'order',
} as const;

test.each(Object.entries(defaults))('the default of %s is %j', (name, value) => {
  expect(profileDefaults).toMatchObject({ [name]: value });
});

test('every optional field of a session request is off by default', () => {
  for (const value of Object.values(profileDefaults.extras)) expect([false, 0, '']).toContain(value);
});

test('no operation is switched on by default, and nothing more is sent', () => {
  expect(profileDefaults.operations).toEqual({
    refund: false,
    void: false,
    recurring: false,
    retry: false,
    capture: false,
    voidAllowed: 'same-day',
    sendCurrencyInRecurring: false,
    sendCustomerInRecurring: false,
    statusSize: 0,
    holdDays: 7,
    limits: { perOperation: '', perDay: '', secondPersonFrom: '' },
  });
});
