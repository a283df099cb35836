import { useState } from 'react';
import { Link } from 'react-aria-components';
import { formatMoney } from '../../../shared/money/format-amount.ts';
import { messageChannels, type MessageChannel } from '../../../shared/merchant-texts/message-templates.ts';
import type { ProfileView } from '../../../shared/settings/profile.ts';
import type { AmountReading } from '../../amount-reading.ts';
import { SegmentedControl } from '../../components/controls/radio-choice.tsx';
import { useTextIn } from '../../i18n/text-in.ts';
import { useLocaleChoice, useText } from '../../i18n/text.ts';
import { hrefOf } from '../../routes.ts';
import { useClock } from '../../stores/clock-store.ts';
import { customerOf, type Draft } from '../../stores/new-payment/drafts.ts';
import { MessageText } from './message-text.tsx';
import { useComposedMessage } from './use-message.ts';

/** The message that the customer will get, in the customer's language, while the form is being filled in. */
export const DraftMessage = ({
  profile,
  reading,
  draft,
  lifeMinutes,
}: {
  profile: ProfileView;
  reading: AmountReading;
  draft: Draft;
  lifeMinutes: number;
}) => {
  const t = useText();
  const { language: own } = useLocaleChoice();
  const language = draft.language ?? own;
  const say = useTextIn(language);
  const [channel, setChannel] = useState<MessageChannel>('email');
  const now = useClock(({ wallClock }) => Math.floor(wallClock / 60_000) * 60_000);
  const amount = reading.kind === 'read' ? reading.wire : null;
  const compose = useComposedMessage(
    language,
    {
      amount,
      currency: draft.currency,
      description: draft.description.trim() || '…',
      orderNumber: draft.orderNumber || '…',
      customer: customerOf(draft, profile),
      customerFrom: 'request',
      raisedHere: true,
      link: say?.('message.link-later') ?? '',
      expiresAt: now + lifeMinutes * 60_000,
    },
    profile,
  );
  return (
    <section className="draft-message stack gap-2 relative" aria-label={t('messages.preview')}>
      <div className="line spread wrap">
        <h2 className="caps">{t('messages.preview')}</h2>
        <SegmentedControl
          label={t('messages.channel')}
          value={channel}
          onChange={setChannel}
          options={messageChannels.map(id => ({ id, name: t(`link.${id}`) }))}
        />
      </div>
      {compose === null || say === null ? null : (
        <MessageText
          text={compose(channel)}
          subject={channel === 'email' ? compose('subject') : null}
          language={language}
          marked={
            amount === null
              ? []
              : [formatMoney(amount, draft.currency, say('language.tag')), draft.orderNumber]
          }
        />
      )}
      <div className="line spread">
        <span className="tiny quiet">{t('messages.language', { language: t(`language.${language}`) })}</span>
        <Link className="small" href={hrefOf({ screen: 'settings', section: 'messages', id: null })}>
          {t('messages.edit')}
        </Link>
      </div>
    </section>
  );
};
