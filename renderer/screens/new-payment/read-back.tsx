import type { ProfileView } from '../../../shared/settings/profile.ts';
import type { AmountReading } from '../../amount-reading.ts';
import { Money, clockTime } from '../../components/display/values.tsx';
import { useLocaleChoice, useText } from '../../i18n/text.ts';
import { useClock } from '../../stores/clock-store.ts';
import type { Draft } from '../../stores/new-payment/drafts.ts';
import { lifeOf } from './lifetime.ts';

/** What to read back to the customer before the link is created. */
export const ReadBack = ({
  profile,
  reading,
  draft,
}: {
  profile: ProfileView;
  reading: AmountReading;
  draft: Draft;
}) => {
  const t = useText();
  const { locale } = useLocaleChoice();
  const now = useClock(({ wallClock }) => Math.floor(wallClock / 60_000) * 60_000);
  const until = now + lifeOf(draft, profile) * 60_000;
  const isToday = new Date(until).toDateString() === new Date(now).toDateString();
  const description = draft.description.trim();
  const words = reading.kind === 'read' ? reading.words : null;
  return (
    <section className="read-back" aria-label={t('read-back.title')}>
      <h2 className="caps">{t('read-back.title')}</h2>
      <p className={`read-back-amount medium ${reading.kind === 'read' ? '' : 'quiet'}`}>
        {reading.kind === 'read' ? (
          <Money amount={reading.wire} currency={draft.currency} size="large" />
        ) : (
          '–'
        )}
      </p>
      <p className="read-back-words muted break">
        {words === null
          ? t('read-back.nothing')
          : description === ''
            ? words
            : t('read-back.words', { amount: words, description })}
      </p>
      <dl className="read-back-facts tracks below-3 small">
        <dt>{t('new.order')}</dt>
        <dd className="code break">{draft.orderNumber || '–'}</dd>
        <dt>{t('read-back.until')}</dt>
        <dd>{t(isToday ? 'read-back.today' : 'read-back.at', { time: clockTime(until, locale, now) })}</dd>
      </dl>
    </section>
  );
};
