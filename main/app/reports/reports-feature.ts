import type { AppDependencies } from '../common/app-context.ts';
import type { CancellationRegistry } from '../common/cancellation.ts';
import type { HeadSigner } from '../payment-log/head-signer.ts';
import { createDossierHandlers } from './dossier-handlers.ts';
import { createExportHandlers } from './exports.ts';
import { createFinishedFiles, headFileOf, type FinishedFiles } from './finished-files.ts';
import { createHandoverNoteHandlers } from './handover-note.ts';
import { createOverviewHandlers, overviewDays } from './overview-handlers.ts';
import { wholeList } from '../common/whole-list.ts';
import type { Handlers } from '../../../shared/contract/contract.ts';
import { ok } from '../../../shared/errors.ts';
import { aboutSheet } from '../../export/about.ts';
import { exportPageRows, exportPayments, writeBytes, writeWhole } from '../../export/export-payments.ts';
import { figuresCsv, figuresSheet } from '../../export/figure-sheets.ts';
import { writeWorkbook } from '../../export/workbook-thread.ts';
import { chooseSaveFile } from '../common/choose-save-file.ts';
import { periodName, reportContext, reportFacts } from './report-setup.ts';
import { reconciliationColumns } from '../../export/columns.ts';
import { withPaymentLog } from '../common/with-payment-log.ts';

/** The requests about payments with missing or conflicting information. */
const createReconciliationHandlers = (
  parts: Pick<
    AppDependencies,
    'log' | 'logFile' | 'system' | 'clock' | 'settings' | 'requester' | 'systemLocale' | 'team'
  >,
  files: FinishedFiles,
): Pick<Handlers, 'payments.reconcile' | 'payments.exportReconciliation'> => ({
  'payments.reconcile': withPaymentLog(parts, async (log, { profileId, cause, list, cursor, limit }) => {
    const agent = parts.requester.name();
    return ok(await log.reconcile(profileId, cause, cursor, limit, { list, agent }));
  }),
  'payments.exportReconciliation': async ({ profileId, cause, list, format }) => {
    if (!parts.log.ok) return parts.log;
    const log = parts.log.value;
    const agent = parts.requester.name();
    const context = reportContext(parts, profileId, format === 'csv-iso' ? 'programs' : 'people', null);
    const extension = format === 'xlsx' ? 'xlsx' : 'csv';
    const whole = await wholeList(log);
    if (!whole.ok) return whole;
    const chosen = await chooseSaveFile(
      parts,
      `to-review-${context.dayOf(parts.clock())}.${extension}`,
      name => [headFileOf(name)],
    );
    if (!chosen.ok) return chosen;
    const file = chosen.value;
    if (file === null) return ok({ file, written: 0, signed: false });
    const facts = await reportFacts(parts, log, profileId, file, { contents: 'review', filter: null });
    const exported = await exportPayments({
      file,
      content: extension === 'csv' ? 'csv' : { sheetsAfter: () => [aboutSheet(facts, context)] },
      columns: reconciliationColumns,
      context,
      next: cursor => log.reconcile(profileId, cause, cursor, exportPageRows, { list, agent }),
    });
    if (!exported.ok) return exported;
    const { signed } = await files.finish(log, file);
    return ok({ file, written: exported.value.written, signed });
  },
});

/** The request that exports the figures of the overview. */
const createFiguresExportHandlers = (
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
