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
  UsersRound,
  Webhook,
} from 'lucide-react';
import { useEffect, type ReactNode } from 'react';
import { Link } from 'react-aria-components';
import { Screen } from '../../components/display/screen.tsx';
import { focusScreen, isFocusLost } from '../../focus.ts';
import { settingsSections, type SettingsSection } from '../../../shared/settings/sections.ts';
import { hrefOf } from '../../routes.ts';
import { useAppState } from '../../stores/app-state-store.ts';
import { useManaged } from '../../use-managed.ts';
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
import { ProfileEditor } from './profile/profile-editor.tsx';
import { Profiles } from './profile/profile-list.tsx';
import { ReceiverSettings } from './receiver-settings.tsx';
import { MessageSettings } from '../messages/message-settings.tsx';
import { CustomScripts } from './custom-scripts-section.tsx';
import { TeamSettings } from './team/team-settings.tsx';

const icons: Readonly<Record<SettingsSection, ReactNode>> = {
  profiles: <Building2 size={16} aria-hidden="true" />,
  assumptions: <FileQuestion size={16} aria-hidden="true" />,
  receiver: <Webhook size={16} aria-hidden="true" />,
  appearance: <Palette size={16} aria-hidden="true" />,
  'custom-scripts': <MessageCircle size={16} aria-hidden="true" />,
  messages: <Mail size={16} aria-hidden="true" />,
  general: <SlidersHorizontal size={16} aria-hidden="true" />,
  people: <UsersRound size={16} aria-hidden="true" />,
  activity: <ScrollText size={16} aria-hidden="true" />,
  team: <Network size={16} aria-hidden="true" />,
  data: <Database size={16} aria-hidden="true" />,
  health: <HeartPulse size={16} aria-hidden="true" />,
  about: <Info size={16} aria-hidden="true" />,
};

const Section = ({ section, id }: { section: SettingsSection; id: string | null }) => {
  const profile = useAppState(state => state.appState?.profiles.find(one => one.id === id) ?? null);
  const managed = useManaged();
  const isManaged = managed.allProfiles || managed.profiles.includes(id ?? '');
  switch (section) {
    case 'profiles':
      return (
        <ReadOnly request="profiles.save">
          {id === null || (profile === null && (id !== 'new' || isManaged)) ? (
            <Profiles />
          ) : profile !== null && isManaged ? (
            <ManagedProfile key={id} profile={profile} />
          ) : (
            <ProfileEditor key={id} profile={profile} />
          )}
        </ReadOnly>
      );
    case 'assumptions':
      return (
        <ReadOnly request="profiles.save">
          <Assumptions />
        </ReadOnly>
      );
    case 'receiver':
      return (
        <ReadOnly right="settings">
          <ReceiverSettings />
        </ReadOnly>
      );
    case 'appearance':
      return <Appearance />;
    case 'custom-scripts':
      return (
        <ReadOnly right="settings">
          <CustomScripts />
        </ReadOnly>
      );
    case 'messages':
      return (
        <ReadOnly right="settings">
          <MessageSettings />
        </ReadOnly>
      );
    case 'general':
      return <GeneralSettings />;
    case 'people':
      return <People />;
    case 'activity':
      return <Activity />;
    case 'team':
      return (
        <ReadOnly request="team.join">
          <TeamSettings />
        </ReadOnly>
      );
    case 'data':
      return <Data />;
    case 'health':
      return <Health />;
    case 'about':
      return (
        <div className="stack">
          <About />
          <Updates />
        </div>
      );
    default:
      return section satisfies never;
  }
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
  return (
    <Screen title={t('nav.settings')} label={t('nav.settings')} className="settings">
      <div className="settings-columns">
        <nav className="settings-nav" aria-label={t('nav.settings')}>
          <ul>
            {settingsSections.map(name => (
              <li key={name}>
                <Link
                  href={hrefOf({ screen: 'settings', section: name, id: null })}
                  className="rail-item focus-inside"
                  {...(name === section ? { 'aria-current': 'page' } : {})}
                >
                  {icons[name]}
                  {t(`settings.${name}`)}
                </Link>
              </li>
            ))}
          </ul>
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
