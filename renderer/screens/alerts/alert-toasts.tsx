import { RotateCcw, X } from 'lucide-react';
import { useDismissLater } from '../../hooks/use-dismiss-later.ts';
import { Link } from 'react-aria-components';
import type { Alert } from '../../../shared/alerts/alert.schema.ts';
import { Button, IconButton } from '../../components/controls/button.tsx';
import { Money, Truncate } from '../../components/display/values.tsx';
import { focusScreen } from '../../focus.ts';
import { hrefOf } from '../../routes.ts';
import { askForNewLink, dismissToast, markSeen, useAlerts } from '../../queries/alerts.ts';
import { useText } from '../../i18n/text.ts';
import { AlertTitle, lookOf, computerKind, routeOfAlert, useOtherProfile } from './alert-parts.tsx';

/** Display time; extended while the message is hovered or has the focus. */
const shownMs = 20_000;

const Toast = ({ alert }: { alert: Alert }) => {
  const t = useText();
  const frame = useDismissLater<HTMLLIElement>(() => dismissToast(alert), shownMs);
  const { kind, payment } = alert;
  const { icon, tone } = lookOf(alert);
  const other = useOtherProfile(alert);
  const take = (): void => {
    dismissToast(alert);
    markSeen([alert]);
  };
  return (
    <li ref={frame} className={`toast line gap-1 rounded-l tone-${tone}`}>
      <Link className="toast-link" href={hrefOf(routeOfAlert(alert))} onPress={take}>
        <span className="toast-title inline-line gap-2 bold">
          {icon}
          <AlertTitle alert={alert} />
        </span>
        {payment === null ? null : <Money amount={payment.amount} currency={payment.currency} />}
        <Truncate
          className="toast-who"
          text={
            payment === null
              ? t(`alert.${computerKind(alert)}.action`)
              : [payment.customer ?? payment.orderNumber, other].filter(Boolean).join(' · ')
          }
        />
      </Link>
      {kind === 'link-expiring' && payment !== null ? (
        <Button
          request="payments.create"
          size="small"
          icon={<RotateCcw size={14} aria-hidden="true" />}
          aria-label={t('alert.new-link.for', { order: payment.orderNumber })}
          onPress={() => {
            take();
            askForNewLink(payment);
          }}
        >
          {t('alert.new-link')}
        </Button>
      ) : null}
      <IconButton
        name={t('alert.dismiss', { name: payment?.orderNumber ?? t(`alert.kind.${kind}`) })}
        icon={<X size={14} />}
        onPress={() => {
          take();
          focusScreen();
        }}
      />
    </li>
  );
};

/** Urgent alerts that have just arrived, on every screen. */
export const AlertToasts = () => {
  const t = useText();
  const { toasts } = useAlerts();
  const [newest] = toasts;
  return (
    <>
      <output className="out-of-sight">
        {newest
          ? t('alert.announced', {
              kind: t(`alert.kind.${newest.kind}`),
              order: newest.payment?.orderNumber ?? '',
            })
          : ''}
      </output>
      {toasts.length === 0 ? null : (
        <section aria-label={t('alert.toasts')}>
          <ul>
            {toasts.map(alert => (
              <Toast key={alert.id} alert={alert} />
            ))}
          </ul>
        </section>
      )}
    </>
  );
};
