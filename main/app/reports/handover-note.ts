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
import { redactPersonalData } from './redact-note.ts';
import type { PaymentLog } from '../../payment-log/payment-log.ts';
import { unfiltered } from '../../payment-log/unfiltered.ts';
import type { AppDependencies } from '../common/app-context.ts';

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
