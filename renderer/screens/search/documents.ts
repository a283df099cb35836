import { endOfMonth, startOfMonth } from '@internationalized/date';
import { ChartNoAxesColumn, FileCheck, FileSpreadsheet, FileText, NotebookPen } from 'lucide-react';
import { dayAt } from '../../../shared/days.ts';
import { languages } from '../../../shared/messages/message.ts';
import { paymentKey } from '../../../shared/payments/payment-row.ts';
import type { PaymentRow } from '../../../shared/payments/payment.ts';
import type { Period } from '../../../shared/reports/periods.ts';
import type { Translate } from '../../i18n/text.ts';
import { paymentQuery, usePayment } from '../../queries/payment.ts';
import { useExportDialog } from '../../stores/reports/export-dialog-store.ts';
import { go } from '../../stores/route-store.ts';
import type { Command } from './command.ts';
import { dateFormat } from '../../i18n/formatters.ts';

/** How far back months are offered by name. */
const maxMonths = 36;

/** Opens a payment, and exports its evidence once it is read. */
const exportEvidence = async ({ profileId, orderNumber }: PaymentRow): Promise<void> => {
  const key = { profileId, orderNumber };
  go({ screen: 'payment', ...key });
  usePayment.getState().open(key);
  const { value } = await paymentQuery.read(key);
  const { key: open } = usePayment.getState();
  // Another payment was opened meanwhile.
  if (value !== null && open !== null && paymentKey(open) === paymentKey(key))
    await usePayment.getState().writeDossier();
};

/** The evidence of a payment, as a document. */
export const evidenceOf = (t: Translate, row: PaymentRow): Command => ({
  id: `evidence ${paymentKey(row)}`,
  name: t('results.evidence', { order: row.orderNumber }),
  icon: FileCheck,
  run: () => void exportEvidence(row),
});

/** The documents that people keep, newest month first. `now` in milliseconds. */
export const documentsOf = (t: Translate, locale: string, now: number): Command[] => {
  const { open } = useExportDialog.getState();
  const today = dayAt(now);
  const formats = [locale, ...languages].map(language =>
    dateFormat(language, { month: 'long', year: 'numeric', timeZone: 'UTC' }),
  );
  const months = Array.from({ length: maxMonths }, (_, back) => {
    const first = startOfMonth(today).subtract({ months: back });
    const period: Period =
      back === 0
        ? 'month'
        : back === 1
          ? 'last-month'
          : `${first.toString()}..${endOfMonth(first).toString()}`;
    const [month = '', ...others] = formats.map(format => format.format(first.toDate('UTC')));
    const named = period === 'month' || period === 'last-month' ? t(`overview.period.${period}`) : '';
    return { period, month, also: [...others, named].join(' ') };
  });
  return [
    ...months.flatMap(({ period, month, also }) =>
      (['pdf', 'xlsx'] as const).map(format => ({
        id: `${format} ${period}`,
        name: t(format === 'pdf' ? 'results.statement' : 'results.workbook', { month }),
        also: `${also} ${t(`export.format.${format}`)}`,
        icon: format === 'pdf' ? FileText : FileSpreadsheet,
        run: () => open({ kind: 'period', chosen: { period, format } }),
      })),
    ),
    {
      id: 'handover note',
      name: t('nav.handover-note'),
      icon: NotebookPen,
      run: () => go({ screen: 'handover-note' }),
    },
    {
      id: 'figures',
      name: t('export.what.figures'),
      icon: ChartNoAxesColumn,
      run: () => open({ kind: 'figures', period: 'month' }),
    },
  ];
};
