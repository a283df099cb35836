import '../../../styles/screens/people.css';
import { KeyRound, Plus } from 'lucide-react';
import { useState } from 'react';
import { idleLockChoices, idleLockMinutes } from '../../../../shared/settings/idle-lock.ts';
import { roles } from '../../../../shared/agents/roles.ts';
import { Button } from '../../../components/controls/button.tsx';
import { Sheet } from '../../../components/controls/dialog.tsx';
import { EditableList } from '../../../components/controls/editable-list.tsx';
import { SelectBox } from '../../../components/controls/select.tsx';
import { Initials } from '../../../components/display/initials.tsx';
import { ManagedMark, ManagedSetting } from '../../../forms/managed.tsx';
import { useAgents } from '../../../stores/settings/agents-store.ts';
import { useAppState } from '../../../stores/app-state-store.ts';
import { useText } from '../../../i18n/text.ts';
import { useManaged, useManagedSetting } from '../../../use-managed.ts';
import { useWhoElse } from '../../../use-rights.ts';
import { TeamNote } from '../team/team-note.tsx';
import { PersonForm, PinAdvice, type Editing } from './person-form.tsx';

/** What each role may do, one line each. */
const Roles = () => {
  const t = useText();
  return (
    <section className="panel stack tight" aria-label={t('role.all')}>
      <h2>{t('role.all')}</h2>
      <dl className="facts wide-facts">
        {roles.map(role => (
          <div className="fact" key={role}>
            <dt>{t(`role.${role}`)}</dt>
            <dd>{t(`role.${role}.text`)}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
};

const IdleLock = () => {
  const t = useText();
  const chosen = useAppState(state => state.appState?.settings.idleLock ?? null);
  const agents = useAppState(state => state.appState?.agents ?? []);
  const change = useAppState(state => state.change);
  const others = useWhoElse({ right: 'settings' });
  const isManaged = useManagedSetting('idleLock');
  return (
    <section className="panel stack" aria-label={t('idle-lock')}>
      <div className="pair">
        <SelectBox
          isDisabled={others !== null || isManaged}
          labelExtra={<ManagedSetting path="idleLock" />}
          label={t('idle-lock')}
          hint={t('idle-lock.hint')}
          options={idleLockChoices.map(minutes => ({
            id: String(minutes),
            name: t('idle-lock.minutes', { minutes }),
          }))}
          value={String(idleLockMinutes(chosen, agents))}
          onChange={picked => {
            const idleLock = idleLockChoices.find(minutes => String(minutes) === picked);
            if (idleLock !== undefined) void change({ idleLock });
          }}
        />
      </div>
    </section>
  );
};

/** Everyone who can sign in, and what they may do. */
export const People = () => {
  const t = useText();
  const agents = useAppState(state => state.appState?.agents ?? []);
  const agentId = useAppState(state => state.appState?.agentId ?? '');
  const others = useWhoElse({ right: 'people' });
  const areManaged = useManaged().people;
  const clearProblem = useAgents(state => state.clearProblem);
  const [editing, setEditing] = useState<Editing | null>(null);
  const edit = (next: Editing | null): void => {
    clearProblem();
    setEditing(next);
  };
  return (
    <section className="stack" aria-label={t('settings.people')}>
      <section className="panel stack" aria-label={t('agent.name')}>
        <div className="line spread wrap">
          <div className="measure">
            <h2>{t('agent.name')}</h2>
            <p className="small muted">{t('agents.text')}</p>
          </div>
          {areManaged ? (
            <ManagedMark />
          ) : (
            <Button
              right="people"
              icon={<Plus size={16} />}
              onPress={() => edit({ agent: null, remove: false })}
            >
              {t('agents.add')}
            </Button>
          )}
        </div>
        {others === null ? null : <p className="small muted">{t('agents.own-pin', { names: others })}</p>}
        <TeamNote of="people" />
        <PinAdvice />
        <EditableList
          entries={agents}
          className="copy-list tracks no-bullets no-padding no-margin"
          edit={{
            name: ({ name }) => t('agents.edit', { name }),
            text: others === null && !areManaged ? t('agents.change') : t('agents.change-pin'),
            isOffered: ({ id }) => others === null || id === agentId,
            onPress: agent => edit({ agent, remove: false }),
          }}
          remove={{
            name: ({ name }) => t('agents.remove.name', { name }),
            text: t('agents.remove'),
            isOffered: ({ id }) => others === null && !areManaged && id !== agentId,
            onPress: agent => edit({ agent, remove: true }),
          }}
        >
          {({ id, name, role, hasPin }) => (
            <span className="line">
              <Initials name={name} />
              <span className="break">{name}</span>
              <span className="tag">{t(`role.${role}`)}</span>
              {hasPin ? (
                <span className="small quiet line">
                  <KeyRound size={14} aria-hidden="true" />
                  {t('agents.has-pin')}
                </span>
              ) : null}
              {id === agentId ? <span className="small quiet">{t('agent.signed-in')}</span> : null}
            </span>
          )}
        </EditableList>
      </section>
      <Roles />
      <IdleLock />
      <Sheet
        title={editing?.agent?.name ?? t('agents.add')}
        isOpen={editing !== null}
        onClose={() => edit(null)}
      >
        {editing ? <PersonForm editing={editing} onDone={() => edit(null)} /> : null}
      </Sheet>
    </section>
  );
};
