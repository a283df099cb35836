import { Purpose, Fact } from '../../components/display/panel.tsx';
import '../../configure-zod.ts';
import {
  Building2,
  Database,
  HeartPulse,
  FileQuestion,
  Info,
  Mail,
  Network,
  MessageCircle,
  Palette,
  ScrollText,
  SlidersHorizontal,
  Undo2,
  UsersRound,
  Webhook,
  type LucideIcon,
  RefreshCw,
} from 'lucide-react';
import { useEffect, type ComponentType } from 'react';
import { Link } from 'react-aria-components';
import { Screen } from '../../components/display/screen.tsx';
import { focusScreen, isFocusLost } from '../../focus.ts';
import { sectionsFor, settingsGroups, type SettingsSection } from '../../../shared/settings/sections.ts';
import { hrefOf } from '../../routes.ts';
import { useAppState } from '../../stores/app-state-store.ts';
import { useManaged, useManagedSetting, useSelf, type Need, useWhoElse } from '../../use-rights.ts';
import { useText, useMessage, type Translate } from '../../i18n/text.ts';
import { ReadOnly, ManagedSetting } from '../../forms/read-only.tsx';
import { Activity } from './people/activity-section.tsx';
import { ManagedProfile } from './administration/managed-profile.tsx';
import { People } from './people/people.tsx';
import { Assumptions } from './profile/assumptions.tsx';
import { Appearance, GeneralSettings } from './general-settings.tsx';
import { Data } from './data.tsx';
import { Refunds } from './profile/refunds-section.tsx';
import { ProfileEditor } from './profile/profile-editor.tsx';
import { Profiles } from './profile/profile-list.tsx';
import { ReceiverSettings } from './receiver-settings.tsx';
import { MessageSettings } from '../messages/message-settings.tsx';
import { CustomScripts } from './custom-scripts-section.tsx';
import { TeamSettings } from './team/team-settings.tsx';
import { Note, ErrorNote } from '../../components/display/notes.tsx';
import { updateServerSchema } from '../../../shared/updates/update-server.ts';
import type { UpdateState } from '../../../shared/updates/update-state.ts';
import { Button } from '../../components/controls/button.tsx';
import { TextBox } from '../../components/controls/fields.tsx';
import { Time, Checked } from '../../components/display/values.tsx';
import { Form, useTask } from '../../forms/form.tsx';
import { request } from '../../ipc-client.ts';
import { ifUnchanged } from '../../if-unchanged.ts';
import { useKept } from '../../stores/settings/kept-form.ts';
import type { HealthCheck } from '../../../shared/contract/contract.ts';
import { healthQuery } from '../../queries/settings.ts';
import { HealthStep } from './health-step.tsx';

const Check = ({ check: { name, profileId, state, finding, todo } }: { check: HealthCheck }) => {
  const t = useText();
  const profile = useAppState(({ appState }) => appState?.profiles.find(({ id }) => id === profileId)?.name);
  const title =
    name === 'profile'
      ? t('health.check.profile', { profile: profile ?? profileId ?? '' })
      : t(`health.check.${name}`);
  return <HealthStep title={title} state={state} finding={finding} todo={todo} />;
};

/** What `counterfoil --status` reports, in words. */
const Health = () => {
  const t = useText();
  const { value: health, problem, isReading } = healthQuery.use('health');
  const wrong = health?.checks.filter(({ state }) => state === 'attention' || state === 'broken') ?? [];
  return (
    <section className="panel stack" aria-label={t('settings.health')}>
      <div className="line spread wrap">
        <div className="measure">
          <h2>{t('settings.health')}</h2>
          <output className="small">
            {health === null ? null : (
              <>
                {wrong.length === 0
                  ? t('health.summary.good')
                  : t('health.summary.attention', { count: wrong.length })}{' '}
                <Checked at={health.at} />
              </>
            )}
          </output>
        </div>
        <Button icon={RefreshCw} isPending={isReading} onPress={() => void healthQuery.read('health')}>
          {t('health.again')}
        </Button>
      </div>
      {problem ? <ErrorNote error={problem} /> : null}
      {health === null ? null : (
        <ol>
          {health.checks.map(check => (
            <Check key={`${check.name} ${check.profileId ?? ''}`} check={check} />
          ))}
        </ol>
      )}
      <p className="tiny quiet">{t('health.text', { command: 'counterfoil --status' })}</p>
    </section>
  );
};

const stateInWords = ({ phase, version }: UpdateState, server: string | null, t: Translate): string => {
  if (server === null) return t('update.state.off');
  return version === null || phase === 'checking'
    ? t(phase === 'checking' ? 'update.state.checking' : 'update.state.idle')
    : t('update.state.ready', { version });
};

/** Where new versions come from, what the last check found, and who decides it. */
const Updates = () => {
  const t = useText();
  const app = useAppState(({ appState }) => appState);
  const change = useAppState(state => state.change);
  const isManaged = useManagedSetting('updateServer');
  const isDisabled = useWhoElse({ right: 'settings' }) !== null || isManaged;
  const [typed, setTyped] = useKept<string | null>('update server', null);
  const { problem, run } = useTask<'apply' | 'check'>();
  if (!app) return null;
  const { updates, settings } = app;
  const server = settings.updateServer;
  const text = typed ?? server ?? '';
  const wanted = text.trim() === '' ? null : text.trim();
  const isValid = updateServerSchema.safeParse(wanted).success;

  const apply = (): Promise<void> =>
    run(
      'apply',
      () => change({ updateServer: wanted }),
      () => setTyped(ifUnchanged(typed, null)),
    );
  const check = (): Promise<void> => run('check', () => request('updates.check', {}));

  return (
    <Form
      className="panel stack"
      label={t('update.title')}
      onSubmit={() => {
        if (isValid) void apply();
      }}
    >
      <Purpose title={t('update.title')} text={t('update.text')} />
      {updates.obstacle ? <Note>{t(`update.obstacle.${updates.obstacle}`)}</Note> : null}
      <TextBox
        label={t('update.server')}
        labelExtra={<ManagedSetting path="updateServer" />}
        hint={t('update.server.hint')}
        value={text}
        isDisabled={isDisabled}
        onChange={next => setTyped(() => next)}
        problem={isValid ? null : t('update.server.invalid')}
        inputClass="code"
        autoComplete="off"
      />
      <dl className="facts wide-facts">
        <Fact name={t('update.state')}>{stateInWords(updates, server, t)}</Fact>
        <Fact name={t('update.last-check')}>
          {updates.checkedAt === null ? t('update.last-check.never') : <Time at={updates.checkedAt} />}
        </Fact>
      </dl>
      {updates.problem ? <ErrorNote error={updates.problem} /> : null}
      {problem ? <ErrorNote error={problem} /> : null}
      <div className="line">
        {typed !== null && wanted !== server ? (
          <Button type="submit" variant="primary" isDisabled={!isValid || isDisabled}>
            {t('apply')}
          </Button>
        ) : null}
        <Button
          request="updates.check"
          icon={RefreshCw}
          isDisabled={server === null || updates.obstacle !== null || updates.phase === 'checking'}
          onPress={() => void check()}
        >
          {t(updates.phase === 'checking' ? 'update.checking' : 'update.check')}
        </Button>
      </div>
    </Form>
  );
};

/** Why the policy of this computer is missing or cannot be read, and what applies meanwhile; nothing while there is no problem. */
const PolicyProblems = () => {
  const t = useText();
  const say = useMessage();
  const policy = useAppState(({ appState }) => appState?.policy ?? null);
  if (policy === null || policy.state === 'none' || policy.state === 'applied') return null;
  return (
    <Note tone="warning">
      <p>{t(policy.state === 'missing' ? 'policy.gone' : 'policy.faulty', { file: policy.file })}</p>
      <p>{t(`policy.${policy.state}`)}</p>
      <ul className="problem-list">
        {policy.problems.map(({ path, message }) => (
          <li key={`${path} ${message.key}`}>
            {path === '' ? null : <span className="code">{path}</span>} {say(message)}
          </li>
        ))}
      </ul>
    </Note>
  );
};

/** The product, its version and its host. */
const About = () => {
  const t = useText();
  const app = useAppState(state => state.appState);
  if (!app) return null;
  const facts = [
    ['version', app.version],
    ['host', app.host],
    ['locale', app.systemLocale],
  ] as const;
  return (
    <section className="panel stack" aria-label={t('settings.about')}>
      <p className="measure">{t('about.text')}</p>
      <dl className="facts wide-facts">
        {facts.map(([name, value]) => (
          <Fact key={name} name={t(`about.${name}`)} className="code">
            {value}
          </Fact>
        ))}
      </dl>
      <p className="small muted measure">{t('about.privacy')}</p>
    </section>
  );
};

/** A profile's form, what a policy leaves of it, or all profiles. */
const ProfilesSection = ({ id }: { id: string | null }) => {
  const profile = useAppState(state => state.appState?.profiles.find(one => one.id === id) ?? null);
  const managed = useManaged();
  const isManaged = managed.allProfiles || managed.profiles.includes(id ?? '');
  if (id === null || (profile === null && (id !== 'new' || isManaged))) return <Profiles />;
  if (profile !== null && isManaged) return <ManagedProfile key={id} profile={profile} />;
  return <ProfileEditor key={id} profile={profile} />;
};

const AboutSection = () => (
  <div className="stack">
    <About />
    <Updates />
  </div>
);

/** Of each section: its icon, its page, and what a person needs to change anything there. */
const sections: Readonly<
  Record<SettingsSection, { icon: LucideIcon; page: ComponentType<{ id: string | null }>; need?: Need }>
> = {
  appearance: { icon: Palette, page: Appearance },
  general: { icon: SlidersHorizontal, page: GeneralSettings },
  profiles: { icon: Building2, page: ProfilesSection, need: { request: 'profiles.save' } },
  refunds: { icon: Undo2, page: Refunds, need: { request: 'profiles.save' } },
  people: { icon: UsersRound, page: People },
  'custom-scripts': { icon: MessageCircle, page: CustomScripts, need: { right: 'settings' } },
  messages: { icon: Mail, page: MessageSettings, need: { right: 'settings' } },
  activity: { icon: ScrollText, page: Activity },
  receiver: { icon: Webhook, page: ReceiverSettings, need: { right: 'settings' } },
  assumptions: { icon: FileQuestion, page: Assumptions, need: { request: 'profiles.save' } },
  team: { icon: Network, page: TeamSettings, need: { request: 'team.join' } },
  data: { icon: Database, page: Data },
  health: { icon: HeartPulse, page: Health },
  about: { icon: Info, page: AboutSection },
};

const Section = ({ section, id }: { section: SettingsSection; id: string | null }) => {
  const { page: Page, need } = sections[section];
  return need === undefined ? (
    <Page id={id} />
  ) : (
    <ReadOnly {...need}>
      <Page id={id} />
    </ReadOnly>
  );
};

/** Focuses the screen if the button that opened a part of the settings has disappeared. */
const FocusTaker = () => {
  useEffect(() => {
    if (isFocusLost()) focusScreen();
  }, []);
  return null;
};

/** Settings, one section at a time. */
export const SettingsScreen = ({ section, id }: { section: SettingsSection; id: string | null }) => {
  const t = useText();
  const self = useSelf();
  const groups = sectionsFor(self?.role ?? 'administrator');
  return (
    <Screen title={t('nav.settings')} label={t('nav.settings')} className="settings">
      <div className="settings-columns tracks to-top">
        <nav className="settings-nav stack gap-3" aria-label={t('nav.settings')}>
          {settingsGroups
            .filter(group => groups[group].length > 0)
            .map(group => (
              <section key={group} aria-label={t(`settings.group.${group}`)}>
                <h2 className="rail-caption caps">{t(`settings.group.${group}`)}</h2>
                <ul>
                  {groups[group].map(name => {
                    const { icon: Icon } = sections[name];
                    return (
                      <li key={name}>
                        <Link
                          href={hrefOf({ screen: 'settings', section: name, id: null })}
                          className="rail-item focus-inside"
                          {...(name === section ? { 'aria-current': 'page' } : {})}
                        >
                          <Icon size={16} aria-hidden="true" />
                          {t(`settings.${name}`)}
                        </Link>
                      </li>
                    );
                  })}
                </ul>
              </section>
            ))}
        </nav>
        <div className="settings-body min-0">
          <PolicyProblems />
          {/* What one person typed is not the next one’s. */}
          <Section key={self?.id ?? ''} section={section} id={id} />
          <FocusTaker key={`${section} ${id ?? ''}`} />
        </div>
      </div>
    </Screen>
  );
};
