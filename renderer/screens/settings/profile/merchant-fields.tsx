import { timeZoneOf } from '../../../../shared/settings/merchant.ts';
import type { ProfileDraft } from '../../../../shared/settings/profile.ts';
import { TextBox } from '../../../components/controls/text-box.tsx';
import { useText } from '../../../i18n/text.ts';
import { LogoField } from './logo-field.tsx';

/** What customers, accountants and banks read about the merchant, and the time zone of the books. */
export const MerchantFields = ({
  draft,
  onChange,
  fieldProblem,
}: {
  draft: ProfileDraft;
  onChange: (change: Partial<ProfileDraft>) => void;
  fieldProblem: (path: string) => string | null;
}) => {
  const t = useText();
  const { merchant } = draft;
  const text = (name: 'name' | 'phone') => ({
    name: `merchant.${name}`,
    value: merchant[name],
    onChange: (value: string) => onChange({ merchant: { ...merchant, [name]: value } }),
    problem: fieldProblem(`merchant.${name}`),
    autoComplete: 'off',
  });
  return (
    <>
      <p className="small quiet">{t('profile.group.merchant.text')}</p>
      <div className="pair">
        <TextBox {...text('name')} label={t('profile.merchant.name')} placeholder={draft.name} />
        <TextBox {...text('phone')} label={t('profile.merchant.phone')} type="tel" />
        <TextBox
          name="merchant.address"
          label={t('profile.merchant.address')}
          lines={3}
          value={merchant.address.join('\n')}
          onChange={address => onChange({ merchant: { ...merchant, address: address.split('\n') } })}
          problem={fieldProblem('merchant.address')}
          autoComplete="off"
        />
        <TextBox
          name="timeZone"
          label={t('profile.merchant.zone')}
          hint={t('profile.merchant.zone.hint')}
          value={draft.timeZone}
          onChange={timeZone => onChange({ timeZone })}
          problem={fieldProblem('timeZone')}
          placeholder={timeZoneOf(null)}
          autoComplete="off"
        />
        <LogoField
          logo={merchant.logo}
          onChange={logo => onChange({ merchant: { ...merchant, logo } })}
          problem={fieldProblem('merchant.logo')}
        />
      </div>
    </>
  );
};
