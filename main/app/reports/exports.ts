import type { RequestParsed, Handlers } from '../../../shared/contract/index.ts';
import { ok } from '../../../shared/errors.ts';
import type { PaymentRow } from '../../../shared/payments/payment.ts';
import { rowOf } from '../../../shared/payments/payment-row.ts';
import { columns } from '../../export/columns.ts';
import { exportPageRows, exportPayments } from '../../export/export-payments.ts';
import type { PaymentLog } from '../../payment-log/payment-log.ts';
import { chooseSaveFile } from '../desktop/choose-save-file.ts';
import type { HeadSigner } from '../payment-log/head-signer.ts';
import type { AppDependencies } from '../app-context.ts';
import type { CancellationRegistry } from '../cancellation.ts';

/** Interval between progress events, milliseconds; shorter exports emit none. */
const progressIntervalMs = 250;

type Page = { rows: readonly PaymentRow[]; next: string | null };

/** Individually selected payments, newest first like the list; missing ones are left out. */
const chosenRows = async (
  log: PaymentLog,
  chosen: NonNullable<RequestParsed<'payments.export'>['payments']>,
): Promise<Page> => {
  const read = await Promise.all(
    chosen.map(({ profileId, orderNumber }) => log.payment(profileId, orderNumber)),
  );
  const rows = read.filter(payment => payment !== null).map(rowOf);
  return { rows: rows.toSorted((one, other) => other.firstAt - one.firstAt), next: null };
};

/** The request that exports payments to a file, with progress. */
export const createExportHandlers = (
  parts: Pick<AppDependencies, 'log' | 'logFile' | 'clock' | 'notify'> & {
    system: Pick<AppDependencies['system'], 'chooseSaveFile' | 'showInFolder'>;
  },
  heads: Pick<HeadSigner, 'signFile'>,
  cancellations: CancellationRegistry,
): Pick<Handlers, 'payments.export' | 'payments.showExport'> => {
  /** The last written file: the renderer sends no path. */
  let last: string | null = null;
  return {
    'payments.export': async ({ filter, payments, format, requestId }) => {
      const { clock, notify } = parts;
      if (!parts.log.ok) return parts.log;
      const log = parts.log.value;
      const day = new Date(clock()).toISOString().slice(0, 10);
      const chosen = await chooseSaveFile(parts, `payments-${day}.${format}`, name => [`${name}.head.json`]);
      if (!chosen.ok) return chosen;
      const file = chosen.value;
      if (file === null) return ok({ file, written: 0, signed: false });
      return cancellations.run(requestId, async signal => {
        const counted = payments === null ? await log.count(filter) : null;
        const total = counted === null ? (payments?.length ?? 0) : counted.more ? null : counted.count;
        let lastEmittedAt = clock();
        const exported = await exportPayments({
          file,
          format,
          columns,
          next: (cursor): Promise<Page> =>
            payments === null ? log.list(filter, cursor, exportPageRows) : chosenRows(log, payments),
          now: clock(),
          signal,
          onProgress: written => {
            if (clock() - lastEmittedAt < progressIntervalMs) return;
            lastEmittedAt = clock();
            notify('export.progress', { requestId, written, total });
          },
        });
        if (!exported.ok) return exported;
        last = file;
        const signed = await heads.signFile(log, file);
        return ok({ file, written: exported.value.written, signed: signed.ok });
      });
    },
    'payments.showExport': async () => {
      if (last === null) return ok({ shown: false });
      parts.system.showInFolder(last);
      return ok({ shown: true });
    },
  };
};
