import { claimOf } from '../callbacks/callback-meaning.ts';
import { exactAmount, exactText, sameAmount } from '../money/wire-amount.ts';
import {
  isOperationOpen,
  kindsWithCallback,
  operationTable,
  type OperationKind,
} from '../operations/operation-kinds.ts';
import type { Operation } from '../operations/operation.ts';
import type { Event, EventOf } from '../payments/evidence.ts';
import type { FlagCollector } from './flag-collector.ts';
import { sameId } from './payment-id.ts';
import { valueOf, type Receipt } from './reduce-callbacks.ts';
import type { Observation } from './reduce-look-ups.ts';

/** One request of an operation and its result, as far as known. */
export type OperationRecord = {
  requested: EventOf<'operation.requested'>;
  ended: EventOf<'operation.answered' | 'operation.refused' | 'operation.unanswered'> | null;
};

/** By how much a callback may precede its request because two computers' clocks differ, milliseconds. */
const toleranceMs = 5_000;

/**
 * The operations requested here, oldest first, each with the most certain result. `events`: in canonical order; of
 * several requests with one intent only the first was sent.
 */
export const operationRecordsOf = (events: readonly Event[]): OperationRecord[] => {
  const records = new Map<string, OperationRecord>();
  for (const event of events) {
    if (event.kind === 'operation.requested' && !records.has(event.body.intent))
      records.set(event.body.intent, { requested: event, ended: null });
  }
  if (records.size === 0) return [];
  for (const kind of ['operation.answered', 'operation.refused', 'operation.unanswered'] as const) {
    for (const event of events) {
      if (event.kind !== kind) continue;
      const record = records.get(event.body.intent);
      if (record) record.ended ??= event;
    }
  }
  return [...records.values()];
};

/** An operation by its request and the answer alone. */
const operationOf = ({ requested, ended }: OperationRecord): Operation => {
  const { intent, operation, amount, currency, reason, text, approvedBy, charge } = requested.body;
  const result = (): Pick<Operation, 'state' | 'message'> => {
    if (ended === null) return { state: 'unknown', message: null };
    if (ended.kind === 'operation.unanswered') return { state: 'unknown', message: ended.body.message };
    if (ended.kind === 'operation.refused')
      return { state: ended.body.sent ? 'refused' : 'not-sent', message: ended.body.message };
    const { claim, reason: said } = ended.body.report;
    // The answer is not signed: a failure that it names leaves the money where it was, a success needs proof.
    return { state: claim === 'failed' ? 'failed' : 'accepted', message: said };
  };
  return {
    intent,
    kind: operation,
    paymentId: charge?.firstPaymentId ?? requested.paymentId ?? '',
    amount,
    currency,
    reason,
    text,
    agent: requested.agent,
    approvedBy,
    at: requested.happenedAt,
    since: (ended ?? requested).happenedAt,
    provenBy: null,
    ...result(),
  };
};

/** What a callback says about an operation; null if it is about none. */
const outcomeOf = ({
  type,
  status,
}: Receipt): { kind: OperationKind; result: 'done' | 'failed' | 'waiting' } | null => {
  const claim = claimOf(type, status);
  if (claim === 'paid') return { kind: 'retry', result: 'done' };
  if (claim === 'not-paid') return { kind: 'retry', result: 'failed' };
  const kind = kindsWithCallback.find(one => one === type);
  if (kind === undefined) return null;
  if (status === 'success') return { kind, result: 'done' };
  if (status === 'fail') return { kind, result: 'failed' };
  return status === 'waiting' ? { kind, result: 'waiting' } : null;
};

/** Operations of which a callback settled one, and nothing says which. */
type Group = { members: Operation[]; done: number; failed: number };

/** The operations on one payment id after its callbacks. */
export type MatchedOperations = {
  operations: Operation[];
  /** The refunded amounts of successful refunds that are ours, by the callback's event; wire form. */
  amounts: ReadonlyMap<string, string>;
};

export const noOperations: MatchedOperations = { operations: [], amounts: new Map() };

/**
 * Assigns the callbacks of one payment id to the operations that were requested here: first in, first out, because no
 * callback names its operation. A callback that may belong to one of several with different amounts is assigned to none
 * of them until the others have ended too. `receipts`: trusted ones, oldest first.
 */
export const matchOperations = (
  records: readonly OperationRecord[],
  receipts: readonly Receipt[],
): MatchedOperations => {
  if (records.length === 0) return noOperations;
  const operations = records.map(operationOf);
  /** Operations that a callback may still settle; the answer alone settles none. */
  const open = new Set(operations.filter(({ state }) => state !== 'refused' && state !== 'not-sent'));
  const amounts = new Map<string, string>();
  const groups = new Map<Operation, Group>();

  const end = (operation: Operation, state: 'done' | 'failed', { at, fields }: Receipt): void => {
    Object.assign(operation, { state, since: at, provenBy: 'callback', message: valueOf(fields, 'reason') });
    open.delete(operation);
  };

  const leaveOpen = (members: Operation[], result: 'done' | 'failed', receipt: Receipt): void => {
    const group: Group = { members: [], done: 0, failed: 0 };
    for (const known of new Set(members.flatMap(member => groups.get(member) ?? []))) {
      group.members.push(...known.members);
      group.done += known.done;
      group.failed += known.failed;
    }
    group.members = [...new Set([...group.members, ...members])];
    group[result] += 1;
    const isComplete = group.done + group.failed >= group.members.length;
    for (const member of group.members) {
      groups.set(member, group);
      if (isComplete && group.failed === 0) end(member, 'done', receipt);
      else if (isComplete && group.done === 0) end(member, 'failed', receipt);
      else Object.assign(member, { state: 'one-of', since: receipt.at, message: null });
      if (isComplete) open.delete(member);
    }
  };

  for (const receipt of receipts) {
    const outcome = outcomeOf(receipt);
    if (outcome === null) continue;
    const { kind, result } = outcome;
    const named = kind === 'refund' && receipt.isRefundedAmount ? receipt.terms.amount : null;
    const until = (at: number): Operation[] =>
      [...open].filter(
        one =>
          one.kind === kind &&
          one.at <= at &&
          (named === null || one.amount === null || sameAmount(one.amount, named)),
      );
    const before = until(receipt.at);
    // A payment's own sale precedes every retry; only the result of an operation may seem to overtake its request.
    const candidates = before.length > 0 || kind === 'retry' ? before : until(receipt.at + toleranceMs);
    const [oldest] = candidates;
    if (!oldest) continue;
    if (result === 'waiting') {
      if (oldest.state !== 'one-of')
        Object.assign(oldest, { state: 'waiting', since: receipt.at, provenBy: 'callback' });
      continue;
    }
    const { amount } = oldest;
    const isCertain =
      !candidates.some(one => groups.has(one)) &&
      candidates.every(one => one.amount === amount || (amount && sameAmount(one.amount ?? '', amount)));
    if (!isCertain) leaveOpen(candidates, result, receipt);
    else {
      end(oldest, result, receipt);
      if (kind === 'refund' && result === 'done' && amount !== null) amounts.set(receipt.event, amount);
    }
  }
  return { operations, amounts };
};

/** Settles operations other than refunds, which have their own rule, by look-ups after their requests: the paid amount depends on captures. */
export const settleByLookUps = (
  operations: readonly Operation[],
  observations: readonly Observation[],
): void => {
  for (const operation of operations) {
    if (!isOperationOpen(operation)) continue;
    const proving = operation.kind === 'refund' ? [] : operationTable[operation.kind].provingStatuses;
    const proof = observations.find(
      ({ at, answer }) => at >= operation.at && proving.includes(answer.status),
    );
    if (proof) Object.assign(operation, { state: 'done', since: proof.at, provenBy: 'look-up' });
  }
};

/**
 * Settles refunds by look-ups after their requests. The status `refund` proves them only if the amounts requested here
 * add up to the payment: after a part the gateway still answers `settled`. `paid`: wire form, null if unknown.
 */
export const settleRefundsByLookUps = (
  operations: readonly Operation[],
  observations: readonly Observation[],
  paid: string | null,
  notes: FlagCollector,
): void => {
  const refunds = operations.filter(
    ({ kind, state }) => kind === 'refund' && (state === 'done' || isOperationOpen({ state })),
  );
  if (refunds.length === 0) return;
  const sumOf = (some: readonly Operation[]): bigint =>
    some.reduce((sum, { amount }) => sum + (exactAmount(amount) ?? 0n), 0n);
  const done = refunds.filter(({ state }) => state === 'done');
  const open = refunds.filter(isOperationOpen);
  const whole = exactAmount(paid);
  const returned = observations.find(
    ({ at, answer }) => at >= Math.min(...refunds.map(one => one.at)) && answer.status === 'refund',
  );
  const note = (ours: bigint, events: readonly string[]): void => {
    notes.add('refunds-differ', { ours: exactText(ours), theirs: paid ?? '' }, events);
  };
  if (whole !== null && sumOf(done) > whole) note(sumOf(done), returned ? [returned.event] : []);
  if (!returned || whole === null) return;
  const isAll = sumOf(done) + sumOf(open) === whole && open.every(({ at }) => at <= returned.at);
  if (isAll) {
    for (const operation of open)
      Object.assign(operation, { state: 'done', since: returned.at, provenBy: 'look-up' });
  } else if (sumOf(done) < whole) note(sumOf(done), [returned.event]);
};

/** After this time an accepted operation without a result needs a person, milliseconds. */
const overdueMs = 3_600_000;

/**
 * Flags the operations whose result is unknown, and accepted ones that a look-up still leaves open an hour later: the
 * callback that would end them may be lost.
 */
export const flagOperations = (
  operations: readonly Operation[],
  records: readonly OperationRecord[],
  observations: readonly Observation[],
  notes: FlagCollector,
): void => {
  for (const { intent, kind, amount, state, paymentId, since } of operations) {
    const isOverdue =
      state === 'accepted' &&
      observations.some(one => sameId(one.paymentId ?? '', paymentId) && one.at >= since + overdueMs);
    if (state !== 'unknown' && state !== 'one-of' && !isOverdue) continue;
    const requested = records.find(record => record.requested.body.intent === intent);
    notes.add(
      'operation-unknown',
      { operation: kind, ...(amount === null ? {} : { amount }) },
      requested ? [requested.requested.id] : [],
    );
  }
};

/** The records about one payment id. */
export const recordsOn = (records: readonly OperationRecord[], paymentId: string): OperationRecord[] =>
  records.filter(({ requested }) => sameId(requested.paymentId ?? '', paymentId));
