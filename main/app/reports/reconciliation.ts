import type { Handlers } from '../../../shared/contract/index.ts';
import { ok } from '../../../shared/errors.ts';
import { reconciliationColumns } from '../../export/columns.ts';
import { exportPageRows, exportPayments } from '../../export/export-payments.ts';
import { withPaymentLog } from '../with-payment-log.ts';
import { chooseSaveFile } from '../desktop/choose-save-file.ts';
import type { AppDependencies } from '../app-context.ts';

/** The requests about payments with missing or conflicting information. */
export const createReconciliationHandlers = (
  parts: Pick<AppDependencies, 'log' | 'logFile' | 'system' | 'clock'>,
): Pick<Handlers, 'payments.reconcile' | 'payments.exportReconciliation'> => ({
  'payments.reconcile': withPaymentLog(parts, async (log, { profileId, cause, cursor, limit }) =>
    ok(await log.reconcile(profileId, cause, cursor, limit)),
  ),
  'payments.exportReconciliation': async ({ profileId, cause }) => {
    const { log, clock } = parts;
    if (!log.ok) return log;
    const day = new Date(clock()).toISOString().slice(0, 10);
    const chosen = await chooseSaveFile(parts, `reconciliation-${day}.csv`);
    if (!chosen.ok) return chosen;
    const file = chosen.value;
    if (file === null) return ok({ file, written: 0 });
    const exported = await exportPayments({
      file,
      format: 'csv',
      columns: reconciliationColumns,
      next: cursor => log.value.reconcile(profileId, cause, cursor, exportPageRows),
      now: clock(),
    });
    return exported.ok ? ok({ file, written: exported.value.written }) : exported;
  },
});
