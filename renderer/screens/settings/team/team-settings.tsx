import { useState } from 'react';
import { sharedLogName } from '../../../../shared/team/shared-log-server.ts';
import { Button } from '../../../components/controls/button.tsx';
import { Note } from '../../../components/display/note.tsx';
import { useText } from '../../../i18n/text.ts';
import { useManaged } from '../../../use-managed.ts';
import { useAppState } from '../../../stores/app-state-store.ts';
import { JoinForm } from './join-form.tsx';
import { Joined } from './joined.tsx';
import { SharingSection } from './sharing-section.tsx';

/** The payment log that several installations share: join, see whether it is connected, leave. */
export const TeamSettings = () => {
  const t = useText();
  const team = useAppState(state => state.appState?.team ?? null);
  const { isFixed, server } = useManaged().sharedLog;
  const [isJoiningAgain, setJoiningAgain] = useState(false);
  return (
    <div className="stack">
      <section className="panel stack" aria-label={t('settings.team')}>
        <div className="measure">
          <h2>{t('settings.team')}</h2>
          <p className="small muted">{t('team.text')}</p>
        </div>
        {isFixed ? (
          <Note>
            {server === null
              ? t('team.managed.unknown')
              : t('team.managed', { server: sharedLogName(server) })}
          </Note>
        ) : null}
        {team === null ? (
          <>
            <p className="small">{t('team.alone')}</p>
            <h3>{t('team.join.title')}</h3>
            <JoinForm onJoined={() => setJoiningAgain(false)} />
          </>
        ) : (
          <>
            <Joined team={team} />
            {isJoiningAgain ? (
              <JoinForm onJoined={() => setJoiningAgain(false)} />
            ) : team.state === 'refused' ? (
              <Button request="team.join" onPress={() => setJoiningAgain(true)}>
                {t('team.join.again')}
              </Button>
            ) : null}
          </>
        )}
      </section>
      {team === null ? null : <SharingSection team={team} />}
    </div>
  );
};
