import { useState } from 'react';
import { Form } from 'react-aria-components';
import type { RequestOutput } from '../../../../shared/contract/contract.ts';
import type { AppError } from '../../../../shared/errors.ts';
import { Button } from '../../../components/controls/button.tsx';
import { SecretBox } from '../../../components/controls/secret-box.tsx';
import { ErrorNote } from '../../../components/display/error-note.tsx';
import { useMessage, useText } from '../../../i18n/text.ts';
import { request } from '../../../ipc-client.ts';
import { useAppState } from '../../../stores/app-state-store.ts';
import { HealthStep } from '../health-step.tsx';

/** Joins a shared payment log in two steps: check the server of a joining text, then join. */
export const JoinForm = ({ onJoined }: { onJoined: () => void }) => {
  const t = useText();
  const say = useMessage();
  const open = useAppState(state => state.open);
  const [text, setText] = useState('');
  const [busy, setBusy] = useState<'check' | 'join' | null>(null);
  const [checked, setChecked] = useState<RequestOutput<'team.check'> | null>(null);
  const [problem, setProblem] = useState<AppError | null>(null);
  const inField = problem?.fields?.find(({ path }) => path === 'text') ?? null;

  const check = async (): Promise<void> => {
    setBusy('check');
    setProblem(null);
    setChecked(null);
    const answer = await request('team.check', { text });
    setBusy(null);
    if (answer.ok) setChecked(answer.value);
    else setProblem(answer.error);
  };
  const join = async (): Promise<void> => {
    setBusy('join');
    setProblem(null);
    const joined = await request('team.join', { text });
    setBusy(null);
    if (!joined.ok) {
      setProblem(joined.error);
      return;
    }
    setText('');
    setChecked(null);
    open(joined.value);
    onJoined();
  };

  return (
    <Form
      className="stack"
      onSubmit={event => {
        event.preventDefault();
        void (checked?.canJoin ? join() : check());
      }}
    >
      <SecretBox
        label={t('team.join.text')}
        name="joining-text"
        value={text}
        onChange={next => {
          setText(next);
          setChecked(null);
        }}
        hint={t('team.join.text.hint')}
        problem={inField === null ? null : say(inField.message)}
        placeholder="counterfoil-join-1.…"
        isRequired
      />
      <output className="stack">
        {checked === null ? null : (
          <>
            <ol>
              {checked.steps.map(({ name, ...step }) => (
                <HealthStep key={name} title={t(`team.check.${name}`)} {...step} />
              ))}
            </ol>
            <p className="small measure break">
              {checked.canJoin ? t('team.join.ready', { server: checked.server }) : t('team.join.not-ready')}
            </p>
          </>
        )}
      </output>
      {problem !== null && inField === null ? <ErrorNote error={problem} /> : null}
      <div className="line wrap">
        {checked?.canJoin ? (
          <Button type="submit" variant="primary" isPending={busy === 'join'}>
            {t('team.join.join')}
          </Button>
        ) : null}
        <Button
          type={checked?.canJoin ? 'button' : 'submit'}
          isPending={busy === 'check'}
          isDisabled={text.trim() === ''}
          {...(checked?.canJoin ? { onPress: () => void check() } : {})}
        >
          {t('team.join.check')}
        </Button>
      </div>
    </Form>
  );
};
