import { Check } from 'lucide-react';
import { Checkbox, CheckboxGroup, Label } from 'react-aria-components';
import { languages } from '../../../shared/messages/message.ts';
import { billingFields, offeredOptions } from '../../../shared/settings/offered-options.ts';
import { readPhoneNumber } from '../../../shared/phone-number.ts';
import type { ProfileView } from '../../../shared/settings/profile.ts';
import { SelectBox, Toggle, TextBox } from '../../components/controls/fields.tsx';
import { useLocaleChoice, useText } from '../../i18n/text.ts';
import { profileBilling, type Draft } from '../../stores/new-payment/drafts.ts';
import { useNewPayment } from '../../stores/new-payment/new-payment-store.ts';
import type { BoxOf } from './box-of.ts';
import { lifeInWords, lifeOf } from './lifetime.ts';
import { methodName } from './method-name.ts';

/** What can differ for one payment. What the profile does not send has no field. */
export const OptionFields = ({ profile, draft, box }: { profile: ProfileView; draft: Draft; box: BoxOf }) => {
  const t = useText();
  const { language } = useLocaleChoice();
  const choose = useNewPayment(form => form.choose);
  const offered = offeredOptions(profile);
  const life = lifeOf(draft, profile);
  const billing = draft.billing ?? profileBilling(profile);
  const notSent = [
    ...(offered.lifetimes.length === 1 ? [t('new.expiry')] : []),
    ...(offered.billingAddress ? [] : [t('new.options.billing')]),
    ...(offered.customData ? [] : [t('new.options.custom-data')]),
    ...(offered.requestCardToken || offered.cardToken ? [] : [t('new.options.card-token')]),
  ];
  return (
    <div className="stack option-fields">
      <div className="pair">
        <SelectBox
          label={t('new.expiry')}
          options={offered.lifetimes.map(minutes => ({
            id: String(minutes),
            name: lifeInWords(minutes, t),
          }))}
          value={String(life)}
          isDisabled={offered.lifetimes.length === 1}
          onChange={minutes => choose({ expiryMinutes: Number(minutes) })}
          hint={t(offered.lifetimes.length === 1 ? 'new.expiry.fixed' : 'new.expiry.hint')}
        />
        <SelectBox
          label={t('new.language')}
          options={languages.map(id => ({ id, name: t(`language.${id}`) }))}
          value={draft.language ?? language}
          onChange={chosen => choose({ language: chosen })}
          hint={t('new.language.hint')}
        />
      </div>
      {profile.methods.length > 1 ? (
        <CheckboxGroup
          className="field"
          value={[...draft.methods]}
          onChange={methods => {
            if (methods.length > 0) choose({ methods });
          }}
        >
          <Label>{t('new.methods')}</Label>
          <div className="line wrap">
            {profile.methods.map(method => (
              <Checkbox key={method} value={method} className="checkbox">
                <span className="checkbox-box" aria-hidden="true">
                  <Check size={12} />
                </span>
                {methodName(method, t)}
              </Checkbox>
            ))}
          </div>
        </CheckboxGroup>
      ) : null}
      {offered.billingAddress ? (
        <fieldset className="option-group no-margin no-padding no-border">
          <legend>{t('new.options.billing')}</legend>
          <div className="triple">
            {billingFields.map(name => (
              <TextBox
                key={name}
                name={`billing.${name}`}
                label={t(`new.billing.${name}`)}
                value={billing[name]}
                onChange={text => choose({ billing: { ...billing, [name]: text } })}
                autoComplete="off"
                {...(name === 'phone' ? { isAllowed: (text: string) => readPhoneNumber(text) !== null } : {})}
              />
            ))}
          </div>
        </fieldset>
      ) : null}
      {offered.customData ? (
        <TextBox
          {...box('customData')}
          label={t('new.options.custom-data')}
          lines={3}
          hint={t('new.custom-data.hint', { sent: profile.extras.customData })}
          inputClass="code"
          autoComplete="off"
        />
      ) : null}
      {offered.requestCardToken ? (
        <Toggle
          isEnabled={draft.requestCardToken ?? true}
          onChange={isEnabled => choose({ requestCardToken: isEnabled })}
          hint={t('extra.reqToken.text')}
        >
          {t('extra.reqToken')}
        </Toggle>
      ) : null}
      {offered.recurring ? (
        <Toggle
          isEnabled={draft.recurring || profile.extras.recurringInit}
          isDisabled={profile.extras.recurringInit}
          onChange={isEnabled => choose({ recurring: isEnabled })}
          hint={t(profile.extras.recurringInit ? 'new.recurring.always' : 'new.recurring.hint')}
        >
          {t('new.recurring')}
        </Toggle>
      ) : null}
      {offered.cardToken ? (
        <TextBox
          {...box('cardToken')}
          label={t('new.card-token')}
          hint={t('new.card-token.hint')}
          inputClass="code"
          autoComplete="off"
        />
      ) : null}
      {notSent.length === 0 ? null : (
        <p className="hint">
          {t('new.options.not-sent', { names: notSent.join(', ') })}{' '}
          {profile.kind === 'sandbox' ? null : t('new.options.not-sent.change')}
        </p>
      )}
    </div>
  );
};
