import { create } from 'zustand';
import type { RequestInput, PaymentFilter } from '../../../shared/contract/contract.ts';
import type { AppError, Result } from '../../../shared/errors.ts';
import { request, subscribe } from '../../ipc-client.ts';
import type { PaymentKey } from '../../../shared/payments/payment-row.ts';
import type { ExportFormat } from '../../../shared/reports/export.ts';
import type { Period } from '../../../shared/reports/periods.ts';

/** What the export dialog offers, by the place where it was opened. */
export type ExportSubject =
  /** `chosen`: instead of the last choices. */
  | { kind: 'period'; chosen?: { period: Period; format: ExportFormat } }
  | { kind: 'list'; filter: PaymentFilter }
  | { kind: 'selected'; payments: readonly PaymentKey[] }
  | { kind: 'review'; of: Omit<RequestInput<'payments.exportReconciliation'>, 'format'> }
  | { kind: 'figures'; period: Period };

/** The export dialog: closed while there is no subject. */
type ExportDialogState = {
  subject: ExportSubject | null;
  open: (subject: ExportSubject) => void;
  close: () => void;
};

export const useExportDialog = create<ExportDialogState>()(set => ({
  subject: null,
  open: subject => set({ subject }),
  close: () => set({ subject: null }),
}));

type Export = Omit<RequestInput<'payments.export'>, 'requestId'>;

/** The running export, or the result of the last one; one at a time. */
type ExportState = {
  /** Identifies the running export; null if there is none. */
  requestId: string | null;
  /** Its progress; null during the first moments. */
  progress: { written: number; total: number | null } | null;
  result:
    /** `count`: null for a file without payments. */
    | { kind: 'written'; count: number | null; signed: boolean; file: string }
    | { kind: 'stopped' }
    | { kind: 'failed'; error: AppError }
    | null;
  start: (what: Export) => Promise<void>;
  /** Exports the figures of the overview. */
  startFigures: (what: RequestInput<'payments.exportFigures'>) => Promise<void>;
  /** Exports a list of the review page. */
  startReview: (what: RequestInput<'payments.exportReconciliation'>) => Promise<void>;
  /** An export that is done at once: without progress. */
  run: (
    write: () => Promise<Result<{ file: string | null; signed: boolean; written: number | null }>>,
  ) => Promise<void>;
  /** Cancels it; no file is left behind. */
  stop: () => void;
  /** Shows the written file in its folder. */
  showFile: () => void;
  dismiss: () => void;
};

export const useExport = create<ExportState>()((set, get) => ({
  requestId: null,
  progress: null,
  result: null,
  start: async what => {
    if (get().requestId !== null) return;
    const requestId = crypto.randomUUID();
    set({ requestId, progress: null, result: null });
    const written = await request('payments.export', { ...what, requestId });
    set({ requestId: null });
    if (!written.ok) {
      const { error } = written;
      set({ result: error.code === 'gateway.cancelled' ? { kind: 'stopped' } : { kind: 'failed', error } });
    } else if (written.value.file !== null) {
      const { file, written: count, signed } = written.value;
      set({ result: { kind: 'written', count, signed, file } });
    }
  },
  startFigures: what =>
    get().run(async () => {
      const written = await request('payments.exportFigures', what);
      return written.ok ? { ok: true, value: { ...written.value, written: null } } : written;
    }),
  startReview: what => get().run(() => request('payments.exportReconciliation', what)),
  run: async write => {
    if (get().requestId !== null) return;
    set({ requestId: crypto.randomUUID(), progress: null, result: null });
    const written = await write();
    set({ requestId: null });
    if (!written.ok) set({ result: { kind: 'failed', error: written.error } });
    else if (written.value.file !== null) {
      const { file, signed, written: count } = written.value;
      set({ result: { kind: 'written', count, signed, file } });
    }
  },
  stop: () => {
    const { requestId } = get();
    if (requestId !== null) void request('payments.cancelWait', { requestId });
  },
  showFile: () => void request('payments.showExport', {}),
  dismiss: () => set({ progress: null, result: null }),
}));

/** Tracks the export's progress for the lifetime of the window. */
export const followExport = (): void => {
  subscribe('export.progress', ({ requestId, written, total }) => {
    if (useExport.getState().requestId === requestId) useExport.setState({ progress: { written, total } });
  });
};
