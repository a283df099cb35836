import { withPaymentLog, type AppDependencies } from '../common/app-context.ts';
import type { CancellationRegistry } from '../common/cancellation.ts';
import type { HeadSigner } from '../payment-log/head-signer.ts';
import { createDossierHandlers } from './dossier-handlers.ts';
import { createExportHandlers } from './exports.ts';
import {
  createFinishedFiles,
  periodName,
  reportContext,
  saveReport,
  type FinishedFiles,
} from './report-setup.ts';
import { wholeList } from '../common/whole-list.ts';
import type { Handlers } from '../../../shared/contract/contract.ts';
import { fail, ok, type Result } from '../../../shared/errors.ts';
import { aboutSheet } from '../../export/about.ts';
import { exportPageRows, exportPayments, writeBytes, writeSheets } from '../../export/export-payments.ts';
import { csvOf } from '../../export/csv.ts';
import { figuresSheet } from '../../export/figure-sheets.ts';
import { reconciliationColumns } from '../../export/columns.ts';
import { dayAt, splitIntoDays, startOf } from '../../../shared/days.ts';
import { msg } from '../../../shared/messages/message.ts';
import { maxPeriodDays, type Span } from '../../../shared/reports/periods.ts';
import { ownCustomer } from '../../../shared/merchant-texts/own-customer.ts';
import { isLinkLive } from '../../../shared/payments/link.ts';
import { headOf } from '../../../shared/reports/head.ts';
import { rowOf } from '../../../shared/payments/payment-row.ts';
import type { PaymentRow } from '../../../shared/payments/payment.ts';
import { openLinksIn } from '../../../shared/payments/outcomes.ts';
import {
  isAtRest,
  needsReviewOf,
  type NeedsReview,
  type ReconciliationRow,
} from '../../../shared/reports/reconcile.ts';
import type { HandoverNote } from '../../../shared/reports/handover-note.ts';
import type { PaymentLog } from '../../payment-log/payment-log.ts';
import { unfiltered } from '../../payment-log/unfiltered.ts';

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
      open: openLinksIn(counts),
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

/** Earlier days to compare with; `until`: the instant up to which the last of them is counted. */
type ComparedDays = { dayBoundaries: readonly number[]; until: number };

/**
 * The days of a zone, and as many before them; null if the zone does not exist. While the last day lasts, the days
 * before are added up to the same time of day, so that half a day is not compared with a whole one.
 */
const daysOf = (
  from: number,
  until: number,
  timeZone: string,
  now: number,
): { dayBoundaries: number[]; before: ComparedDays } | null => {
  try {
    const dayBoundaries = splitIntoDays(from, until, timeZone);
    const first = dayAt(from, timeZone).subtract({ days: dayBoundaries.length - 1 });
    const daysBefore = splitIntoDays(startOf(first, timeZone), from, timeZone);
    const lastDay = dayBoundaries.at(-2) ?? from;
    const lastDayBefore = daysBefore.at(-2) ?? from;
    const isRunning = now >= lastDay && now < until;
    return {
      dayBoundaries,
      before: { dayBoundaries: daysBefore, until: isRunning ? lastDayBefore + now - lastDay : from },
    };
  } catch {
    return null;
  }
};

/** The days of an overview. Errors: `input.invalid` for too many days or an unknown zone. */
const overviewDays = (
  { clock }: Pick<AppDependencies, 'clock'>,
  { from, until, timeZone }: Span & { timeZone: string },
): Result<NonNullable<ReturnType<typeof daysOf>>> => {
  if (from >= until || until - from > maxPeriodDays * 86_400_000)
    return fail('input.invalid', msg('overview.wrong-span', { days: maxPeriodDays }));
  const days = daysOf(from, until, timeZone, clock());
  return days === null ? fail('input.invalid', msg('overview.unknown-zone')) : ok(days);
};

const spansBetween = (boundaries: readonly number[]): Span[] =>
  boundaries.slice(1).map((until, index) => ({ from: boundaries[index] ?? until, until }));

/** The requests for the overview: the log counts; this only determines the days. */
const createOverviewHandlers = (
  parts: AppDependencies,
): Pick<Handlers, 'payments.overview' | 'payments.movedMoney'> => ({
  'payments.movedMoney': async ({ profileId, from, until, timeZone }) => {
    const days = overviewDays(parts, { from, until, timeZone });
    if (!days.ok) return days;
    if (!parts.log.ok) return parts.log;
    const { dayBoundaries, before } = days.value;
    const own = spansBetween(dayBoundaries);
    const earlier = { from: before.dayBoundaries[0] ?? from, until: before.until };
    const [total = [], totalBefore = [], ...eachDay] = await parts.log.value.movedMoney(profileId, [
      { from, until },
      earlier,
      ...own,
      ...spansBetween(before.dayBoundaries),
    ]);
    return ok({
      total,
      days: eachDay.slice(0, own.length),
      before: { total: totalBefore, days: eachDay.slice(own.length) },
    });
  },
  'payments.overview': async ({ profileId, from, until, timeZone }) => {
    const days = overviewDays(parts, { from, until, timeZone });
    if (!days.ok) return days;
    if (!parts.log.ok) return parts.log;
    return ok(await parts.log.value.overview(profileId, days.value.dayBoundaries));
  },
});

/** The requests about payments with missing or conflicting information. */
const createReconciliationHandlers = (
  parts: AppDependencies,
  files: FinishedFiles,
): Pick<Handlers, 'payments.reconcile' | 'payments.exportReconciliation'> => ({
  'payments.reconcile': withPaymentLog(parts, async (log, { profileId, cause, list, cursor, limit }) => {
    const agent = parts.requester.name();
    return ok(await log.reconcile(profileId, cause, cursor, limit, { list, agent }));
  }),
  'payments.exportReconciliation': withPaymentLog(parts, async (log, { profileId, cause, list, format }) => {
    const agent = parts.requester.name();
    const context = reportContext(parts, profileId, format === 'csv-iso' ? 'programs' : 'people', null);
    const extension = format === 'xlsx' ? 'xlsx' : 'csv';
    const whole = await wholeList(log);
    if (!whole.ok) return whole;
    const name = `to-review-${context.dayOf(parts.clock())}.${extension}`;
    const wanted = { name, profileId, contents: 'review', filter: null } as const;
    return saveReport(parts, files, log, wanted, { written: 0 }, (file, facts) =>
      exportPayments({
        file,
        content: extension === 'csv' ? 'csv' : { sheetsAfter: () => [aboutSheet(facts, context)] },
        columns: reconciliationColumns,
        context,
        next: cursor => log.reconcile(profileId, cause, cursor, exportPageRows, { list, agent }),
      }),
    );
  }),
});

/** The request that exports the figures of the overview. */
const createFiguresExportHandlers = (
  parts: AppDependencies,
  files: FinishedFiles,
): Pick<Handlers, 'payments.exportFigures'> => ({
  'payments.exportFigures': withPaymentLog(parts, async (log, { profileId, from, until, format }) => {
    const whole = await wholeList(log);
    if (!whole.ok) return whole;
    const period = { from, until };
    const context = reportContext(parts, profileId, format === 'csv-iso' ? 'programs' : 'people', period);
    const days = overviewDays(parts, { ...period, timeZone: context.zone });
    if (!days.ok) return days;
    const name = `overview-${periodName(period, context.zone)}.${format === 'xlsx' ? 'xlsx' : 'csv'}`;
    const wanted = { name, profileId, contents: 'figures', filter: null } as const;
    return saveReport(parts, files, log, wanted, {}, async (file, facts) => {
      const sheet = figuresSheet(await log.overview(profileId, days.value.dayBoundaries), context);
      const { head, lines } = csvOf(sheet, context);
      const written =
        format === 'xlsx'
          ? await writeSheets(file, [sheet, aboutSheet(facts, context)])
          : await writeBytes(file, async () => Buffer.from(head + lines(sheet.rows)));
      return written.ok ? ok({}) : written;
    });
  }),
});

/** The overview, the handover note, reconciliation, and everything that is exported from payments. */
export const createReportsFeature = (
  parts: AppDependencies,
  heads: HeadSigner,
  cancellations: CancellationRegistry,
) => {
  const files = createFinishedFiles(parts.system, heads);
  return {
    files,
    handlers: {
      ...createDossierHandlers(parts, heads, files),
      ...createExportHandlers(parts, files, cancellations),
      ...createHandoverNoteHandlers(parts),
      ...createOverviewHandlers(parts),
      ...createFiguresExportHandlers(parts, files),
      ...createReconciliationHandlers(parts, files),
    },
  };
};
