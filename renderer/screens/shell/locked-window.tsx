import { useEffect, useState } from 'react';
import { Button } from 'react-aria-components';
import { Truncate } from '../../components/display/values.tsx';
import { Note } from '../../components/display/notes.tsx';
import { Initials } from '../../components/display/marks.tsx';
import { clockParts } from '../../../shared/messages/clock-parts.ts';
import { dateFormat, useLocaleChoice, useText, useList, useMessage } from '../../i18n/text.ts';
import { request } from '../../ipc-client.ts';
import { createQuery } from '../../queries/create-query.ts';
import { useClock } from '../../stores/clock-store.ts';
import { useAgents } from '../../stores/settings/agents-store.ts';
import { useAppState } from '../../stores/app-state-store.ts';
import { PinBox } from '../../components/controls/fields.tsx';
import { Form, FormFoot } from '../../forms/form.tsx';

/** Asks for the PIN of the agent who signs in. */
export const PinForm = ({ id, name }: { id: string; name: string }) => {
  const t = useText();
  const say = useMessage();
  const { problem, choose } = useAgents();
  const [pin, setPin] = useState('');
  const [busy, setBusy] = useState(false);
  const enter = async (): Promise<void> => {
    if (pin.length < 4) return;
    setBusy(true);
    await choose(id, pin);
    setBusy(false);
    setPin('');
  };
  const problemText =
    problem === null
      ? null
      : problem.code === 'agent.wait'
        ? t('agents.wait', { seconds: Number(problem.details?.['seconds'] ?? 0) })
        : [problem.message, ...(problem.hint ? [problem.hint] : [])].map(say).join(' ');
  return (
    <Form label={t('pin.of', { name })} onSubmit={() => void enter()}>
      <PinBox label={t('pin.of', { name })} value={pin} onChange={setPin} problem={problemText} focused />
      <FormFoot name={t('pin.enter')} isPending={busy} isDisabled={pin.length < 4} />
    </Form>
  );
};

/** The time of day, in large digits. */
const LockClock = () => {
  const { locale } = useLocaleChoice();
  const minute = useClock(({ wallClock }) => Math.floor(wallClock / 60_000) * 60_000);
  return (
    <p className="lock-clock">
      <time dateTime={new Date(minute).toISOString()}>{dateFormat(locale, clockParts).format(minute)}</time>
      <span className="muted">
        {dateFormat(locale, { weekday: 'long', day: 'numeric', month: 'long' }).format(minute)}
      </span>
    </p>
  );
};

const lockQuery = createQuery({ read: () => request('app.lock', {}), everyMs: 30_000 });

/** How many links can be paid now; nothing about them. */
const OpenLinks = () => {
  const t = useText();
  const count = lockQuery.use('lock').value?.openLinks ?? null;
  return count === null ? null : <p className="muted">{t('lock-screen.open-links', { count })}</p>;
};

/** The screen of a locked console: without any customer data. */
export const LockScreen = () => {
  const t = useText();
  const who = useAppState(state => state.lock ?? state.appState);
  const agents = who?.agents ?? [];
  const agentId = who?.agentId ?? '';
  const isTeamUnreachable = useAppState(state => state.lock?.isTeamUnreachable ?? false);
  const locked = useAppState(state => state.lock !== null);
  const { choose, unlock, clearProblem } = useAgents();
  const [chosen, setChosen] = useState(agentId);
  useEffect(() => {
    // A window title may be visible to anyone in front of the screen.
    const { title } = document;
    document.title = t('app.name');
    return () => {
      document.title = title;
    };
  }, [t]);
  useEffect(() => {
    if (locked) return undefined;
    const onKey = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape') return;
      event.preventDefault();
      unlock();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [locked, unlock]);
  const list = useList();
  // On a console without any PIN too: the lock does not protect it.
  const unprotected = agents.filter(({ hasPin }) => !hasPin).map(({ name }) => name);
  const asked = agents.find(agent => agent.id === chosen && agent.hasPin && (locked || agent.id !== agentId));
  const take = (id: string): void => {
    clearProblem();
    const agent = agents.find(one => one.id === id);
    if (!locked && id === agentId) unlock();
    else if (asked?.id === id) document.querySelector<HTMLInputElement>('.lock-card input')?.focus();
    else if (agent?.hasPin) setChosen(id);
    else void choose(id, null);
  };
  return (
    <main className="lock-screen" aria-label={t('lock-screen.name')}>
      <div className="lock-card stack">
        <header className="stack tight">
          <p className="muted medium">Counterfoil</p>
          <LockClock />
          <OpenLinks />
        </header>
        <h1 className="title-size">{t('lock-screen.text')}</h1>
        <ul className="lock-agents tracks gap-2 no-bullets no-padding no-margin">
          {agents.map(agent => (
            <li key={agent.id}>
              <Button
                className={`button plain ${asked?.id === agent.id ? 'chosen' : ''}`}
                // oxlint-disable-next-line jsx_a11y/no-autofocus -- Enter unlocks
                autoFocus={asked === undefined && agent.id === agentId}
                onPress={() => take(agent.id)}
              >
                <Initials name={agent.name} />
                <Truncate text={agent.name} />
              </Button>
            </li>
          ))}
        </ul>
        {unprotected.length > 0 ? (
          <Note tone="warning">{t('lock-screen.without-pin', { names: list(unprotected) })}</Note>
        ) : null}
        {isTeamUnreachable ? <Note>{t('lock-screen.team-unreachable')}</Note> : null}
        {asked ? <PinForm key={asked.id} id={asked.id} name={asked.name} /> : null}
      </div>
    </main>
  );
};
