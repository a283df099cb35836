import type { SessionExtras } from '../../../../shared/settings/profile.ts';
import { sections } from '../../../profile-assumptions.ts';
import { Toggle, TextBox } from '../../../components/controls/fields.tsx';
import type { ProfileForm } from '../../../stores/settings/profile-form.ts';
import { useText } from '../../../i18n/text.ts';
import { Assumption } from './assumption.tsx';

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

type Props = {
  form: ProfileForm;
  onChange: (form: ProfileForm) => void;
  fieldProblem: (path: string) => string | null;
};

/** Optional session fields that the interface does not specify. */
export const SessionExtrasFields = ({ form, onChange, fieldProblem }: Props) => {
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
export const TimeoutFields = ({ form, onChange, fieldProblem }: Props) => {
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
