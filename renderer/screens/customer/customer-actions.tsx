import { useState } from 'react';
import { Eraser, Plus, Repeat2 } from 'lucide-react';
import { formatMoney } from '../../../shared/money/format-amount.ts';
import type { PaymentKey } from '../../../shared/payments/payment-row.ts';
import { ActionMenu } from '../../components/controls/action-menu.tsx';
import { Button } from '../../components/controls/button.tsx';
import { useLocaleChoice, useText } from '../../i18n/text.ts';
import { useFillForm } from '../../stores/new-payment/use-fill-form.ts';
import { customerContent } from '../../stores/new-payment/fill-form.ts';
import { useCustomer, type Customer } from '../../queries/customer.ts';
import { useRefusal } from '../../use-rights.ts';
import { EraseQuestion } from '../payment/erase-question.tsx';
import { beginsSeries } from '../payment/series/series-rows.ts';
import { lastPaid } from './relevant-payment.ts';

/** What can be done for the customer: a new payment, the last one again, and erasing the details. */
export const CustomerActions = ({ customer, profileId }: { customer: Customer; profileId: string }) => {
  const t = useText();
  const { locale } = useLocaleChoice();
  const { erase, busy } = useCustomer();
  const [isErasing, setErasing] = useState(false);
  const { refusal, fill, repeat, isRepeating } = useFillForm(profileId);
  const noErasing = useRefusal({ request: 'customers.erase' });
  // What was paid is what a customer means by "the same again".
  const last = lastPaid(customer.payments) ?? customer.payments[0] ?? null;
  const repeatLast = async ({ orderNumber }: Pick<PaymentKey, 'orderNumber'>): Promise<void> =>
    useCustomer.setState({ actionProblem: await repeat({ profileId, orderNumber }) });
  return (
    <>
      {refusal === null ? null : <span className="small quiet measure">{refusal}</span>}
      {last === null ? null : (
        <Button
          request="payments.create"
          icon={Repeat2}
          isDisabled={refusal !== null}
          isPending={isRepeating}
          onPress={() => void repeatLast(last)}
        >
          {last.amount === null
            ? t('customer.repeat')
            : t('customer.repeat.amount', { amount: formatMoney(last.amount, last.currency ?? '', locale) })}
        </Button>
      )}
      <Button
        request="payments.create"
        variant="primary"
        icon={Plus}
        isDisabled={refusal !== null}
        onPress={() => fill(customerContent(customer))}
      >
        {t('customer.new-payment')}
      </Button>
      <ActionMenu
        label={t('payment.more')}
        actions={[
          {
            id: 'erase',
            name: t('erase.name'),
            icon: Eraser,
            note: noErasing,
            isDisabled: noErasing !== null || busy !== null,
            isDanger: true,
            act: () => setErasing(true),
          },
        ]}
      />
      <EraseQuestion
        isOpen={isErasing}
        text={t('customer.erase.text', {
          count: customer.spellings.reduce((sum, { payments }) => sum + payments, 0),
        })}
        series={customer.payments.some(beginsSeries) ? t('customer.erase.series') : null}
        onErase={() => void erase()}
        onClose={() => setErasing(false)}
      />
    </>
  );
};
