import { useEffect, useEffectEvent, useRef, useState } from 'react';
import {
  Check,
  Copy,
  ExternalLink,
  Mail,
  MessageSquareText,
  Phone,
  Printer,
  QrCode as QrIcon,
  RotateCcw,
  Smartphone,
} from 'lucide-react';
import { ToggleButton } from 'react-aria-components';
import type { ShareChannel } from '../../../shared/payments/evidence.ts';
import type { Payment, PaymentState } from '../../../shared/payments/payment.ts';
import type { Profile } from '../../../shared/settings/profile.ts';
import { isLinkLive } from '../../../shared/payments/link.ts';
import { Button } from '../../components/controls/button.tsx';
import { QrCode } from '../../components/display/qr-code.tsx';
import { Countdown } from '../../components/display/time.tsx';
import { isFocusLost } from '../../focus.ts';
import { useClock } from '../../stores/clock.ts';
import { usePayment } from '../../stores/payments/payment.ts';
import { useText } from '../../i18n/text.ts';
import { otherHost } from './other-host.ts';
import { SpelledLink } from './spelled.tsx';

/** States in which the customer may still be paying. */
const inProgress: readonly PaymentState[] = ['draft', 'waiting', 'started', 'bank-check', 'processing'];

type Panel = 'qr' | 'spelled' | null;

/** A camera cannot read a code that is partly outside the screen. */
const scrollIntoView = (panel: HTMLElement | null): void => panel?.scrollIntoView({ block: 'nearest' });

/** The link, large enough to read, and every way of sharing it; each use is recorded. */
export const LinkCard = ({
  payment,
  state,
  kind,
  baseUrl,
  onAllowDuplicate,
  onOutcome,
}: {
  payment: Payment;
  state: PaymentState;
  kind: Profile['kind'] | null;
  /** Creates a new link; null where none is offered. */
  onAllowDuplicate: (() => void) | null;
  /** The gateway's address in the payment's profile; empty if the profile was removed. */
  baseUrl: string;
  /** The payment ended while this card was in use: the result is shown and takes the card's focus. */
  onOutcome: () => void;
}) => {
  const t = useText();
  const { busy, done, shareLink } = usePayment();
  const [panel, setPanel] = useState<Panel>(null);
  const usable = useClock(({ wallClock }) => isLinkLive(payment, wallClock));
  const hasExpired = payment.linkUsable && !usable;
  const { link } = payment;
  const inUse = useEffectEvent(() => panel !== null || isFocusLost());
  const show = useEffectEvent(onOutcome);
  const shown = useRef(state);
  useEffect(() => {
    if (shown.current === state) return;
    shown.current = state;
    if (!inProgress.includes(state) && inUse()) show();
  }, [state]);
  if (link === null) return null;
  const host = otherHost(link.url, baseUrl);
  const showPanel = (wanted: 'qr' | 'spelled') => (isEnabled: boolean) => {
    setPanel(isEnabled ? wanted : null);
    if (isEnabled) void shareLink(wanted);
  };
  const pass = (channel: ShareChannel) => (): void => {
    void shareLink(channel);
  };
  const print = async (): Promise<void> => {
    if (await shareLink('print')) window.print();
  };
  if (!usable) {
    return (
      <section className="panel link-card over" aria-label={t('link.name')}>
        <div className="line spread wrap">
          <div>
            <h2>{hasExpired ? t('link.expired') : t('link.used')}</h2>
            <p className="small muted">{hasExpired ? t('link.expired.text') : t('link.used.text')}</p>
          </div>
          {hasExpired && onAllowDuplicate !== null ? (
            <Button
              variant="primary"
              icon={<RotateCcw size={16} />}
              onPress={onAllowDuplicate}
              isPending={busy === 'again'}
            >
              {t('link.new')}
            </Button>
          ) : null}
        </div>
      </section>
    );
  }
  return (
    <section className="panel link-card" aria-label={t('link.name')}>
      <header className="line spread">
        <h2>{t('link.name')}</h2>
        <span className="line small">
          <span className="quiet">{t('link.works-for')}</span>{' '}
          <Countdown expiresAt={link.expiresAt} announces />
        </span>
      </header>
      <p className="link-text code" data-testid="payment-link">
        {link.url}
      </p>
      {host === null ? null : (
        <p className="small muted" data-testid="link-host">
          {t('link.other-host', host)}
        </p>
      )}
      <div className="line wrap link-ways">
        <Button
          variant="primary"
          size="large"
          icon={done === 'copy' ? <Check size={16} /> : <Copy size={16} />}
          onPress={pass('copy')}
        >
          {t('link.copy')}
        </Button>
        <ToggleButton className="button plain large" isSelected={panel === 'qr'} onChange={showPanel('qr')}>
          <QrIcon size={16} />
          {t('link.qr')}
        </ToggleButton>
        <ToggleButton
          className="button plain large"
          isSelected={panel === 'spelled'}
          onChange={showPanel('spelled')}
        >
          <Phone size={16} />
          {t('link.spell')}
        </ToggleButton>
        {kind === 'sandbox' ? (
          <Button size="large" icon={<ExternalLink size={16} />} onPress={pass('opened')}>
            {t('link.open')}
          </Button>
        ) : null}
        <output className="small link-shared">{done === null ? '' : t(`link-shared.${done}`)}</output>
      </div>
      <div className="line wrap link-ways more">
        <Button variant="quiet" icon={<Mail size={16} />} onPress={pass('email')}>
          {t('link.email')}
        </Button>
        <Button variant="quiet" icon={<Smartphone size={16} />} onPress={pass('sms')}>
          {t('link.sms')}
        </Button>
        <Button variant="quiet" icon={<MessageSquareText size={16} />} onPress={pass('whatsapp')}>
          {t('link.whatsapp')}
        </Button>
        <Button variant="quiet" icon={<Printer size={16} />} onPress={() => void print()}>
          {t('print')}
        </Button>
      </div>
      {panel === 'qr' ? (
        <div className="link-panel qr-panel" ref={scrollIntoView}>
          <QrCode text={link.url} name={t('link.qr.name')} />
          <p className="small muted">{t('link.qr.hint')}</p>
        </div>
      ) : null}
      {panel === 'spelled' ? (
        <div className="link-panel" ref={scrollIntoView}>
          <SpelledLink link={link.url} />
        </div>
      ) : null}
    </section>
  );
};
