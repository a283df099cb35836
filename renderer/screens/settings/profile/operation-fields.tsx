import { voidMoments } from '../../../../shared/gateway-variants.ts';
import { operationKinds } from '../../../../shared/operations/operation-kinds.ts';
import type { OperationLimits, OperationSettings } from '../../../../shared/settings/operation-settings.ts';
import { SelectBox, Toggle } from '../../../components/controls/select.tsx';
import { TextBox } from '../../../components/controls/text-box.tsx';
import { useText } from '../../../i18n/text.ts';
import { sections } from '../../../profile-assumptions.ts';
import type { ProfileForm } from '../../../stores/settings/profile-form.ts';
import { Assumption } from './assumption.tsx';

const switches = [...operationKinds, 'sendCurrencyInRecurring', 'sendCustomerInRecurring'] as const;
const limits = ['perOperation', 'perDay', 'secondPersonFrom'] as const;

/** Operations on payments, which the interface does not show, and their limits for people. */
export const OperationFields = ({
  form,
  onChange,
  fieldProblem,
}: {
  form: ProfileForm;
  onChange: (form: ProfileForm) => void;
  fieldProblem: (path: string) => string | null;
}) => {
  const t = useText();
  const { operations, extras } = form.draft;
  const set = (change: Partial<OperationSettings>): void => {
    const changed = { ...operations, ...change };
    // An authorisation that cannot be captured would only lapse.
    const auth = extras.auth && changed.capture;
    onChange({ ...form, draft: { ...form.draft, operations: changed, extras: { ...extras, auth } } });
  };
  const setLimit = (change: Partial<OperationLimits>): void =>
    set({ limits: { ...operations.limits, ...change } });
  return (
    <>
      <p className="small quiet">{t('profile.group.operations.text')}</p>
      <div className="pair">
        {switches.map(name => (
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
      </div>
      <div className="pair">
        <SelectBox
          label={t('profile.operations.voidAllowed')}
          labelExtra={<Assumption section={sections.operations} />}
          options={voidMoments.map(id => ({ id, name: t(`void-allowed.${id}`) }))}
          value={operations.voidAllowed}
          onChange={voidAllowed => set({ voidAllowed })}
          hint={t('profile.operations.voidAllowed.text')}
        />
        <TextBox
          name="operations.holdDays"
          label={t('profile.operations.holdDays')}
          labelExtra={<Assumption section={sections.operations} />}
          hint={t('profile.operations.holdDays.text')}
          value={form.holdDays}
          onChange={holdDays => onChange({ ...form, holdDays })}
          problem={fieldProblem('operations.holdDays')}
          inputMode="numeric"
        />
        <TextBox
          name="operations.statusSize"
          label={t('profile.operations.statusSize')}
          labelExtra={<Assumption section={sections.statusByOrder} />}
          hint={t('profile.operations.statusSize.text')}
          value={form.statusSize}
          onChange={statusSize => onChange({ ...form, statusSize })}
          problem={fieldProblem('operations.statusSize')}
          inputMode="numeric"
        />
        {limits.map(name => (
          <TextBox
            key={name}
            name={`operations.limits.${name}`}
            label={t(`profile.operations.limits.${name}`)}
            hint={t('profile.operations.limits.text')}
            value={operations.limits[name]}
            onChange={text => setLimit({ [name]: text })}
            problem={fieldProblem(`operations.limits.${name}`)}
            inputClass="code"
            autoComplete="off"
          />
        ))}
      </div>
    </>
  );
};
