import { Panel } from '../../../components/display/panel.tsx';
import { Unlink } from 'lucide-react';
import { isPayable, openLinksOf } from '../../../../shared/payments/order-link.ts';
import type { OrderLink } from '../../../../shared/payments/payment.ts';
import { Button } from '../../../components/controls/button.tsx';
import { Money } from '../../../components/display/money-text.tsx';
import { Note } from '../../../components/display/note.tsx';
import { clockTime } from '../../../components/display/time.tsx';
import { useLocaleChoice, useText, type Translate } from '../../../i18n/text.ts';
import { useClock } from '../../../stores/clock-store.ts';

const standing = (link: OrderLink, now: number, locale: string, t: Translate): string => {
  const time = clockTime(link.expiresAt, locale, now);
  if (link.withdrawn !== null) {
    const { agent, reason, text } = link.withdrawn;
    const why = [t(`withdrawal.${reason}`), text].filter(part => part !== '').join(' · ');
    const withdrawn = t('links.withdrawn', { agent, reason: why });
    return isPayable(link, now) ? `${withdrawn}. ${t('links.withdrawn.payable', { time })}` : withdrawn;
  }
  if (link.used) return t('links.used');
  return now < link.expiresAt ? t('links.open', { time }) : t('links.expired');
};

/** The chain of links of one order: which one when, by whom, and which can still be paid. The newest is first. */
export const OrderLinks = ({
  links,
  currency,
  onWithdraw,
}: {
  links: readonly OrderLink[];
  currency: string | null;
  onWithdraw: (link: OrderLink) => void;
}) => {
  const t = useText();
  const { locale } = useLocaleChoice();
  const now = useClock(({ wallClock }) => Math.floor(wallClock / 1000) * 1000);
  const open = openLinksOf(links, now);
  if (links.length < 2 && links.every(({ withdrawn }) => withdrawn === null)) return null;
  return (
    <Panel title={t('links.name')}>
      {open.length > 1 ? <Note tone="warning">{t('links.two-open', { count: open.length })}</Note> : null}
      <ol className="stack gap-0">
        {links.toReversed().map(link => {
          const time = clockTime(link.issuedAt, locale, now);
          return (
            <li key={link.idempotencyKey} className="order-link middle ruled tracks gap-4 pad-block-2">
              <Money amount={link.amount} currency={currency} />
              <span className="stack gap-0">
                <span>{t('links.by', { time, agent: link.agent })}</span>
                <span className="small muted break">{standing(link, now, locale, t)}</span>
              </span>
              {open.includes(link) ? (
                <Button
                  request="payments.withdrawLink"
                  size="small"
                  icon={Unlink}
                  aria-label={t('withdraw.of', { time })}
                  aria-haspopup="dialog"
                  onPress={() => onWithdraw(link)}
                >
                  {t('withdraw.name')}
                </Button>
              ) : null}
            </li>
          );
        })}
      </ol>
    </Panel>
  );
};
