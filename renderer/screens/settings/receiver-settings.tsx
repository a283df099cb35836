import { useState } from 'react';
import { FileKey, X, Globe } from 'lucide-react';
import type { Settings } from '../../../shared/contract/contract.ts';
import { addressScope } from '../../../shared/network-address.ts';
import { Button } from '../../components/controls/button.tsx';
import { ConfirmDialog } from '../../components/controls/dialog.tsx';
import { ManagedMark, ManagedSetting } from '../../forms/read-only.tsx';
import { ErrorNote, Note } from '../../components/display/notes.tsx';
import { SelectBox, TextBox } from '../../components/controls/fields.tsx';
import { useAppState } from '../../stores/app-state-store.ts';
import { useManaged, useManagedSetting } from '../../use-rights.ts';
import { Form, useTask } from '../../forms/form.tsx';
import { useLocaleChoice, useText, dateFormat } from '../../i18n/text.ts';
import { ReceiverHealthPanel, EventHealthPanel } from '../callbacks/receiver-health-panel.tsx';
import { ManagedToggle } from './administration/managed-toggle.tsx';
import { ResultWay } from './profile/result-way.tsx';
import { ifUnchanged } from '../../if-unchanged.ts';
import { useKept } from '../../stores/settings/kept-form.ts';
import type { OutsideStep } from '../../../shared/callbacks/outside-step.ts';
import { request } from '../../ipc-client.ts';
import { CheckSteps } from './health-step.tsx';

/** The receiver's address of a chosen profile, at first that of the first one; without the sandbox's. */
const useReceiverAddress = () => {
  const [profileId, choose] = useState<string | null>(null);
  const app = useAppState(state => state.appState);
  const profiles = app?.profiles.filter(({ kind }) => kind !== 'sandbox') ?? [];
  const addresses =
    app?.receiver.addresses.filter(one => profiles.some(({ id }) => id === one.profileId)) ?? [];
  return {
    /** Undefined: no profile has one. */
    address: addresses.find(one => one.profileId === profileId) ?? addresses[0],
    /** The profiles to choose from. */
    options: addresses.map(one => ({
      id: one.profileId,
      name: profiles.find(({ id }) => id === one.profileId)?.name ?? one.profileId,
    })),
    choose,
  };
};

/** Accepts a bare name too. */
const addressOf = (text: string): URL | null => {
  const url = URL.parse(/^https?:\/\//i.test(text) ? text : `https://${text}`);
  return url && url.hostname.includes('.') ? url : null;
};

/** Calls this receiver by its public address and shows where the call stops. */
const OutsideTest = ({ profileId }: { profileId: string }) => {
  const t = useText();
  const [typed, setTyped] = useState('');
  const { isBusy: isRunning, problem, send } = useTask();
  const [steps, setSteps] = useState<readonly OutsideStep[]>([]);
  const url = addressOf(typed.trim());
  const test = (): void => {
    if (url === null || isRunning) return;
    setSteps([]);
    void send(
      () => request('receiver.testOutside', { profileId, url: url.origin }),
      tested => setSteps(tested.steps),
    );
  };
  return (
    <section className="panel stack" aria-label={t('outside.name')}>
      <header className="stack tight">
        <h2>{t('outside.name')}</h2>
        <p className="small muted measure">{t('outside.text')}</p>
      </header>
      <Form className="ask-line tracks gap-2 at-start" onSubmit={test}>
        <TextBox
          label={t('receiver.outside-address')}
          placeholder="https://shop.example.com"
          value={typed}
          onChange={setTyped}
          problem={typed === '' || url ? null : t('outside.url.invalid')}
          inputClass="code"
          autoComplete="off"
        />
        <Button
          type="submit"
          request="receiver.testOutside"
          icon={Globe}
          isPending={isRunning}
          isDisabled={url === null}
        >
          {t('outside.do')}
        </Button>
      </Form>
      <p className="small quiet measure">{t('outside.inside')}</p>
      {problem ? <ErrorNote error={problem} /> : null}
      <div aria-live="polite">
        {isRunning ? (
          <p className="small quiet">{t('outside.running', { host: url?.host ?? '' })}</p>
        ) : (
          <CheckSteps steps={steps} />
        )}
      </div>
    </section>
  );
};

const isLoopback = (host: string): boolean => addressScope(host) === 'loopback';

type ReceiverSettings = Settings['receiver'];

/** The test of the way from the provider to a profile's address. */
const OutsideSection = () => {
  const t = useText();
  const { address, options, choose } = useReceiverAddress();
  if (address === undefined) return null;
  return (
    <>
      {options.length > 1 ? (
        <SelectBox label={t('profile')} options={options} value={address.profileId} onChange={choose} />
      ) : null}
      <OutsideTest key={address.profileId} profileId={address.profileId} />
    </>
  );
};

/** The listener's certificate, or the button to choose one. */
const Certificate = ({ onDrop }: { onDrop: () => void }) => {
  const t = useText();
  const { locale } = useLocaleChoice();
  const { isBusy, problem, send } = useTask();
  const receiver = useAppState(state => state.appState?.receiver ?? null);
  const tls = useAppState(state => state.appState?.settings.receiver.tls ?? null);
  const facts = receiver?.certificate ?? null;
  const isManaged = useManagedSetting('receiver.tls');
  return (
    <div className="stack tight">
      <span className="caps">{t('receiver.tls')}</span>
      <ManagedSetting path="receiver.tls" />
      <p className="small">
        {tls === null
          ? t('receiver.tls.none')
          : facts === null
            ? t('receiver.tls.chosen', { file: tls.certificate })
            : t('receiver.tls.is', {
                name: facts.name,
                issuer: facts.issuer,
                until: dateFormat(locale, { dateStyle: 'long' }).format(facts.validTo),
              })}
      </p>
      <div className="line">
        <Button
          icon={FileKey}
          isPending={isBusy}
          isDisabled={isManaged}
          onPress={() => void send(() => request('receiver.chooseCertificate', {}))}
        >
          {t('receiver.tls.choose')}
        </Button>
        {tls === null || isManaged ? null : (
          <Button variant="quiet" icon={<X size={16} />} onPress={onDrop}>
            {t('receiver.tls.drop')}
          </Button>
        )}
      </div>
      <span className="hint">{t('receiver.tls.hint')}</span>
      {problem ? <ErrorNote error={problem} /> : null}
    </div>
  );
};

/** The listener for callbacks: off by default; beyond this PC only after a warning. */
export const ReceiverSettings = () => {
  const t = useText();
  const appState = useAppState(state => state.appState);
  const change = useAppState(state => state.change);
  const receiver = appState?.settings.receiver;
  const { settings: managedSettings } = useManaged();
  const managed = (path: string) =>
    managedSettings.includes(path) ? { isDisabled: true, labelExtra: <ManagedMark /> } : {};
  /** Typed values that are not applied yet. */
  const [draft, setDraft] = useKept<{ host?: string; port?: string; most?: string }>('receiver', {});
  const [isBegun] = useState(Object.keys(draft).length > 0);
  const { problem, send } = useTask();
  const [asking, setAsking] = useState<ReceiverSettings | null>(null);
  if (!appState || !receiver) return null;
  const own = appState.profiles.findLast(({ kind }) => kind !== 'sandbox');
  const host = draft.host ?? receiver.host;
  const port = draft.port ?? String(receiver.port);
  const most = draft.most ?? String(receiver.quarantine);
  const whole = (text: string): number => (/^\d{1,7}$/.test(text.trim()) ? Number(text) : Number.NaN);
  const portProblem = whole(port) <= 65_535 ? null : t('receiver.port.invalid');
  const maxCallbacksProblem =
    whole(most) >= 100 && whole(most) <= 1_000_000 ? null : t('receiver.limit.invalid');
  const typed = { host: host.trim(), port: whole(port), quarantine: whole(most) };
  const changed =
    typed.host !== receiver.host || typed.port !== receiver.port || typed.quarantine !== receiver.quarantine;

  /** `confirmedHost`: the address at which the user agreed to open the receiver to other computers. */
  const apply = async (next: ReceiverSettings, confirmedHost?: string): Promise<void> => {
    setAsking(null);
    await send(
      () => change({ receiver: next }, confirmedHost),
      () => setDraft(ifUnchanged(draft, {})),
    );
  };
  /** A listener that other computers can reach requires a confirmation. */
  const ask = (next: ReceiverSettings): void => {
    if (portProblem !== null || maxCallbacksProblem !== null || next.host === '') return;
    const opens = next.enabled && !isLoopback(next.host);
    const removesTls = receiver.tls !== null && next.tls === null;
    if (opens && (!receiver.enabled || next.host !== receiver.host || removesTls)) setAsking(next);
    else void apply(next);
  };
  return (
    <div className="stack">
      <section className="panel stack" aria-label={t('receiver.switch')}>
        <p className="measure">{t('receiver.for-people')}</p>
        {own ? (
          <p className="small">
            <strong>{own.name}:</strong> <ResultWay id={own.id} />
          </p>
        ) : null}
        <ManagedToggle
          path="receiver.enabled"
          isEnabled={receiver.enabled}
          onChange={enabled => ask({ ...receiver, ...typed, enabled })}
          hint={t('receiver.switch.text')}
        >
          {t('receiver.switch')}
        </ManagedToggle>
      </section>
      {problem ? <ErrorNote error={problem} /> : null}
      {receiver.enabled ? <ReceiverHealthPanel health={appState.receiver} /> : null}
      <details className="check-steps" open={isBegun}>
        <summary>{t('error.for-it')}</summary>
        <div className="stack">
          <Note>{t(receiver.enabled ? 'receiver.dashboard' : 'forward.text')}</Note>
          <OutsideSection />
          <EventHealthPanel />
          <Form
            className="panel stack"
            label={t('settings.receiver')}
            onSubmit={() => ask({ ...receiver, ...typed })}
          >
            <h2>{t('receiver.advanced')}</h2>
            <div className="pair">
              <TextBox
                label={t('receiver.host')}
                {...managed('receiver.host')}
                hint={t('receiver.host.hint')}
                value={host}
                onChange={text => setDraft(before => ({ ...before, host: text }))}
                inputClass="code"
                autoComplete="off"
              />
              <TextBox
                label={t('receiver.port')}
                {...managed('receiver.port')}
                hint={t('receiver.port.hint')}
                value={port}
                onChange={text => setDraft(before => ({ ...before, port: text }))}
                problem={portProblem}
                inputMode="numeric"
                inputClass="code"
                autoComplete="off"
              />
            </div>
            {isLoopback(host) ? null : <Note tone="warning">{t('receiver.exposed')}</Note>}
            <div className="pair">
              <TextBox
                label={t('receiver.limit')}
                {...managed('receiver.quarantine')}
                hint={t('receiver.limit.hint')}
                value={most}
                onChange={text => setDraft(before => ({ ...before, most: text }))}
                problem={maxCallbacksProblem}
                inputMode="numeric"
                inputClass="code"
                autoComplete="off"
              />
              <Certificate onDrop={() => ask({ ...receiver, ...typed, tls: null })} />
            </div>
            {changed ? (
              <div className="line">
                <Button type="submit" variant="primary">
                  {t('apply')}
                </Button>
              </div>
            ) : null}
          </Form>
        </div>
      </details>
      <ConfirmDialog
        title={t('receiver.open.title')}
        isOpen={asking !== null}
        confirm={t('receiver.open.yes')}
        refuse={t('receiver.open.no')}
        onConfirm={() => {
          if (asking) void apply(asking, asking.host);
        }}
        onClose={() => setAsking(null)}
      >
        <p>{t('receiver.open.who', { host: asking?.host ?? '' })}</p>
        <ul className="small stack tight">
          <li>{t('receiver.open.firewall')}</li>
          <li>{t(asking?.tls ? 'receiver.open.tls' : 'receiver.open.plain')}</li>
          <li>{t('receiver.open.forged', { max: asking?.quarantine ?? receiver.quarantine })}</li>
        </ul>
      </ConfirmDialog>
    </div>
  );
};
