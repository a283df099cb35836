import type { Event, EventOf } from '../../payments/evidence.ts';
import type { Receipt } from '../evidence/callbacks.ts';
import type { FlagCollector } from '../evidence/flag-collector.ts';
import type { Observation } from '../evidence/look-ups.ts';
import { createLedgerState, type Ledger } from './ledger-state.ts';
import { reportedAhead } from './match-movement.ts';
import { createObservations } from './observations.ts';
import { createReports } from './reports.ts';
import type { ResultEvent } from './requests.ts';
import type { MovementFate, RecordedOutcome } from '../../payments/payment-kinds.ts';
import type { OperationState } from '../../operations/operation-kinds.ts';
import type { Book, Draft } from './movement-book.ts';

const fateOf: Readonly<Record<RecordedOutcome, MovementFate>> = {
  'carried-out': 'proven',
  'not-carried-out': 'failed',
  won: 'won',
  lost: 'proven',
};

/** What a record changed, so that another record can take it back. */
type Before = Pick<Draft, 'fate' | 'amount' | 'origin' | 'recordedBy'>;

/**
 * What people recorded from the provider's dashboard: it ends a movement whose result or size nothing else can tell, or
 * adds one that nothing reported. It never makes a payment paid: without a paid one it enters no books.
 */
const createRecords = (book: Book) => {
  const applied = new Map<string, { movement: Draft; before: Before }>();

  const settleRequest = (movement: Draft, state: OperationState): void => {
    if (movement.request) Object.assign(movement.request, { state, provenBy: 'person', message: null });
  };

  const undo = (earlier: string, { id, happenedAt }: EventOf<'movement.recorded'>): void => {
    const record = applied.get(earlier);
    // What was reported or recorded since then counts more than the state before it.
    if (record?.movement.events.at(-1) !== earlier) return;
    book.change(record.movement, { event: id, at: happenedAt, ...record.before });
    const isOpen = record.before.fate === 'requested' || record.before.fate === 'in-progress';
    settleRequest(record.movement, isOpen ? 'unknown' : record.before.fate === 'failed' ? 'failed' : 'done');
    if (record.movement.request) record.movement.request.provenBy = null;
  };

  const apply = (event: EventOf<'movement.recorded'>): void => {
    const { id, happenedAt: at, agent, writer, body } = event;
    if (body.undoes !== null) return undo(body.undoes, event);
    const fate = fateOf[body.outcome];
    const known = book.movements.find(one => one.id === body.movement && one.kind === body.kind);
    if (known) {
      const { amount, origin, recordedBy } = known;
      applied.set(id, { movement: known, before: { fate: known.fate, amount, origin, recordedBy } });
      book.change(known, { event: id, at, fate, amount: body.amount ?? amount, recordedBy: agent });
      settleRequest(known, fate === 'failed' ? 'failed' : 'done');
      return;
    }
    // A movement that is not there any more, for example of a chain that was erased, is recorded as a new one.
    const made = book.add({
      kind: body.kind,
      event: id,
      writer,
      at,
      amount: body.amount,
      fate,
      origin: 'recorded',
      isTaken: book.paid() !== null,
      statedDate: body.day,
      recordedBy: agent,
    });
    applied.set(id, {
      movement: made,
      before: { fate: 'failed', amount: made.amount, origin: made.origin, recordedBy: agent },
    });
  };

  return { apply };
};

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
