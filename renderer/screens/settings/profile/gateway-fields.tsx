import { amountRules } from '../../../../shared/money/wire-amount.ts';
import {
  digests,
  refundAmounts,
  sessionPaths,
  statusForms,
  uppercasings,
} from '../../../../shared/gateway-variants.ts';
import type { ProfileDraft } from '../../../../shared/settings/profile.ts';
import { sections } from '../../../profile-assumptions.ts';
import { SelectBox, Toggle } from '../../../components/controls/select.tsx';
import { TextBox } from '../../../components/controls/text-box.tsx';
import { useText } from '../../../i18n/text.ts';
import { Assumption } from './assumption.tsx';

/** What the interface leaves open, each labelled with its section. */
export const GatewayFields = ({
  draft,
  onChange: set,
  fieldProblem,
}: {
  draft: ProfileDraft;
  onChange: (change: Partial<ProfileDraft>) => void;
  fieldProblem: (path: string) => string | null;
}) => {
  const t = useText();
  const text = (name: 'gatewayZone' | 'amountExceptions') => ({
    name,
    value: draft[name],
    onChange: (value: string) => set({ [name]: value }),
    problem: fieldProblem(name),
    autoComplete: 'off',
  });
  return (
    <>
      <p className="small quiet">{t('profile.group.assumptions.text')}</p>
      <SelectBox
        field="sessionPath"
        label={t('profile.session-path')}
        labelExtra={<Assumption section={sections.sessionPath} />}
        options={sessionPaths.map(path => ({ id: path, name: path }))}
        value={draft.sessionPath}
        onChange={sessionPath => set({ sessionPath })}
        hint={t('profile.session-path.hint')}
      />
      <SelectBox
        field="statusForm"
        label={t('profile.status-form')}
        labelExtra={<Assumption section={sections.statusForm} />}
        options={statusForms.map(form => ({ id: form, name: t(`status-form.${form}`) }))}
        value={draft.statusForm}
        onChange={statusForm => set({ statusForm })}
        hint={t('profile.status-form.hint')}
      />
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
        <SelectBox
          field="digest"
          label={t('profile.digest')}
          labelExtra={<Assumption section={sections.digest} />}
          options={digests.map(digest => ({ id: digest, name: t(`digest.${digest}`) }))}
          value={draft.digest}
          onChange={digest => set({ digest })}
          hint={t('profile.digest.hint')}
        />
        <SelectBox
          field="requestUppercasing"
          label={t('profile.uppercasing')}
          labelExtra={<Assumption section={sections.requestUppercasing} />}
          options={uppercasings.map(one => ({ id: one, name: t(`uppercasing.${one}`) }))}
          value={draft.requestUppercasing}
          onChange={requestUppercasing => set({ requestUppercasing })}
          hint={t('profile.uppercasing.hint')}
        />
        <TextBox
          {...text('gatewayZone')}
          label={t('profile.zone')}
          labelExtra={<Assumption section={sections.gatewayZone} />}
          hint={t('profile.zone.hint')}
        />
        <SelectBox
          field="amountRule"
          label={t('profile.amount-rule')}
          labelExtra={<Assumption section={sections.amountRule} />}
          options={(['refuse', ...amountRules] as const).map(rule => ({
            id: rule,
            name: t(`amount-rule.${rule}`),
          }))}
          value={draft.amountRule ?? 'refuse'}
          onChange={rule => set({ amountRule: rule === 'refuse' ? null : rule })}
          hint={t('profile.amount-rule.hint')}
        />
        <TextBox
          {...text('amountExceptions')}
          label={t('profile.amount-exceptions')}
          labelExtra={<Assumption section={sections.amountRule} />}
          hint={t('profile.amount-exceptions.hint')}
          inputClass="code"
        />
        <SelectBox
          label={t('profile.refund-amount')}
          labelExtra={<Assumption section={sections.refundAmountInCallback} />}
          options={refundAmounts.map(id => ({ id, name: t(`refund-amount.${id}`) }))}
          value={draft.refundAmountInCallback}
          onChange={refundAmountInCallback => set({ refundAmountInCallback })}
          hint={t('profile.refund-amount.hint')}
        />
      </div>
    </>
  );
};
