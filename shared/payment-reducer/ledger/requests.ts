import { sameAmount } from '../../money/wire-amount.ts';
import type { Operation } from '../../operations/operation.ts';
import type { Event, EventOf } from '../../payments/evidence.ts';
import type { FlagCollector } from '../evidence/flag-collector.ts';
import { leavesNothing } from './match-movement.ts';
import { isOpen, type Book, type Draft } from './movement-book.ts';
import { valueOf, type Receipt } from '../evidence/callbacks.ts';

export type ResultEvent = EventOf<'operation.answered' | 'operation.refused' | 'operation.unanswered'>;

/** One request after the payment and its most certain answer, as far as known. */
export type OperationRecord = { requested: EventOf<'operation.requested'>; ended: ResultEvent | null };

/** The most certain answer last. */
const certainty: readonly ResultEvent['kind'][] = [
  'operation.unanswered',
  'operation.refused',
  'operation.answered',
];

/** Requests and their answers, which count only in the chain that holds the request: by writer and intent. */
const keyOf = ({ writer, body }: EventOf<'operation.requested'> | ResultEvent): string =>
  `${writer} ${body.intent}`;

/**
 * The operations requested here, oldest first, each with the most certain answer. `events`: in order; of several
 * requests with one intent only the first was sent.
 */
export const operationRecordsOf = (events: readonly Event[]): OperationRecord[] => {
  const records = new Map<string, OperationRecord>();
  for (const event of events)
    if (event.kind === 'operation.requested') {
      if (!records.has(keyOf(event))) records.set(keyOf(event), { requested: event, ended: null });
    } else if (
      event.kind === 'operation.answered' ||
      event.kind === 'operation.refused' ||
      event.kind === 'operation.unanswered'
    ) {
      const record = records.get(keyOf(event));
      if (record && isMoreCertain(event, record.ended)) record.ended = event;
    }
  return [...records.values()];
};

const isMoreCertain = (one: ResultEvent, other: ResultEvent | null): boolean =>
  other === null || certainty.indexOf(one.kind) > certainty.indexOf(other.kind);

/** What a request's answer alone says: it is not signed, so a success needs proof. */
export const answerOf = (ended: ResultEvent | null): Pick<Operation, 'state' | 'message'> => {
  if (ended === null) return { state: 'unknown', message: null };
  if (ended.kind === 'operation.unanswered') return { state: 'unknown', message: ended.body.message };
  if (ended.kind === 'operation.refused')
    return { state: ended.body.sent ? 'refused' : 'not-sent', message: ended.body.message };
  const { claim, reason } = ended.body.report;
  return { state: claim === 'failed' ? 'failed' : 'accepted', message: reason };
};

/** An operation as the payment shows it. `since`: of its state, milliseconds. */
export const operationOf = (
  { body, agent, paymentId, happenedAt }: EventOf<'operation.requested'>,
  result: Pick<Operation, 'state' | 'since' | 'provenBy' | 'message'>,
): Operation => ({
  intent: body.intent,
  kind: body.operation,
  paymentId: body.charge?.firstPaymentId ?? paymentId ?? '',
  amount: body.amount,
  currency: body.currency,
  reason: body.reason,
  text: body.text,
  agent,
  approvedBy: body.approvedBy,
  at: happenedAt,
  ...result,
});

/** The requests of ours about one payment id, as movements of its book. */
export const createRequests = (book: Book) => {
  const drafts = new Map<string, { draft: Draft; ended: ResultEvent | null }>();

  const begin = (event: EventOf<'operation.requested'>): Draft | null => {
    const { operation, amount } = event.body;
    if (drafts.has(keyOf(event)) || operation === 'recurring') return null;
    const draft = book.add({
      kind: operation,
      event: event.id,
      writer: event.writer,
      at: event.happenedAt,
      amount: operation === 'void' ? (book.paid()?.amount ?? null) : amount,
      currency: event.body.currency,
      fate: 'requested',
      origin: 'here',
      isTaken: book.paid() !== null,
      request: { event, state: 'unknown', provenBy: null, message: null },
    });
    draft.intent = event.body.intent;
    draft.isWhole = operation === 'void' || leavesNothing(book, draft) === true;
    drafts.set(keyOf(event), { draft, ended: null });
    return draft;
  };

  const answer = (event: ResultEvent): void => {
    const known = drafts.get(keyOf(event));
    if (!known || !isMoreCertain(event, known.ended)) return;
    known.ended = event;
    const { draft } = known;
    const { request } = draft;
    // A callback or a look-up says more than an answer.
    if (!request || request.provenBy !== null) return;
    const { state, message } = answerOf(event);
    Object.assign(request, { state, message });
    const fate = state === 'unknown' ? 'requested' : state === 'accepted' ? 'in-progress' : 'failed';
    book.change(draft, { event: event.id, at: event.happenedAt, fate, reason: message });
    draft.since = event.happenedAt;
  };

  const conclude = (
    draft: Draft,
    state: Operation['state'],
    provenBy: Operation['provenBy'],
    message: string | null,
  ): void => {
    if (draft.request) Object.assign(draft.request, { state, provenBy, message });
    // No later callback is about it.
    if (draft.group) draft.group.members = draft.group.members.filter(one => one !== draft);
    draft.group = null;
  };

  /** A callback ends it. */
  const end = (draft: Draft, fate: 'reported' | 'failed', receipt: Receipt): void => {
    const { event, at, fields } = receipt;
    const reason = valueOf(fields, 'reason');
    book.change(draft, {
      event,
      at,
      fate,
      reason,
      reportedAt: fate === 'reported' ? at : draft.reportedAt,
      rrn: valueOf(fields, 'rrn') ?? draft.rrn,
      approvalCode: valueOf(fields, 'approval_code') ?? draft.approvalCode,
      statedDate: valueOf(fields, 'date') ?? draft.statedDate,
    });
    conclude(draft, fate === 'reported' ? 'done' : 'failed', 'callback', reason);
  };

  /** A callback reports what is known already: from when, and under which references. */
  const report = (draft: Draft, { event, at, fields }: Receipt): void =>
    book.change(draft, {
      event,
      at,
      reportedAt: draft.reportedAt ?? at,
      rrn: valueOf(fields, 'rrn') ?? draft.rrn,
      approvalCode: valueOf(fields, 'approval_code') ?? draft.approvalCode,
      statedDate: valueOf(fields, 'date') ?? draft.statedDate,
    });

  /** A callback says that it is being processed. */
  const wait = (draft: Draft, receipt: Receipt, key: string | null): void => {
    draft.keys.add(key ?? `event ${receipt.event}`);
    book.change(draft, { event: receipt.event, at: receipt.at, fate: 'in-progress' });
    draft.since = receipt.at;
    if (draft.request && draft.group === null)
      Object.assign(draft.request, { state: 'waiting', provenBy: 'callback' });
  };

  /**
   * A callback ends one of these, and names none: equal amounts take the oldest. Of different ones it stays open which,
   * until all of them have ended alike.
   */
  const endOneOf = (
    candidates: readonly Draft[],
    fate: 'reported' | 'failed',
    receipt: Receipt,
    key: string | null,
  ): void => {
    const [oldest] = candidates;
    if (!oldest) return;
    const isCertain =
      candidates.every(({ amount }) => amount === oldest.amount || sameAmounts(amount, oldest.amount)) &&
      candidates.every(({ group, origin }) => group === null && origin === oldest.origin);
    if (isCertain || candidates.length === 1) {
      if (key !== null) oldest.keys.add(key);
      end(oldest, fate, receipt);
      return;
    }
    const groups = new Set(candidates.flatMap(({ group }) => group ?? []));
    const group = {
      members: [...new Set([...[...groups].flatMap(({ members }) => members), ...candidates])],
      unassigned: [...groups].flatMap(({ unassigned }) => unassigned),
      failed: [...groups].reduce((sum, { failed }) => sum + failed, fate === 'failed' ? 1 : 0),
    };
    if (fate === 'reported') {
      const made = book.add({
        kind: oldest.kind,
        event: receipt.event,
        writer: receipt.writer,
        at: receipt.at,
        amount: null,
        fate,
        origin: 'here',
        reportedAt: receipt.at,
        statedDate: valueOf(receipt.fields, 'date'),
      });
      if (key !== null) made.keys.add(key);
      group.unassigned.push(made);
    }
    const isComplete = group.unassigned.length + group.failed >= group.members.length;
    const isAlike = isComplete && (group.failed === 0 || group.unassigned.length === 0);
    if (isAlike) for (const one of group.unassigned) replace(one, receipt);
    for (const member of group.members)
      if (isAlike) end(member, fate, receipt);
      else {
        member.group = group;
        book.change(member, { event: receipt.event, at: receipt.at });
        member.since = receipt.at;
        if (member.request) Object.assign(member.request, { state: 'one-of', message: null });
      }
  };

  /** Another movement stands for this one now. */
  const replace = (draft: Draft, { event, at }: { event: string; at: number }): void => {
    book.change(draft, { event, at, fate: 'failed' });
    book.movements.splice(book.movements.indexOf(draft), 1);
  };

  /** A look-up proves that it was carried out. */
  const prove = (draft: Draft, at: number, event: string, amount: string | null = draft.amount): void => {
    book.change(draft, { event, at, fate: 'proven', amount });
    conclude(draft, 'done', draft.request?.provenBy ?? 'look-up', null);
  };

  /** A look-up proves that it was not. */
  const refute = (draft: Draft, at: number, event: string): void => {
    book.change(draft, { event, at, fate: 'failed' });
    conclude(draft, 'failed', 'look-up', null);
  };

  /** What was reported shortly before the request is its result. */
  const adopt = (draft: Draft, ahead: Draft): void => {
    const { at } = draft;
    const event = ahead.events.at(-1) ?? ahead.id;
    for (const key of ahead.keys) draft.keys.add(key);
    const { fate, reason, reportedAt, rrn, approvalCode, statedDate } = ahead;
    replace(ahead, { event, at });
    book.change(draft, { event, at, fate, reason, reportedAt, rrn, approvalCode, statedDate });
    conclude(draft, fate === 'failed' ? 'failed' : isOpen(draft) ? 'waiting' : 'done', 'callback', reason);
  };

  const operations = (): Operation[] =>
    [...drafts.values()].flatMap(({ draft: { request, since } }) =>
      request
        ? operationOf(request.event, {
            state: request.state,
            since,
            provenBy: request.provenBy,
            message: request.message,
          })
        : [],
    );

  return { begin, answer, end, report, wait, endOneOf, prove, refute, adopt, operations };
};

const sameAmounts = (one: string | null, other: string | null): boolean =>
  one !== null && other !== null && sameAmount(one, other);

/** Flags the operations whose result is unknown. An accepted one without a result is a matter of the clock. */
export const flagOperations = (
  operations: readonly Operation[],
  records: readonly OperationRecord[],
  notes: FlagCollector,
): void => {
  for (const { intent, kind, amount, state } of operations) {
    if (state !== 'unknown' && state !== 'one-of') continue;
    const requested = records.find(record => record.requested.body.intent === intent);
    notes.add(
      'operation-unknown',
      { operation: kind, ...(amount === null ? {} : { amount }) },
      requested ? [requested.requested.id] : [],
    );
  }
};
