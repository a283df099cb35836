import { useActiveProfile } from '../../stores/app-state-store.ts';
import { useText } from '../../i18n/text.ts';

/** Always visible: whether payments created here move money. The profile below it says it in words. */
export const MoneyBand = () => {
  const t = useText();
  const profile = useActiveProfile();
  if (!profile) return null;
  return (
    <aside className={`money-band ${profile.kind}`} aria-label={t('profile.kind')}>
      <span className="out-of-sight">
        {t(`band.${profile.kind}`)}
        {profile.kind === 'sandbox' ? null : ` · ${profile.name}`}
      </span>
    </aside>
  );
};
