import { useState, type FormEvent } from 'react';
import { KeyRound, Plus } from 'lucide-react';
import { Form } from 'react-aria-components';
import type { Agent } from '../../../shared/agents/agent.ts';
import { withoutPin } from '../../../shared/agents/without-pin.ts';
import { Button } from '../../components/controls/button.tsx';
import { Sheet } from '../../components/controls/dialog.tsx';
import { EditableList } from '../../components/controls/editable-list.tsx';
import { ErrorNote } from '../../components/display/error-note.tsx';
import { Initials } from '../../components/display/initials.tsx';
import { Note } from '../../components/display/note.tsx';
import { PinBox } from '../../components/controls/pin-box.tsx';
import { TextBox } from '../../components/controls/text-box.tsx';
import { useAgents } from '../../stores/settings/agents.ts';
import { useAppState } from '../../stores/app-state.ts';
import { useLocaleChoice, useText } from '../../i18n/text.ts';

type Editing = { agent: Agent | null; remove: boolean };

const pinProblem = (pin: string, description: string): string | null =>
  pin !== '' && pin.length < 4 ? description : null;

/** One person: their name and PIN. Changing a person with a PIN requires the PIN. */
const AgentForm = ({ editing: { agent, remove }, onDone }: { editing: Editing; onDone: () => void }) => {
  const t = useText();
  const { problem, save, remove: removeAgent } = useAgents();
  const [name, setName] = useState(agent?.name ?? '');
  const [pin, setPin] = useState('');
  const [oldPin, setOldPin] = useState('');
  const [busy, setBusy] = useState(false);
  const old = agent?.hasPin ? oldPin || null : null;
  const submit = async (newPin: string | null | undefined): Promise<void> => {
    setBusy(true);
    const done =
      agent && remove
        ? await removeAgent(agent.id, old)
        : await save({
            id: agent?.id ?? null,
            name,
            oldPin: old,
            ...(newPin === undefined ? {} : { pin: newPin }),
          });
    setBusy(false);
    if (done) onDone();
  };
  const incomplete =
    name.trim() === '' || (pin !== '' && pin.length < 4) || (agent?.hasPin === true && oldPin.length < 4);
  return (
    <Form
      className="stack"
      aria-label={agent?.name ?? t('agents.add')}
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        if (!incomplete) void submit(pin === '' ? undefined : pin);
      }}
    >
      {remove ? (
        <p>{t('agents.remove.text', { name })}</p>
      ) : (
        <TextBox
          label={t('agents.person')}
          value={name}
          onChange={setName}
          maxLength={80}
          problem={null}
          hint={t('agent.hint')}
        />
      )}
      {agent?.hasPin ? (
        <PinBox label={t('agents.old-pin')} value={oldPin} onChange={setOldPin} problem={null} />
      ) : null}
      {remove ? null : (
        <PinBox
          label={agent?.hasPin ? t('agents.new-pin') : t('agents.pin')}
          value={pin}
          onChange={setPin}
          problem={pinProblem(pin, t('agents.pin.short'))}
        />
      )}
      {problem ? <ErrorNote error={problem} /> : null}
      <div className="line end">
        {agent?.hasPin && !remove ? (
          <Button isDisabled={oldPin.length < 4} onPress={() => void submit(null)}>
            {t('agents.pin.remove')}
          </Button>
        ) : null}
        <Button
          variant={remove ? 'danger' : 'primary'}
          type="submit"
          isPending={busy}
          isDisabled={incomplete}
        >
          {remove ? t('agents.remove') : t('save')}
        </Button>
      </div>
    </Form>
  );
};

/** Everyone who can sign in. */
export const Agents = () => {
  const t = useText();
  const agents = useAppState(state => state.appState?.agents ?? []);
  const agentId = useAppState(state => state.appState?.agentId ?? '');
  const list = new Intl.ListFormat(useLocaleChoice().locale);
  const unprotected = withoutPin(agents).map(({ name }) => name);
  const clearProblem = useAgents(state => state.clearProblem);
  const [editing, setEditing] = useState<Editing | null>(null);
  const edit = (next: Editing | null): void => {
    clearProblem();
    setEditing(next);
  };
  return (
    <section className="panel stack" aria-label={t('agent.name')}>
      <div className="line spread wrap">
        <div className="measure">
          <h2>{t('agent.name')}</h2>
          <p className="small muted">{t('agents.text')}</p>
        </div>
        <Button icon={<Plus size={16} />} onPress={() => edit({ agent: null, remove: false })}>
          {t('agents.add')}
        </Button>
      </div>
      {unprotected.length > 0 ? (
        <Note tone="warning">{t('agents.without-pin', { names: list.format(unprotected) })}</Note>
      ) : null}
      <EditableList
        entries={agents}
        className="copy-list"
        edit={{
          name: ({ name }) => t('agents.edit', { name }),
          text: t('agents.change'),
          onPress: agent => edit({ agent, remove: false }),
        }}
        remove={{
          name: ({ name }) => t('agents.remove.name', { name }),
          text: t('agents.remove'),
          isOffered: ({ id }) => id !== agentId,
          onPress: agent => edit({ agent, remove: true }),
        }}
      >
        {({ id, name, hasPin }) => (
          <span className="line">
            <Initials name={name} />
            <span className="break">{name}</span>
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
      <Sheet
        title={editing?.agent?.name ?? t('agents.add')}
        isOpen={editing !== null}
        onClose={() => edit(null)}
      >
        {editing ? <AgentForm editing={editing} onDone={() => edit(null)} /> : null}
      </Sheet>
    </section>
  );
};
