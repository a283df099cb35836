import { useEffect, useRef, useState, type FormEvent } from 'react';
import { Save } from 'lucide-react';
import { Form, Label, Radio, RadioGroup } from 'react-aria-components';
import { msg } from '../../../shared/messages/message.ts';
import { addressScope } from '../../../shared/network-address.ts';
import { currencyCodes } from '../../../shared/money/currencies.ts';
import { amountRules } from '../../../shared/money/wire-amount.ts';
import type { AppError } from '../../../shared/errors.ts';
import {
  digests,
  refundAmounts,
  sessionPaths,
  statusForms,
  uppercasings,
} from '../../../shared/gateway-variants.ts';
import { needsPasswordAgain, type ProfileDraft, type ProfileView } from '../../../shared/settings/profile.ts';
import { sections } from '../../assumptions.ts';
import { Button } from '../../components/controls/button.tsx';
import { SelectBox, Toggle } from '../../components/controls/select.tsx';
import { ErrorNote } from '../../components/display/error-note.tsx';
import { KindMark } from '../../components/display/kind-mark.tsx';
import { Note } from '../../components/display/note.tsx';
import { SecretBox } from '../../components/controls/secret-box.tsx';
import { TextBox } from '../../components/controls/text-box.tsx';
import { request } from '../../ipc-client.ts';
import { draftFrom, formOf, missingFields, type ProfileForm } from '../../stores/settings/profile-form.ts';
import { go } from '../../stores/route.ts';
import { useMessage, useText } from '../../i18n/text.ts';
import { Assumption } from './assumption.tsx';
import { DryRunPanel } from './dry-run.tsx';
import { FormGroup } from './form-group.tsx';
import { MerchantFields } from './merchant-fields.tsx';
import { SessionExtrasFields } from './session-extras.tsx';

const back = (): void => go({ screen: 'settings', section: 'profiles', id: null });

/** A merchant profile. The password is write-only; settings that the interface leaves open are labelled. */
export const ProfileEditor = ({ profile }: { profile: ProfileView | null }) => {
  const t = useText();
  const say = useMessage();
  const [form, setForm] = useState<ProfileForm>(() => formOf(profile));
  const [password, setPassword] = useState('');
  const [thisRunOnly, setThisRunOnly] = useState(false);
  const [saving, setSaving] = useState(false);
  const [problem, setProblem] = useState<AppError | null>(null);
  const nameBox = useRef<HTMLInputElement>(null);
  useEffect(() => nameBox.current?.focus({ preventScroll: true }), []);
  const element = useRef<HTMLFormElement>(null);
  // Scrolls the first invalid field into view: the form is longer than the window.
  useEffect(() => {
    if (problem === null) return;
    const box = element.current?.querySelector<HTMLElement>('[data-invalid] :is(input, textarea)');
    box?.focus({ preventScroll: true });
    box?.scrollIntoView({ block: 'center' });
  }, [problem]);
  const { draft } = form;
  const set = (change: Partial<ProfileDraft>): void =>
    setForm(before => ({ ...before, draft: { ...before.draft, ...change } }));
  const fieldProblem = (path: string): string | null => {
    const found = problem?.fields?.find(field => field.path === path || field.path === `profile.${path}`);
    return found ? say(found.message) : null;
  };
  const text = (
    name:
      | 'name'
      | 'baseUrl'
      | 'merchantKey'
      | 'successUrl'
      | 'cancelUrl'
      | 'orderPattern'
      | 'gatewayZone'
      | 'amountExceptions',
  ) => ({
    name,
    value: draft[name],
    onChange: (value: string) => set({ [name]: value }),
    problem: fieldProblem(name),
    autoComplete: 'off',
  });
  const isAskedAgain =
    profile !== null && profile.password !== 'missing' && needsPasswordAgain(profile, draftFrom(form));
  const scope = addressScope(URL.parse(draft.baseUrl.trim())?.hostname ?? '');
  const keychainFailed = problem?.code.startsWith('keychain.') ?? false;

  const save = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const missing = missingFields(form, profile === null && password === '');
    if (missing.length > 0) {
      const message = msg('profile.required');
      setProblem({
        code: 'input.invalid',
        message: msg('error.input.invalid'),
        fields: missing.map(path => ({ path, message })),
      });
      return;
    }
    setSaving(true);
    const saved = await request('profiles.save', {
      id: profile?.id ?? null,
      profile: draftFrom(form),
      password: password === '' ? null : password,
      thisRunOnly,
    });
    setSaving(false);
    if (saved.ok) {
      setPassword('');
      back();
    } else setProblem(saved.error);
  };

  return (
    <Form
      ref={element}
      className="stack profile-editor"
      validationBehavior="aria"
      aria-label={profile ? t('profile.edit') : t('profile.add')}
      onSubmit={event => void save(event)}
    >
      <div className="line">
        <h2 className="section-title">{profile ? profile.name : t('profile.add')}</h2>
        <KindMark kind={draft.kind} />
      </div>
      <FormGroup title={t('profile.group.account')} lead={t('profile.group.account.text')}>
        <RadioGroup
          className="kind-choice"
          value={draft.kind}
          onChange={kind => set({ kind: kind === 'live' ? 'live' : 'test' })}
        >
          <Label>{t('profile.kind')}</Label>
          <div className="pair">
            <Radio value="test" className="kind-option test">
              <KindMark kind="test" />
              <span className="small">{t('profile.kind.test')}</span>
            </Radio>
            <Radio value="live" className="kind-option live">
              <KindMark kind="live" />
              <span className="small">{t('profile.kind.live')}</span>
            </Radio>
          </div>
        </RadioGroup>
        <div className="pair">
          <TextBox {...text('name')} label={t('profile.name')} inputRef={nameBox} isRequired />
          <TextBox
            {...text('baseUrl')}
            label={t('profile.base-url')}
            hint={t('profile.base-url.hint')}
            inputClass="code"
            isRequired
          />
          <TextBox
            {...text('merchantKey')}
            label={t('profile.merchant-key')}
            hint={t('profile.merchant-key.hint')}
            inputClass="code"
            isRequired
          />
          <SecretBox
            label={t('profile.password')}
            name="password"
            value={password}
            onChange={setPassword}
            hint={
              isAskedAgain
                ? t('profile.password.again')
                : profile
                  ? t(`password.${profile.password}`)
                  : t('profile.password.hint')
            }
            placeholder={
              profile && profile.password !== 'missing' && !isAskedAgain ? t('profile.password.keep') : ''
            }
            problem={fieldProblem('password')}
            isRequired={profile === null || isAskedAgain}
          />
        </div>
        {scope === 'public' ? null : <Note tone="warning">{t(`profile.base-url.${scope}`)}</Note>}
        {keychainFailed || thisRunOnly ? (
          <Toggle isEnabled={thisRunOnly} onChange={setThisRunOnly} hint={t('profile.this-run.text')}>
            {t('profile.this-run')}
          </Toggle>
        ) : null}
      </FormGroup>
      <FormGroup title={t('profile.group.payments')} lead={t('profile.group.payments.text')}>
        <div className="pair">
          <SelectBox
            label={t('profile.currency')}
            options={currencyCodes.map(code => ({ id: code, name: code }))}
            value={draft.defaultCurrency}
            onChange={defaultCurrency => set({ defaultCurrency })}
          />
          <TextBox
            {...text('orderPattern')}
            label={t('profile.order-pattern')}
            hint={t('profile.order-pattern.hint', {
              yyyy: '{yyyy}',
              mm: '{mm}',
              dd: '{dd}',
              n: '{n}',
            })}
            inputClass="code"
          />
          <TextBox
            {...text('successUrl')}
            label={t('profile.success-url')}
            hint={t('profile.success-url.hint', { order: '{order}' })}
            inputClass="code"
            isRequired
          />
          <TextBox
            {...text('cancelUrl')}
            label={t('profile.cancel-url')}
            hint={t('profile.cancel-url.hint')}
            inputClass="code"
            isRequired
          />
          <TextBox
            label={t('profile.methods')}
            value={form.methods}
            onChange={methods => setForm({ ...form, methods })}
            problem={fieldProblem('methods')}
            hint={t('profile.methods.hint')}
            labelExtra={<Assumption section={sections.methods} />}
          />
        </div>
      </FormGroup>
      <MerchantFields draft={draft} onChange={set} fieldProblem={fieldProblem} />
      <FormGroup title={t('profile.group.assumptions')} lead={t('profile.group.assumptions.text')}>
        <SelectBox
          label={t('profile.session-path')}
          labelExtra={<Assumption section={sections.sessionPath} />}
          options={sessionPaths.map(path => ({ id: path, name: path }))}
          value={draft.sessionPath}
          onChange={sessionPath => set({ sessionPath })}
          hint={t('profile.session-path.hint')}
        />
        <SelectBox
          label={t('profile.status-form')}
          labelExtra={<Assumption section={sections.statusForm} />}
          options={statusForms.map(form => ({ id: form, name: t(`status-form.${form}`) }))}
          value={draft.statusForm}
          onChange={statusForm => set({ statusForm })}
          hint={t('profile.status-form.hint')}
        />
        <div className="toggle-line">
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
            label={t('profile.digest')}
            labelExtra={<Assumption section={sections.digest} />}
            options={digests.map(digest => ({ id: digest, name: t(`digest.${digest}`) }))}
            value={draft.digest}
            onChange={digest => set({ digest })}
            hint={t('profile.digest.hint')}
          />
          <SelectBox
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
      </FormGroup>
      <SessionExtrasFields form={form} onChange={setForm} fieldProblem={fieldProblem} />
      <DryRunPanel draft={() => draftFrom(form)} />
      {problem === null ? null : problem.fields === undefined ? (
        <ErrorNote error={problem} />
      ) : (
        <p className="note error" role="alert">
          {t('profile.problems', { count: problem.fields.length })}
        </p>
      )}
      <div className="line wrap form-foot">
        <Button type="submit" variant="primary" size="large" icon={<Save size={16} />} isPending={saving}>
          {t('profile.save')}
        </Button>
        <Button variant="quiet" size="large" onPress={back}>
          {t('cancel')}
        </Button>
      </div>
    </Form>
  );
};
