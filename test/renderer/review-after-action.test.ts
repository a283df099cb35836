import './without-window.ts';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { queueQuery, rereadAfterAction } from '../../renderer/queries/review.ts';
import type { IpcEvent, RequestName } from '../../shared/contract/contract.ts';
import { rowOf } from '../../shared/payments/payment-row.ts';
import { reducePayment } from '../../shared/payment-reducer/reduce.ts';
import { reconcile } from '../../shared/reports/reconcile.ts';
import { asEvent, callback, requested, start } from '../../tools/evidence/evidence.ts';

/** The review list on a PC so busy that each answer takes a while: time is the test's. */

const events = [requested(), callback(0, 'chargeback', 'success')].map(asEvent);
const row = rowOf(reducePayment(events));
const findings = reconcile(row, start);
const many = Array.from({ length: 50 }, (_, index) => ({ ...row, findings, orderNumber: `Q-${index}` }));

let listed: typeof many;
let tell: (payload: IpcEvent<'payments.changed'>) => void;

const answers = (name: RequestName): unknown => {
  if (name === 'payments.reconcile') return { rows: listed, next: null, counts: [], lists: null };
  if (name === 'payments.rows') return { rows: many };
  throw new Error(name);
};

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('window', {
    setTimeout: (work: () => void, ms: number) => setTimeout(work, ms),
    clearTimeout: (timer: number) => clearTimeout(timer),
    api: {
      request: (name: RequestName) =>
        new Promise(resolve => setTimeout(() => resolve({ ok: true, value: answers(name) }), 100)),
      subscribe: (name: string, listener: typeof tell) => {
        if (name === 'payments.changed') tell = listener;
        return () => undefined;
      },
    },
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('a list that shows an own action late is read again, however slow the PC', async () => {
  listed = many;
  const place = { profileId: row.profileId, cause: null, list: 'all' } as const;
  queueQuery.hold(place);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(queueQuery.get(place).value?.rows).toHaveLength(many.length);
  const acted = rereadAfterAction(many);
  await vi.advanceTimersByTimeAsync(1_000);
  await acted;
  // The list is level only now.
  listed = [];
  tell({ payments: many.map(({ profileId, orderNumber }) => ({ profileId, orderNumber })) });
  await vi.advanceTimersByTimeAsync(20_000);
  expect(queueQuery.get(place).value?.rows).toEqual([]);
});
