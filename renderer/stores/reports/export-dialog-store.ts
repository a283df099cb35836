import { create } from 'zustand';
import type { PaymentFilter, RequestInput } from '../../../shared/contract/contract.ts';
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
