import { Panel } from '../../../components/display/panel.tsx';
import { Unlink } from 'lucide-react';
import {
  isPayable,
  openLinksOf,
  maxWithdrawalText,
  withdrawalReasons,
  type WithdrawalReason,
} from '../../../../shared/payments/order-link.ts';
import type { OrderLink } from '../../../../shared/payments/payment.ts';
import { Button } from '../../../components/controls/button.tsx';
import { Money, clockTime } from '../../../components/display/values.tsx';
import { Note, ErrorNote } from '../../../components/display/notes.tsx';
import { useLocaleChoice, useText, type Translate } from '../../../i18n/text.ts';
import { useClock } from '../../../stores/clock-store.ts';
import { useState } from 'react';
import { ConfirmDialog } from '../../../components/controls/dialog.tsx';
import { SelectBox, TextBox } from '../../../components/controls/fields.tsx';
import { useTask } from '../../../forms/form.tsx';
import { usePayment } from '../../../queries/payment.ts';

/** Asks why a link is withdrawn, and says that the gateway cannot cancel it. */
export const WithdrawQuestion = ({
  link,
  links,
  onClose,
}: {
  link: OrderLink;
  /** All of the order. */
  links: readonly OrderLink[];
  onClose: () => void;
}) => {
  const t = useText();
  const { locale } = useLocaleChoice();
  const now = useClock(({ wallClock }) => Math.floor(wallClock / 60_000) * 60_000);
  const withdraw = usePayment(store => store.withdraw);
  const number = links.findIndex(one => one.idempotencyKey === link.idempotencyKey) + 1;
  const [reason, setReason] = useState<WithdrawalReason | null>(number < links.length ? 'replaced' : null);
  const [text, setText] = useState('');
  const [isTried, setTried] = useState(false);
  const { isBusy, problem, send } = useTask();
  const isMissing = reason === 'other' && text.trim() === '';
  const confirm = (): void => {
    setTried(true);
    if (reason !== null && !isMissing)
      void send(() => withdraw(link.idempotencyKey, reason, text.trim()), onClose);
  };
  return (
    <ConfirmDialog
      title={
        links.length < 2
          ? t('withdraw.name')
          : t('withdraw.of', { number, time: clockTime(link.issuedAt, locale, now) })
      }
      hasFields
      confirm={t('withdraw.name')}
      onConfirm={confirm}
      isPending={isBusy}
      onClose={onClose}
    >
      <p>{t('withdraw.text', { time: clockTime(link.expiresAt, locale, now) })}</p>
      <SelectBox
        label={t('withdraw.reason')}
        options={withdrawalReasons.map(id => ({ id, name: t(`withdrawal.${id}`) }))}
        placeholder={t('reason.choose')}
        value={reason}
        onChange={setReason}
        problem={isTried && reason === null ? t('review.reason.missing') : null}
      />
      <TextBox
        label={t('withdraw.note')}
        value={text}
        onChange={setText}
        maxLength={maxWithdrawalText}
        problem={isTried && isMissing ? t('withdraw.note.needed') : null}
        autoComplete="off"
      />
      {problem ? <ErrorNote error={problem} /> : null}
    </ConfirmDialog>
  );
};

const standing = (link: OrderLink, now: number, locale: string, t: Translate): string => {
  const time = clockTime(link.expiresAt, locale, now);
  if (link.withdrawn !== null) {
    const { agent, reason, text } = link.withdrawn;
    const why = [t(`withdrawal.${reason}`), text].filter(part => part !== '').join(' · ');
    const withdrawn = t('links.withdrawn', { agent, reason: why });
    return isPayable(link, now) ? `${withdrawn}. ${t('links.withdrawn.payable', { time })}` : withdrawn;
  }
  if (link.used === 'yes') return t('links.used');
  if (now >= link.expiresAt) return t('links.expired');
  return t(link.used === 'perhaps' ? 'links.perhaps' : 'links.open', { time });
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
      {links.some(({ used }) => used !== 'no') ? (
        open.length > 0 && <Note tone="warning">{t('links.open-paid')}</Note>
      ) : open.length > 1 ? (
        <Note tone="warning">{t('links.two-open', { count: open.length })}</Note>
      ) : null}
      <ol className="stack gap-0">
        {links.toReversed().map((link, index) => {
          const time = clockTime(link.issuedAt, locale, now);
          const number = links.length - index;
          return (
            <li key={link.idempotencyKey} className="order-link middle ruled tracks gap-4 pad-block-2">
              <Money amount={link.amount} currency={currency} />
              <span className="stack gap-0">
                <span>
                  {t('links.by', { number, time, agent: link.agent })}{' '}
                  {index === 0 && number > 1 ? <span className="tag">{t('links.newest')}</span> : null}
                </span>
                <span className="small muted break">{standing(link, now, locale, t)}</span>
              </span>
              {open.includes(link) ? (
                <Button
                  request="payments.withdrawLink"
                  size="small"
                  icon={Unlink}
                  aria-label={t('withdraw.of', { number, time })}
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
