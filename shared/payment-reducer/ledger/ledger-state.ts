import { exactText } from '../../money/wire-amount.ts';
import type { Operation } from '../../operations/operation.ts';
import { valueOf, type Receipt } from '../evidence/callbacks.ts';
import type { FlagCollector } from '../evidence/flag-collector.ts';
import type { Observation } from '../evidence/look-ups.ts';
import { createBook, isOpen, isReturn, type Book, type Draft } from './movement-book.ts';
import { createRequests } from './requests.ts';

export type Ledger = {
  book: Book;
  operations: () => Operation[];
  /** Whether the money was only held, as far as the latest evidence says (`auth` in our request). */
  isHeld: boolean;
  /** Whether held money was reported as collected. */
  isCollected: boolean;
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

/** What every piece of evidence changes: the book of a payment id, and the earlier reports of it. */
export const createLedgerState = (paymentId: string, notes: FlagCollector) => {
  const book = createBook(paymentId);
  const requests = createRequests(book);
  const ledger: Ledger = {
    book,
    operations: requests.operations,
    isHeld: false,
    isCollected: false,
    isAllReturned: false,
    isRestConfirmed: false,
    saleBy: null,
    settledBy: null,
    retriedAt: null,
  };
  /** The first failed sale and the declining status of this try, and the RRN of the sale. */
  const earlier: { failed: Receipt | null; declined: Observation | null; saleRrn: string | null } = {
    failed: null,
    declined: null,
    saleRrn: null,
  };

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
      amount: amount ?? asked?.amount ?? ('answer' in evidence ? evidence.terms.amount : null),
      currency: evidence.terms.currency ?? asked?.currency ?? null,
      fate,
      origin: 'elsewhere',
      rrn: fields && valueOf(fields, 'rrn'),
      approvalCode: fields && valueOf(fields, 'approval_code'),
      statedDate: fields ? valueOf(fields, 'date') : 'answer' in evidence ? evidence.answer.date : null,
    });
    for (const one of book.movements) {
      if (!isReturn(one)) continue;
      // Whether a request leaves nothing was not known before the payment.
      if (one.exact !== null && made.exact !== null) one.isWhole ||= one.exact >= made.exact;
      // A cancellation that was reported before the payment takes this money back.
      if (!one.isTaken) {
        const { event, at } = evidence;
        const [amount, currency] = [one.isWhole ? made.amount : one.amount, one.currency ?? made.currency];
        book.change(one, { event, at, isTaken: true, amount, currency });
      }
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
    ledger.isCollected = true;
    const paid = ensurePaid(evidence, amount, fate);
    if (amount !== null && paid.amount !== amount) book.change(paid, { event, at, amount });
  };

  return {
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
  };
};

export type LedgerState = ReturnType<typeof createLedgerState>;
