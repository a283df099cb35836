import { useState, type FormEvent } from 'react';
import { Form } from 'react-aria-components';
import { Button } from '../../components/controls/button.tsx';
import { PinBox } from '../../components/controls/pin-box.tsx';
import { useAgents } from '../../stores/settings/agents-store.ts';
import { useMessage, useText } from '../../i18n/text.ts';

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
    <Form
      className="stack"
      aria-label={t('pin.of', { name })}
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        void enter();
      }}
    >
      <PinBox label={t('pin.of', { name })} value={pin} onChange={setPin} problem={problemText} focused />
      <div className="line end">
        <Button variant="primary" type="submit" isPending={busy} isDisabled={pin.length < 4}>
          {t('pin.enter')}
        </Button>
      </div>
    </Form>
  );
};
