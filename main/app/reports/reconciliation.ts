import type { Handlers } from '../../../shared/contract/index.ts';
import { ok } from '../../../shared/errors.ts';
import { reconciliationColumns } from '../../export/columns.ts';
import { exportPageRows, exportPayments } from '../../export/export-payments.ts';
import { withPaymentLog } from '../with-payment-log.ts';
import { chooseSaveFile } from '../choose-save-file.ts';
import type { AppDependencies } from '../app-context.ts';
import { headFileOf, type FinishedFiles } from './finished-files.ts';
import { reportContext } from './report-setup.ts';

/** The requests about payments with missing or conflicting information. */
export const createReconciliationHandlers = (
  parts: Pick<AppDependencies, 'log' | 'logFile' | 'system' | 'clock' | 'settings' | 'systemLocale'>,
  files: FinishedFiles,
): Pick<Handlers, 'payments.reconcile' | 'payments.exportReconciliation'> => ({
  'payments.reconcile': withPaymentLog(parts, async (log, { profileId, cause, list, cursor, limit }) => {
    const { agent } = parts.settings.read().settings;
    return ok(await log.reconcile(profileId, cause, cursor, limit, { list, agent }));
  }),
  'payments.exportReconciliation': async ({ profileId, cause }) => {
    const { log, clock } = parts;
    if (!log.ok) return log;
    const context = reportContext(parts, profileId, 'programs', null);
    const chosen = await chooseSaveFile(parts, `reconciliation-${context.dayOf(clock())}.csv`, name => [
      headFileOf(name),
    ]);
    if (!chosen.ok) return chosen;
    const file = chosen.value;
    if (file === null) return ok({ file, written: 0 });
    const exported = await exportPayments({
      file,
      content: 'csv',
      columns: reconciliationColumns,
      context,
      next: cursor => log.value.reconcile(profileId, cause, cursor, exportPageRows),
    });
    if (!exported.ok) return exported;
    await files.finish(log.value, file);
    return ok({ file, written: exported.value.written });
  },
});
