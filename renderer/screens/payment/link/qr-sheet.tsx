import { CircleCheckBig, CircleX, Hourglass, X } from 'lucide-react';
import { useState } from 'react';
import { Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import { formatMoney } from '../../../../shared/money/format-amount.ts';
import { languages, type Language } from '../../../../shared/messages/message.ts';
import type { Tone } from '../../../../shared/reports/head.ts';
import { rowOf } from '../../../../shared/payments/payment-row.ts';
import { isLinkLive } from '../../../../shared/payments/link.ts';
import type { Payment } from '../../../../shared/payments/payment.ts';
import type { Profile } from '../../../../shared/settings/profile.ts';
import { Button } from '../../../components/controls/button.tsx';
import { SegmentedControl } from '../../../components/controls/radio-choice.tsx';
import { ProfileLogo } from '../../../components/display/marks.tsx';
import { QrCode } from '../../../components/display/qr-code.tsx';
import { Countdown } from '../../../components/display/values.tsx';
import { useTextIn } from '../../../i18n/text-in.ts';
import { useLocaleChoice, useText } from '../../../i18n/text.ts';
import { useHead } from '../../../components/display/status-badge.tsx';
import { useClock } from '../../../stores/clock-store.ts';

/** What the customer reads; of what only the merchant has to know, that the link is over. */
const outcomeTexts: Partial<Record<Tone, 'qr.paid' | 'qr.checking' | 'qr.not-paid'>> = {
  good: 'qr.paid',
  wait: 'qr.checking',
  bad: 'qr.not-paid',
};

/** In place of the code once the link cannot be paid any more. */
const Outcome = ({ tone, text }: { tone: Tone; text: string }) => (
  <output className={`qr-outcome ink-tone tracks gap-4 pill bold tone-${tone}`}>
    {tone === 'good' ? (
      <CircleCheckBig size={160} strokeWidth={1.25} aria-hidden="true" />
    ) : tone === 'end' || tone === 'wait' ? (
      <Hourglass size={160} strokeWidth={1.25} aria-hidden="true" />
    ) : (
      <CircleX size={160} strokeWidth={1.25} aria-hidden="true" />
    )}
    <span>{text}</span>
  </output>
);

/**
 * The code for the customer's camera, over the whole window, so that no other customer can be read on it. It shows
 * the result as soon as it is known.
 */
export const QrSheet = ({
  payment,
  url,
  profile,
  onClose,
}: {
  payment: Payment;
  url: string;
  profile: Profile | null;
  onClose: () => void;
}) => {
  const t = useText();
  const { language: own } = useLocaleChoice();
  const [language, setLanguage] = useState<Language>(own);
  const say = useTextIn(language) ?? t;
  const { tone } = useHead(rowOf(payment));
  const isUsable = useClock(({ wallClock }) => isLinkLive(payment, wallClock));
  const merchant = profile?.merchant.name || (profile?.name ?? '');
  const host = URL.parse(url)?.host ?? '';
  return (
    <ModalOverlay
      className="whole-window"
      isOpen
      onOpenChange={open => {
        if (!open) onClose();
      }}
    >
      <Modal className="whole-window-modal">
        <Dialog className="qr-sheet tracks no-outline">
          <header className="qr-head">
            {profile ? <ProfileLogo profile={{ kind: profile.kind, name: merchant }} /> : null}
            <div className="qr-merchant grow">
              <Heading slot="title" level={2}>
                {merchant}
              </Heading>
              <span className="quiet small">{say('qr.order', { order: payment.orderNumber })}</span>
            </div>
            <Button variant="quiet" icon={<X size={16} />} keys="Esc" onPress={onClose}>
              {t('close')}
            </Button>
          </header>
          <div className="qr-body line wrap to-middle">
            <div className="qr-frame edged pill shadow-2">
              {isUsable ? (
                <QrCode text={url} name={t('link.qr.name')} size={420} />
              ) : (
                <Outcome tone={tone} text={say(outcomeTexts[tone] ?? 'qr.over')} />
              )}
            </div>
            <div className="qr-words" lang={language}>
              <p className="qr-amount bold tabular">
                {payment.amount === null
                  ? ''
                  : formatMoney(payment.amount, payment.currency ?? '', say('language.tag'))}
              </p>
              <p className="qr-what muted break">{payment.description}</p>
              {isUsable ? (
                <>
                  <ol className="qr-steps tracks gap-3">
                    <li>{say('qr.step.camera')}</li>
                    <li>{say('qr.step.point')}</li>
                    <li>{say('qr.step.pay', { host })}</li>
                  </ol>
                  <p className="qr-waiting line gap-1 wrap muted">
                    <span className="qr-dot round" aria-hidden="true" />
                    {say('qr.waiting')} · {say('link.works-for')}{' '}
                    <Countdown expiresAt={payment.link?.expiresAt ?? 0} />
                  </p>
                </>
              ) : null}
            </div>
          </div>
          <footer className="qr-foot">
            <span className="small quiet">{isUsable ? say('qr.bearer') : ''}</span>
            <SegmentedControl
              label={t('qr.language')}
              value={language}
              onChange={setLanguage}
              options={languages.map(id => ({ id, name: t(`language.${id}`) }))}
            />
          </footer>
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
};
