import { expect, test } from 'vitest';
import {
  limitsInWords,
  limitsOf,
  withinLimits,
  type Spending,
} from '../../../main/app/operations/operation-terms.ts';
import {
  operationSettingsSchema,
  profileSchema,
  type OperationLimits,
} from '../../../shared/settings/profile.ts';
import { needsSecondPerson } from '../../../shared/operations/rules.ts';
import type { EventOf } from '../../../shared/payments/evidence.ts';
import { shopProfile } from '../../../tools/app-harness/running-app.ts';
import { asEvent } from '../../../tools/evidence/evidence.ts';
import { intent, operationRequested } from '../../../tools/evidence/operation-evidence.ts';
import { must } from '../../../tools/postgres-harness/shared-log.ts';

/** Limits of a person: an amount or a limit that cannot be read never allows more. */

const limitsWith = async (
  limits: Partial<OperationLimits>,
  {
    recorded = [],
    earlier = [],
    elsewhere = 0n,
  }: {
    recorded?: readonly Parameters<typeof operationRequested>[1][];
    earlier?: readonly Spending[];
    elsewhere?: bigint | null;
  } = {},
) => {
  const operations = operationSettingsSchema.parse({ refund: true, limits });
  const profile = profileSchema.parse({ ...shopProfile, id: 'sandbox', operations });
  const events = recorded.map(body => asEvent(operationRequested(0, body)) as EventOf<'operation.requested'>);
  const log = { operationsSince: async () => events, payment: async () => null };
  const spender = { profile, account: 'account', profileIds: ['sandbox'], agentId: 'ada' };
  return must(await limitsOf(log, spender, 'EUR', 0, earlier, async () => ({ ok: true, value: elsewhere })));
};
const perDay = { perDay: 'EUR 100.00' };

test('the limit of a day counts what was recorded, is being sent and was sent elsewhere, each operation once', async () => {
  const recorded = [{ amount: '10.00' }, { amount: '20.00' }, { amount: '5.00', agentId: 'ben' }];
  const mine = { intent: 'i', account: 'account', agentId: 'ada', currency: 'EUR', minor: 500n };
  // One of them is recorded meanwhile.
  const earlier = [mine, { ...mine, intent }];
  const { leftToday } = await limitsWith(perDay, { recorded, earlier, elsewhere: 1000n });
  expect(leftToday).toBe(5500n);
  expect((await limitsWith(perDay, { earlier: [{ ...mine, account: 'other' }] })).leftToday).toBe(10_000n);
});

test('an amount that cannot be read leaves nothing of a day, is within no limit and needs a second person', async () => {
  const unread = { intent: 'i', account: 'account', agentId: 'ada', currency: 'EUR', minor: null };
  expect((await limitsWith(perDay, { earlier: [unread] })).leftToday).toBe(0n);
  expect((await limitsWith(perDay, { recorded: [{ amount: '500.001' }] })).leftToday).toBe(0n);
  expect((await limitsWith(perDay, { recorded: [{ amount: null }] })).leftToday).toBe(0n);
  expect((await limitsWith(perDay, { elsewhere: null })).leftToday).toBe(0n);
  const limits = await limitsWith({ perOperation: 'EUR 5.00', secondPersonFrom: 'EUR 900.00' });
  expect(withinLimits('much', 'EUR', limits)).toMatchObject({ ok: false });
  expect(needsSecondPerson('much', limitsInWords(limits, 'EUR'))).toBe(true);
  const none = await limitsWith({});
  expect(withinLimits('much', 'EUR', none).ok).toBe(true);
  expect(needsSecondPerson('much', limitsInWords(none, 'EUR'))).toBe(false);
});

test('a limit that cannot be read allows nothing without a second person', async () => {
  const limits = await limitsWith({ perOperation: 'EUR 5,00', secondPersonFrom: 'much' });
  expect(withinLimits('0.01', 'EUR', limits)).toMatchObject({ ok: false });
  expect(needsSecondPerson('0.01', limitsInWords(limits, 'EUR'))).toBe(true);
});
