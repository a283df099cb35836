import { useState } from 'react';
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
import type { HandoverChannel } from '../../../shared/evidence.ts';
import type { Payment, PaymentState } from '../../../shared/payment.ts';
import type { Profile } from '../../../shared/profile.ts';
import { Button } from '../../components/button.tsx';
import { QrCode } from '../../components/qr-code.tsx';
import { Countdown } from '../../components/time.tsx';
import { usePayment } from '../../stores/payment.ts';
import { useText } from '../../text.ts';
import { Spelled } from './spelled.tsx';

type Panel = 'qr' | 'spelled' | null;

/** A code half under the screen's edge cannot be read by a camera. */
const bringIntoView = (panel: HTMLElement | null): void => panel?.scrollIntoView({ block: 'nearest' });

/** The link, large enough to read, and every way of passing it on; each is recorded. */
export const LinkCard = ({
  payment,
  state,
  kind,
  onAgain,
}: {
  payment: Payment;
  state: PaymentState;
  kind: Profile['kind'] | null;
  onAgain: () => void;
}) => {
  const t = useText();
  const { busy, done, handOver } = usePayment();
  const [panel, setPanel] = useState<Panel>(null);
  const { link } = payment;
  if (link === null) return null;
  const usable = payment.linkUsable && state !== 'expired';
  const show = (wanted: 'qr' | 'spelled') => (isOn: boolean) => {
    setPanel(isOn ? wanted : null);
    if (isOn) void handOver(wanted);
  };
  const pass = (channel: HandoverChannel) => (): void => {
    void handOver(channel);
  };
  const print = async (): Promise<void> => {
    if (await handOver('print')) window.print();
  };
  if (!usable) {
    return (
      <section className="panel link-card over" aria-label={t('link.name')}>
        <div className="line spread wrap">
          <div>
            <h2>{state === 'expired' ? t('link.expired') : t('link.used')}</h2>
            <p className="small muted">
              {state === 'expired' ? t('link.expired.text') : t('link.used.text')}
            </p>
          </div>
          {state === 'expired' || state === 'declined' ? (
            <Button
              look="primary"
              icon={<RotateCcw size={16} />}
              onPress={onAgain}
              isPending={busy === 'again'}
            >
              {t('link.again')}
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
          <span className="quiet">{t('link.works-for')}</span> <Countdown expiresAt={link.expiresAt} speaks />
        </span>
      </header>
      <p className="link-text code" data-testid="payment-link">
        {link.url}
      </p>
      <div className="line wrap link-ways">
        <Button
          look="primary"
          size="large"
          icon={done === 'copy' ? <Check size={16} /> : <Copy size={16} />}
          onPress={pass('copy')}
        >
          {t('link.copy')}
        </Button>
        <ToggleButton className="button plain large" isSelected={panel === 'qr'} onChange={show('qr')}>
          <QrIcon size={16} />
          {t('link.qr')}
        </ToggleButton>
        <ToggleButton
          className="button plain large"
          isSelected={panel === 'spelled'}
          onChange={show('spelled')}
        >
          <Phone size={16} />
          {t('link.spell')}
        </ToggleButton>
        {kind === 'sandbox' ? (
          <Button size="large" icon={<ExternalLink size={16} />} onPress={pass('opened')}>
            {t('link.open')}
          </Button>
        ) : null}
        <output className="small handed">{done === null ? '' : t(`handed.${done}`)}</output>
      </div>
      <div className="line wrap link-ways more">
        <Button look="quiet" icon={<Mail size={16} />} onPress={pass('email')}>
          {t('link.email')}
        </Button>
        <Button look="quiet" icon={<Smartphone size={16} />} onPress={pass('sms')}>
          {t('link.sms')}
        </Button>
        <Button look="quiet" icon={<MessageSquareText size={16} />} onPress={pass('whatsapp')}>
          {t('link.whatsapp')}
        </Button>
        <Button look="quiet" icon={<Printer size={16} />} onPress={() => void print()}>
          {t('link.print')}
        </Button>
      </div>
      {panel === 'qr' ? (
        <div className="link-panel qr-panel" ref={bringIntoView}>
          <QrCode text={link.url} name={t('link.qr.name')} />
          <p className="small muted">{t('link.qr.hint')}</p>
        </div>
      ) : null}
      {panel === 'spelled' ? (
        <div className="link-panel" ref={bringIntoView}>
          <Spelled link={link.url} />
        </div>
      ) : null}
    </section>
  );
};
