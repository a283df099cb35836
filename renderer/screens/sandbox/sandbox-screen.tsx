import { useState } from 'react';
import { ArrowRight, ExternalLink, RotateCw } from 'lucide-react';
import { sandboxFaults, type SandboxFault } from '../../../shared/sandbox-faults.ts';
import type { AppError } from '../../../shared/errors.ts';
import { statementDialects } from '../../../shared/sandbox-statements.ts';
import { Button } from '../../components/controls/button.tsx';
import { Toggle, TextBox } from '../../components/controls/fields.tsx';
import { Copyable } from '../../components/controls/copyable.tsx';
import { ErrorNote } from '../../components/display/notes.tsx';
import { Screen } from '../../components/display/screen.tsx';
import { request } from '../../ipc-client.ts';
import { useAppState } from '../../stores/app-state-store.ts';
import { go } from '../../stores/route-store.ts';
import { Form, useTask } from '../../forms/form.tsx';
import { useText } from '../../i18n/text.ts';

const callbacks = sandboxFaults.filter(name => name.startsWith('callback-'));
const answers = sandboxFaults.filter(name => !callbacks.includes(name));

const Resend = () => {
  const t = useText();
  const [orderNumber, setOrderNumber] = useState('');
  const [sent, setSent] = useState<number | null>(null);
  const { problem, send } = useTask();
  const submit = (): void => {
    if (orderNumber.trim() === '') return;
    setSent(null);
    void send(
      () => request('sandbox.resend', { orderNumber: orderNumber.trim() }),
      resent => setSent(resent.sent),
    );
  };
  return (
    <Form className="panel stack tight" label={t('sandbox.resend')} onSubmit={submit}>
      <h2>{t('sandbox.resend')}</h2>
      <p className="small muted">{t('sandbox.resend.text')}</p>
      <div className="ask-line tracks gap-2 at-start">
        <TextBox
          label={t('new.order')}
          value={orderNumber}
          onChange={text => {
            setOrderNumber(text);
            setSent(null);
          }}
          inputClass="code"
          autoComplete="off"
        />
        <Button request="sandbox.resend" type="submit" icon={RotateCw}>
          {t('sandbox.resend.do')}
        </Button>
      </div>
      <output className="small">{sent === null ? '' : t('sandbox.resent', { count: sent })}</output>
      {problem ? <ErrorNote error={problem} /> : null}
    </Form>
  );
};

/** Files to try the month end with. */
const Statements = () => {
  const t = useText();
  const { problem, send } = useTask();
  const [written, setWritten] = useState<number | null>(null);
  return (
    <section className="panel stack tight">
      <h2>{t('sandbox.statement')}</h2>
      <p className="small muted">{t('sandbox.statement.text')}</p>
      <div className="line wrap">
        {statementDialects.map(dialect => (
          <Button
            key={dialect}
            request="sandbox.writeStatement"
            onPress={() =>
              void send(
                () => request('sandbox.writeStatement', { dialect }),
                ({ file, payments }) => setWritten(file === null ? null : payments),
              )
            }
          >
            {t(`sandbox.statement.${dialect}`)}
          </Button>
        ))}
      </div>
      <output className="small">
        {written === null ? '' : t('sandbox.statement.written', { count: written })}
      </output>
      {problem ? <ErrorNote error={problem} /> : null}
    </section>
  );
};

/** The test gateway: its purpose, its address, and the faults it can simulate. */
export const SandboxScreen = () => {
  const t = useText();
  const app = useAppState(state => state.appState);
  const change = useAppState(state => state.change);
  const [problem, setProblem] = useState<AppError | null>(null);
  if (!app) return null;
  const { faults, listening, baseUrl } = app.sandbox;
  const profile = app.profiles.find(one => one.kind === 'sandbox');
  const isActive = profile?.id === app.settings.activeProfileId;
  const set =
    (fault: SandboxFault) =>
    async (isEnabled: boolean): Promise<void> => {
      const next = isEnabled ? [...faults, fault] : faults.filter(one => one !== fault);
      const changed = await request('sandbox.faults', { faults: next });
      setProblem(changed.ok ? null : changed.error);
    };
  const openDashboard = async (): Promise<void> => {
    const opened = await request('sandbox.openDashboard', {});
    setProblem(opened.ok ? null : opened.error);
  };
  const toggles = (names: readonly SandboxFault[]) =>
    names.map(fault => (
      <Toggle
        key={fault}
        isEnabled={faults.includes(fault)}
        onChange={isEnabled => void set(fault)(isEnabled)}
        hint={t(`fault.${fault}.text`)}
      >
        {t(`fault.${fault}`)}
      </Toggle>
    ));
  return (
    <Screen title={t('nav.sandbox')} label={t('nav.sandbox')} lead={t('sandbox.lead')}>
      <section className="panel stack tight">
        <div className="line spread wrap">
          <h2>{listening ? t('sandbox.running') : t('sandbox.stopped')}</h2>
          {isActive || !profile ? null : (
            <Button
              variant="primary"
              icon={ArrowRight}
              onPress={() => {
                void change({ activeProfileId: profile.id }).then(() => go({ screen: 'new' }));
              }}
            >
              {t('sandbox.use')}
            </Button>
          )}
        </div>
        <p className="small muted measure">{t('sandbox.text')}</p>
        <div className="line spread wrap">
          <Copyable name={t('profile.base-url')} text={baseUrl} />
          {listening ? (
            <Button request="sandbox.openDashboard" icon={ExternalLink} onPress={() => void openDashboard()}>
              {t('sandbox.dashboard')}
            </Button>
          ) : null}
        </div>
      </section>
      {problem ? <ErrorNote error={problem} /> : null}
      <div className="two-columns">
        <section className="panel stack" aria-label={t('sandbox.answers')}>
          <h2>{t('sandbox.answers')}</h2>
          {toggles(answers)}
        </section>
        <div className="stack">
          <section className="panel stack" aria-label={t('sandbox.callbacks')}>
            <h2>{t('sandbox.callbacks')}</h2>
            {toggles(callbacks)}
          </section>
          <Resend />
          <Statements />
        </div>
      </div>
    </Screen>
  );
};
