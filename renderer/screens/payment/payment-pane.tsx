import { inLine } from '../../../shared/plain-text.ts';
import { Maximize2, X } from 'lucide-react';
import type { PaymentKey } from '../../../shared/payments/payment-row.ts';
import { stateAt } from '../../../shared/payment-reducer/state-at.ts';
import { Button, IconButton } from '../../components/controls/button.tsx';
import { useClock } from '../../stores/clock-store.ts';
import { paymentQuery, useVisit } from '../../queries/payment.ts';
import { go } from '../../stores/route-store.ts';
import { useText } from '../../i18n/text.ts';
import { Facts } from './payment-facts.tsx';
import { newLinkOffer } from './link/new-link.ts';
import { LedgerPanel, Timeline } from './below-verdict.ts';
import { Verdict } from './verdict.tsx';
import type { PaymentDetail } from '../../../shared/contract/contract.ts';

/** How long a row must be selected before its payment is read: moving through a list reads none. */
const settleMs = 80;

const Content = ({ file }: { file: PaymentDetail }) => {
  const { payment, events } = file;
  const state = useClock(({ wallClock }) =>
    stateAt({ state: payment.state, expiresAt: payment.link?.expiresAt ?? null }, wallClock),
  );
  return (
    <>
      <Verdict
        payment={payment}
        events={events}
        state={state}
        canCreateLink={newLinkOffer(payment, state, events) !== 'no'}
      />
      <LedgerPanel payment={payment} events={events} />
      <Facts payment={payment} events={events} />
      <Timeline events={events} more={file.earlier !== null} />
    </>
  );
};

/** The selected payment beside a list: its verdict, facts and history. Enter in the list opens its page. */
export const PaymentPane = ({
  profileId,
  orderNumber,
  onClose,
}: PaymentKey & {
  onClose: () => void;
}) => {
  const t = useText();
  const { value: file } = paymentQuery.use({ profileId, orderNumber }, settleMs);
  useVisit(profileId, orderNumber);
  return (
    <aside className="pane stack gap-0 min-0" aria-label={t('payment.pane')}>
      <header className="pane-head line quiet">
        <span className="code small clip">{inLine(orderNumber)}</span>
        <span className="push" />
        <Button
          variant="quiet"
          className="small"
          icon={<Maximize2 size={14} />}
          keys="Enter"
          onPress={() => go({ screen: 'payment', profileId, orderNumber })}
        >
          {t('payment.open')}
        </Button>
        <IconButton name={t('close')} icon={<X size={16} />} onPress={onClose} />
      </header>
      <div className="pane-body grow scrolls stack">{file ? <Content file={file} /> : null}</div>
    </aside>
  );
};
