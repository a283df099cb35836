import { useDeferredValue, useEffect, useMemo, useRef, useState, type FormEvent } from 'react';
import { Checkbox, CheckboxGroup, Form, Label } from 'react-aria-components';
import { flushSync } from 'react-dom';
import { Check, Eraser, RefreshCw, Send, UserPlus } from 'lucide-react';
import { currencyCodes } from '../../../shared/money/currencies.ts';
import { readAmountEntry } from '../../amount-reading.ts';
import { Button, IconButton } from '../../components/controls/button.tsx';
import { SelectBox, type Option } from '../../components/controls/select.tsx';
import { ErrorNote } from '../../components/display/error-note.tsx';
import { RefusalNote } from '../../components/display/read-only.tsx';
import { Screen } from '../../components/display/screen.tsx';
import { CancelWaitButton } from '../../components/controls/cancel-wait-button.tsx';
import { TextBox } from '../../components/controls/text-box.tsx';
import { useActiveProfile } from '../../stores/app-state.ts';
import { useNewPayment, type DraftField } from '../../stores/payments/new-payment.ts';
import { usePayment } from '../../stores/payments/payment.ts';
import { go } from '../../stores/route.ts';
import { useLocaleChoice, useMessage, useText } from '../../i18n/text.ts';
import { DuplicateQuestion } from './duplicate-question.tsx';
import { problemsOf, refusedFields, warningsOf } from './problems.ts';
import { submitLabel } from './submit-label.ts';
import { PaymentPreview } from './payment-preview.tsx';
import { Templates } from './templates.tsx';

/** A key press in a field; React Aria stops it there unless its propagation is continued. */
type BoxKey = { key: string; ctrlKey: boolean; metaKey: boolean; continuePropagation(): void };

const frequent = ['EUR', 'USD', 'GBP', 'CHF', 'PLN', 'CZK', 'SEK', 'NOK', 'DKK'];

const currencyOptions = (codes: readonly string[], locale: string): Option[] => {
  const names = new Intl.DisplayNames([locale], { type: 'currency' });
  return [...new Set(codes)].map(code => ({ id: code, name: code, detail: names.of(code) ?? code }));
};

/** The form for a new payment: amount, description, order number; Enter creates the link. */
export const NewPayment = () => {
  const t = useText();
  const say = useMessage();
  const { locale, language } = useLocaleChoice();
  const profile = useActiveProfile();
  const form = useNewPayment();
  const amountBox = useRef<HTMLInputElement>(null);
  const customerBox = useRef<HTMLInputElement>(null);
  const [withCustomer, setWithCustomer] = useState(form.customerName !== '' || form.customerEmail !== '');

  useEffect(() => {
    if (profile) void useNewPayment.getState().open(profile);
  }, [profile]);
  useEffect(() => {
    amountBox.current?.focus();
  }, []);

  const reading = useMemo(
    () => readAmountEntry(form.amount, form.currency, locale, language),
    [form.amount, form.currency, locale, language],
  );
  // The complete list of currencies is added after the first render.
  const isDrawn = useDeferredValue(true, false);
  const only = isDrawn ? null : form.currency;
  const options = useMemo(
    () =>
      currencyOptions(
        only === null ? [profile?.defaultCurrency ?? 'EUR', ...frequent, ...currencyCodes] : [only],
        locale,
      ),
    [only, profile?.defaultCurrency, locale],
  );
  const problems = problemsOf(form, reading, say, t);
  const refused = refusedFields(form.problem, say);
  const shown = (field: DraftField): string | null =>
    refused[field] ?? (form.touched.includes(field) ? (problems[field] ?? null) : null);

  const submit = async (allowDuplicate: boolean): Promise<void> => {
    // The profile was just changed, and the form does not belong to it yet.
    if (form.profileId !== profile?.id) return;
    form.showAll();
    const first = Object.keys(problems)[0];
    if (first !== undefined) {
      document.querySelector<HTMLElement>(`[name="${first}"]`)?.focus();
      return;
    }
    const file = await useNewPayment.getState().submit(locale, allowDuplicate);
    if (!file) return;
    usePayment.getState().put(file);
    go({
      screen: 'payment',
      profileId: file.payment.profileId,
      orderNumber: file.payment.orderNumber,
    });
  };
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    void submit(false);
  };
  const box = (field: DraftField) => ({
    name: field,
    value: form[field],
    onChange: (text: string) => form.type(field, text),
    onBlur: () => {
      if (form[field] !== '') form.markTouched(field);
    },
    problem: shown(field),
    // Enter submits without help; Ctrl+Enter must do so as well.
    onKeyDown: (event: BoxKey) => {
      if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void submit(false);
      else event.continuePropagation();
    },
  });

  // The button disappears; the focus moves to the customer's name.
  const addCustomer = (): void => {
    flushSync(() => setWithCustomer(true));
    customerBox.current?.focus();
  };
  const resetForm = (): void => {
    void form.clear();
    setWithCustomer(false);
    amountBox.current?.focus();
  };

  if (!profile) return null;
  const warnings = warningsOf(form, profile, t);
  const duplicate = form.problem?.code === 'payment.duplicate' ? form.problem : null;
  return (
    <Screen
      title={t('new.title')}
      label={t('new.title')}
      lead={t('new.lead', { profile: profile.name })}
      actions={
        <Templates profile={profile} reading={reading} onApplied={() => amountBox.current?.select()} />
      }
      className="new-payment"
    >
      <RefusalNote right="links" />
      <div className="new-columns">
        <Form
          className="panel stack"
          onSubmit={onSubmit}
          validationBehavior="aria"
          aria-label={t('new.title')}
        >
          <div className="amount-line">
            <TextBox
              {...box('amount')}
              label={t('new.amount')}
              inputRef={amountBox}
              inputClass="amount-input"
              inputMode="decimal"
              autoComplete="off"
              isRequired
              placeholder={new Intl.NumberFormat(locale, { minimumFractionDigits: 2 }).format(0)}
            />
            <SelectBox
              label={t('new.currency')}
              options={options}
              value={form.currency}
              onChange={currency => form.type('currency', currency)}
              problem={refused.currency ?? null}
            />
          </div>
          <p className="reading" aria-live="polite">
            {reading.kind === 'read' && reading.words !== null ? reading.words : t('new.amount.hint')}
          </p>
          <TextBox
            {...box('description')}
            label={t('new.description')}
            hint={warnings.description ?? t('new.description.hint')}
            autoComplete="off"
            isRequired
          />
          <TextBox
            {...box('orderNumber')}
            label={t('new.order')}
            hint={
              warnings.orderNumber ??
              (form.orderNumber !== '' && form.orderNumber === form.suggested
                ? t('new.order.suggested')
                : t('new.order.hint'))
            }
            inputClass="code"
            autoComplete="off"
            isRequired
            trail={
              form.suggested !== '' && form.orderNumber !== form.suggested ? (
                <IconButton
                  name={t('new.order.use-suggested', { order: form.suggested })}
                  icon={<RefreshCw size={14} />}
                  onPress={() => form.type('orderNumber', form.suggested)}
                />
              ) : null
            }
          />
          {withCustomer ? (
            <div className="pair">
              <TextBox
                {...box('customerName')}
                label={t('new.customer.name')}
                inputRef={customerBox}
                autoComplete="off"
              />
              <TextBox
                {...box('customerEmail')}
                label={t('new.customer.email')}
                type="email"
                autoComplete="off"
              />
              <p className="hint span">
                {profile.extras.sendCustomer ? t('new.customer.sent') : t('new.customer.local')}
              </p>
            </div>
          ) : null}
          {profile.methods.length > 1 ? (
            <CheckboxGroup
              className="field"
              value={[...form.methods]}
              onChange={methods => {
                if (methods.length > 0) form.chooseMethods(methods);
              }}
            >
              <Label>{t('new.methods')}</Label>
              <div className="line wrap">
                {profile.methods.map(method => (
                  <Checkbox key={method} value={method} className="checkbox">
                    <span className="checkbox-box" aria-hidden="true">
                      <Check size={12} />
                    </span>
                    {method}
                  </Checkbox>
                ))}
              </div>
            </CheckboxGroup>
          ) : null}
          {form.problem && !duplicate ? (
            <ErrorNote error={form.problem}>
              {form.problem.details?.['kept'] === true ? (
                <Button
                  onPress={() =>
                    go({
                      screen: 'payment',
                      profileId: profile.id,
                      orderNumber: String(form.problem?.details?.['orderNumber'] ?? form.orderNumber),
                    })
                  }
                >
                  {t('payment.open')}
                </Button>
              ) : null}
            </ErrorNote>
          ) : null}
          <CancelWaitButton
            isWaiting={form.submitting}
            description={t('waiting-for.link')}
            onCancel={form.stop}
          />
          <div className="line wrap form-actions">
            <Button
              right="links"
              type="submit"
              variant="primary"
              size="large"
              icon={<Send size={16} />}
              keys="Enter"
              isPending={form.submitting}
            >
              {form.submitting
                ? t('new.sending')
                : submitLabel(profile.kind, reading, form.currency, locale, t)}
            </Button>
            {withCustomer ? null : (
              <Button variant="quiet" icon={<UserPlus size={16} />} onPress={addCustomer}>
                {t('new.add-customer')}
              </Button>
            )}
            <span className="push" />
            <Button variant="quiet" icon={<Eraser size={16} />} onPress={resetForm}>
              {t('new.clear')}
            </Button>
          </div>
        </Form>
        <PaymentPreview profile={profile} reading={reading} draft={form} />
      </div>
      <DuplicateQuestion
        error={duplicate}
        profileId={profile.id}
        onAllowDuplicate={() => void submit(true)}
        onClose={form.dismissProblem}
      />
    </Screen>
  );
};
