import { useState, type FormEvent } from 'react';
import { Form } from 'react-aria-components';
import type { DeskError } from '../../../shared/errors.ts';
import { Button } from '../../components/button.tsx';
import { Toggle } from '../../components/choice.tsx';
import { ErrorNote } from '../../components/error-note.tsx';
import { Note } from '../../components/note.tsx';
import { TextBox } from '../../components/text-box.tsx';
import { useDesk } from '../../stores/desk.ts';
import { useText } from '../../text.ts';
import { Addresses } from '../callbacks/receiver-health.tsx';

const loopback = new Set(['127.0.0.1', '::1', 'localhost']);

/** The door for callbacks: off until switched on; beyond this PC only with a warning. */
export const ReceiverSettings = () => {
  const t = useText();
  const desk = useDesk(state => state.desk);
  const change = useDesk(state => state.change);
  const receiver = desk?.settings.receiver;
  const [host, setHost] = useState(receiver?.host ?? '127.0.0.1');
  const [port, setPort] = useState(String(receiver?.port ?? 0));
  const [problem, setProblem] = useState<DeskError | null>(null);
  if (!desk || !receiver) return null;
  const number = Number(port);
  const portProblem = /^\d{1,5}$/.test(port.trim()) && number <= 65_535 ? null : t('receiver.port.wrong');
  const changed = host.trim() !== receiver.host || number !== receiver.port;
  const apply = async (enabled: boolean): Promise<void> => {
    if (portProblem !== null || host.trim() === '') return;
    const applied = await change({ receiver: { enabled, host: host.trim(), port: number } });
    setProblem(applied.ok ? null : applied.error);
  };
  return (
    <div className="stack">
      <Form
        className="panel stack"
        aria-label={t('settings.receiver')}
        onSubmit={(event: FormEvent) => {
          event.preventDefault();
          void apply(receiver.enabled);
        }}
      >
        <Toggle isOn={receiver.enabled} onChange={isOn => void apply(isOn)} hint={t('receiver.switch.text')}>
          {t('receiver.switch')}
        </Toggle>
        <div className="pair">
          <TextBox
            label={t('receiver.host')}
            hint={t('receiver.host.hint')}
            value={host}
            onChange={setHost}
            inputClass="code"
            autoComplete="off"
          />
          <TextBox
            label={t('receiver.port')}
            hint={t('receiver.port.hint')}
            value={port}
            onChange={setPort}
            problem={portProblem}
            inputMode="numeric"
            inputClass="code"
            autoComplete="off"
          />
        </div>
        {loopback.has(host.trim()) ? null : <Note tone="warning">{t('receiver.exposed')}</Note>}
        {changed ? (
          <div className="line">
            <Button type="submit" look="primary">
              {t('apply')}
            </Button>
          </div>
        ) : null}
      </Form>
      {problem ? <ErrorNote error={problem} /> : null}
      <Addresses health={desk.receiver} />
      <Note>{t('receiver.dashboard')}</Note>
    </div>
  );
};
