import { randomUUID } from 'node:crypto';
import type { Event } from '../../shared/payments/evidence.ts';
import { rowOf } from '../../shared/payments/payment-row.ts';
import type { PaymentRow } from '../../shared/payments/payment.ts';
import { reducePayment } from '../../shared/payment-reducer/reduce.ts';
import {
  callbackDraft,
  provenReading,
  verifyAgainstCandidates,
  type Candidate,
} from '../callbacks/verify-callback.ts';
import { parseCallbacks } from '../callbacks/parse.ts';
import { readWhen } from './reading/dates.ts';

/** The clock of callbacks that name no date: their order in the file. */
const firstAt = Date.UTC(2000, 0, 1);

/**
 * The payments that a file with callbacks shows, as if each had been received on its own date. Returns them with the
 * number of callbacks that do not verify, and of those that name no order.
 */
export const paymentsOfCallbacks = (
  bytes: Buffer,
  candidates: readonly Candidate[],
): { rows: PaymentRow[]; callbacks: number; unverified: number; nameless: number } => {
  const { callbacks } = parseCallbacks(bytes, null);
  const events = new Map<string, Event[]>();
  let unverified = 0;
  let nameless = 0;
  for (const [index, given] of callbacks.entries()) {
    const { fields, form } = provenReading(given, candidates);
    const { verification } = verifyAgainstCandidates(fields, candidates);
    if (verification.verdict !== 'verified') unverified += 1;
    const stated = fields.find(([name]) => name === 'date')?.[1];
    const when = stated === undefined ? null : readWhen(`${stated} Z`, 'ymd');
    const at = (when?.at ?? firstAt) + index;
    const draft = callbackDraft({
      profileId: 'file',
      fields,
      form,
      via: 'file',
      verification,
      arrivedAt: at,
      agent: 'console',
    });
    if (draft.orderNumber === null) {
      nameless += 1;
      continue;
    }
    const of = events.get(draft.orderNumber) ?? [];
    events.set(draft.orderNumber, of);
    of.push({ ...draft, id: randomUUID(), recordedAt: at, writer: 'file', writerSeq: index + 1 });
  }
  const rows = [...events.values()].map(of =>
    rowOf(reducePayment(of.toSorted((one, other) => one.recordedAt - other.recordedAt))),
  );
  return { rows, callbacks: callbacks.length, unverified, nameless };
};
