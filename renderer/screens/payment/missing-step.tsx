import { ScanSearch } from 'lucide-react';
import type { Payment } from '../../../shared/payments/payment.ts';
import { isAtRest, reconcile } from '../../../shared/reports/reconcile.ts';
import { Button } from '../../components/controls/button.tsx';
import { Note } from '../../components/display/note.tsx';
import { Duration } from '../../components/display/time.tsx';
import { useClock } from '../../stores/clock.ts';
import { usePayment } from '../../stores/payments/payment.ts';
import { useText } from '../../i18n/text.ts';

/** The missing information about the payment, since when, and the next step as a button; nothing if it is complete. */
export const MissingStep = ({ payment }: { payment: Payment }) => {
  const t = useText();
  const { lookUp, busy } = usePayment();
  const minute = useClock(({ wallClock }) => Math.floor(wallClock / 60_000) * 60_000);
  const [mostSevere] = reconcile({ ...payment, expiresAt: payment.link?.expiresAt ?? null }, minute);
  if (!mostSevere || isAtRest(mostSevere.cause)) return null;
  return (
    <Note tone="warning">
      <div className="stack tight">
        <span>
          {t(`cause.${mostSevere.cause}.text`)} {t('missing.since')} <Duration at={mostSevere.since} />.{' '}
          {t(`next.${mostSevere.action}`)}
        </span>
        {mostSevere.action === 'look-up' ? (
          <div className="line">
            <Button
              icon={<ScanSearch size={16} />}
              isPending={busy === 'look-up'}
              onPress={() => void lookUp()}
            >
              {t('look-up.now')}
            </Button>
          </div>
        ) : null}
      </div>
    </Note>
  );
};
