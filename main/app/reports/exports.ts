import { wholeList } from '../common/whole-list.ts';
import type { Handlers, RequestParsed } from '../../../shared/contract/contract.ts';
import { fail, ok } from '../../../shared/errors.ts';
import { msg } from '../../../shared/messages/message.ts';
import { rowOf } from '../../../shared/payments/payment-row.ts';
import type { PaymentRow } from '../../../shared/payments/payment.ts';
import { aboutSheet } from '../../export/about.ts';
import { columns } from '../../export/columns.ts';
import { exportPageRows, exportPayments, type WorkbookContent } from '../../export/export-payments.ts';
import { totalsSheet } from '../../export/payment-sheets.ts';
import { statementPage } from '../../export/papers/statement-page.ts';
import type { PaymentLog } from '../../payment-log/payment-log.ts';
import { withPaymentLog, type AppDependencies } from '../common/app-context.ts';
import type { CancellationRegistry } from '../common/cancellation.ts';
import {
  periodName,
  printedMerchant,
  reportContext,
  saveReport,
  type FinishedFiles,
} from './report-setup.ts';

/** Interval between progress events; shorter exports emit none. */
const progressIntervalMs = 250;

type Page = { rows: readonly PaymentRow[]; next: string | null };
type Wanted = RequestParsed<'payments.export'>;

/** Individually selected payments, newest first like the list; missing ones are left out. */
const chosenRows = async (log: PaymentLog, chosen: NonNullable<Wanted['payments']>): Promise<Page> => {
  const read = await Promise.all(
    chosen.map(({ profileId, orderNumber }) => log.payment(profileId, orderNumber)),
  );
  const rows = read.filter(payment => payment !== null).map(rowOf);
  return { rows: rows.toSorted((one, other) => other.firstAt - one.firstAt), next: null };
};

/** One page of the wanted payments. */
const pageOf = (
  log: PaymentLog,
  { filter, payments, period }: Wanted,
  cursor: string | null,
): Promise<Page> => {
  if (payments !== null) return chosenRows(log, payments);
  return period === null
    ? log.list(filter, cursor, exportPageRows)
    : log.moved(filter.profileId, period.from, period.until, cursor, exportPageRows);
};

/** The number of wanted payments; null if it is not known in advance. */
const totalOf = async (log: PaymentLog, { filter, payments, period }: Wanted): Promise<number | null> => {
  if (payments !== null) return payments.length;
  if (period !== null) return null;
  const { count, more } = await log.count(filter);
  return more ? null : count;
};

/** The requests that export payments to a file, with progress, and show it. */
export const createExportHandlers = (
  parts: AppDependencies,
  files: FinishedFiles,
  cancellations: CancellationRegistry,
): Pick<Handlers, 'payments.export' | 'payments.showExport'> => ({
  'payments.export': withPaymentLog(parts, async (log, wanted) => {
    const { clock } = parts;
    const { filter, payments, period, format, requestId } = wanted;
    const isOfMovements = wanted.rows === 'movements' && (format === 'csv' || format === 'csv-iso');
    const { profileId } = filter;
    const isStatement = format === 'pdf';
    if (isStatement && (period === null || profileId === null))
      return fail('input.invalid', msg('export.statement.period'));
    const whole = payments === null ? await wholeList(log) : ok(undefined);
    if (!whole.ok) return whole;
    const isForPrograms = format === 'csv-iso' || format === 'jsonl';
    const context = reportContext(parts, profileId, isForPrograms ? 'programs' : 'people', period);
    const named = period === null ? context.dayOf(clock()) : periodName(period, context.zone);
    const extension = format === 'csv-iso' ? 'csv' : format;
    const report = {
      name: `${isStatement ? 'statement' : isOfMovements ? 'movements' : 'payments'}-${named}.${extension}`,
      profileId,
      contents: payments !== null ? 'selected' : period === null ? 'list' : 'period',
      filter: payments === null && period === null ? filter : null,
    } as const;
    return saveReport(parts, files, log, report, { written: 0 }, (file, facts) =>
      cancellations.run(requestId, async signal => {
        const total = await totalOf(log, wanted);
        const statement = (rows: readonly PaymentRow[]): Promise<Uint8Array> =>
          parts.system.printToPdf(
            statementPage(rows, facts, printedMerchant(parts, profileId ?? ''), context, wanted.orientation),
          );
        const workbook: WorkbookContent = {
          sheetsAfter: totals => [totalsSheet(totals, context), aboutSheet(facts, context)],
        };
        let lastEmittedAt = clock();
        return exportPayments({
          file,
          content:
            format === 'jsonl'
              ? 'jsonl'
              : extension === 'csv'
                ? isOfMovements
                  ? 'csv-movements'
                  : 'csv'
                : isStatement
                  ? statement
                  : workbook,
          columns,
          context,
          next: cursor => pageOf(log, wanted, cursor),
          signal,
          onProgress: written => {
            if (clock() - lastEmittedAt < progressIntervalMs) return;
            lastEmittedAt = clock();
            parts.notify('export.progress', { requestId, written, total });
          },
        });
      }),
    );
  }),
  'payments.showExport': async () => ok({ shown: files.showLast() }),
});
