import { parseDate } from '@internationalized/date';
import { CalendarPlus } from 'lucide-react';
import { useState } from 'react';
import type { Payment } from '../../../../shared/payments/payment.ts';
import { maxOperationText } from '../../../../shared/operations/operation-kinds.ts';
import { Button } from '../../../components/controls/button.tsx';
import { Sheet } from '../../../components/controls/dialog.tsx';
import { TextBox } from '../../../components/controls/fields.tsx';
import { Form, FormFoot, useTask } from '../../../forms/form.tsx';
import { useText } from '../../../i18n/text.ts';
import { request } from '../../../ipc-client.ts';
import { usePayment } from '../../../queries/payment.ts';
import { DayBox } from './boxes.tsx';

/** The case of a chargeback: until when it can be contested, and what was sent. */
export const DisputeSheet = ({
  payment,
  movement,
  onClose,
}: {
  payment: Payment;
  movement: string;
  onClose: () => void;
}) => {
  const t = useText();
  const { profileId, orderNumber, dispute } = payment;
  const note = usePayment(store => store.noteDispute);
  const [respondBy, setRespondBy] = useState(() =>
    dispute?.respondBy ? parseDate(dispute.respondBy) : null,
  );
  const [sent, setSent] = useState(dispute?.sent ?? '');
  const [file, setFile] = useState<string | null>(null);
  const { isBusy, problem, problemOf, send } = useTask();
  return (
    <Sheet title={t('dispute.name')} onClose={onClose}>
      <Form
        onSubmit={() =>
          send(() => note({ movement, respondBy: respondBy?.toString() ?? null, sent }), onClose)
        }
      >
        <p className="small muted">{t('dispute.text')}</p>
        <DayBox
          label={t('dispute.respond-by')}
          value={respondBy}
          onChange={setRespondBy}
          problem={problemOf('respondBy')}
          latest={null}
        />
        <TextBox
          label={t('dispute.sent')}
          hint={t('dispute.sent.hint')}
          lines={3}
          maxLength={maxOperationText}
          value={sent}
          onChange={setSent}
          problem={problemOf('sent')}
        />
        <output className="small break">
          {file === null ? '' : t('export.done.plain.unsigned', { file: file.replace(/^.*[\\/]/, '') })}
        </output>
        <FormFoot
          onCancel={onClose}
          problem={problem}
          name={t('dispute.save')}
          request="movements.noteDispute"
          isPending={isBusy}
        >
          {dispute?.respondBy ? (
            <Button
              request="movements.disputeCalendar"
              icon={CalendarPlus}
              onPress={() =>
                void send(
                  () => request('movements.disputeCalendar', { profileId, orderNumber }),
                  saved => setFile(saved.file),
                )
              }
            >
              {t('dispute.to-calendar')}
            </Button>
          ) : null}
        </FormFoot>
      </Form>
    </Sheet>
  );
};
