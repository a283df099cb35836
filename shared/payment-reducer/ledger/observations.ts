import { exactAmount } from '../../money/wire-amount.ts';
import type { Observation } from '../evidence/look-ups.ts';
import type { LedgerState } from './ledger-state.ts';
import { hasDoubtfulFailure, leavesNothing, namesWhole } from './match-movement.ts';
import { isBooked, isOpen, isReturn, isWaiting, stands } from './movement-book.ts';

/**
 * How old a report or a request must be before a status "settled" means that it was not carried out, milliseconds: a
 * provider may need a while to show what it has accepted.
 */
const settlingMs = 600_000;

/**
 * What the answers to look-ups change in the ledger of one payment id. An answer is the provider's own word: it comes from
 * the account's address over TLS, and needs no signature.
 */
export const createObservations = ({
  book,
  requests,
  ledger,
  earlier,
  notes,
  differ,
  disagree,
  ensurePaid,
  collected,
  contradict,
  openOf,
}: LedgerState): ((observation: Observation) => void) => {
  /** What a status "settled" says about money that was reported or requested as going back. */
  const settleReturns = ({ at, event }: Observation): void => {
    for (const one of book.movements) {
      if (!isReturn(one) || !(isOpen(one) || stands(one))) continue;
      // While the bank works on it, a status has no other word.
      if (isWaiting(one) || at < Math.max(one.reportedAt ?? 0, one.at) + settlingMs) continue;
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
      const { failed } = earlier;
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
    // Parts that leave nothing together: one of them was not carried out.
    const left = book.left();
    const isLate = returns.every(one => at >= (one.reportedAt ?? one.at) + settlingMs);
    if (returns.length > 0 && isLate && left !== null && left <= 0n)
      differ([...returns.flatMap(({ events }) => events), event]);
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
      if (hasDoubtfulFailure(book)) differ([event]);
      else requests.prove(unknown, at, event, book.leftAmount(unknown));
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
    if (!isPart) {
      if (paid?.fate === 'reported') book.change(paid, { event, at, fate: 'proven' });
      proveReturns(observation);
    }
    const returns = book.movements.filter(isReturn);
    const isExplained = isPart
      ? returns.some(one => one.kind === kind && isBooked(one))
      : paid
        ? returns.some(isBooked) && (book.returned().isUnknown || book.leftAmount() === null)
        : returns.some(one => one.kind === 'void' && stands(one));
    ledger.isAllReturned = !isPart && paid !== null;
    if (isExplained) return;
    if (
      hasDoubtfulFailure(book) ||
      returns.some(({ origin, fate }) => origin === 'here' && fate !== 'failed')
    )
      differ([event]);
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
      if (known.fate === 'proven') return;
      // A person recorded that it was won. The provider's own word counts more.
      if (known.recordedBy !== null)
        notes.add('source-took-back', { field: 'status', ours: 'settled', theirs: 'chargeback' }, [
          ...known.events,
          event,
        ]);
      book.change(known, { event, at, fate: 'proven', recordedBy: null });
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
    const capture = openOf('capture');
    if (answer.status === 'pending' && capture && at >= capture.at + settlingMs)
      requests.refute(capture, at, event);
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
    if (status === 'decline') earlier.declined = observation;
    else if (status !== 'pending' || observation.asked.isHeldFirst) earlier.declined = null;
    if (status === 'settled') settled(observation);
    else if (status === 'refund' || status === 'void' || status === 'reversal') gone(observation);
    else if (status === 'chargeback') disputed(observation);
    else if (observation.isKnownStatus) {
      if (status === 'pending' && observation.asked.isHeldFirst && !book.paid()) ledger.isHeld = true;
      notSettled(observation);
    }
  };

  return observe;
};
