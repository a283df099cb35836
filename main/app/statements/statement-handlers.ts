import { containsCardNumber } from '../../../shared/card-number.ts';
import type {
  MonthView,
  StatementPreview,
  StatementRow,
} from '../../../shared/contract/statement-requests.ts';
import { maxShownRows } from '../../../shared/statements/statement-kinds.ts';
import type { Handlers } from '../../../shared/contract/contract.ts';
import { ok, type Result } from '../../../shared/errors.ts';
import type { EventDraft } from '../../../shared/payments/evidence.ts';
import { timeZoneOf } from '../../../shared/settings/merchant.ts';
import type { StatementRecord } from '../../../shared/statements/statement-record.schema.ts';
import { aboutSheet } from '../../export/about.ts';
import { writeBytes, writeSheets } from '../../export/export-payments.ts';
import { closingText, monthPage, monthTables } from '../../export/month-report.ts';
import type { PaymentLog } from '../../payment-log/payment-log.ts';
import { withPaymentLog, type AppDependencies } from '../common/app-context.ts';
import { wholeList } from '../common/whole-list.ts';
import { createEventHeader } from '../payments/event-header.ts';
import { cardNumberFailure } from '../payments/order-form.ts';
import { printedMerchant, reportContext, saveReport, type FinishedFiles } from '../reports/report-setup.ts';
import { findProfile } from '../settings/find-profile.ts';
import { closedMonth } from './close-month.ts';
import { compareMonth, type MonthComparison } from './compare-month.ts';
import { monthPeriod } from './month-movements.ts';
import { createOpenStatement } from './open-statement.ts';
import { bookName } from './statement-book.ts';

type Names = Extract<keyof Handlers, `statements.${string}`>;

/** The first rows of each list, those that need a person first. */
const shownRows = (rows: readonly StatementRow[]): StatementRow[] => {
  const shown = new Map<string, number>();
  return rows
    .toSorted((one, other) => Number(one.explanation !== null) - Number(other.explanation !== null))
    .filter(({ list }) => {
      const count = (shown.get(list) ?? 0) + 1;
      shown.set(list, count);
      return count <= maxShownRows;
    });
};

/** The requests about statements of providers and banks, and closed months. */
export const createStatementHandlers = (
  parts: AppDependencies,
  files: FinishedFiles,
): Pick<Handlers, Names> => {
  const opened = createOpenStatement(parts);
  const header = createEventHeader(parts);

  const compare = async (
    log: PaymentLog,
    { profileId, month }: { profileId: string; month: string },
  ): Promise<Result<MonthComparison>> => {
    const profile = findProfile(parts.settings, profileId);
    if (!profile.ok) return profile;
    const whole = await wholeList(log);
    return whole.ok ? compareMonth(parts, log, { profileId, month, zone: timeZoneOf(profile.value) }) : whole;
  };

  const monthView = async (
    log: PaymentLog,
    of: { profileId: string; month: string },
  ): Promise<Result<MonthView>> => {
    const compared = await compare(log, of);
    if (!compared.ok) return compared;
    const { book: _book, days: _days, rows, ...view } = compared.value;
    return ok({
      ...view,
      rows: shownRows(rows),
      closed: await closedMonth(log, of.profileId, compared.value),
    });
  };

  const record = (log: PaymentLog, profileId: string, body: StatementRecord) => {
    const draft: EventDraft = {
      ...header(bookName(profileId), null, null),
      kind: 'statement.recorded',
      body,
    };
    return log.append([draft]);
  };

  return {
    'statements.open': withPaymentLog(
      parts,
      async (log, { profileId }): Promise<Result<StatementPreview | null>> => {
        const profile = findProfile(parts.settings, profileId);
        if (!profile.ok) return profile;
        const file = await parts.system.chooseOpenFile();
        return file === null ? ok(null) : opened.open(log, profileId, file, timeZoneOf(profile.value));
      },
    ),
    'statements.preview': withPaymentLog(parts, (log, { mapping }) => opened.preview(log, mapping)),
    'statements.import': withPaymentLog(parts, log => opened.keep(log)),
    'statements.close': async () => {
      opened.close();
      return ok({});
    },
    'statements.month': withPaymentLog(parts, monthView),
    'statements.decide': withPaymentLog(parts, async (log, { profileId, month, ...decided }) => {
      const profile = findProfile(parts.settings, profileId);
      if (!profile.ok) return profile;
      if (containsCardNumber(decided.text)) return cardNumberFailure('text');
      const written = await record(log, profileId, { record: 'decided', ...decided });
      return written.ok ? monthView(log, { profileId, month }) : written;
    }),
    'statements.closeMonth': withPaymentLog(parts, async (log, { profileId, month }) => {
      const compared = await compare(log, { profileId, month });
      if (!compared.ok) return compared;
      const { zone, figures, counts, sums, book, statements } = compared.value;
      const kept = new Set(statements.map(({ statement }) => statement));
      const written = await record(log, profileId, {
        record: 'closed',
        month,
        zone,
        figures,
        counts,
        sums,
        files: book.statements.flatMap(({ statement, sha256 }) => (kept.has(statement) ? sha256 : [])),
        positions: Object.fromEntries((await log.chainEnds()).map(({ writer, seq }) => [writer, seq])),
      });
      return written.ok ? monthView(log, { profileId, month }) : written;
    }),
    'statements.report': withPaymentLog(parts, async (log, { profileId, month, format }) => {
      const compared = await compare(log, { profileId, month });
      if (!compared.ok) return compared;
      const context = reportContext(parts, profileId, 'people', monthPeriod(month, compared.value.zone));
      const wanted = {
        name: `month-${month}.${format}`,
        profileId,
        contents: 'month',
        filter: null,
      } as const;
      return saveReport(parts, files, log, wanted, {}, async (file, facts) => {
        const report = {
          view: compared.value,
          rows: compared.value.rows,
          days: compared.value.days,
          closed: await closedMonth(log, profileId, compared.value),
        };
        const closing = closingText(report.closed, context);
        const written =
          format === 'pdf'
            ? await writeBytes(file, () =>
                parts.system.printToPdf(monthPage(report, facts, printedMerchant(parts, profileId), context)),
              )
            : await writeSheets(file, [
                ...monthTables(report, context),
                aboutSheet({ ...facts, closing }, context),
              ]);
        return written.ok ? ok({}) : written;
      });
    }),
  };
};
