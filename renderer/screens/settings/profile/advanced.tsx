import { currencyCodes } from '../../../../shared/money/currencies.ts';
import type { AppError } from '../../../../shared/errors.ts';
import { timeZoneOf } from '../../../../shared/settings/merchant.ts';
import type { ProfileDraft } from '../../../../shared/settings/profile.ts';
import { sections } from '../../../profile-assumptions.ts';
import { SelectBox, Toggle } from '../../../components/controls/select.tsx';
import { TextBox } from '../../../components/controls/text-box.tsx';
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
import { SessionExtrasFields, TimeoutFields } from './session-extras.tsx';
import { AdvancedGroup } from './advanced-group.tsx';
import { GatewayFields } from './gateway-fields.tsx';

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
