import '../../styles/screens/alerts.css';
import { Bell, SlidersHorizontal, RotateCcw } from 'lucide-react';
import { useState } from 'react';
import { Button as BellButton, Link } from 'react-aria-components';
import { PopoverDialog } from '../../components/controls/popover-dialog.tsx';
import { hrefOf } from '../../routes.ts';
import { dismissToast, markSeen, useAlerts, askForNewLink } from '../../queries/alerts.ts';
import { useText } from '../../i18n/text.ts';
import type { Alert } from '../../../shared/alerts/alert.schema.ts';
import { Button } from '../../components/controls/button.tsx';
import { Money, Countdown, Time, Truncate } from '../../components/display/values.tsx';
import {
  lookOf,
  AlertTitle,
  computerKind,
  isStillOpen,
  routeOfAlert,
  useOtherProfile,
} from './alert-parts.tsx';

const About = ({ alert }: { alert: Alert }) => {
  const t = useText();
  const { payment, by } = alert;
  const other = useOtherProfile(alert);
  if (payment === null) return <p className="alert-about small">{t(`alert.${computerKind(alert)}.text`)}</p>;
  return (
    <p className="alert-about small">
      {payment.amount === null ? null : <Money amount={payment.amount} currency={payment.currency} />}
      <Truncate text={payment.customer ?? payment.orderNumber} />
      {other === null ? null : <Truncate className="quiet" text={other} />}
      {by === null ? null : <span>{t('alert.assigned-by', { name: by })}</span>}
    </p>
  );
};

const Item = ({ alert, onLeave }: { alert: Alert; onLeave: () => void }) => {
  const t = useText();
  const { kind, payment, expiresAt, seen } = alert;
  const { icon, tone } = lookOf(alert);
  const order = payment?.orderNumber ?? '';
  return (
    <li className={`alert-entry tracks gap-3 ruled tone-${tone} ${seen ? 'seen' : ''}`}>
      <span className="alert-icon tracks round ink-tone">{icon}</span>
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
const AlertList = ({ alerts, onLeave }: { alerts: readonly Alert[]; onLeave: () => void }) => {
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

/** The number of new alerts, and the latest ones behind it. Those that were shown are seen once it closes. */
export const AlertsButton = () => {
  const t = useText();
  const { alerts } = useAlerts();
  const [isOpen, setOpen] = useState(false);
  const count = alerts.filter(({ seen }) => !seen).length;
  const show = (next: boolean): void => {
    setOpen(next);
    if (next) dismissToast();
    else markSeen(alerts);
  };
  return (
    <PopoverDialog
      name={t('alert.name')}
      isOpen={isOpen}
      onOpenChange={show}
      placement="bottom end"
      popoverClass="alerts-popover"
      dialogClass="alerts stack gap-0 no-outline"
      button={
        <BellButton
          className="button quiet icon-only alerts-button relative"
          aria-label={count === 0 ? t('alert.name') : t('alert.name.unseen', { count })}
        >
          <Bell size={16} aria-hidden="true" />
          {count === 0 ? null : (
            <span className="alerts-count absolute pill tiny medium tabular" aria-hidden="true">
              {count}
            </span>
          )}
        </BellButton>
      }
    >
      {() => (
        <>
          <header className="alerts-head line gap-3 spread line-below">
            <h2>{t('alert.name')}</h2>
            <Link
              className="small"
              href={hrefOf({ screen: 'settings', section: 'general', id: null })}
              onPress={() => show(false)}
            >
              <SlidersHorizontal size={14} aria-hidden="true" />
              {t('alert.choose')}
            </Link>
          </header>
          <AlertList alerts={alerts} onLeave={() => show(false)} />
        </>
      )}
    </PopoverDialog>
  );
};
