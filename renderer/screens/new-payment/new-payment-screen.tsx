import { useEffect, useMemo, useRef, useState } from 'react';
import { RefreshCw, Send, ChevronRight } from 'lucide-react';
import { amountRuleFor } from '../../../shared/money/amount-rules.ts';
import { merchantNameOf } from '../../../shared/settings/merchant.ts';
import { readAmountEntry, type AmountReading } from '../../amount-reading.ts';
import { Button, IconButton } from '../../components/controls/button.tsx';
import { CancelWaitButton, PageError } from '../../components/display/notes.tsx';
import { partOnDemand, screenOnDemand } from '../../components/controls/on-demand.tsx';
import { TextBox } from '../../components/controls/fields.tsx';
import { Screen } from '../../components/display/screen.tsx';
import { useActiveProfile } from '../../stores/app-state-store.ts';
import type { DraftField, Draft } from '../../stores/new-payment/drafts.ts';
import { useNewPayment } from '../../stores/new-payment/new-payment-store.ts';
import { usePayment } from '../../queries/payment.ts';
import { go, whenReopened } from '../../stores/route-store.ts';
import { useIdle } from '../../hooks/use-idle.ts';
import { Form } from '../../forms/form.tsx';
import { ReadOnly } from '../../forms/read-only.tsx';
import { useLocaleChoice, useMessage, useText, type Translate } from '../../i18n/text.ts';
import { AmountField } from './amount-field.tsx';
import type { BoxOf } from './box-of.ts';
import { CustomerFields } from './payment-fields.tsx';
import { lifeOf, lifeInWords } from './lifetime.ts';
import { methodName } from './method-name.ts';
import { optionFields, problemsOf, refusedFields, unplaced, warningsOf } from './problems.ts';
import { ReadBack } from './read-back.tsx';
import { noneAllowed, questionOf } from './second-links.ts';
import { formatMoney } from '../../../shared/money/format-amount.ts';
import { useRefusal } from '../../use-rights.ts';
import type { ProfileKind, ProfileView } from '../../../shared/settings/profile.ts';
import { Button as TriggerButton, Disclosure, DisclosurePanel, Heading } from 'react-aria-components';
import { Truncate } from '../../components/display/values.tsx';

/** Loaded when it is first opened: most payments need none of it. */
const OptionFields = partOnDemand(() => import('./option-fields.tsx'), 'OptionFields');

/** One line that states what is set for this payment, and opens the options. */
const MoreOptions = ({
  profile,
  draft,
  box,
  hasProblem,
}: {
  profile: ProfileView;
  draft: Draft;
  box: BoxOf;
  /** A field inside was refused: it must be seen. */
  hasProblem: boolean;
}) => {
  const t = useText();
  const { language } = useLocaleChoice();
  const [isOpen, setOpen] = useState(false);
  const isExpanded = isOpen || hasProblem;
  const { methods } = draft;
  const set = [
    t('new.options.expires', { life: lifeInWords(lifeOf(draft, profile), t) }),
    t(`language.${draft.language ?? language}`),
    methods.length > 1 && methods.length === profile.methods.length
      ? t('new.options.all-methods')
      : methods.map(method => methodName(method, t)).join(', '),
    ...(draft.billing === null ? [] : [t('new.options.billing')]),
    ...(draft.customData.trim() === '' ? [] : [t('new.options.custom-data')]),
    ...(draft.cardToken.trim() === '' ? [] : [t('new.options.card-token')]),
    ...(draft.recurring || profile.extras.recurringInit ? [t('new.options.recurring')] : []),
  ].join(' · ');
  return (
    <Disclosure className="more-options line-above" isExpanded={isExpanded} onExpandedChange={setOpen}>
      <Heading level={2} className="small regular">
        <TriggerButton
          slot="trigger"
          className="more-options-button row middle gap-2 full no-padding no-border rounded-s no-ground text-start pointer"
        >
          <ChevronRight size={16} aria-hidden="true" className="entry-chevron" />
          <strong>{t('new.options')}</strong>
          <Truncate className="muted" text={set} />
        </TriggerButton>
      </Heading>
      <DisclosurePanel>
        {isExpanded ? <OptionFields profile={profile} draft={draft} box={box} /> : null}
      </DisclosurePanel>
    </Disclosure>
  );
};

/** The label of the button that creates a link. For a live profile it contains the amount. */
export const submitLabel = (
  kind: ProfileKind,
  reading: AmountReading,
  currency: string,
  locale: string,
  t: Translate,
): string => {
  if (kind !== 'live') return t('new.submit');
  return reading.kind === 'read' && reading.minor > 0n
    ? t('new.submit.live.amount', { amount: formatMoney(reading.wire, currency, locale) })
    : t('new.submit.live');
};

/** Outside the first screen's code: it appears right after the form. */
const DraftMessage = partOnDemand(() => import('../messages/draft-message.tsx'), 'DraftMessage');
const DuplicateQuestion = screenOnDemand(() => import('./duplicate-question.tsx'), 'DuplicateQuestion');

/** Outside the first screen's code, as is what they say. */
const DraftTabs = partOnDemand(() => import('./draft-tabs.tsx'), 'DraftTabs');
const DraftNotes = partOnDemand(() => import('./draft-tabs.tsx'), 'DraftNotes');
const DraftsKept = partOnDemand(() => import('./draft-tabs.tsx'), 'DraftsKept');
const Templates = partOnDemand(() => import('./template-list.tsx'), 'Templates');
const AnotherForm = partOnDemand(() => import('./draft-tabs.tsx'), 'AnotherForm');

/** Focuses the first field with a problem; whether there is one. */
const focusFirst = (problems: Partial<Record<DraftField, string>>): boolean => {
  const [first] = Object.keys(problems);
  if (first === undefined) return false;
  document.querySelector<HTMLElement>(`[name="${first}"]`)?.focus();
  return true;
};

/** The form for a new payment: amount, description, order number; Enter creates the link. */
export const NewPayment = () => {
  const t = useText();
  const say = useMessage();
  const { locale, language } = useLocaleChoice();
  const profile = useActiveProfile();
  const form = useNewPayment();
  // The form takes what is typed before the message for the customer is shown.
  const isIdle = useIdle();
  const amountBox = useRef<HTMLInputElement>(null);
  const [allowed, setAllowed] = useState(noneAllowed);
  const refusal = useRefusal({ request: 'payments.create' });

  useEffect(() => {
    if (profile) void useNewPayment.getState().open(profile);
  }, [profile]);
  const focusAmount = (): void => amountBox.current?.focus();
  useEffect(() => {
    useNewPayment.setState({ isShown: true });
    return () => useNewPayment.setState({ isShown: false });
  }, []);
  useEffect(() => {
    const focusField = (): void => {
      const { id, lastField } = useNewPayment.getState();
      if (id !== form.id) return;
      const field = document.querySelector<HTMLElement>(`.new-form [name="${lastField ?? 'amount'}"]`);
      (field ?? amountBox.current)?.focus();
    };
    focusField();
    return whenReopened(() => {
      if (!document.activeElement?.closest('.new-form')) focusField();
    });
  }, [form.id]);

  const reading = useMemo(
    () =>
      readAmountEntry(
        form.amount,
        form.currency,
        locale,
        language,
        profile && amountRuleFor(profile, form.currency),
      ),
    [form.amount, form.currency, locale, language, profile],
  );
  const problems = problemsOf(form, reading, say, t, profile?.merchant.phone);
  const refused = refusedFields(form.problem, say);
  const shown = (field: DraftField): string | null =>
    refused[field] ?? (form.touched.includes(field) ? (problems[field] ?? null) : null);

  /** Each answer is for this attempt and its repetitions; the next press of the button asks again. */
  const submit = async (seconds = noneAllowed): Promise<void> => {
    setAllowed(seconds);
    // The profile was just changed, and the form does not belong to it yet.
    if (!profile || form.profileId !== profile.id || refusal !== null) return;
    form.showAll();
    if (focusFirst(problems)) return;
    const file = await useNewPayment.getState().submit(profile, { locale, language }, seconds);
    if (!file) {
      const { id, isShown, problem } = useNewPayment.getState();
      // Another form may be shown by now.
      if (isShown && id === form.id) focusFirst(refusedFields(problem, say));
      return;
    }
    usePayment.getState().put(file);
    go({
      screen: 'payment',
      profileId: file.payment.profileId,
      orderNumber: file.payment.orderNumber,
    });
  };
  const box: BoxOf = field => ({
    name: field,
    value: form[field],
    onChange: text => form.type(field, text),
    onBlur: () => {
      if (form[field] !== '') form.markTouched(field);
    },
    problem: shown(field),
  });

  if (!profile) return null;
  const warnings = warningsOf(form, profile, t);
  const duplicate = questionOf(form.problem) === null ? null : form.problem;
  const unshown = form.problem && !duplicate ? unplaced(form.problem) : null;
  const isLive = profile.kind === 'live';
  const resetForm = (): void => {
    void form.clear(profile);
    focusAmount();
  };
  return (
    <Screen
      title={t('new.title')}
      label={t('new.title')}
      actions={
        <>
          {isIdle ? <DraftTabs onDone={focusAmount} /> : null}
          {isIdle ? <AnotherForm onDone={focusAmount} /> : null}
          <Button variant="quiet" onPress={resetForm}>
            {t('new.clear')}
          </Button>
          {isIdle ? (
            <Templates profile={profile} reading={reading} onApplied={() => amountBox.current?.select()} />
          ) : null}
        </>
      }
      className="new-payment"
    >
      {isIdle ? <DraftNotes onDone={focusAmount} /> : null}
      <div className="new-columns tracks to-top">
        <Form
          className="panel new-form stack"
          around=".new-payment"
          onSubmit={() => void submit()}
          label={t('new.title')}
        >
          <ReadOnly request="payments.create">
            <AmountField
              {...box('amount')}
              currency={form.currency}
              usualCurrency={profile.defaultCurrency}
              onCurrency={currency => form.type('currency', currency)}
              currencyProblem={refused.currency ?? null}
              words={reading.kind === 'read' ? reading.words : null}
              inputRef={amountBox}
            />
            <div className="order-fields tracks gap-4 at-start">
              <TextBox
                {...box('description')}
                label={t('new.description')}
                hint={
                  shown('description') === null
                    ? (warnings.description ?? t('new.description.hint'))
                    : undefined
                }
                autoComplete="off"
                isRequired
              />
              <TextBox
                {...box('orderNumber')}
                label={t('new.order')}
                hint={warnings.orderNumber}
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
            </div>
            <CustomerFields
              box={box}
              profileId={profile.id}
              merchantPhone={profile.merchant.phone}
              isSent={profile.extras.sendCustomer}
              name={form.customerName}
              email={form.customerEmail}
              phone={form.customerPhone}
            />
            <MoreOptions
              key={form.id}
              profile={profile}
              draft={form}
              box={box}
              hasProblem={optionFields.some(field => shown(field) !== null)}
            />
          </ReadOnly>
          <PageError error={unshown}>
            {unshown?.details?.['kept'] === true ? (
              <Button
                onPress={() =>
                  go({
                    screen: 'payment',
                    profileId: profile.id,
                    orderNumber: String(unshown.details?.['orderNumber'] ?? form.orderNumber),
                  })
                }
              >
                {t('payment.open')}
              </Button>
            ) : null}
          </PageError>
          <CancelWaitButton
            isWaiting={form.submitting}
            description={t('waiting-for.link')}
            onCancel={form.stop}
            isOverPage
          />
          <div className="new-foot line wrap on-surface">
            <Button
              request="payments.create"
              type="submit"
              variant={isLive ? 'live' : 'primary'}
              size="large"
              icon={Send}
              keys="Enter"
              isPending={form.submitting}
            >
              {form.submitting
                ? t('new.sending')
                : submitLabel(profile.kind, reading, form.currency, locale, t)}
            </Button>
            <span className={`small ${isLive ? 'muted' : 'quiet'}`}>
              {refusal ??
                (profile.kind === 'live'
                  ? t('new.submit.live.note', { merchant: merchantNameOf(profile) })
                  : t(`new.submit.${profile.kind}.note`))}
            </span>
          </div>
        </Form>
        <aside className="panel counterfoil no-padding" aria-label={t('read-back.aside')}>
          <ReadBack profile={profile} reading={reading} draft={form} />
          {isIdle ? (
            <DraftMessage
              profile={profile}
              reading={reading}
              draft={form}
              lifeMinutes={lifeOf(form, profile)}
            />
          ) : null}
        </aside>
      </div>
      {isIdle ? <DraftsKept /> : null}
      {duplicate === null ? null : (
        <DuplicateQuestion
          error={duplicate}
          profileId={profile.id}
          onAllow={question => void submit({ ...allowed, [question]: true })}
          onClose={form.dismissProblem}
        />
      )}
    </Screen>
  );
};
