import { claimOf } from '../../callbacks/callback-meaning.ts';
import { exactAmount } from '../../money/wire-amount.ts';
import { valueOf, type Receipt } from '../evidence/callbacks.ts';
import type { LedgerState } from './ledger-state.ts';
import {
  candidatesFor,
  hasDoubtfulFailure,
  knownUnreported,
  movementTypes,
  namesWhole,
  transactionOf,
} from './match-movement.ts';
import { isBooked, isMoney, isOpen, isReturn, type Draft } from './movement-book.ts';

/** What the callbacks of one payment id change in its ledger. Type and status of a callback are not signed (§5.3). */
export const createReports = ({
  book,
  requests,
  ledger,
  earlier,
  differ,
  disagree,
  ensurePaid,
  collected,
  contradict,
  openOf,
}: LedgerState): ((receipt: Receipt) => void) => {
  const sold = (receipt: Receipt): void => {
    const { event, at, asked, fields, terms } = receipt;
    if (asked.isHeldFirst && valueOf(fields, 'order_status') === 'pending') {
      ledger.isHeld = true;
      return;
    }
    ledger.isHeld = false;
    ledger.saleBy ??= receipt;
    earlier.saleRrn ??= valueOf(fields, 'rrn');
    const retry = openOf('retry');
    if (retry) requests.end(retry, 'reported', receipt);
    const paid = book.paid();
    if (!paid) {
      const made = ensurePaid(receipt, terms.amount, 'reported');
      const { failed, declined } = earlier;
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
    } else earlier.failed ??= receipt;
  };

  /** The amount of a return that nothing requested here, as a callback names it; null if it may be a part. */
  const namedAmount = (kind: Draft['kind'], receipt: Receipt, paid: Draft | null): string | null => {
    const { terms, fields, isRefundedAmount } = receipt;
    if (kind !== 'refund') {
      if (!namesWhole(receipt, paid)) return null;
      // A cancellation takes what is left; a chargeback disputes the whole, also after refunds.
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
    // What was refunded or disputed had been paid.
    if (status === 'success' && (kind === 'refund' || kind === 'chargeback'))
      ensurePaid(receipt, receipt.isRefundedAmount ? null : receipt.terms.amount, 'reported');
    const key = transactionOf(receipt, earlier.saleRrn);
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
    if (!isMoney(kind) || kind === 'paid') return;
    // A part that is named is not a part of another size.
    const isPart = kind === 'refund' && receipt.isRefundedAmount && !namesWhole(receipt, paid);
    const part = isPart ? exactAmount(receipt.terms.amount) : null;
    const movements = book.movements.filter(
      one =>
        one.kind === kind && isReturn(one) && (part === null || one.exact === null || one.exact === part),
    );
    if (status === 'fail' && movements.some(isBooked)) differ([event]);
    if (status === 'success' && hasDoubtfulFailure({ movements })) differ([event]);
    ledger.isRestConfirmed &&= status !== 'success';
    const amount = namedAmount(kind, receipt, paid);
    const rest = book.left();
    const isRest = rest !== null && (exactAmount(amount) ?? 0n) >= rest;
    const made = book.add({
      kind,
      event,
      writer,
      at,
      amount,
      fate: status === 'success' ? 'reported' : status === 'fail' ? 'failed' : 'in-progress',
      origin: 'elsewhere',
      isTaken: paid !== null,
      isWhole:
        kind === 'refund'
          ? isRest || valueOf(fields, 'order_status') === 'refund'
          : namesWhole(receipt, paid),
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

  return receive;
};
