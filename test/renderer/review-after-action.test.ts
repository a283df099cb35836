import './without-window.ts';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  followReconciliation,
  useReconciliation,
} from '../../renderer/stores/reports/reconciliation-store.ts';
import { useRoute } from '../../renderer/stores/route-store.ts';
import type { IpcEvent, RequestInput, RequestName } from '../../shared/contract/contract.ts';
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

const answers = (name: RequestName, input: { orderNumber?: string }): unknown => {
  if (name === 'payments.reconcile') return { rows: listed, next: null, counts: [], lists: null };
  if (name === 'payments.read') return { payment: { ...row, orderNumber: input.orderNumber }, events };
  throw new Error(name);
};

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('window', {
    setTimeout: (work: () => void, ms: number) => setTimeout(work, ms),
    setInterval: () => 0,
    api: {
      request: (name: RequestName, input: RequestInput<RequestName>) =>
        new Promise(resolve =>
          setTimeout(
            () => resolve({ ok: true, value: answers(name, input as { orderNumber?: string }) }),
            100,
          ),
        ),
      subscribe: (name: string, listener: typeof tell) => {
        if (name === 'payments.changed') tell = listener;
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
  useRoute.setState({ route: { screen: 'reconciliation', cause: null, list: 'all' } });
  followReconciliation();
  const shown = useReconciliation.getState().show(row.profileId, null, 'all');
  await vi.advanceTimersByTimeAsync(1_000);
  await shown;
  expect(useReconciliation.getState().rows).toHaveLength(many.length);
  const acted = useReconciliation.getState().rereadAfterAction(many);
  await vi.advanceTimersByTimeAsync(1_000);
  await acted;
  // The list is level only now.
  listed = [];
  tell({ payments: many.map(({ profileId, orderNumber }) => ({ profileId, orderNumber })) });
  await vi.advanceTimersByTimeAsync(20_000);
  expect(useReconciliation.getState().rows).toEqual([]);
});
