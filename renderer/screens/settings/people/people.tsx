import { Purpose, Fact } from '../../../components/display/panel.tsx';
import '../../../styles/screens/people.css';
import { KeyRound, Plus } from 'lucide-react';
import { useState } from 'react';
import { idleLockChoices, idleLockMinutes } from '../../../../shared/settings/idle-lock.ts';
import { roles, type Role } from '../../../../shared/agents/roles.ts';
import { Button } from '../../../components/controls/button.tsx';
import { Sheet } from '../../../components/controls/dialog.tsx';
import { EditableList } from '../../../components/controls/editable-list.tsx';
import { SelectBox, TextBox, PinBox } from '../../../components/controls/fields.tsx';
import { RadioChoice } from '../../../components/controls/radio-choice.tsx';
import { Initials } from '../../../components/display/marks.tsx';
import { ManagedMark, ManagedSetting } from '../../../forms/read-only.tsx';
import { useAppState } from '../../../stores/app-state-store.ts';
import { useText, useList } from '../../../i18n/text.ts';
import { useManaged, useManagedSetting, useWhoElse, useSelf } from '../../../use-rights.ts';
import { TeamNote } from '../team/team-note.tsx';
import type { Agent } from '../../../../shared/agents/agent.ts';
import { withoutPin } from '../../../../shared/agents/without-pin.ts';
import { Note } from '../../../components/display/notes.tsx';
import { Form, FormFoot, useTask } from '../../../forms/form.tsx';
import { request } from '../../../ipc-client.ts';

/** `remove`: the person is removed, not changed. */
type Editing = { agent: Agent | null; remove: boolean };

const RoleChoice = ({ role, onChange }: { role: Role; onChange: (role: Role) => void }) => {
  const t = useText();
  return (
    <RadioChoice
      className="kind-choice stack gap-1 roles"
      optionClass="kind-option stack gap-1 at-start rounded role"
      label={t('role')}
      options={roles.map(id => ({
        id,
        name: (
          <>
            <strong>{t(`role.${id}`)}</strong>
            <span className="small muted">{t(`role.${id}.text`)}</span>
          </>
        ),
      }))}
      value={role}
      onChange={onChange}
    />
  );
};

/** People who can be chosen at the lock screen without a PIN, once this person has one. */
const PinWarning = ({ agent }: { agent: Agent | null }) => {
  const t = useText();
  const agents = useAppState(state => state.appState?.agents ?? []);
  const list = useList();
  const others = agents.filter(({ id, hasPin }) => id !== agent?.id && !hasPin).map(({ name }) => name);
  return others.length === 0 ? null : (
    <Note tone="warning">{t('agents.pin.others', { names: list(others) })}</Note>
  );
};

/** One person: their name, role and PIN. An administrator confirms with their own PIN, if they have one. */
const PersonForm = ({ editing: { agent, remove }, onDone }: { editing: Editing; onDone: () => void }) => {
  const t = useText();
  const { problem, isBusy, send } = useTask();
  const self = useSelf();
  const { people: areManaged } = useManaged();
  const isPinOnly = useWhoElse({ right: 'people' }) !== null || areManaged;
  const [name, setName] = useState(agent?.name ?? '');
  const [role, setRole] = useState<Role>(agent?.role ?? 'agent');
  const [pin, setPin] = useState('');
  const [oldPin, setOldPin] = useState('');
  const isConfirmed = self?.hasPin === true || agent?.hasPin === true;
  const confirmedBy = self?.hasPin && self.id !== agent?.id ? t('agents.your-pin') : t('agents.old-pin');
  const submit = (newPin: string | null | undefined): Promise<void> => {
    const old = isConfirmed ? oldPin || null : null;
    return send<unknown>(
      () =>
        agent && remove
          ? request('agents.remove', { id: agent.id, pin: old })
          : request('agents.save', {
              id: agent?.id ?? null,
              name,
              role,
              oldPin: old,
              ...(newPin === undefined ? {} : { pin: newPin }),
            }),
      onDone,
    );
  };
  const incomplete =
    name.trim() === '' || (pin !== '' && pin.length < 4) || (isConfirmed && oldPin.length < 4);
  return (
    <Form
      label={agent?.name ?? t('agents.add')}
      onSubmit={() => {
        if (!incomplete) void submit(pin === '' ? undefined : pin);
      }}
    >
      {remove ? <p>{t('agents.remove.text', { name })}</p> : null}
      {remove || isPinOnly ? null : (
        <>
          <TextBox
            label={t('agents.person')}
            value={name}
            onChange={setName}
            maxLength={80}
            hint={t('agent.hint')}
          />
          <RoleChoice role={role} onChange={setRole} />
        </>
      )}
      {remove ? null : (
        <PinBox
          label={agent?.hasPin ? t('agents.new-pin') : t('agents.pin')}
          value={pin}
          onChange={setPin}
          problem={pin !== '' && pin.length < 4 ? t('agents.pin.short') : null}
        />
      )}
      {pin === '' ? null : <PinWarning agent={agent} />}
      {isConfirmed ? <PinBox label={confirmedBy} value={oldPin} onChange={setOldPin} /> : null}
      <FormFoot
        problem={problem}
        name={remove ? t('agents.remove') : t('save')}
        variant={remove ? 'danger' : 'primary'}
        isPending={isBusy}
        isDisabled={incomplete}
      >
        {agent?.hasPin && !remove ? (
          <Button isDisabled={oldPin.length < 4} onPress={() => void submit(null)}>
            {t('agents.pin.remove')}
          </Button>
        ) : null}
      </FormFoot>
    </Form>
  );
};

/** What the list of people says about PINs; null if everyone has one, or only one person works here. */
const PinAdvice = () => {
  const t = useText();
  const agents = useAppState(state => state.appState?.agents ?? []);
  const list = useList();
  const self = useSelf();
  if (self?.hasFirstPin) return <Note tone="warning">{t('agents.first-pin')}</Note>;
  const unprotected = withoutPin(agents).map(({ name }) => name);
  if (unprotected.length > 0)
    return <Note tone="warning">{t('agents.without-pin', { names: list(unprotected) })}</Note>;
  return agents.length > 1 && agents.every(({ hasPin }) => !hasPin) ? (
    <Note>{t('agents.no-pins')}</Note>
  ) : null;
};

/** What each role may do, one line each. */
const Roles = () => {
  const t = useText();
  return (
    <section className="panel stack tight" aria-label={t('role.all')}>
      <h2>{t('role.all')}</h2>
      <dl className="facts wide-facts">
        {roles.map(role => (
          <Fact key={role} name={t(`role.${role}`)}>
            {t(`role.${role}.text`)}
          </Fact>
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
  const [editing, edit] = useState<Editing | null>(null);
  return (
    <section className="stack" aria-label={t('settings.people')}>
      <section className="panel stack" aria-label={t('agent.name')}>
        <Purpose title={t('agent.name')} text={t('agents.text')}>
          {areManaged ? (
            <ManagedMark />
          ) : (
            <Button right="people" icon={Plus} onPress={() => edit({ agent: null, remove: false })}>
              {t('agents.add')}
            </Button>
          )}
        </Purpose>
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
