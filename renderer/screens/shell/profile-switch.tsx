import { ChevronsUpDown, Plus } from 'lucide-react';
import { Button, Menu, MenuItem, MenuSection, MenuTrigger, Popover, Separator } from 'react-aria-components';
import { Truncate } from '../../components/display/truncate.tsx';
import { ProfileLogo } from '../../components/display/profile-logo.tsx';
import { useActiveProfile, useAppState } from '../../stores/app-state-store.ts';
import { go } from '../../stores/route-store.ts';
import { useText } from '../../i18n/text.ts';

/** The active gateway account, clearly marked. */
export const ProfileSwitch = () => {
  const t = useText();
  const profile = useActiveProfile();
  const { appState: app, change } = useAppState();
  if (!app || !profile) return null;
  return (
    <MenuTrigger>
      <Button className={`profile-switch hovers line fixed full rounded ${profile.kind}`}>
        <span className="out-of-sight">{t('profile.switch')}</span>
        <ProfileLogo profile={profile} />
        <span className="profile-switch-words stack gap-0 grow at-start min-0">
          <Truncate className="profile-switch-name" text={profile.name} />
          <span className="profile-switch-kind">
            <span className="profile-switch-long">{t(`profile.money.${profile.kind}`)}</span>
            <span className="profile-switch-short" aria-hidden="true">
              {t(`kind.${profile.kind}`)}
            </span>
          </span>
        </span>
        <ChevronsUpDown size={14} aria-hidden="true" />
      </Button>
      <Popover className="popover">
        <Menu
          className="menu"
          aria-label={t('profiles')}
          onAction={key => {
            if (key === ' add') go({ screen: 'settings', section: 'profiles', id: 'new' });
          }}
        >
          <MenuSection
            selectionMode="single"
            selectedKeys={[profile.id]}
            disallowEmptySelection
            aria-label={t('profiles')}
            onSelectionChange={keys => {
              const id = keys === 'all' ? undefined : [...keys][0];
              if (typeof id === 'string' && id !== profile.id) void change({ activeProfileId: id });
            }}
          >
            {app.profiles.map(one => (
              <MenuItem key={one.id} id={one.id} textValue={one.name} className="menu-item">
                <ProfileLogo profile={one} />
                <Truncate text={one.name} />
                <span className="quiet small">{t(`kind.${one.kind}`)}</span>
              </MenuItem>
            ))}
          </MenuSection>
          <Separator className="separator" />
          <MenuItem id=" add" className="menu-item">
            <Plus size={14} aria-hidden="true" />
            {t('profile.add')}
          </MenuItem>
        </Menu>
      </Popover>
    </MenuTrigger>
  );
};
