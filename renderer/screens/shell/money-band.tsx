import { useActiveProfile } from '../../stores/app-state.ts';
import { useText } from '../../i18n/text.ts';

/** Always visible: whether payments created here move money. */
export const MoneyBand = () => {
  const t = useText();
  const profile = useActiveProfile();
  if (!profile) return null;
  return (
    <aside className={`money-band ${profile.kind}`} aria-label={t('profile.kind')}>
      <span className="money-band-plate">
        {t(`band.${profile.kind}`)}
        {profile.kind === 'sandbox' ? null : <span className="money-band-who"> · {profile.name}</span>}
      </span>
    </aside>
  );
};
