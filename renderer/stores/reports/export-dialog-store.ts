import { create } from 'zustand';
import type { PaymentFilter, RequestInput } from '../../../shared/contract/index.ts';
import type { PaymentKey } from '../../../shared/payments/payment-key.ts';
import type { Period } from '../../../shared/reports/periods.ts';

/** Where the export dialog was opened; it offers that, and the money of a period. */
export type ExportSubject =
  | { kind: 'period' }
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
