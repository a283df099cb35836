import { useState, type ReactNode } from 'react';
import { Save } from 'lucide-react';
import { voidMoments } from '../../../../shared/gateway-variants.ts';
import { operationKinds } from '../../../../shared/operations/operation-kinds.ts';
import type { OperationLimits, OperationSettings, ProfileView } from '../../../../shared/settings/profile.ts';
import { SelectBox, Toggle, TextBox } from '../../../components/controls/fields.tsx';
import { KindMark } from '../../../components/display/marks.tsx';
import { Note, ErrorNote } from '../../../components/display/notes.tsx';
import { Form, FormFoot, useTask } from '../../../forms/form.tsx';
import { ManagedMark } from '../../../forms/read-only.tsx';
import { useText, useMessage } from '../../../i18n/text.ts';
import { request } from '../../../ipc-client.ts';
import { assumptions, isChanged, sections } from '../../../profile-assumptions.ts';
import { useAppState } from '../../../stores/app-state-store.ts';
import { draftFrom, useProfileForm } from '../../../stores/settings/profile-form.ts';
import { useManaged } from '../../../use-rights.ts';
import { AdvancedGroup } from './advanced-group.tsx';
import { Assumption } from './assumption.tsx';
import type { RequestOutput } from '../../../../shared/contract/contract.ts';
import { Button } from '../../../components/controls/button.tsx';

/** Whether the gateway has the operations at all, asked only by a press of the button. */
const OperationProbePanel = ({ profile }: { profile: ProfileView | null }) => {
  const t = useText();
  const say = useMessage();
  const { isBusy, problem, send } = useTask();
  const [found, setFound] = useState<RequestOutput<'profiles.probeOperations'> | null>(null);
  const ask = (id: string): Promise<void> => {
    setFound(null);
    return send(() => request('profiles.probeOperations', { id }), setFound);
  };
  return (
    <div className="stack tight" aria-live="polite">
      <div className="line spread wrap">
        <p className="small quiet">{t('profile.operations.probe.text')}</p>
        <Button
          request="profiles.probeOperations"
          isPending={isBusy}
          isDisabled={profile === null || profile.password === 'missing'}
          onPress={() => {
            if (profile) void ask(profile.id);
          }}
        >
          {t('profile.operations.probe')}
        </Button>
      </div>
      {problem ? <ErrorNote error={problem} /> : null}
      {found === null ? null : (
        <p className="small">
          {t(`profile.operations.probe.${found.exists}`, { status: found.httpStatus ?? 0 })}
          {found.problem === null ? null : ` ${say(found.problem)}`}
        </p>
      )}
    </div>
  );
};

const limits = ['perOperation', 'perDay', 'secondPersonFrom'] as const;
const wireSwitches = ['sendCurrencyInRecurring', 'sendCustomerInRecurring'] as const;
const wireIds = [...wireSwitches, 'voidAllowed', 'holdDays', 'statusSize'].map(name => `operations.${name}`);

/** Fields that cannot be changed where `isFixed`. */
const Fixed = ({ isFixed, children }: { isFixed: boolean; children: ReactNode }) => (
  <fieldset className="read-only min-0 no-margin no-padding stack" disabled={isFixed}>
    {children}
  </fieldset>
);

const RefundsForm = ({ profile }: { profile: ProfileView }) => {
  const t = useText();
  const { form, isChanged: isUnsaved, change: changeForm, settle } = useProfileForm('refunds', profile);
  const [isSaved, setIsSaved] = useState(false);
  const { isBusy, problem, problemOf, send } = useTask();
  const managed = useManaged();
  const isManaged = managed.allProfiles || managed.profiles.includes(profile.id);
  const isSandbox = profile.kind === 'sandbox';
  const isFixed = isManaged || isSandbox;
  const fieldProblem = (path: string): string | null => problemOf(path, `profile.${path}`);
  const { operations, extras } = form.draft;
  const change = (changed: Partial<typeof form>): void => {
    setIsSaved(false);
    changeForm(before => ({ ...before, ...changed }));
  };
  const set = (changes: Partial<OperationSettings>): void => {
    const changed = { ...operations, ...changes };
    // An authorisation that cannot be captured would only lapse.
    const auth = extras.auth && changed.capture;
    change({ draft: { ...form.draft, operations: changed, extras: { ...extras, auth } } });
  };
  const setLimit = (changed: Partial<OperationLimits>): void =>
    set({ limits: { ...operations.limits, ...changed } });
  const number = (name: 'holdDays' | 'statusSize', section: string) => (
    <TextBox
      name={`operations.${name}`}
      label={t(`profile.operations.${name}`)}
      labelExtra={<Assumption section={section} />}
      hint={t(`profile.operations.${name}.text`)}
      value={form[name]}
      onChange={text => change({ [name]: text })}
      problem={fieldProblem(`operations.${name}`)}
      inputMode="numeric"
    />
  );
  const draft = draftFrom(form);
  const differences = assumptions.filter(one => wireIds.includes(one.id) && isChanged(one, draft)).length;
  const save = (): void =>
    void send(
      () => request('profiles.save', { id: profile.id, profile: draft, password: null }),
      () => {
        settle();
        setIsSaved(true);
      },
    );
  return (
    <Form label={t('settings.refunds')} onSubmit={save}>
      <div className="line">
        <h2 className="title-size">{profile.name}</h2>
        <KindMark kind={profile.kind} />
        {isManaged ? <ManagedMark /> : null}
      </div>
      {isSandbox ? (
        <Note>{t('refunds.sandbox')}</Note>
      ) : (
        <p className="muted small measure">{t('refunds.lead')}</p>
      )}
      <section className="panel stack" aria-label={t('settings.refunds')}>
        <Fixed isFixed={isFixed}>
          <div className="pair">
            {operationKinds.map(name => (
              <Toggle
                key={name}
                isEnabled={operations[name]}
                onChange={isEnabled => set({ [name]: isEnabled })}
              >
                {t(`profile.operations.${name}`)}
              </Toggle>
            ))}
          </div>
          <p className="small quiet">{t('profile.operations.limits.text')}</p>
          <div className="triple">
            {limits.map(name => (
              <TextBox
                key={name}
                name={`operations.limits.${name}`}
                label={t(`profile.operations.limits.${name}`)}
                value={operations.limits[name]}
                onChange={text => setLimit({ [name]: text })}
                problem={fieldProblem(`operations.limits.${name}`)}
                inputClass="code"
                autoComplete="off"
              />
            ))}
          </div>
        </Fixed>
      </section>
      <section className="panel flush bare" aria-labelledby="refunds-advanced">
        <header>
          <h3 id="refunds-advanced">{t('profile.advanced')}</h3>
        </header>
        <AdvancedGroup
          title={t('error.for-it')}
          // The sandbox is as it was made.
          value={isSandbox ? '' : t('profile.advanced.changed', { count: differences })}
          differs={!isSandbox && differences > 0}
          hasProblem={problem?.fields?.some(({ path }) => !path.includes('.limits.')) ?? false}
          isSought={false}
        >
          <Fixed isFixed={isFixed}>
            <div className="pair">
              {wireSwitches.map(name => (
                <div key={name} className="toggle-line row gap-3 wrap at-start spread">
                  <Toggle
                    isEnabled={operations[name]}
                    onChange={isEnabled => set({ [name]: isEnabled })}
                    hint={t(`profile.operations.${name}.text`)}
                  >
                    {t(`profile.operations.${name}`)}
                  </Toggle>
                  <Assumption section={sections.operations} />
                </div>
              ))}
              <SelectBox
                label={t('profile.operations.voidAllowed')}
                labelExtra={<Assumption section={sections.operations} />}
                options={voidMoments.map(id => ({ id, name: t(`void-allowed.${id}`) }))}
                value={operations.voidAllowed}
                onChange={voidAllowed => set({ voidAllowed })}
                hint={t('profile.operations.voidAllowed.text')}
              />
              {number('holdDays', sections.operations)}
              {number('statusSize', sections.statusByOrder)}
            </div>
          </Fixed>
          <OperationProbePanel profile={profile} />
        </AdvancedGroup>
      </section>
      {isFixed ? null : (
        <FormFoot
          problem={problem?.fields === undefined ? problem : null}
          name={t('save')}
          line="line wrap"
          icon={Save}
          request="profiles.save"
          isPending={isBusy}
        >
          {isUnsaved ? <Button onPress={settle}>{t('messages.discard')}</Button> : null}
          <output className="small">
            {isUnsaved ? t('form.unsaved') : isSaved ? t('refunds.saved') : null}
          </output>
        </FormFoot>
      )}
    </Form>
  );
};

/** What goes back or is charged again in the active profile: on or off, limits, the second person, details for IT. */
export const Refunds = () => {
  const profile = useAppState(({ appState }) =>
    appState?.profiles.find(({ id }) => id === appState.settings.activeProfileId),
  );
  return profile === undefined ? null : <RefundsForm key={profile.id} profile={profile} />;
};
