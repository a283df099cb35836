import { useState } from 'react';
import { PinBox } from '../../forms/pin-box.tsx';
import { useAgents } from '../../stores/settings/agents-store.ts';
import { Form, FormFoot } from '../../forms/form.tsx';
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
    <Form label={t('pin.of', { name })} onSubmit={() => void enter()}>
      <PinBox label={t('pin.of', { name })} value={pin} onChange={setPin} problem={problemText} focused />
      <FormFoot name={t('pin.enter')} isPending={busy} isDisabled={pin.length < 4} />
    </Form>
  );
};
