import { useState, type FormEvent } from 'react';
import { Form } from 'react-aria-components';
import { Button } from '../../components/button.tsx';
import { Toggle } from '../../components/choice.tsx';
import { TextBox } from '../../components/text-box.tsx';
import { useDesk } from '../../stores/desk.ts';
import { useText } from '../../text.ts';
import { Assumption } from './assumption.tsx';

/** Who is at the desk, and what the console does by itself. */
export const DeskSettings = () => {
  const t = useText();
  const settings = useDesk(state => state.desk?.settings ?? null);
  const change = useDesk(state => state.change);
  const [agent, setAgent] = useState(settings?.agent ?? '');
  if (!settings) return null;
  const name = agent.trim();
  return (
    <section className="stack" aria-label={t('settings.desk')}>
      <Form
        className="panel stack"
        aria-label={t('agent.name')}
        onSubmit={(event: FormEvent) => {
          event.preventDefault();
          if (name !== '') void change({ agent: name });
        }}
      >
        <div className="ask-line">
          <TextBox
            label={t('agent.name')}
            hint={t('agent.hint')}
            value={agent}
            onChange={setAgent}
            maxLength={80}
            problem={name === '' ? t('agent.missing') : null}
          />
          <Button type="submit" isDisabled={name === '' || name === settings.agent}>
            {t('apply')}
          </Button>
        </div>
      </Form>
      <section className="panel toggle-line">
        <Toggle
          isOn={settings.confirmPaid}
          onChange={confirmPaid => void change({ confirmPaid })}
          hint={t('confirm-paid.text')}
        >
          {t('confirm-paid')}
        </Toggle>
        <Assumption section="§3.2" />
      </section>
    </section>
  );
};
