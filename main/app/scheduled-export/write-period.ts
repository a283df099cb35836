import { wholeList } from '../common/whole-list.ts';
import { ok, type Result } from '../../../shared/errors.ts';
import type { Period } from '../../../shared/reports/payment-books.ts';
import { aboutSheet } from '../../export/about.ts';
import { columns } from '../../export/columns.ts';
import { exportPageRows, exportPayments } from '../../export/export-payments.ts';
import { totalsSheet } from '../../export/payment-sheets.ts';
import type { PaymentLog } from '../../payment-log/payment-log.ts';
import type { AppDependencies } from '../common/app-context.ts';
import type { FinishedFiles } from '../reports/finished-files.ts';
import { periodName, reportContext, reportFacts } from '../reports/report-setup.ts';
import { changedFigures, changesSheet, type Positions } from './changed-figures.ts';
import { checkFolder, fileNameOf, freeName, isTakenMeanwhile, moveToFree } from './target-folder.ts';

/** The last export of a profile, and the periods that it and those before it wrote. */
export type EarlierExport = { exported: readonly Period[]; positions: Positions; since: number };

/** Attempts at a free name: another console may write into the same folder. */
const maxAttempts = 5;

/**
 * Writes the workbook of one period into the folder under a free name, completely or not at all. Returns its path and
 * the number of payments. Errors: those of `checkFolder` and `exportPayments`, also if `signal` was aborted.
 */
export const writePeriod = async (
  parts: Pick<AppDependencies, 'settings' | 'systemLocale' | 'clock' | 'requester' | 'logFile'> & {
    team: Pick<AppDependencies['team'], 'standing'>;
  },
  files: Pick<FinishedFiles, 'finish'>,
  log: PaymentLog,
  given: { profileId: string; folder: string; period: Period; earlier: EarlierExport; signal: AbortSignal },
  attempt = 1,
): Promise<Result<{ file: string; written: number }>> => {
  const { profileId, folder, period, earlier, signal } = given;
  const usable = await checkFolder(folder, parts.logFile);
  if (!usable.ok) return usable;
  const whole = await wholeList(log);
  if (!whole.ok) return whole;
  const context = reportContext(parts, profileId, 'people', period);
  const profileName = context.profileName(profileId);
  const file = await freeName(folder, `${fileNameOf(profileName)}-${periodName(period, context.zone)}`);
  const facts = await reportFacts(parts, log, profileId, file, { contents: 'period', filter: null });
  const changes = await changedFigures(log, profileId, earlier.exported, earlier);
  let isTaken = false;
  const exported = await exportPayments({
    file,
    content: {
      sheetsAfter: totals => [
        totalsSheet(totals, context),
        changesSheet(changes, context),
        aboutSheet(facts, context),
      ],
    },
    columns,
    context,
    next: cursor => log.moved(profileId, period.from, period.until, cursor, exportPageRows),
    signal,
    replace: async (part, to) => {
      try {
        await moveToFree(part, to);
      } catch (thrown) {
        isTaken = isTakenMeanwhile(thrown);
        throw thrown;
      }
    },
  });
  if (!exported.ok)
    return isTaken && attempt < maxAttempts ? writePeriod(parts, files, log, given, attempt + 1) : exported;
  await files.finish(log, file);
  return ok({ file, written: exported.value.written });
};
