import { RotateCcw } from 'lucide-react';
import { Link } from 'react-aria-components';
import type { Alert } from '../../../shared/alerts/alert.schema.ts';
import { Button } from '../../components/controls/button.tsx';
import { Money } from '../../components/display/money-text.tsx';
import { Countdown, Time } from '../../components/display/time.tsx';
import { Truncate } from '../../components/display/truncate.tsx';
import { hrefOf } from '../../routes.ts';
import { askForNewLink } from '../../queries/alerts.ts';
import { useText } from '../../i18n/text.ts';
import {
  alertIcons,
  alertTones,
  AlertTitle,
  computerKind,
  isStillOpen,
  routeOfAlert,
} from './alert-parts.tsx';

const About = ({ alert }: { alert: Alert }) => {
  const t = useText();
  const { payment, by } = alert;
  if (payment === null) return <p className="alert-about small">{t(`alert.${computerKind(alert)}.text`)}</p>;
  return (
    <p className="alert-about small">
      {payment.amount === null ? null : <Money amount={payment.amount} currency={payment.currency} />}
      <Truncate text={payment.customer ?? payment.orderNumber} />
      {by === null ? null : <span>{t('alert.assigned-by', { name: by })}</span>}
    </p>
  );
};

const Item = ({ alert, onLeave }: { alert: Alert; onLeave: () => void }) => {
  const t = useText();
  const { kind, payment, expiresAt, seen } = alert;
  const order = payment?.orderNumber ?? '';
  return (
    <li className={`alert-entry tracks gap-3 ruled tone-${alertTones[kind]} ${seen ? 'seen' : ''}`}>
      <span className="alert-icon tracks round ink-tone">{alertIcons[kind]}</span>
      <div className="alert-words stack min-0">
        <p className="alert-head">
          <Link
            className="alert-title ink medium undecorated"
            href={hrefOf(routeOfAlert(alert))}
            onPress={onLeave}
          >
            <AlertTitle alert={alert} />
            {payment === null ? null : <span className="out-of-sight">{order}</span>}
          </Link>
          {seen ? null : <span className="alert-new pill ink-tone tiny">{t('alert.new')}</span>}
          <span className="push" />
          <Time at={alert.at} />
        </p>
        <About alert={alert} />
        {kind === 'link-expiring' && payment !== null ? (
          <div className="alert-action">
            {expiresAt !== null && isStillOpen(alert) ? (
              <span className="small quiet">
                {t('alert.expires')} <Countdown expiresAt={expiresAt} />
              </span>
            ) : null}
            <span className="push" />
            <Button
              request="payments.create"
              size="small"
              icon={<RotateCcw size={14} aria-hidden="true" />}
              aria-label={t('alert.new-link.for', { order })}
              onPress={() => {
                onLeave();
                askForNewLink(payment);
              }}
            >
              {t('alert.new-link')}
            </Button>
          </div>
        ) : null}
      </div>
    </li>
  );
};

/** The latest alerts, each with the way to its payment. `onLeave`: another page opens. */
export const AlertList = ({ alerts, onLeave }: { alerts: readonly Alert[]; onLeave: () => void }) => {
  const t = useText();
  if (alerts.length === 0)
    return (
      <div className="alerts-empty">
        <p>{t('alert.empty')}</p>
        <p className="small quiet">{t('alert.empty.text')}</p>
      </div>
    );
  return (
    <ul className="alert-list no-padding no-margin no-bullets">
      {alerts.map(alert => (
        <Item key={alert.id} alert={alert} onLeave={onLeave} />
      ))}
    </ul>
  );
};
