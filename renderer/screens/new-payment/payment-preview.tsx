import type { ProfileView } from '../../../shared/settings/profile.ts';
import type { AmountReading } from '../../amount-reading.ts';
import { Money } from '../../components/display/money.tsx';
import { KindMark } from '../../components/display/kind-mark.tsx';
import type { Draft } from '../../stores/payments/new-payment.ts';
import { useText } from '../../i18n/text.ts';

/** The preview of the payment, to be read back to the customer. */
export const PaymentPreview = ({
  profile,
  reading,
  draft,
}: {
  profile: ProfileView;
  reading: AmountReading;
  draft: Draft;
}) => {
  const t = useText();
  const read = reading.kind === 'read';
  return (
    <aside className={`payment-preview ${profile.kind}`} aria-label={t('payment-preview.title')}>
      <header className="line spread">
        <span className="caps">{t('payment-preview.title')}</span>
        <KindMark kind={profile.kind} />
      </header>
      <p className={`preview-amount ${read ? '' : 'quiet'}`}>
        {read ? <Money amount={reading.wire} currency={draft.currency} size="large" /> : '–'}
      </p>
      <p className="preview-in-words">
        {read && reading.words !== null ? reading.words : t('payment-preview.nothing')}
      </p>
      <dl className="preview-facts">
        <div>
          <dt>{t('new.description')}</dt>
          <dd className="break">{draft.description || '–'}</dd>
        </div>
        <div>
          <dt>{t('new.order')}</dt>
          <dd className="code break">{draft.orderNumber || '–'}</dd>
        </div>
        {draft.customerName || draft.customerEmail ? (
          <div>
            <dt>{t('customer')}</dt>
            <dd className="break">{[draft.customerName, draft.customerEmail].filter(Boolean).join(' · ')}</dd>
          </div>
        ) : null}
        <div>
          <dt>{t('profile')}</dt>
          <dd>{profile.name}</dd>
        </div>
      </dl>
      <p className="tiny quiet">
        {t('payment-preview.life', {
          minutes: profile.extras.sessionExpiry === 0 ? 60 : profile.extras.sessionExpiry,
        })}
      </p>
    </aside>
  );
};
