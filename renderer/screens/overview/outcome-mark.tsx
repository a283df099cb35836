import type { Outcome } from '../../../shared/payments/outcomes.ts';
import type { PaymentState } from '../../../shared/payments/payment.ts';
import { StatusBadge, toneOf } from '../../components/display/status-badge.tsx';
import { useText } from '../../i18n/text.ts';

/** The state whose shape and tone represent an outcome. */
export const markOf: Readonly<Record<Outcome, PaymentState>> = {
  paid: 'paid-confirmed',
  open: 'waiting',
  'not-paid': 'declined',
  expired: 'expired',
  returned: 'refunded',
  unclear: 'needs-attention',
};

/** An outcome by shape, text and colour together. */
export const OutcomeMark = ({ outcome }: { outcome: Outcome }) => {
  const t = useText();
  return (
    <span className={`outcome-mark tone-${toneOf[markOf[outcome]]}`}>
      <StatusBadge state={markOf[outcome]} size={14} wordless />
      <span className="status-word">{t(`overview.outcome.${outcome}`)}</span>
    </span>
  );
};
