import type { ComponentProps } from 'react';
import { currencyCodes } from '../../../../shared/money/currencies.ts';
import type { AppError } from '../../../../shared/errors.ts';
import { timeZoneOf } from '../../../../shared/settings/merchant.ts';
import type { ProfileDraft, SessionExtras } from '../../../../shared/settings/profile.ts';
import { sections } from '../../../profile-assumptions.ts';
import { SelectBox, Toggle, TextBox } from '../../../components/controls/fields.tsx';
import { useText } from '../../../i18n/text.ts';
import {
  advancedGroups,
  differencesIn,
  groupOf,
  type AdvancedGroup as Group,
} from '../../../stores/settings/profile-differences.ts';
import { draftFrom, type ProfileForm } from '../../../stores/settings/profile-form.ts';
import { Assumption } from './assumption.tsx';
import { MerchantFields } from './merchant-fields.tsx';
import { AdvancedGroup } from './advanced-group.tsx';
import { amountRules } from '../../../../shared/money/wire-amount.ts';
import {
  digests,
  refundAmounts,
  sessionPaths,
  statusForms,
  uppercasings,
} from '../../../../shared/gateway-variants.ts';

const switches = ['sendCustomer', 'reqToken', 'cardToken', 'recurringInit'] as const;
const texts = [
  'scheduleId',
  'channelId',
  'expiryUrl',
  'errorUrl',
  'billingAddress',
  'customData',
  'extraJson',
] as const;

type ExtraProps = {
  form: ProfileForm;
  onChange: (form: ProfileForm) => void;
  fieldProblem: (path: string) => string | null;
};

/** Optional session fields that the interface does not specify. */
const SessionExtrasFields = ({ form, onChange, fieldProblem }: ExtraProps) => {
  const t = useText();
  const { extras } = form.draft;
  const set = (change: Partial<SessionExtras>): void =>
    onChange({ ...form, draft: { ...form.draft, extras: { ...extras, ...change } } });
  return (
    <>
      <p className="small quiet line wrap">
        {t('profile.group.extras.text')} <Assumption section={sections.extras} />
      </p>
      <div className="pair">
        {switches.map(name => (
          <Toggle
            key={name}
            isEnabled={extras[name]}
            onChange={isEnabled => set({ [name]: isEnabled })}
            hint={t(`extra.${name}.text`)}
          >
            {t(`extra.${name}`)}
          </Toggle>
        ))}
        <Toggle
          isEnabled={extras.auth}
          onChange={auth => set({ auth })}
          hint={t('extra.auth.text')}
          isDisabled={!form.draft.operations.capture && !extras.auth}
        >
          {t('extra.auth')}
        </Toggle>
      </div>
      <div className="pair">
        <TextBox
          name="extras.sessionExpiry"
          label={t('extra.sessionExpiry')}
          hint={t('extra.sessionExpiry.text')}
          value={form.sessionExpiry}
          onChange={sessionExpiry => onChange({ ...form, sessionExpiry })}
          problem={fieldProblem('extras.sessionExpiry')}
          inputMode="numeric"
        />
        {texts.map(name => (
          <TextBox
            key={name}
            name={`extras.${name}`}
            label={t(`extra.${name}`)}
            hint={t(`extra.${name}.text`)}
            value={extras[name]}
            onChange={text => set({ [name]: text })}
            problem={fieldProblem(`extras.${name}`)}
            inputClass="code"
            autoComplete="off"
          />
        ))}
      </div>
    </>
  );
};

/** Time limits of a request, in seconds. */
const TimeoutFields = ({ form, onChange, fieldProblem }: ExtraProps) => {
  const t = useText();
  return (
    <div className="triple">
      {(['connect', 'headers', 'body'] as const).map(name => (
        <TextBox
          key={name}
          name={`timeouts.${name}`}
          label={t(`timeout.${name}`)}
          value={form[name]}
          onChange={value => onChange({ ...form, [name]: value })}
          problem={fieldProblem(`timeouts.${name}`)}
          inputMode="decimal"
        />
      ))}
    </div>
  );
};

/** What the interface leaves open, each labelled with its section. */
const GatewayFields = ({
  draft,
  onChange: set,
  fieldProblem,
}: {
  draft: ProfileDraft;
  onChange: (change: Partial<ProfileDraft>) => void;
  fieldProblem: (path: string) => string | null;
}) => {
  const t = useText();
  const select = <T extends string>(
    field:
      | 'sessionPath'
      | 'statusForm'
      | 'digest'
      | 'requestUppercasing'
      | 'amountRule'
      | 'refundAmountInCallback',
    label: 'session-path' | 'status-form' | 'digest' | 'uppercasing' | 'amount-rule' | 'refund-amount',
    choice: Pick<ComponentProps<typeof SelectBox<T>>, 'options' | 'value' | 'onChange'>,
  ) => (
    <SelectBox
      {...choice}
      field={field}
      label={t(`profile.${label}`)}
      labelExtra={<Assumption section={sections[field]} />}
      hint={t(`profile.${label}.hint`)}
    />
  );
  const text = (name: 'gatewayZone' | 'amountExceptions', label: 'zone' | 'amount-exceptions') => ({
    name,
    label: t(`profile.${label}`),
    labelExtra: <Assumption section={sections[name]} />,
    hint: t(`profile.${label}.hint`),
    value: draft[name],
    onChange: (value: string) => set({ [name]: value }),
    problem: fieldProblem(name),
    autoComplete: 'off',
  });
  return (
    <>
      <p className="small quiet">{t('profile.group.assumptions.text')}</p>
      {select('sessionPath', 'session-path', {
        options: sessionPaths.map(id => ({ id, name: id })),
        value: draft.sessionPath,
        onChange: sessionPath => set({ sessionPath }),
      })}
      {select('statusForm', 'status-form', {
        options: statusForms.map(id => ({ id, name: t(`status-form.${id}`) })),
        value: draft.statusForm,
        onChange: statusForm => set({ statusForm }),
      })}
      <div className="toggle-line row gap-3 wrap at-start spread">
        <Toggle
          isEnabled={draft.statusByOrder}
          onChange={statusByOrder => set({ statusByOrder })}
          hint={t('profile.status-by-order.hint')}
        >
          {t('profile.status-by-order')}
        </Toggle>
        <Assumption section={sections.statusByOrder} />
      </div>
      <div className="pair">
        {select('digest', 'digest', {
          options: digests.map(id => ({ id, name: t(`digest.${id}`) })),
          value: draft.digest,
          onChange: digest => set({ digest }),
        })}
        {select('requestUppercasing', 'uppercasing', {
          options: uppercasings.map(id => ({ id, name: t(`uppercasing.${id}`) })),
          value: draft.requestUppercasing,
          onChange: requestUppercasing => set({ requestUppercasing }),
        })}
        <TextBox {...text('gatewayZone', 'zone')} />
        {select('amountRule', 'amount-rule', {
          options: (['refuse', ...amountRules] as const).map(id => ({ id, name: t(`amount-rule.${id}`) })),
          value: draft.amountRule ?? 'refuse',
          onChange: rule => set({ amountRule: rule === 'refuse' ? null : rule }),
        })}
        <TextBox {...text('amountExceptions', 'amount-exceptions')} inputClass="code" />
        {select('refundAmountInCallback', 'refund-amount', {
          options: refundAmounts.map(id => ({ id, name: t(`refund-amount.${id}`) })),
          value: draft.refundAmountInCallback,
          onChange: refundAmountInCallback => set({ refundAmountInCallback }),
        })}
      </div>
    </>
  );
};

type Props = {
  form: ProfileForm;
  onChange: (form: ProfileForm) => void;
  problem: AppError | null;
  /** The path of a field that is to be in view; null = none. */
  sought: string | null;
  fieldProblem: (path: string) => string | null;
};

/** Defaults for new payments. */
const PaymentFields = ({ form, onChange, fieldProblem }: Omit<Props, 'problem' | 'sought'>) => {
  const t = useText();
  const { draft } = form;
  const set = (change: Partial<ProfileDraft>): void => onChange({ ...form, draft: { ...draft, ...change } });
  return (
    <div className="pair">
      <SelectBox
        field="defaultCurrency"
        label={t('profile.currency')}
        options={currencyCodes.map(code => ({ id: code, name: code }))}
        value={draft.defaultCurrency}
        onChange={defaultCurrency => set({ defaultCurrency })}
      />
      <TextBox
        name="orderPattern"
        label={t('profile.order-pattern')}
        value={draft.orderPattern}
        onChange={orderPattern => set({ orderPattern })}
        problem={fieldProblem('orderPattern')}
        hint={t('profile.order-pattern.hint', { yyyy: '{yyyy}', mm: '{mm}', dd: '{dd}', n: '{n}' })}
        inputClass="code"
        autoComplete="off"
      />
      <TextBox
        name="methods"
        label={t('profile.methods')}
        value={form.methods}
        onChange={methods => onChange({ ...form, methods })}
        problem={fieldProblem('methods')}
        hint={t('profile.methods.hint')}
        labelExtra={<Assumption section={sections.methods} />}
      />
      <div className="stack tight span">
        <Toggle
          isEnabled={draft.intentGuard.isOn}
          onChange={isOn => set({ intentGuard: { ...draft.intentGuard, isOn } })}
          hint={t('profile.intent-guard.text')}
        >
          {t('profile.intent-guard')}
        </Toggle>
      </div>
      {draft.intentGuard.isOn ? (
        <TextBox
          name="intentGuard.paidMinutes"
          label={t('profile.intent-guard.paid')}
          hint={t('profile.intent-guard.paid.hint')}
          value={form.paidMinutes}
          onChange={paidMinutes => onChange({ ...form, paidMinutes })}
          problem={fieldProblem('intentGuard.paidMinutes')}
          inputMode="numeric"
        />
      ) : null}
    </div>
  );
};

/** What most profiles leave as it is: each group on one line with its present value. */
export const Advanced = ({ form, onChange, problem, sought, fieldProblem }: Props) => {
  const t = useText();
  const { draft } = form;
  const current = draftFrom(form);
  const set = (change: Partial<ProfileDraft>): void => onChange({ ...form, draft: { ...draft, ...change } });
  const differences = new Map(advancedGroups.map(group => [group, differencesIn(group, current)]));
  const changed = advancedGroups.filter(group => (differences.get(group) ?? 0) > 0).length;
  const values: Readonly<Record<Group, string>> = {
    payments: t('profile.advanced.payments.value', {
      currency: current.defaultCurrency,
      pattern: current.orderPattern,
      methods: current.methods.join(', '),
    }),
    merchant: [
      current.merchant.name || current.name,
      current.merchant.phone,
      current.timeZone || timeZoneOf(null),
    ]
      .filter(Boolean)
      .join(' · '),
    gateway: t('profile.advanced.changed', { count: differences.get('gateway') ?? 0 }),
    extras: t('profile.advanced.changed', { count: differences.get('extras') ?? 0 }),
    timeouts: t('profile.advanced.seconds', {
      connect: form.connect,
      headers: form.headers,
      body: form.body,
    }),
  };
  const group = (name: Group) => ({
    title: t(`profile.advanced.${name}`),
    value: values[name],
    differs: (differences.get(name) ?? 0) > 0,
    hasProblem: problem?.fields?.some(({ path }) => groupOf(path) === name) ?? false,
    isSought: sought !== null && groupOf(sought) === name,
  });
  return (
    <section className="panel flush bare" aria-labelledby="profile-advanced">
      <header>
        <h3 id="profile-advanced">{t('profile.advanced')}</h3>
        <span className="small quiet">
          {t('profile.advanced.differs', { changed, all: advancedGroups.length })}
        </span>
      </header>
      <AdvancedGroup {...group('payments')}>
        <PaymentFields form={form} onChange={onChange} fieldProblem={fieldProblem} />
      </AdvancedGroup>
      <AdvancedGroup {...group('merchant')}>
        <MerchantFields draft={draft} onChange={set} fieldProblem={fieldProblem} />
      </AdvancedGroup>
      <AdvancedGroup {...group('gateway')}>
        <GatewayFields draft={draft} onChange={set} fieldProblem={fieldProblem} />
      </AdvancedGroup>
      <AdvancedGroup {...group('extras')}>
        <SessionExtrasFields form={form} onChange={onChange} fieldProblem={fieldProblem} />
      </AdvancedGroup>
      <AdvancedGroup {...group('timeouts')}>
        <TimeoutFields form={form} onChange={onChange} fieldProblem={fieldProblem} />
      </AdvancedGroup>
    </section>
  );
};
