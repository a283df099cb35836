import { Panel } from '../../../components/display/panel.tsx';
import { Pencil } from 'lucide-react';
import { useState } from 'react';
import type { ProfileView } from '../../../../shared/settings/profile.ts';
import { assumptions, builtIn, defaultOf, isChanged } from '../../../profile-assumptions.ts';
import { Button } from '../../../components/controls/button.tsx';
import { Toggle } from '../../../components/controls/fields.tsx';
import { DataTable } from '../../../components/display/data-table.tsx';
import { KindMark } from '../../../components/display/marks.tsx';
import { useAppState } from '../../../stores/app-state-store.ts';
import { draftOf } from '../../../stores/settings/profile-form.ts';
import { go } from '../../../stores/route-store.ts';
import { useText } from '../../../i18n/text.ts';
import { DryRunPanel } from './check-panels.tsx';

/** A profile's assumptions, and the resulting bytes. */
const OfProfile = ({ profile, changedOnly }: { profile: ProfileView; changedOnly: boolean }) => {
  const t = useText();
  const shown = assumptions.filter(one => !changedOnly || isChanged(one, profile));
  const changed = assumptions.filter(one => isChanged(one, profile)).length;
  return (
    <section className="panel stack" aria-label={profile.name}>
      <header className="line spread wrap">
        <span className="line">
          <KindMark kind={profile.kind} />
          <h2>{profile.name}</h2>
          <span className="small quiet">{t('assumptions.count', { count: changed })}</span>
        </span>
        {profile.kind === 'sandbox' ? null : (
          <Button
            icon={Pencil}
            onPress={() => go({ screen: 'settings', section: 'profiles', id: profile.id })}
          >
            {t('profile.edit')}
          </Button>
        )}
      </header>
      {shown.length === 0 ? null : (
        <DataTable
          className="compare assumptions"
          rows={shown}
          keyOf={({ id }) => id}
          rowClass={one => (isChanged(one, profile) ? 'deviates' : '')}
          columns={{
            name: {
              head: t('assumption'),
              isName: true,
              cell: one => (
                <>
                  {t(one.label)} <span className="tiny quiet">{one.section}</span>
                </>
              ),
            },
            value: {
              head: t('assumptions.value'),
              className: 'break',
              cell: one => (
                <>
                  {one.value(profile, t)}
                  {isChanged(one, profile) ? (
                    <>
                      {' '}
                      <span className="tag warning">{t('assumptions.changed')}</span>
                    </>
                  ) : null}
                </>
              ),
            },
            default: {
              head: t('assumptions.default'),
              cell: one => defaultOf(one, t),
              className: 'muted break',
            },
            documented: {
              head: t('assumptions.documented'),
              className: 'muted',
              cell: one =>
                `${/^(?:extras|operations)\./.test(one.id) ? `${t('assumptions.not-shown')} ` : ''}${t(one.description)}`,
            },
          }}
        />
      )}
      <DryRunPanel draft={() => draftOf(profile)} />
    </section>
  );
};

/** All assumptions where the interface is silent: those of each profile, and the fixed ones. */
export const Assumptions = () => {
  const t = useText();
  const profiles = useAppState(state => state.appState?.profiles ?? null);
  const [changedOnly, setChangedOnly] = useState(false);
  if (!profiles) return null;
  return (
    <section className="stack" aria-label={t('settings.assumptions')}>
      <div>
        <p className="muted small measure">{t('assumptions.lead')}</p>
      </div>
      <Toggle isEnabled={changedOnly} onChange={setChangedOnly}>
        {t('assumptions.changed-only')}
      </Toggle>
      {profiles.map(profile => (
        <OfProfile key={profile.id} profile={profile} changedOnly={changedOnly} />
      ))}
      {changedOnly ? null : (
        <Panel title={t('assumptions.built-in')} className="stack">
          <ul className="stack gap-2 small">
            {builtIn.map(({ id, section }) => (
              <li key={id}>
                {t(`assumptions.built-in.${id}`)} <span className="tiny quiet">{section}</span>
              </li>
            ))}
          </ul>
        </Panel>
      )}
    </section>
  );
};
