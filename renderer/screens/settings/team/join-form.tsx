import { useState } from 'react';
import type { RequestOutput } from '../../../../shared/contract/contract.ts';
import { Button } from '../../../components/controls/button.tsx';
import { SecretBox } from '../../../forms/secret-box.tsx';
import { ErrorNote } from '../../../components/display/error-note.tsx';
import { Form } from '../../../forms/form.tsx';
import { useTask } from '../../../forms/use-task.ts';
import { useText } from '../../../i18n/text.ts';
import { request } from '../../../ipc-client.ts';
import { useAppState } from '../../../stores/app-state-store.ts';
import { HealthStep } from '../health-step.tsx';

/** Joins a shared payment log in two steps: check the server of a joining text, then join. */
export const JoinForm = ({ onJoined }: { onJoined: () => void }) => {
  const t = useText();
  const open = useAppState(state => state.open);
  const [text, setText] = useState('');
  const [checked, setChecked] = useState<RequestOutput<'team.check'> | null>(null);
  const { busy, problem, problemOf, run } = useTask<'check' | 'join'>();
  const textProblem = problemOf('text');

  const check = (): Promise<void> => {
    setChecked(null);
    return run('check', () => request('team.check', { text }), setChecked);
  };
  const join = (): Promise<void> =>
    run(
      'join',
      () => request('team.join', { text }),
      joined => {
        setText('');
        setChecked(null);
        open(joined);
        onJoined();
      },
    );

  return (
    <Form onSubmit={() => void (checked?.canJoin ? join() : check())}>
      <SecretBox
        label={t('team.join.text')}
        name="joining-text"
        value={text}
        onChange={next => {
          setText(next);
          setChecked(null);
        }}
        hint={t('team.join.text.hint')}
        problem={textProblem}
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
      {problem !== null && textProblem === null ? <ErrorNote error={problem} /> : null}
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
