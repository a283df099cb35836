import { useState } from 'react';
import { Pencil, Plug, Plus, Trash2 } from 'lucide-react';
import type { AppError } from '../../../shared/errors.ts';
import type { ProfileView } from '../../../shared/settings/profile.ts';
import { Button } from '../../components/controls/button.tsx';
import { Sheet } from '../../components/controls/dialog.tsx';
import { ErrorNote } from '../../components/display/error-note.tsx';
import { KindMark } from '../../components/display/profile-mark.tsx';
import { request } from '../../ipc-client.ts';
import { useAppState } from '../../stores/app-state.ts';
import { go } from '../../stores/route.ts';
import { useText } from '../../i18n/text.ts';
import { ConnectionCheck } from './connection-check.tsx';
import { CredentialHealthFacts } from './credential-health.tsx';

const ProfileCard = ({ profile, isActive }: { profile: ProfileView; isActive: boolean }) => {
  const t = useText();
  const change = useAppState(state => state.change);
  const [checking, setChecking] = useState(false);
  const [removing, setRemoving] = useState(false);
  const [problem, setProblem] = useState<AppError | null>(null);
  const own = profile.kind !== 'sandbox';
  const remove = async (): Promise<void> => {
    setRemoving(false);
    const removed = await request('profiles.remove', { id: profile.id });
    setProblem(removed.ok ? null : removed.error);
  };
  return (
    <article className={`panel profile-card ${profile.kind}`} aria-label={profile.name}>
      <div className="line spread wrap">
        <div className="line">
          <KindMark kind={profile.kind} />
          <h2>{profile.name}</h2>
          {isActive ? <span className="tag">{t('profile.active')}</span> : null}
        </div>
        <div className="line wrap">
          {isActive ? null : (
            <Button onPress={() => void change({ activeProfileId: profile.id })}>{t('profile.use')}</Button>
          )}
          <Button icon={<Plug size={16} />} onPress={() => setChecking(true)}>
            {t('profile.check')}
          </Button>
          {own ? (
            <>
              <Button
                icon={<Pencil size={16} />}
                onPress={() => go({ screen: 'settings', section: 'profiles', id: profile.id })}
              >
                {t('profile.edit')}
              </Button>
              <Button variant="quiet" icon={<Trash2 size={16} />} onPress={() => setRemoving(true)}>
                {t('profile.remove')}
              </Button>
            </>
          ) : null}
        </div>
      </div>
      <dl className="facts wide-facts">
        <div className="fact">
          <dt>{t('profile.base-url')}</dt>
          <dd className="code break">{profile.baseUrl}</dd>
        </div>
        <div className="fact">
          <dt>{t('profile.merchant-key')}</dt>
          <dd className="code break">{profile.merchantKey}</dd>
        </div>
        <div className="fact">
          <dt>{t('profile.password')}</dt>
          <dd>{t(`password.${profile.password}`)}</dd>
        </div>
        <CredentialHealthFacts id={profile.id} />
      </dl>
      {problem ? <ErrorNote error={problem} /> : null}
      {checking ? <ConnectionCheck id={profile.id} onClose={() => setChecking(false)} /> : null}
      <Sheet
        title={t('profile.remove.title', { profile: profile.name })}
        role="alertdialog"
        isOpen={removing}
        onClose={() => setRemoving(false)}
      >
        <div className="stack">
          <p>{t('profile.remove.text')}</p>
          <div className="line wrap dialog-actions">
            <Button variant="danger" onPress={() => void remove()}>
              {t('profile.remove.yes')}
            </Button>
            {/* The initial focus is on the safe answer. */}
            {/* oxlint-disable-next-line jsx-a11y/no-autofocus */}
            <Button autoFocus onPress={() => setRemoving(false)}>
              {t('again.back')}
            </Button>
          </div>
        </div>
      </Sheet>
    </article>
  );
};

/** The merchant profiles, with live ones clearly marked. */
export const Profiles = () => {
  const t = useText();
  const appState = useAppState(state => state.appState);
  if (!appState) return null;
  return (
    <section className="stack" aria-label={t('settings.profiles')}>
      <div className="line spread wrap">
        <p className="muted small measure">{t('profiles.lead')}</p>
        <Button
          variant="primary"
          icon={<Plus size={16} />}
          onPress={() => go({ screen: 'settings', section: 'profiles', id: 'new' })}
        >
          {t('profile.add')}
        </Button>
      </div>
      {appState.profiles.map(profile => (
        <ProfileCard
          key={profile.id}
          profile={profile}
          isActive={profile.id === appState.settings.activeProfileId}
        />
      ))}
    </section>
  );
};
