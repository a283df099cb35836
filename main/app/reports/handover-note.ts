import { wholeList } from '../common/whole-list.ts';
import type { Handlers } from '../../../shared/contract/contract.ts';
import { ok } from '../../../shared/errors.ts';
import { ownCustomer } from '../../../shared/merchant-texts/own-customer.ts';
import { isLinkLive } from '../../../shared/payments/link.ts';
import { headOf } from '../../../shared/reports/head.ts';
import { rowOf } from '../../../shared/payments/payment-row.ts';
import type { PaymentRow } from '../../../shared/payments/payment.ts';
import { outcomeStates } from '../../../shared/payments/outcomes.ts';
import {
  isAtRest,
  needsReviewOf,
  type NeedsReview,
  type ReconciliationRow,
} from '../../../shared/reports/reconcile.ts';
import type { HandoverNote } from '../../../shared/reports/handover-note.ts';
import { withPaymentLog } from '../common/with-payment-log.ts';
import type { PaymentLog } from '../../payment-log/payment-log.ts';
import { unfiltered } from '../../payment-log/unfiltered.ts';
import type { AppDependencies } from '../common/app-context.ts';

const mask = '•••';

// Matches only at the start of a run of characters, so that a long run without @ is read once.
const addresses = /\b(?:https?:\/\/|www\.)\S+|(?<![^\s@<>"'])[^\s@<>"']+@[^\s@<>"']+/giu;
/** A maximal run of digits and their usual separators; the number inside it is located separately. */
const runs = /\+?[\d\s()/.-]+/g;
const numberStart = /(?<![\p{L}\d_-])\+?\(?\d/gu;
const numberEnd = /^\d(?![\p{L}\d_-])/u;
const date = /^(?:\d{4}-\d\d-\d\d|\d{1,2}\.\d{1,2}\.\d{2,4}|\d{1,2}\/\d{1,2}\/\d{2,4})$/;
const wholeAmount = /^\d+(?:[. ']\d{3})*\.\d{2}$/;

/**
 * Redacts separate telephone and account numbers. A number begins at a digit without a letter, digit, dash or
 * underscore before it, and ends at the last digit of the run without one after it. Linear in the length: a single
 * pattern for the whole number would scan `1- 1- 1- …` to the end from each of its digits.
 */
const redactNumbers = (text: string): string =>
  text.replaceAll(runs, (run, offset: number) => {
    // Only the run is searched, with the character before it: two code units at most.
    const before = Math.min(offset, 2);
    const stop = offset + run.length;
    numberStart.lastIndex = before;
    const found = numberStart.exec(text.slice(offset - before, stop));
    if (!found) return run;
    const start = offset - before + found.index;
    let last = stop - 1;
    while (last > start && !numberEnd.test(text.slice(last, last + 3))) last -= 1;
    if (last < start + found[0].length) return run;
    const number = text.slice(start, last + 1);
    const digits = number.replaceAll(/\D/g, '').length;
    if (digits < 6 || date.test(number) || wholeAmount.test(number)) return run;
    return text.slice(offset, start) + mask + text.slice(last + 1, stop);
  });

const escaped = (text: string): string => text.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`);

/**
 * A note's text without data that identifies a person or leads to a payment page: web and e-mail addresses, long
 * numbers and the customer's name are redacted. Dates, amounts and the order number stay. `names`: the customer's
 * known names. Other names in a note cannot be detected.
 */
export const redactPersonalData = (text: string, orderNumber: string, names: readonly string[]): string => {
  const parts = names
    .flatMap(name => name.split(/[\s,]+/))
    .filter(part => part.length > 1)
    .map(escaped);
  const name = parts.length === 0 ? null : new RegExp(`(?<!\\p{L})(?:${parts.join('|')})(?!\\p{L})`, 'giu');
  const redactedPiece = (piece: string): string => {
    const plain = redactNumbers(piece.replaceAll(addresses, mask));
    return name === null ? plain : plain.replaceAll(name, mask);
  };
  return orderNumber === ''
    ? redactedPiece(text)
    : text.split(orderNumber).map(redactedPiece).join(orderNumber);
};

/** Limit of lines per part: a few pages in total. */
const maxLines = 100;

type Review = { needsReview: NeedsReview; rows: ReconciliationRow[] };

/** The number of payments that need review, and the gravest of them, as many as the note lists. */
const readReview = async (log: PaymentLog, profileId: string | null): Promise<Review> => {
  let page = await log.reconcile(profileId, null, null, maxLines);
  const needsReview = needsReviewOf(page.counts ?? []);
  const rows: ReconciliationRow[] = [];
  for (;;) {
    const found = page.rows.filter(({ findings }) => findings[0] && !isAtRest(findings[0].cause));
    rows.push(...found);
    // Causes without need for action come last: the first of them ends the list.
    if (rows.length >= maxLines || page.next === null || found.length < page.rows.length) break;
    page = await log.reconcile(profileId, null, page.next, maxLines - rows.length);
  }
  return { needsReview, rows };
};

/** The request for the handover note: open payments, payments that need review, today's notes. */
export const createHandoverNoteHandlers = (
  parts: AppDependencies,
): Pick<Handlers, 'payments.handoverNote'> => ({
  'payments.handoverNote': withPaymentLog(parts, async (log, { profileId, since }) => {
    const whole = await wholeList(log);
    if (!whole.ok) return whole;
    const createdAt = parts.clock();
    const summarize = (row: PaymentRow) => {
      const { kind, label, money } = headOf(row, createdAt);
      return { orderNumber: row.orderNumber, ...money, head: { kind, label } };
    };
    const [counts, running, waiting, review, written] = await Promise.all([
      log.counts(profileId),
      log.expiringSoon(profileId, maxLines + 1),
      log.list({ ...unfiltered, profileId, states: ['bank-check', 'processing'] }, null, maxLines),
      readReview(log, profileId),
      log.notesSince(profileId, since, maxLines + 1),
    ]);
    const notes: HandoverNote['notes'] = [];
    for (const { profileId: of, orderNumber, happenedAt, agent, body } of written
      .slice(0, maxLines)
      .toReversed()) {
      const payment = orderNumber === null ? null : await log.payment(of, orderNumber);
      if (!payment) continue;
      const names = [ownCustomer(payment)?.name, ownCustomer(payment)?.email].filter(
        name => name !== undefined,
      );
      const text = redactPersonalData(body.text, payment.orderNumber, names);
      notes.push({ ...summarize(rowOf(payment)), at: happenedAt, agent, text });
    }
    return ok({
      createdAt,
      createdBy: parts.requester.name(),
      running: running
        .slice(0, maxLines)
        .flatMap(row => (row.expiresAt === null ? [] : [{ ...summarize(row), expiresAt: row.expiresAt }])),
      hasMoreRunning: running.length > maxLines,
      // A bank check is listed under the active links until its own link expires.
      inFlight: waiting.rows
        .filter(row => row.state !== 'bank-check' || !isLinkLive(row, createdAt))
        .map(row => ({ ...summarize(row), since: row.since })),
      open: outcomeStates.open.reduce((sum, state) => sum + (counts.states[state] ?? 0), 0),
      needsReview: review.needsReview,
      attention: review.rows.flatMap(row =>
        row.findings.slice(0, 1).map(mostSevere => ({
          ...summarize(row),
          ...mostSevere,
          assignee: row.review?.assignee ?? null,
        })),
      ),
      notes,
      hasMoreNotes: written.length > maxLines,
    });
  }),
});
