import { Copy, ExternalLink } from 'lucide-react';
import { useState } from 'react';
import { languages, type Language } from '../../../shared/messages/message.ts';
import { ownCustomer } from '../../../shared/merchant-texts/own-customer.ts';
import type { Payment } from '../../../shared/payments/payment.ts';
import { readPhoneNumber } from '../../../shared/phone-number.ts';
import { messageChannels, type MessageChannel } from '../../../shared/merchant-texts/message-templates.ts';
import type { Profile } from '../../../shared/settings/profile.ts';
import { Button } from '../../components/controls/button.tsx';
import { Sheet } from '../../components/controls/dialog.tsx';
import { SegmentedControl } from '../../components/controls/radio-choice.tsx';
import { useLocaleChoice, useText } from '../../i18n/text.ts';
import { usePayment } from '../../queries/payment.ts';
import { MessageText } from './message-text.tsx';
import { useComposedMessage } from './use-message.ts';

/** The recipient that the payment has for a channel; null = the app asks for it. */
const recipientOf = (payment: Payment, channel: MessageChannel): string | null =>
  channel === 'email'
    ? (ownCustomer(payment)?.email ?? null)
    : readPhoneNumber(ownCustomer(payment)?.phone ?? '');

/** The message with the link, as the customer gets it, before it is handed to another app. */
export const MessageSheet = ({
  payment,
  link,
  profile,
  channel: first,
  asked,
  onClose,
}: {
  payment: Payment;
  link: NonNullable<Payment['link']>;
  profile: Profile | null;
  channel: MessageChannel;
  /** The language chosen for this payment; null = the window's. */
  asked: Language | null;
  onClose: () => void;
}) => {
  const t = useText();
  const { language: own } = useLocaleChoice();
  const [channel, setChannel] = useState(first);
  const [language, setLanguage] = useState<Language>(asked ?? own);
  const shareLink = usePayment(store => store.shareLink);
  const compose = useComposedMessage(
    language,
    { ...payment, link: link.url, expiresAt: link.expiresAt },
    profile,
  );
  const recipient = recipientOf(payment, channel);
  const hand = (by: MessageChannel | 'message'): void => {
    void shareLink(by, { language, text: channel });
    onClose();
  };
  return (
    <Sheet title={t('messages.title')} onClose={onClose} wide>
      <div className="stack">
        <div className="line spread wrap">
          <SegmentedControl
            label={t('messages.channel')}
            value={channel}
            onChange={setChannel}
            options={messageChannels.map(id => ({ id, name: t(`link.${id}`) }))}
          />
          <SegmentedControl
            label={t('new.language')}
            value={language}
            onChange={setLanguage}
            options={languages.map(id => ({ id, name: t(`language.${id}`) }))}
          />
        </div>
        <p className="small muted break">
          {recipient === null ? t(`messages.to-ask.${channel}`) : t('messages.to', { recipient })}
        </p>
        {compose === null ? null : (
          <MessageText
            text={compose(channel)}
            subject={channel === 'email' ? compose('subject') : null}
            language={language}
          />
        )}
        <div className="line wrap dialog-actions">
          <Button
            request="payments.shareLink"
            variant="primary"
            // oxlint-disable-next-line jsx-a11y/no-autofocus -- Enter hands the message over
            autoFocus
            icon={ExternalLink}
            onPress={() => hand(channel)}
          >
            {t(`messages.open.${channel}`)}
          </Button>
          <Button request="payments.shareLink" icon={Copy} onPress={() => hand('message')}>
            {t('messages.copy')}
          </Button>
        </div>
      </div>
    </Sheet>
  );
};
