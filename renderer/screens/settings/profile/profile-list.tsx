import { Fact } from '../../../components/display/panel.tsx';
import { useRef, useState } from 'react';
import { Pencil, Plug, Plus, Trash2, CircleCheck, CircleX, TriangleAlert } from 'lucide-react';
import type { AppError } from '../../../../shared/errors.ts';
import { profilesOf } from '../../../../shared/settings/account.ts';
import type { ProfileView } from '../../../../shared/settings/profile.ts';
import { Button } from '../../../components/controls/button.tsx';
import { ConfirmDialog } from '../../../components/controls/dialog.tsx';
import { useEntryFocus } from '../../../components/controls/editable-list.tsx';
import { ErrorNote } from '../../../components/display/notes.tsx';
import { KindMark } from '../../../components/display/marks.tsx';
import { ManagedMark } from '../../../forms/read-only.tsx';
import { request } from '../../../ipc-client.ts';
import { useAppState } from '../../../stores/app-state-store.ts';
import { go } from '../../../stores/route-store.ts';
import { useManaged } from '../../../use-rights.ts';
import { useText, useMessage } from '../../../i18n/text.ts';
import { TeamNote } from '../team/team-note.tsx';
import { ConnectionCheck } from './check-panels.tsx';
import { Time } from '../../../components/display/values.tsx';
import { credentialHealthQuery } from '../../../queries/settings.ts';
import { ResultWay } from './result-way.tsx';

const icons = {
  good: <CircleCheck size={14} aria-hidden="true" />,
  warning: <TriangleAlert size={14} aria-hidden="true" />,
  bad: <CircleX size={14} aria-hidden="true" />,
};

/**
 * Facts about a profile's credentials: the last accepted and the last failed request, and how results arrive on this
 * computer: by callbacks that its password verifies, or by status checks.
 */
const CredentialHealthFacts = ({ id }: { id: string }) => {
  const t = useText();
  const say = useMessage();
  const { value: health } = credentialHealthQuery.use({ id });
  if (!health) return null;
  const { lastSuccess, lastFailure, invalid, checked, scanned } = health;
  const none = t('health.none', { count: scanned });
  // A check has worked since.
  const isOver = lastFailure !== null && checked?.outcome === 'good' && checked.at >= lastFailure.at;
  return (
    <>
      <Fact name={t('health.good')}>
        {lastSuccess ? (
          <span className="health good">
            {icons.good}
            <Time at={lastSuccess.at} /> · {t(`health.by.${lastSuccess.by}`)}
          </span>
        ) : (
          <span className="quiet">{none}</span>
        )}
      </Fact>
      {isOver ? null : (
        <Fact name={t('health.bad')}>
          {lastFailure ? (
            <>
              <span className="health bad">
                {icons.bad}
                <Time at={lastFailure.at} /> · {t(`health.by.${lastFailure.by}`)}
              </span>
              <p className="small muted break">
                {lastFailure.code === null
                  ? say(lastFailure.description)
                  : `${t(`error.${lastFailure.code}`)} ${t(`hint.${lastFailure.code}`)}`}
              </p>
            </>
          ) : (
            <span className="quiet">{none}</span>
          )}
        </Fact>
      )}
      {checked === null ? null : (
        <Fact name={t('health.checked')}>
          <span className={`health ${checked.outcome}`}>
            {icons[checked.outcome]}
            <span className="out-of-sight">{t(`check.${checked.outcome}`)}</span>
            <Time at={checked.at} />
          </span>
          <p className="small muted">{say(checked.description)}</p>
        </Fact>
      )}
      <Fact name={t('health.way')}>
        <ResultWay id={id} />
      </Fact>
      {invalid === null ? null : (
        <Fact name={t('health.invalid')}>
          <span className="health bad">
            {icons.bad}
            <Time at={invalid.at} />
          </span>
          <p className="small muted">
            {invalid.fits
              ? t('health.fits', { profile: invalid.fits.name, kind: t(`kind.${invalid.fits.kind}`) })
              : t('health.fits.none')}
          </p>
        </Fact>
      )}
    </>
  );
};

const ProfileCard = ({
  profile,
  isActive,
  onRemove,
}: {
  profile: ProfileView;
  isActive: boolean;
  /** Called before the profile is removed. */
  onRemove: () => void;
}) => {
  const t = useText();
  const change = useAppState(state => state.change);
  /** The number of the open check; 0 = none. */
  const [checks, setChecks] = useState(0);
  const check = (): void => setChecks(checks + 1);
  const checkButton = useRef<HTMLButtonElement>(null);
  const close = (): void => {
    setChecks(0);
    checkButton.current?.focus();
  };
  const [removing, setRemoving] = useState(false);
  const [problem, setProblem] = useState<AppError | null>(null);
  const own = profile.kind !== 'sandbox';
  const managed = useManaged();
  const sharing = useAppState(state => state.appState?.sharing ?? null);
  const [first] = profilesOf(useAppState(state => state.appState?.profiles) ?? [], profile);
  const isManaged = own && (managed.allProfiles || managed.profiles.includes(profile.id));
  const remove = async (): Promise<void> => {
    setRemoving(false);
    onRemove();
    const removed = await request('profiles.remove', { id: profile.id });
    setProblem(removed.ok ? null : removed.error);
  };
  return (
    <article
      className={`panel stack gap-3 ${profile.kind}`}
      aria-label={profile.name}
      data-entry={profile.id}
    >
      <div className="line spread wrap">
        <div className="line">
          <KindMark kind={profile.kind} />
          <h2>{profile.name}</h2>
          {isActive ? <span className="tag">{t('profile.active')}</span> : null}
          {isManaged ? <ManagedMark /> : null}
          {sharing !== null && own ? (
            <span className="tag">
              {t(sharing.profiles.includes(profile.id) ? 'sharing.tag.team' : 'sharing.tag.own')}
            </span>
          ) : null}
        </div>
        <div className="line wrap">
          {isActive ? null : (
            <Button onPress={() => void change({ activeProfileId: profile.id })}>{t('profile.use')}</Button>
          )}
          <Button icon={Plug} ref={checkButton} onPress={check}>
            {t('profile.check')}
          </Button>
          {own ? (
            <>
              <Button
                icon={Pencil}
                onPress={() => go({ screen: 'settings', section: 'profiles', id: profile.id })}
              >
                {isManaged ? t('profile.set-password') : t('profile.edit')}
              </Button>
              {isManaged ? null : (
                <Button variant="quiet" icon={Trash2} onPress={() => setRemoving(true)}>
                  {t('profile.remove')}
                </Button>
              )}
            </>
          ) : null}
        </div>
      </div>
      <dl className="facts wide-facts">
        <Fact name={t('profile.base-url')} className="code break">
          {profile.baseUrl}
        </Fact>
        <Fact name={t('profile.merchant-key')} className="code break">
          {profile.merchantKey}
        </Fact>
        <Fact name={t('profile.password')}>{t(`password.${profile.password}`)}</Fact>
        <CredentialHealthFacts id={profile.id} />
      </dl>
      {first && first.id !== profile.id ? (
        <p className="small">{t('profile.account-continues', { name: first.name })}</p>
      ) : null}
      {problem ? <ErrorNote error={problem} /> : null}
      {checks > 0 ? <ConnectionCheck key={checks} profile={profile} onAgain={check} onClose={close} /> : null}
      <ConfirmDialog
        title={t('profile.remove.title', { profile: profile.name })}
        isOpen={removing}
        confirm={t('profile.remove.yes')}
        refuse={t('go-back')}
        onConfirm={() => void remove()}
        onClose={() => setRemoving(false)}
      >
        <p>{t('profile.remove.text')}</p>
        {sharing?.profiles.includes(profile.id) ? <p>{t('sharing.profile.remove')}</p> : null}
      </ConfirmDialog>
    </article>
  );
};

/** The merchant profiles, with live ones clearly marked. */
export const Profiles = () => {
  const t = useText();
  const appState = useAppState(state => state.appState);
  const { allProfiles } = useManaged();
  const { list, follow } = useEntryFocus<HTMLElement>(appState?.profiles.map(({ id }) => id) ?? []);
  if (!appState) return null;
  return (
    <section ref={list} className="stack" aria-label={t('settings.profiles')}>
      <div className="line spread wrap">
        <p className="muted small measure">{t('profiles.lead')}</p>
        {allProfiles ? (
          <ManagedMark />
        ) : (
          <Button
            variant="primary"
            icon={Plus}
            onPress={() => go({ screen: 'settings', section: 'profiles', id: 'new' })}
          >
            {t('profile.add')}
          </Button>
        )}
      </div>
      <TeamNote of="profiles" />
      {appState.profiles.map(profile => (
        <ProfileCard
          key={profile.id}
          profile={profile}
          isActive={profile.id === appState.settings.activeProfileId}
          onRemove={() => follow(profile.id)}
        />
      ))}
    </section>
  );
};
