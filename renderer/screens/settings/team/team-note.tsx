import { Link } from 'react-aria-components';
import { Note } from '../../../components/display/notes.tsx';
import { useText } from '../../../i18n/text.ts';
import { hrefOf } from '../../../routes.ts';
import { useAppState } from '../../../stores/app-state-store.ts';

/** Whose people or profiles a page shows, and whether they can be changed now; nothing for an installation alone. */
export const TeamNote = ({ of }: { of: 'people' | 'profiles' }) => {
  const t = useText();
  const team = useAppState(state => state.appState?.team ?? null);
  const sharing = useAppState(state => state.appState?.sharing ?? null);
  if (team === null) return null;
  if (sharing === null)
    return (
      <Note>
        {t('sharing.note.own')}{' '}
        <Link href={hrefOf({ screen: 'settings', section: 'team', id: null })}>
          {t('sharing.note.own.link')}
        </Link>
      </Note>
    );
  if (of === 'people' && !sharing.arePeopleShared) return null;
  return team.state === 'unreachable' || team.state === 'refused' ? (
    <Note tone="warning">{t(`sharing.note.${of}.offline`)}</Note>
  ) : (
    <Note>{t(`sharing.note.${of}`)}</Note>
  );
};
