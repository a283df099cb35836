import { wholeList } from '../common/whole-list.ts';
import type { Handlers } from '../../../shared/contract/contract.ts';
import { ok } from '../../../shared/errors.ts';
import { aboutSheet } from '../../export/about.ts';
import { reconciliationColumns } from '../../export/columns.ts';
import { exportPageRows, exportPayments } from '../../export/export-payments.ts';
import { withPaymentLog } from '../common/with-payment-log.ts';
import { chooseSaveFile } from '../common/choose-save-file.ts';
import type { AppDependencies } from '../common/app-context.ts';
import { headFileOf, type FinishedFiles } from './finished-files.ts';
import { reportContext, reportFacts } from './report-setup.ts';

/** The requests about payments with missing or conflicting information. */
export const createReconciliationHandlers = (
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
