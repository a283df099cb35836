import { FileText } from 'lucide-react';
import { useState, type FormEvent } from 'react';
import { Form } from 'react-aria-components';
import type { AppError } from '../../../../shared/errors.ts';
import {
  syslogPorts,
  syslogProtocols,
  type LogForwarding as Forwarding,
  type SyslogProtocol,
} from '../../../../shared/settings/log-forwarding.ts';
import { Button } from '../../../components/controls/button.tsx';
import { SelectBox } from '../../../components/controls/select.tsx';
import { TextBox } from '../../../components/controls/text-box.tsx';
import { ErrorNote } from '../../../components/display/error-note.tsx';
import { ManagedSetting } from '../../../components/display/managed.tsx';
import { useText } from '../../../i18n/text.ts';
import { request } from '../../../ipc-client.ts';
import { useManagedSetting } from '../../../use-managed.ts';
import { useWhoElse } from '../../../use-rights.ts';
import { useAppState } from '../../../stores/app-state-store.ts';
import { ifUnchanged } from '../../../if-unchanged.ts';

const targets = ['none', 'file', 'syslog'] as const;
type Target = (typeof targets)[number];

/** What is typed and not applied yet. */
type Draft = { to: Target; host: string; port: string; protocol: SyslogProtocol };

const draftOf = (stored: Forwarding): Draft =>
  stored?.to === 'syslog'
    ? { to: 'syslog', host: stored.host, port: String(stored.port), protocol: stored.protocol }
    : { to: stored?.to ?? 'none', host: '', port: String(syslogPorts.tls), protocol: 'tls' };

const portOf = (text: string): number | null => {
  const port = /^\d{1,5}$/.test(text.trim()) ? Number(text) : 0;
  return port >= 1 && port <= 65_535 ? port : null;
};

/** A copy of the application log for the administrator of this PC. */
export const LogForwarding = () => {
  const t = useText();
  const stored = useAppState(({ appState }) => appState?.settings.logForwarding ?? null);
  const change = useAppState(state => state.change);
  const isManaged = useManagedSetting('logForwarding');
  const isDisabled = useWhoElse({ right: 'settings' }) !== null || isManaged;
  const [typed, setTyped] = useState<Draft | null>(null);
  const [problem, setProblem] = useState<AppError | null>(null);
  const draft = typed ?? draftOf(stored);
  const port = portOf(draft.port);
  const drop = (): void => setTyped(ifUnchanged(typed, null));
  const edit = (changes: Partial<Draft>): void => setTyped({ ...draft, ...changes });

  const apply = async (next: Forwarding): Promise<void> => {
    const applied = await change({ logForwarding: next });
    setProblem(applied.ok ? null : applied.error);
    if (applied.ok) drop();
  };
  const chooseTarget = (to: Target): void => {
    if (to === 'none') void apply(null);
    else edit({ to });
  };
  const chooseFile = async (): Promise<void> => {
    const chosen = await request('appLog.chooseForwardFile', {});
    setProblem(chosen.ok ? null : chosen.error);
    if (chosen.ok) drop();
  };

  return (
    <Form
      className="panel stack"
      aria-label={t('log-forwarding')}
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        if (port === null || draft.host.trim() === '') return;
        void apply({ to: 'syslog', host: draft.host.trim(), port, protocol: draft.protocol, ca: null });
      }}
    >
      <div className="measure">
        <h2>{t('log-forwarding')}</h2>
        <p className="small muted">{t('log-forwarding.text')}</p>
      </div>
      <div className="pair">
        <SelectBox
          label={t('log-forwarding.to')}
          labelExtra={<ManagedSetting path="logForwarding" />}
          isDisabled={isDisabled}
          options={targets.map(id => ({ id, name: t(`log-forwarding.to.${id}`) }))}
          value={draft.to}
          onChange={chooseTarget}
        />
        {draft.to === 'syslog' ? (
          <SelectBox
            label={t('log-forwarding.protocol')}
            isDisabled={isDisabled}
            options={syslogProtocols.map(id => ({ id, name: t(`log-forwarding.protocol.${id}`) }))}
            value={draft.protocol}
            onChange={protocol => edit({ protocol, port: String(syslogPorts[protocol]) })}
          />
        ) : null}
      </div>
      {draft.to === 'syslog' ? (
        <div className="pair">
          <TextBox
            label={t('log-forwarding.host')}
            value={draft.host}
            isDisabled={isDisabled}
            onChange={host => edit({ host })}
            inputClass="code"
            autoComplete="off"
          />
          <TextBox
            label={t('receiver.port')}
            value={draft.port}
            isDisabled={isDisabled}
            onChange={text => edit({ port: text })}
            problem={port === null ? t('receiver.port.invalid') : null}
            inputMode="numeric"
            inputClass="code"
            autoComplete="off"
          />
        </div>
      ) : null}
      {draft.to === 'file' ? (
        <div className="stack tight">
          {stored?.to === 'file' ? <p className="small code break">{stored.file}</p> : null}
          <div className="line">
            <Button
              request="appLog.chooseForwardFile"
              icon={<FileText size={16} />}
              isDisabled={isDisabled}
              onPress={() => void chooseFile()}
            >
              {t('log-forwarding.choose')}
            </Button>
          </div>
        </div>
      ) : null}
      {typed?.to === 'syslog' ? (
        <div className="line">
          <Button type="submit" variant="primary" isDisabled={port === null || draft.host.trim() === ''}>
            {t('apply')}
          </Button>
        </div>
      ) : null}
      {problem ? <ErrorNote error={problem} /> : null}
    </Form>
  );
};
