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
} from 'lucide-react';
import { useEffect, type ComponentType } from 'react';
import { Link } from 'react-aria-components';
import { Screen } from '../../components/display/screen.tsx';
import { focusScreen, isFocusLost } from '../../focus.ts';
import { sectionsFor, settingsGroups, type SettingsSection } from '../../../shared/settings/sections.ts';
import { hrefOf } from '../../routes.ts';
import { useAppState } from '../../stores/app-state-store.ts';
import { useManaged } from '../../use-managed.ts';
import { useSelf, type Need } from '../../use-rights.ts';
import { useText } from '../../i18n/text.ts';
import { ReadOnly } from '../../forms/read-only.tsx';
import { Activity } from './people/activity-section.tsx';
import { Health } from './administration/health-section.tsx';
import { ManagedProfile } from './administration/managed-profile.tsx';
import { PolicyProblems } from './administration/policy-problems.tsx';
import { Updates } from './administration/updates-section.tsx';
import { People } from './people/people.tsx';
import { About } from './about-section.tsx';
import { Assumptions } from './profile/assumptions.tsx';
import { Appearance } from './appearance.tsx';
import { Data } from './data.tsx';
import { GeneralSettings } from './general-settings.tsx';
import { Refunds } from './profile/refunds-section.tsx';
import { ProfileEditor } from './profile/profile-editor.tsx';
import { Profiles } from './profile/profile-list.tsx';
import { ReceiverSettings } from './receiver-settings.tsx';
import { MessageSettings } from '../messages/message-settings.tsx';
import { CustomScripts } from './custom-scripts-section.tsx';
import { TeamSettings } from './team/team-settings.tsx';

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
      <div className="settings-columns">
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
          <Section section={section} id={id} />
          <FocusTaker key={`${section} ${id ?? ''}`} />
        </div>
      </div>
    </Screen>
  );
};
