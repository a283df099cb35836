import type { Event, EventOf } from '../../payments/evidence.ts';
import type { Receipt } from '../evidence/callbacks.ts';
import type { FlagCollector } from '../evidence/flag-collector.ts';
import type { Observation } from '../evidence/look-ups.ts';
import { createLedgerState, type Ledger } from './ledger-state.ts';
import { reportedAhead } from './match-movement.ts';
import { createObservations } from './observations.ts';
import { createRecords } from './recorded-movements.ts';
import { createReports } from './reports.ts';
import type { ResultEvent } from './requests.ts';

/** One piece of evidence about a payment id, in its place. */
export type LedgerItem =
  | { kind: 'receipt'; receipt: Receipt }
  | { kind: 'observation'; observation: Observation }
  | { kind: 'requested'; event: EventOf<'operation.requested'> }
  | { kind: 'ended'; event: ResultEvent }
  | { kind: 'recorded'; event: EventOf<'movement.recorded'> };

/**
 * The movements of one payment id: a fold over its evidence in the order in which it was recorded. Every step depends
 * on what came before it alone, so that a prefix of the evidence gives a prefix of the entries. `items`: in order.
 */
export const ledgerOf = (paymentId: string, items: readonly LedgerItem[], notes: FlagCollector): Ledger => {
  const state = createLedgerState(paymentId, notes);
  const { book, ledger, requests, earlier } = state;
  const receive = createReports(state);
  const observe = createObservations(state);
  const records = createRecords(book);
  for (const item of items)
    switch (item.kind) {
      case 'receipt':
        receive(item.receipt);
        break;
      case 'observation':
        observe(item.observation);
        break;
      case 'requested': {
        const request = requests.begin(item.event);
        if (request?.kind === 'retry') {
          ledger.retriedAt = item.event.happenedAt;
          earlier.failed = null;
          earlier.declined = null;
        }
        const ahead = request && reportedAhead(book, request);
        if (request && ahead) requests.adopt(request, ahead);
        break;
      }
      case 'ended':
        requests.answer(item.event);
        break;
      case 'recorded':
        records.apply(item.event);
        break;
    }
  return ledger;
};

/** The kinds of events that a ledger reads beside callbacks and look-ups. */
export const isLedgerEvent = (
  event: Event,
): event is EventOf<'operation.requested' | 'movement.recorded'> | ResultEvent =>
  event.kind === 'operation.requested' ||
  event.kind === 'operation.answered' ||
  event.kind === 'operation.refused' ||
  event.kind === 'operation.unanswered' ||
  event.kind === 'movement.recorded';
