import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { useAppState } from '../../renderer/stores/app-state-store.ts';
import {
  flushDrafts,
  followDrafts,
  forgetDrafts,
  toStored,
} from '../../renderer/stores/new-payment/keep-drafts.ts';
import { useNewPayment } from '../../renderer/stores/new-payment/new-payment-store.ts';
import { blankDraft } from '../../renderer/stores/new-payment/drafts.ts';
import type { AppState, StoredDraft } from '../../shared/contract/contract.ts';
import { answerAsMain } from './answer-as-main.ts';
import { shopProfile as profile } from './shop-profile.ts';

/** The open forms that main keeps, when it responds late. */

type Read = { drafts: readonly StoredDraft[]; active: null; kept: 'restart' | 'this-run' };
/** The reads that wait for an answer, and what main answers to the next save. */
const reads: ((read: Read) => void)[] = [];
let kept: Read['kept'] = 'restart';
const respond = (name: string): unknown => {
  if (name === 'drafts.save') return { ok: true, value: { kept } };
  if (name !== 'drafts.read') return { ok: true, value: { orderNumber: 'CF-1' } };
  return new Promise(resolve => reads.push(read => resolve({ ok: true, value: read })));
};

const formOf = (customerName: string): StoredDraft =>
  toStored({ ...blankDraft(profile, null), customerName });
const names = (): string[] => useNewPayment.getState().drafts.map(({ customerName }) => customerName);
const answer = (index: number, ...drafts: StoredDraft[]): void =>
  reads[index]?.({ drafts, active: null, kept });

let stop: () => void;
afterEach(() => {
  stop();
  vi.unstubAllGlobals();
});
beforeEach(async () => {
  answerAsMain(respond);
  stop = followDrafts();
  forgetDrafts();
  reads.length = 0;
  kept = 'restart';
  useAppState.setState({
    appState: {
      agentId: 'anna',
      profiles: [profile],
      settings: { activeProfileId: 'shop' },
    } as unknown as AppState,
  });
  await useNewPayment.getState().open(profile);
});

test('forms that were read for a person are not shown to the next one, however late they arrive', async () => {
  forgetDrafts();
  await useNewPayment.getState().open(profile);
  expect(reads).toHaveLength(2);
  answer(0, formOf('A caller of Anna'));
  await Promise.resolve();
  expect(names()).toEqual(['']);
  answer(1, formOf('A caller of Ben'));
  await expect.poll(names).toEqual(['A caller of Ben']);
});

test('earlier forms appear beside the typed one as soon as the keychain responds', async () => {
  kept = 'this-run';
  answer(0);
  await expect.poll(() => useNewPayment.getState().kept).toBe('this-run');
  useNewPayment.getState().type('customerName', 'New caller');
  await flushDrafts();
  kept = 'restart';
  useNewPayment.getState().type('description', 'Deposit');
  await flushDrafts();
  expect(reads).toHaveLength(2);
  answer(1, formOf('Earlier caller'));
  await expect.poll(names).toEqual(['Earlier caller', 'New caller']);
});
