import { useState } from 'react';
import type { Agent } from '../../../../shared/agents/agent.ts';
import { roles, type Role } from '../../../../shared/agents/roles.ts';
import { withoutPin } from '../../../../shared/agents/without-pin.ts';
import { Button } from '../../../components/controls/button.tsx';
import { RadioChoice } from '../../../components/controls/radio-choice.tsx';
import { PinBox } from '../../../forms/pin-box.tsx';
import { TextBox } from '../../../components/controls/text-box.tsx';
import { Note } from '../../../components/display/note.tsx';
import { useAgents } from '../../../stores/settings/agents-store.ts';
import { useAppState } from '../../../stores/app-state-store.ts';
import { Form, FormFoot } from '../../../forms/form.tsx';
import { useText, useList } from '../../../i18n/text.ts';
import { useManaged } from '../../../use-managed.ts';
import { useSelf, useWhoElse } from '../../../use-rights.ts';

/** `remove`: the person is removed, not changed. */
export type Editing = { agent: Agent | null; remove: boolean };

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
export const PersonForm = ({
  editing: { agent, remove },
  onDone,
}: {
  editing: Editing;
  onDone: () => void;
}) => {
  const t = useText();
  const { problem, save, remove: removeAgent } = useAgents();
  const self = useSelf();
  const { people: areManaged } = useManaged();
  const isPinOnly = useWhoElse({ right: 'people' }) !== null || areManaged;
  const [name, setName] = useState(agent?.name ?? '');
  const [role, setRole] = useState<Role>(agent?.role ?? 'agent');
  const [pin, setPin] = useState('');
  const [oldPin, setOldPin] = useState('');
  const [busy, setBusy] = useState(false);
  const isConfirmed = self?.hasPin === true || agent?.hasPin === true;
  const confirmedBy = self?.hasPin && self.id !== agent?.id ? t('agents.your-pin') : t('agents.old-pin');
  const submit = async (newPin: string | null | undefined): Promise<void> => {
    setBusy(true);
    const old = isConfirmed ? oldPin || null : null;
    const done =
      agent && remove
        ? await removeAgent(agent.id, old)
        : await save({
            id: agent?.id ?? null,
            name,
            role,
            oldPin: old,
            ...(newPin === undefined ? {} : { pin: newPin }),
          });
    setBusy(false);
    if (done) onDone();
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
            problem={null}
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
      {isConfirmed ? <PinBox label={confirmedBy} value={oldPin} onChange={setOldPin} problem={null} /> : null}
      <FormFoot
        problem={problem}
        name={remove ? t('agents.remove') : t('save')}
        variant={remove ? 'danger' : 'primary'}
        isPending={busy}
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
export const PinAdvice = () => {
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
