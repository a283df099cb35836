import {
  Check,
  Copy,
  ExternalLink,
  Mail,
  MessageSquareText,
  Phone,
  Printer,
  QrCode as QrIcon,
  Smartphone,
} from 'lucide-react';
import type { ShareChannel } from '../../../../shared/payments/evidence.ts';
import type { Payment } from '../../../../shared/payments/payment.ts';
import type { MessageChannel } from '../../../../shared/merchant-texts/message-templates.ts';
import type { Profile } from '../../../../shared/settings/profile.ts';
import { Button, SingleKey } from '../../../components/controls/button.tsx';
import { clockTime } from '../../../components/display/values.tsx';
import { useClock } from '../../../stores/clock-store.ts';
import { usePayment } from '../../../queries/payment.ts';
import { useLocaleChoice, useText } from '../../../i18n/text.ts';
import { linkParts } from './link-parts.ts';

/** The link's host next to the gateway's; null if they are equal. */
export const otherHost = (link: string, baseUrl: string): { host: string; gateway: string } | null => {
  const [host, gateway] = [URL.parse(link)?.host ?? '', URL.parse(baseUrl)?.host ?? ''];
  return gateway === '' || host === gateway ? null : { host, gateway };
};

const messageWays = [
  ['email', Mail],
  ['sms', Smartphone],
  ['whatsapp', MessageSquareText],
] as const;

/** The link, large enough to read, and every way of sharing it; each use is recorded. */
export const LinkCard = ({
  link,
  checkedAt,
  isWatched,
  kind,
  baseUrl,
  openSheet,
  onOpenSheet,
  onMessage,
  onPrint,
}: {
  link: NonNullable<Payment['link']>;
  checkedAt: Payment['checkedAt'];
  /** The console asks the provider about it, because no callback would be received. */
  isWatched: boolean;
  kind: Profile['kind'] | null;
  /** The gateway's address in the payment's profile; empty if the profile was removed. */
  baseUrl: string;
  openSheet: 'qr' | 'spelled' | null;
  onOpenSheet: (sheet: 'qr' | 'spelled') => void;
  /** Shows the message before it is shared. */
  onMessage: (channel: MessageChannel) => void;
  onPrint: () => void;
}) => {
  const t = useText();
  const { locale } = useLocaleChoice();
  const { done, shareLink } = usePayment();
  const now = useClock(({ wallClock }) => Math.floor(wallClock / 60_000) * 60_000);
  const host = otherHost(link.url, baseUrl);
  const { address, code } = linkParts(link.url);
  const pass = (channel: ShareChannel) => (): void => {
    void shareLink(channel);
  };
  const print = async (): Promise<void> => {
    if (await shareLink('print')) onPrint();
  };
  const sheetButton = (sheet: 'qr' | 'spelled') =>
    ({
      size: 'large',
      'aria-haspopup': 'dialog',
      'aria-expanded': openSheet === sheet,
      onPress: () => onOpenSheet(sheet),
    }) as const;
  return (
    <section className="panel link-card stack gap-3" aria-label={t('link.name')}>
      <header className="line spread">
        <h2>{t('link.name')}</h2>
        <span className="small quiet">
          {t('link.valid-until', { time: clockTime(link.expiresAt, locale, now) })}
        </span>
      </header>
      <p className="link-text edged rounded on-sunken muted anywhere code" data-testid="payment-link">
        {address}
        <b>{code}</b>
      </p>
      {isWatched ? (
        <p className="small quiet" data-testid="link-watched">
          {t('link.watched')}{' '}
          {checkedAt === null ? null : t('link.watched.last', { time: clockTime(checkedAt, locale, now) })}
        </p>
      ) : null}
      {host === null ? null : (
        <p className="small muted" data-testid="link-host">
          {t('link.other-host', host)}
        </p>
      )}
      <div className="line wrap link-ways">
        <Button
          request="payments.shareLink"
          variant="primary"
          size="large"
          icon={done === 'copy' ? Check : Copy}
          onPress={pass('copy')}
        >
          {t('link.copy')}
          <SingleKey>C</SingleKey>
        </Button>
        <Button request="payments.shareLink" icon={QrIcon} {...sheetButton('qr')}>
          {t('link.qr')}
          <SingleKey>Q</SingleKey>
        </Button>
        <Button request="payments.shareLink" icon={Phone} {...sheetButton('spelled')}>
          {t('link.spell')}
          <SingleKey>S</SingleKey>
        </Button>
        {kind === 'sandbox' ? (
          <Button request="payments.shareLink" size="large" icon={ExternalLink} onPress={pass('opened')}>
            {t('link.open')}
          </Button>
        ) : null}
      </div>
      <div className="line wrap link-ways more">
        {messageWays.map(([way, icon]) => (
          <Button
            key={way}
            request="payments.shareLink"
            variant="quiet"
            icon={icon}
            aria-haspopup="dialog"
            onPress={() => onMessage(way)}
          >
            {t(`link.${way}`)}
          </Button>
        ))}
        <Button request="payments.shareLink" variant="quiet" icon={Printer} onPress={() => void print()}>
          {t('print')}
        </Button>
        <output className="small push ink-good medium">
          {done === null ? '' : t(`link-shared.${done}`)}
        </output>
      </div>
    </section>
  );
};
