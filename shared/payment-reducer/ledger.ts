import { claimOf } from '../callbacks/callback-meaning.ts';
import { exactAmount, exactText } from '../money/wire-amount.ts';
import type { Operation } from '../operations/operation.ts';
import type { Event, EventOf } from '../payments/evidence.ts';
import { createBook, isBooked, isOpen, isReturn, stands, type Book, type Draft } from './movement-book.ts';
import {
  candidatesFor,
  knownUnreported,
  leavesNothing,
  movementTypes,
  namesWhole,
  reportedAhead,
  transactionOf,
} from './match-movement.ts';
import type { FlagCollector } from './flag-collector.ts';
import { valueOf, type Receipt } from './reduce-callbacks.ts';
import type { Observation } from './reduce-look-ups.ts';
import { createRecords } from './recorded-movements.ts';
import { createRequests, type ResultEvent } from './reduce-operations.ts';

/**
 * How old a report or a request must be before a status "settled" means that it was not carried out, milliseconds: a
 * provider may need a while to show what it has accepted.
 */
const settlingMs = 600_000;

/** One piece of evidence about a payment id, in its place. */
export type LedgerItem =
  | { kind: 'receipt'; receipt: Receipt }
  | { kind: 'observation'; observation: Observation }
  | { kind: 'requested'; event: EventOf<'operation.requested'> }
  | { kind: 'ended'; event: ResultEvent }
  | { kind: 'recorded'; event: EventOf<'movement.recorded'> };

export type Ledger = {
  book: Book;
  operations: () => Operation[];
  /** Whether the money was only held, as far as the latest evidence says (`auth` in our request). */
  isHeld: boolean;
  /** Whether the latest look-up says that nothing is left, though the parts do not tell how. */
  isAllReturned: boolean;
  /** Whether a look-up after the last return says that something is left. */
  isRestConfirmed: boolean;
  /** The first callback and the first look-up that name the payment as paid. */
  saleBy: Receipt | null;
  settledBy: Observation | null;
  /** The last retry of ours: what was reported before it belongs to an earlier try. */
  retriedAt: number | null;
};

/**
 * The movements of one payment id: a fold over its evidence in the order in which it was recorded. Every step depends
 * on what came before it alone, so that a prefix of the evidence gives a prefix of the entries. `items`: in order.
 */
export const ledgerOf = (paymentId: string, items: readonly LedgerItem[], notes: FlagCollector): Ledger => {
  const book = createBook(paymentId);
  const requests = createRequests(book);
  const records = createRecords(book);
  const ledger: Ledger = {
    book,
    operations: requests.operations,
    isHeld: false,
    isAllReturned: false,
    isRestConfirmed: false,
    saleBy: null,
    settledBy: null,
    retriedAt: null,
  };
  /** The first failed sale of this try, and the latest status that a look-up gave. */
  let failed: Receipt | null = null;
  let declined: Observation | null = null;
  let saleRrn: string | null = null;

  const differ = (events: readonly string[]): void => {
    const { sum } = book.returned();
    notes.add('refunds-differ', { ours: exactText(sum), theirs: book.paid()?.amount ?? '' }, events);
  };
  const disagree = (ours: string, theirs: string, field: string, events: readonly string[]): void =>
    notes.add('sources-disagree', { field, ours, theirs }, events);

  /** The paid movement, begun by this evidence if there is none yet. */
  const ensurePaid = (
    evidence: Receipt | Observation,
    amount: string | null,
    fate: 'reported' | 'proven',
  ): Draft => {
    const known = book.paid();
    if (known) return known;
    const fields = 'fields' in evidence ? evidence.fields : null;
    const asked = evidence.asked.terms.at(-1) ?? null;
    const made = book.add({
      kind: 'paid',
      event: evidence.event,
      writer: evidence.writer,
      at: evidence.at,
      amount: amount ?? asked?.amount ?? null,
      currency: evidence.terms.currency ?? asked?.currency ?? null,
      fate,
      origin: 'elsewhere',
      rrn: fields && valueOf(fields, 'rrn'),
      approvalCode: fields && valueOf(fields, 'approval_code'),
      statedDate: fields ? valueOf(fields, 'date') : 'answer' in evidence ? evidence.answer.date : null,
    });
    // A cancellation that was reported before the payment takes this money back.
    for (const one of book.movements)
      if (isReturn(one) && !one.isTaken) {
        const { event, at } = evidence;
        book.change(one, { event, at, isTaken: true, amount: one.isWhole ? made.amount : one.amount });
      }
    return made;
  };

  const openOf = (kind: Draft['kind']): Draft | undefined =>
    book.movements.find(one => one.kind === kind && isOpen(one));

  const contradict = (paid: Draft, event: string, at: number): void => {
    book.change(paid, { event, at, fate: 'contradicted' });
  };

  /** Held money was collected: what was collected is paid, on that day. */
  const collected = (
    evidence: Receipt | Observation,
    amount: string | null,
    fate: 'reported' | 'proven',
  ): void => {
    const { event, at } = evidence;
    ledger.isHeld = false;
    const paid = ensurePaid(evidence, amount, fate);
    if (amount !== null && paid.amount !== amount) book.change(paid, { event, at, amount });
  };

  const sold = (receipt: Receipt): void => {
    const { event, at, asked, fields, terms } = receipt;
    if (asked.isHeldFirst && valueOf(fields, 'order_status') === 'pending') {
      ledger.isHeld = true;
      return;
    }
    ledger.isHeld = false;
    ledger.saleBy ??= receipt;
    saleRrn ??= valueOf(fields, 'rrn');
    const retry = openOf('retry');
    if (retry) requests.end(retry, 'reported', receipt);
    const paid = book.paid();
    if (!paid) {
      const made = ensurePaid(receipt, terms.amount, 'reported');
      if (failed) {
        disagree(`${failed.type} + fail`, 'sale + success', 'callback', [failed.event, event]);
        contradict(made, event, at);
      } else if (declined) {
        disagree('paid-unconfirmed', 'declined', 'state', [event, declined.event]);
        contradict(made, event, at);
      }
      return;
    }
    paid.rrn ??= valueOf(fields, 'rrn');
    paid.approvalCode ??= valueOf(fields, 'approval_code');
    if (!paid.events.includes(event)) paid.events.push(event);
    const isSame =
      exactAmount(terms.amount) === paid.exact && (terms.currency ?? paid.currency) === paid.currency;
    if (!isSame && paid.fate !== 'contradicted' && !book.movements.some(one => one.kind === 'capture'))
      contradict(paid, event, at);
  };

  const notSold = (receipt: Receipt): void => {
    const retry = openOf('retry');
    if (retry) requests.end(retry, 'failed', receipt);
    const paid = book.paid();
    if (receipt.type === 'sale' && paid) {
      const by = ledger.saleBy ? 'sale + success' : 'paid-unconfirmed';
      disagree(
        ledger.saleBy ? `${receipt.type} + fail` : 'declined',
        by,
        ledger.saleBy ? 'callback' : 'state',
        [paid.events[0] ?? '', receipt.event],
      );
      contradict(paid, receipt.event, receipt.at);
    } else failed ??= receipt;
  };

  /** The amount of a return that nothing requested here, as a callback names it; null if it may be a part. */
  const namedAmount = (kind: Draft['kind'], receipt: Receipt, paid: Draft | null): string | null => {
    const { terms, fields, isRefundedAmount } = receipt;
    if (kind !== 'refund') {
      if (!namesWhole(receipt, paid)) return null;
      // A cancellation takes what is left; a chargeback disputes the whole, whatever went back before.
      return (kind === 'void' ? book.leftAmount() : null) ?? paid?.amount ?? terms.amount;
    }
    const orderStatus = valueOf(fields, 'order_status');
    if (!isRefundedAmount) return orderStatus === 'refund' ? book.leftAmount() : null;
    const named = exactAmount(terms.amount);
    const whole = paid?.exact ?? null;
    const isContradicted = named !== null && whole !== null && named >= whole && orderStatus === 'settled';
    return named === null || isContradicted ? null : terms.amount;
  };

  /** A success after an end that was no success, or a failure after a success. */
  const change = (movement: Draft, fate: 'reported' | 'failed', receipt: Receipt): void => {
    differ([...movement.events, receipt.event]);
    requests.end(movement, fate, receipt);
  };

  const returned = (kind: Draft['kind'], receipt: Receipt): void => {
    const { type, status, event, at, writer, fields } = receipt;
    if (status !== 'success' && status !== 'fail' && status !== 'waiting') return;
    const key = transactionOf(receipt, saleRrn);
    const same =
      key === null ? undefined : book.movements.find(one => one.kind === kind && one.keys.has(key));
    if (same) {
      if (status === 'success' && isOpen(same)) requests.end(same, 'reported', receipt);
      else if (status === 'success' && same.fate === 'failed') change(same, 'reported', receipt);
      else if (status === 'fail' && isOpen(same)) requests.end(same, 'failed', receipt);
      else if (status === 'fail' && isBooked(same)) change(same, 'failed', receipt);
      return;
    }
    const unreported = status === 'success' ? knownUnreported(book, kind, receipt) : null;
    if (unreported) {
      if (key !== null) unreported.keys.add(key);
      requests.report(unreported, receipt);
      return;
    }
    const candidates = candidatesFor(book, kind, receipt, status === 'success');
    const [oldest] = candidates;
    if (oldest) {
      if (status === 'waiting') requests.wait(oldest, receipt, key);
      else requests.endOneOf(candidates, status === 'success' ? 'reported' : 'failed', receipt, key);
      if (kind === 'capture' && oldest.fate === 'reported') collected(receipt, oldest.amount, 'reported');
      return;
    }
    const paid = book.paid();
    if (kind === 'capture') {
      if (status === 'success') collected(receipt, receipt.terms.amount, 'reported');
      return;
    }
    if (kind === 'retry' || kind === 'paid') return;
    const known = book.movements.filter(one => one.kind === kind && isReturn(one));
    if (status === 'fail' && known.some(isBooked)) differ([event]);
    if (status === 'success' && known.some(one => one.request?.state === 'refused')) differ([event]);
    if (status === 'success' && kind !== 'void' && !paid)
      ensurePaid(receipt, receipt.isRefundedAmount ? null : receipt.terms.amount, 'reported');
    ledger.isRestConfirmed &&= status !== 'success';
    const made = book.add({
      kind,
      event,
      writer,
      at,
      amount: namedAmount(kind, receipt, book.paid()),
      fate: status === 'success' ? 'reported' : status === 'fail' ? 'failed' : 'under-way',
      origin: 'elsewhere',
      isTaken: book.paid() !== null,
      isWhole:
        kind === 'refund' ? valueOf(fields, 'order_status') === 'refund' : namesWhole(receipt, book.paid()),
      reportedAt: status === 'success' ? at : null,
      reason: valueOf(fields, 'reason'),
      rrn: valueOf(fields, 'rrn') ?? paid?.rrn ?? null,
      approvalCode: valueOf(fields, 'approval_code') ?? paid?.approvalCode ?? null,
      statedDate: valueOf(fields, 'date'),
    });
    made.keys.add(key ?? `event ${event}`);
    // A reversal is shown as such where nothing of ours was to be cancelled.
    if (type === 'reversal') made.keys.add('reversal');
  };

  const receive = (receipt: Receipt): void => {
    const kind = movementTypes.get(receipt.type);
    if (kind !== undefined) return returned(kind, receipt);
    const claim = claimOf(receipt.type, receipt.status);
    if (claim === 'paid') sold(receipt);
    else if (claim === 'not-paid') notSold(receipt);
  };

  /** What a status "settled" says about money that was reported or requested as going back. */
  const settleReturns = ({ at, event }: Observation): void => {
    for (const one of book.movements) {
      if (!isReturn(one) || !(isOpen(one) || stands(one))) continue;
      if (at < Math.max(one.reportedAt ?? 0, one.at) + settlingMs) continue;
      if (one.kind === 'chargeback') {
        if (!stands(one)) continue;
        notes.add('source-took-back', { field: 'status', ours: 'chargeback', theirs: 'settled' }, [
          ...one.events,
          event,
        ]);
        book.change(one, { event, at, fate: 'won' });
        continue;
      }
      if (!(one.isWhole || (isOpen(one) && leavesNothing(book, one) === true))) continue;
      if (one.recordedBy !== null) book.change(one, { event, at, fate: 'contradicted' });
      else {
        if (stands(one)) differ([...one.events, event]);
        requests.refute(one, at, event);
      }
    }
  };

  const settled = (observation: Observation): void => {
    const { at, event, terms } = observation;
    ledger.isHeld = false;
    ledger.isAllReturned = false;
    ledger.settledBy ??= observation;
    const retry = openOf('retry');
    if (retry && at >= retry.at) requests.prove(retry, at, event);
    const capture = openOf('capture');
    if (capture) {
      requests.prove(capture, at, event);
      collected(observation, capture.amount, 'proven');
    }
    const captured = book.movements.some(one => one.kind === 'capture' && one.fate !== 'failed');
    const paid = book.paid();
    if (!paid) {
      if (failed) disagree('declined', 'paid-unconfirmed', 'state', [failed.event, event]);
      ensurePaid(observation, terms.amount, 'proven');
      settleReturns(observation);
      return;
    }
    const named = exactAmount(terms.amount);
    const agrees =
      captured || terms.amount === null || named === paid.exact || (named !== null && named === book.left());
    const isSameCurrency = terms.currency === null || terms.currency === paid.currency;
    if (agrees && isSameCurrency) {
      if (paid.fate !== 'proven') book.change(paid, { event, at, fate: 'proven' });
    } else {
      disagree(paid.amount ?? '', terms.amount ?? '', 'amount', [paid.events[0] ?? '', event]);
      contradict(paid, event, at);
    }
    settleReturns(observation);
    const returns = book.movements.filter(one => isReturn(one) && isBooked(one));
    ledger.isRestConfirmed = returns.some(one => at >= one.at);
  };

  /** What a status for money that went back proves about the reports and requests before it. */
  const proveReturns = ({ at, event, answer }: Observation): void => {
    for (const one of book.movements)
      if (one.kind === 'void' && (isOpen(one) || one.fate === 'reported')) requests.prove(one, at, event);
    if (answer.status !== 'refund') return;
    const refunds = book.movements.filter(({ kind }) => kind === 'refund');
    const open = refunds.filter(isOpen);
    const sum = open.reduce((total, one) => total + (one.exact ?? 0n), 0n);
    if (open.length > 0 && sum === book.left()) for (const one of open) requests.prove(one, at, event);
    const [unknown, another] = refunds.filter(one => isBooked(one) && one.exact === null);
    if (unknown && !another && !refunds.some(isOpen))
      requests.prove(unknown, at, event, book.leftAmount(unknown));
    for (const one of refunds) if (one.fate === 'reported') requests.prove(one, at, event);
  };

  /** "refund", "void" and "reversal": nothing is left, unless the answer names another amount. */
  const gone = (observation: Observation): void => {
    const { at, event, writer, terms, answer } = observation;
    const kind = answer.status === 'refund' ? 'refund' : 'void';
    ledger.isHeld = false;
    ledger.isRestConfirmed = false;
    if (kind === 'refund') ensurePaid(observation, null, 'proven');
    const paid = book.paid();
    const isPart = terms.amount !== null && !namesWhole(observation, paid);
    if (!isPart) proveReturns(observation);
    const returns = book.movements.filter(isReturn);
    const isExplained = isPart
      ? returns.some(one => one.kind === kind && isBooked(one))
      : paid
        ? book.returned().isUnknown || book.leftAmount() === null
        : returns.some(({ kind: of }) => of === 'void');
    ledger.isAllReturned = !isPart && paid !== null;
    if (isExplained) return;
    if (returns.some(one => one.origin === 'here' && one.fate !== 'failed')) differ([event]);
    const made = book.add({
      kind,
      event,
      writer,
      at,
      amount: isPart ? null : book.leftAmount(),
      fate: isPart ? 'reported' : 'proven',
      origin: 'elsewhere',
      isTaken: paid !== null,
      isWhole: !isPart,
      statedDate: answer.date,
    });
    if (answer.status === 'reversal') made.keys.add('reversal');
  };

  const disputed = (observation: Observation): void => {
    const { at, event, writer, answer } = observation;
    const paid = ensurePaid(observation, null, 'proven');
    const known = book.movements.findLast(one => one.kind === 'chargeback' && one.fate !== 'failed');
    if (known) {
      if (known.fate !== 'proven') book.change(known, { event, at, fate: 'proven' });
      return;
    }
    book.add({
      kind: 'chargeback',
      event,
      writer,
      at,
      amount: namesWhole(observation, paid) ? paid.amount : null,
      fate: 'proven',
      origin: 'elsewhere',
      isWhole: namesWhole(observation, paid),
      statedDate: answer.date,
    });
  };

  /** A status in which no money was taken. */
  const notSettled = (observation: Observation): void => {
    const { at, event, answer } = observation;
    if (answer.status === 'decline') {
      const retry = openOf('retry');
      if (retry && at >= retry.at) requests.refute(retry, at, event);
    }
    const paid = book.paid();
    if (!paid || paid.fate === 'contradicted') return;
    // Only a decline denies what a callback reported; a look-up that proved it must not take it back.
    if (answer.status === 'decline' || ledger.settledBy) {
      if (!ledger.settledBy)
        disagree('paid-unconfirmed', answer.status === 'decline' ? 'declined' : answer.status, 'state', [
          paid.events[0] ?? '',
          event,
        ]);
      contradict(paid, event, at);
    }
  };

  const observe = (observation: Observation): void => {
    const { status } = observation.answer;
    if (status === 'decline') declined = observation;
    else if (status !== 'pending' || observation.asked.isHeldFirst) declined = null;
    if (status === 'settled') settled(observation);
    else if (status === 'refund' || status === 'void' || status === 'reversal') gone(observation);
    else if (status === 'chargeback') disputed(observation);
    else if (observation.isKnownStatus) {
      if (status === 'pending' && observation.asked.isHeldFirst && !book.paid()) ledger.isHeld = true;
      notSettled(observation);
    }
  };

  for (const item of items) {
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
          failed = null;
          declined = null;
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
