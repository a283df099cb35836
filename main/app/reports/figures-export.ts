import { wholeList } from '../common/whole-list.ts';
import type { Handlers } from '../../../shared/contract/contract.ts';
import { ok } from '../../../shared/errors.ts';
import { aboutSheet } from '../../export/about.ts';
import { writeBytes, writeWhole } from '../../export/export-payments.ts';
import { figuresCsv, figuresSheet } from '../../export/figure-sheets.ts';
import { writeWorkbook } from '../../export/workbook-thread.ts';
import type { AppDependencies } from '../common/app-context.ts';
import { chooseSaveFile } from '../common/choose-save-file.ts';
import { headFileOf, type FinishedFiles } from './finished-files.ts';
import { overviewDays } from './overview-handlers.ts';
import { periodName, reportContext, reportFacts } from './report-setup.ts';

/** The request that exports the figures of the overview. */
export const createFiguresExportHandlers = (
  parts: AppDependencies,
  files: FinishedFiles,
): Pick<Handlers, 'payments.exportFigures'> => ({
  'payments.exportFigures': async ({ profileId, from, until, format }) => {
    if (!parts.log.ok) return parts.log;
    const log = parts.log.value;
    const whole = await wholeList(log);
    if (!whole.ok) return whole;
    const period = { from, until };
    const context = reportContext(parts, profileId, format === 'csv-iso' ? 'programs' : 'people', period);
    const days = overviewDays(parts, { ...period, timeZone: context.zone });
    if (!days.ok) return days;
    const extension = format === 'xlsx' ? 'xlsx' : 'csv';
    const chosen = await chooseSaveFile(
      parts,
      `overview-${periodName(period, context.zone)}.${extension}`,
      name => [headFileOf(name)],
    );
    if (!chosen.ok) return chosen;
    const file = chosen.value;
    if (file === null) return ok({ file, signed: false });
    const sheet = figuresSheet(await log.overview(profileId, days.value.dayBoundaries), context);
    const facts = await reportFacts(parts, log, profileId, file, { contents: 'figures', filter: null });
    const written =
      extension === 'csv'
        ? await writeBytes(file, async () => Buffer.from(figuresCsv(sheet, context)))
        : await writeWhole(file, part =>
            writeWorkbook(part, async workbook => {
              workbook.addSheet(sheet);
              workbook.addSheet(aboutSheet(facts, context));
              return ok(undefined);
            }),
          );
    if (!written.ok) return written;
    const { signed } = await files.finish(log, file);
    return ok({ file, signed });
  },
});
