import '../../styles/screens/alerts.css';
import { Bell, SlidersHorizontal } from 'lucide-react';
import { useState } from 'react';
import { Button, Link } from 'react-aria-components';
import { PopoverDialog } from '../../components/controls/popover-dialog.tsx';
import { hrefOf } from '../../routes.ts';
import { dismissToast, markSeen, useAlerts } from '../../queries/alerts.ts';
import { useText } from '../../i18n/text.ts';
import { AlertList } from './alert-list.tsx';

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
        <Button
          className="button quiet icon-only alerts-button relative"
          aria-label={count === 0 ? t('alert.name') : t('alert.name.unseen', { count })}
        >
          <Bell size={16} aria-hidden="true" />
          {count === 0 ? null : (
            <span className="alerts-count absolute pill tiny medium tabular" aria-hidden="true">
              {count}
            </span>
          )}
        </Button>
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
