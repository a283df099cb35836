import { inLine } from '../../../shared/plain-text.ts';
import { useEffect, useEffectEvent, useState, useRef } from 'react';
import { canBeReason, reconcile, type ReconciliationCause } from '../../../shared/reports/reconcile.ts';
import {
  maxResolutionText,
  resolutionReasons,
  type ResolutionReason,
} from '../../../shared/review/review.ts';
import type { PaymentRow } from '../../../shared/payments/payment.ts';
import { Button } from '../../components/controls/button.tsx';
import { Sheet } from '../../components/controls/dialog.tsx';
import { TextBox, SelectBox } from '../../components/controls/fields.tsx';
import { RadioChoice } from '../../components/controls/radio-choice.tsx';
import { Form, FormFoot } from '../../forms/form.tsx';
import { useText, useLocaleChoice, useMessage } from '../../i18n/text.ts';
import { currentTime } from '../../i18n/time-left.ts';
import { ListBox, ListBoxItem } from 'react-aria-components';
import { ownCustomer } from '../../../shared/merchant-texts/own-customer.ts';
import { formatMoney } from '../../../shared/money/format-amount.ts';
import { maxOperationText, operationTable } from '../../../shared/operations/operation-kinds.ts';
import { fieldProblems } from '../../../shared/operations/rules.ts';
import { ErrorNote, Note } from '../../components/display/notes.tsx';
import { Money } from '../../components/display/values.tsx';
import type { RefundResult, RefundRun } from '../../../shared/contract/contract.ts';
import { useRefundRun } from '../../stores/reports/refund-run-store.ts';
import { operationLabel } from '../payment/operations/operation-label.ts';

/** One payment: what is left of it, why it is refunded, and the three ways on. */
const Question = ({
  item,
  run: { phase, place, total, problem },
}: {
  item: NonNullable<RefundRun['item']>;
  run: RefundRun;
}) => {
  const t = useText();
  const say = useMessage();
  const { locale } = useLocaleChoice();
  const { reason, text, typedOrder, change, send, control } = useRefundRun();
  const [wasSent, setSent] = useState(false);
  const head = useRef<HTMLHeadingElement>(null);
  // Not the button: Enter held down must not refund the next payment.
  useEffect(() => head.current?.focus(), []);
  const { row, cardLast4, remaining, currency } = item;
  const isSending = phase === 'sending';
  const problems = fieldProblems(
    { reason, text, typedOrder, charge: null, second: null },
    item.needsOrderNumber ? row.orderNumber : null,
  );
  const problemOf = (field: 'reason' | 'text' | 'typedOrder'): string | null => {
    const missing = wasSent ? problems[field] : undefined;
    return missing === undefined ? null : say(missing);
  };
  const amount = formatMoney(remaining, currency, locale);
  const submit = (): void => {
    setSent(true);
    if (Object.keys(problems).length === 0) void send();
  };
  return (
    <Form onSubmit={submit}>
      <h3 ref={head} tabIndex={-1} className="refund-run-head">
        {t('refund-run.place', { place, total })}
      </h3>
      <dl className="refund-run-facts tracks gap-1-4 at-baseline">
        <dt>{t('column.order')}</dt>
        <dd className="code">{inLine(row.orderNumber)}</dd>
        <dt>{t('column.customer')}</dt>
        <dd>{ownCustomer(row)?.name ?? ownCustomer(row)?.email ?? '–'}</dd>
        <dt>{t(item.onlyOnPage === 'unknown-part' ? 'operation-form.left.most' : 'refund-run.left')}</dt>
        <dd>
          <Money amount={remaining} currency={currency} size="large" />
        </dd>
      </dl>
      {item.onlyOnPage ? (
        <Note tone="warning">{t(`refund-run.${item.onlyOnPage}`)}</Note>
      ) : (
        <>
          <SelectBox
            label={t('review.reason')}
            placeholder={t('reason.choose')}
            options={operationTable.refund.reasons.map(id => ({ id, name: t(`operation-reason.${id}`) }))}
            value={reason}
            isDisabled={isSending}
            onChange={chosen => change({ reason: chosen })}
            problem={problemOf('reason')}
            hint={t('refund-run.reason.kept')}
          />
          <TextBox
            label={t('operation-form.text')}
            value={text}
            isDisabled={isSending}
            onChange={typed => change({ text: typed })}
            maxLength={maxOperationText}
            problem={problemOf('text')}
          />
          {item.needsOrderNumber ? (
            <TextBox
              label={t('operation-form.order')}
              value={typedOrder}
              isDisabled={isSending}
              onChange={typed => change({ typedOrder: typed })}
              autoComplete="off"
              problem={problemOf('typedOrder')}
            />
          ) : null}
        </>
      )}
      {problem ? <ErrorNote error={problem} /> : null}
      <div className="line end wrap">
        <Button onPress={() => void control('stop')}>{t('refund-run.stop')}</Button>
        <Button isDisabled={isSending} onPress={() => void control('skip')}>
          {t('refund-run.skip')}
        </Button>
        {item.onlyOnPage ? null : (
          <Button type="submit" variant="danger" request="refunds.send" isPending={isSending}>
            {operationLabel('refund', amount, cardLast4, t)}
          </Button>
        )}
      </div>
    </Form>
  );
};

const tones: Partial<Record<RefundResult['outcome'], string>> = {
  unknown: 'problem',
  'one-of': 'problem',
  failed: 'problem',
  refused: 'problem',
};

/** The results so far, in their order. */
const Results = ({ results }: { results: readonly RefundResult[] }) => {
  const t = useText();
  const say = useMessage();
  if (results.length === 0) return null;
  return (
    <section aria-label={t('refund-run.results')} className="stack tight">
      <h3 className="small">{t('refund-run.results')}</h3>
      <ul className="refund-run-results stack gap-0 no-padding no-bullets small">
        {results.map(({ orderNumber, paymentId, amount, currency, outcome, message }) => (
          <li key={`${orderNumber} ${paymentId}`}>
            <span className="code clip">{inLine(orderNumber)}</span>
            <Money amount={amount} currency={currency} />
            <span>
              <span className={tones[outcome] ?? ''}>{t(`refund-run.outcome.${outcome}`)}</span>
              {message === null ? null : (
                <span className="quiet"> {typeof message === 'string' ? message : say(message)}</span>
              )}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
};

/** Nothing left this computer for these. */
const unsent: readonly RefundResult['outcome'][] = ['skipped', 'not-offered', 'not-reached'];

/** Refunds the selected payments one after the other, each confirmed, each with its own result. */
export const RefundRunSheet = () => {
  const t = useText();
  const { run, startProblem, control } = useRefundRun();
  const results = run?.results ?? [];
  const sent = results.filter(({ outcome }) => outcome === 'accepted' || outcome === 'waiting').length;
  /** Closes the panel: at once if nothing was sent, after the results if something was. */
  const leave = async (): Promise<void> => {
    useRefundRun.setState({ startProblem: null });
    const isNothingSent = results.every(({ outcome }) => unsent.includes(outcome));
    if (run?.phase !== 'ended') await control('stop');
    if (run?.phase === 'ended' || isNothingSent) await control('forget');
  };
  return (
    <Sheet
      title={t('refund-run.title')}
      isOpen={run !== null || startProblem !== null}
      wide
      onClose={() => void leave()}
    >
      <div className="stack">
        {startProblem ? <ErrorNote error={startProblem} /> : null}
        {run?.item && (run.phase === 'asking' || run.phase === 'sending') ? (
          <Question key={`${run.item.row.orderNumber} ${run.item.paymentId}`} item={run.item} run={run} />
        ) : run?.phase === 'ended' ? (
          <output className="strong">{t('refund-run.ended', { count: sent })}</output>
        ) : run ? (
          <output className="quiet">{t('loading')}</output>
        ) : null}
        {run?.wantsToStop && run.phase === 'sending' ? <Note>{t('refund-run.stopping')}</Note> : null}
        <Results results={results} />
        {run?.phase === 'ended' ? (
          <div className="line end">
            {/* The run is over: its one answer is to close it. */}
            {/* oxlint-disable-next-line jsx-a11y/no-autofocus */}
            <Button variant="primary" autoFocus onPress={() => void control('forget')}>
              {t('close')}
            </Button>
          </div>
        ) : null}
      </div>
    </Sheet>
  );
};

type Choice = { id: string; name: string; detail?: string };

/** A choice that acts at once: to whom, or until when. */
export const ChoiceSheet = ({
  title,
  choices,
  isOpen,
  onChoose,
  onClose,
}: {
  title: string;
  choices: readonly Choice[];
  isOpen: boolean;
  onChoose: (id: string) => void;
  onClose: () => void;
}) => (
  <Sheet title={title} isOpen={isOpen} onClose={onClose}>
    {/* The dialog is opened to choose. */}
    {/* oxlint-disable-next-line jsx-a11y/no-autofocus */}
    <ListBox className="options" aria-label={title} autoFocus="first" onAction={key => onChoose(String(key))}>
      {choices.map(({ id, name, detail }) => (
        <ListBoxItem key={id} id={id} textValue={name} className="option hovers">
          <span className="row gap-2 at-baseline">
            {name}
            {detail === undefined ? null : <span className="option-detail quiet tiny">{detail}</span>}
          </span>
        </ListBoxItem>
      ))}
    </ListBox>
  </Sheet>
);

/** Reasons that are selected already: only for causes that need no action. Any other one is a person's decision. */
const usualReasons: Partial<Record<ReconciliationCause, ResolutionReason>> = {
  'expired-without-outcome': 'not-wanted',
  'refund-seen': 'passed-on',
};

/** Reasons that fit every cause and say nothing about the money. */
const reasonsOfAll: readonly ResolutionReason[] = ['nothing-to-do', 'other'];

/** How many causes these payments have. `now`: milliseconds. */
const causesOf = (rows: readonly PaymentRow[], now: number): number =>
  new Set(rows.map(row => reconcile(row, now)[0]?.cause)).size;

/** The reasons that can be given for these payments together. */
export const reasonsFor = (rows: readonly PaymentRow[], now: number): readonly ResolutionReason[] =>
  (causesOf(rows, now) > 1 ? reasonsOfAll : resolutionReasons).filter(reason =>
    rows.every(row => canBeReason(reason, row)),
  );

/** Money that may still have to move: no reason but these two settles it. */
const unsettledCauses: readonly ReconciliationCause[] = [
  'settled-twice',
  'operation-unknown',
  'refunds-differ',
  'returned-twice',
  'operation-overdue',
];
const settling: readonly (ResolutionReason | null)[] = ['settled-otherwise', 'passed-on'];

/** What a reason leaves unsettled of these payments, gravest first. */
export const unsettledBy = (
  reason: ResolutionReason | null,
  rows: readonly PaymentRow[],
  now: number,
): readonly ReconciliationCause[] => {
  const found = new Set(rows.flatMap(row => reconcile(row, now).map(({ cause }) => cause)));
  return settling.includes(reason) ? [] : unsettledCauses.filter(cause => found.has(cause));
};

const usualReason = (rows: readonly PaymentRow[]): ResolutionReason | null => {
  const now = currentTime();
  const reasons = new Set(
    rows.map(row => {
      const cause = reconcile(row, now)[0]?.cause;
      return (cause && usualReasons[cause]) ?? null;
    }),
  );
  const [only] = reasons;
  return reasons.size === 1 ? (only ?? null) : null;
};

/** Asks why payments are resolved. */
export const ResolveSheet = ({
  rows,
  title,
  onResolve,
  onClose,
}: {
  rows: readonly PaymentRow[];
  title: string;
  onResolve: (reason: ResolutionReason, text: string) => void;
  onClose: () => void;
}) => {
  const t = useText();
  const [reason, setReason] = useState(() => usualReason(rows));
  const [text, setText] = useState('');
  const [wasSent, setSent] = useState(false);
  const [opened] = useState(currentTime);
  const causes = causesOf(rows, opened);
  const unsettled = unsettledBy(reason, rows, opened);
  const needsText = reason === 'other' && text.trim() === '';
  const submit = (): void => {
    setSent(true);
    if (reason !== null && !needsText) onResolve(reason, text.trim());
  };
  // A browser submits a form by Enter from a radio button only if one is selected.
  const onEnter = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.target instanceof HTMLInputElement)) return;
    if (event.target.type !== 'radio') return;
    event.preventDefault();
    event.stopPropagation();
    submit();
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => onEnter(event);
    document.addEventListener('keydown', listen, true);
    return () => document.removeEventListener('keydown', listen, true);
  }, []);
  return (
    <Sheet title={title} onClose={onClose}>
      <Form onSubmit={submit}>
        <RadioChoice
          className="review-reasons stack gap-0"
          optionClass="review-reason pointer hovers line rounded-s"
          label={t('review.reason')}
          lead={causes > 1 ? <p className="small muted">{t('review.mixed', { count: causes })}</p> : null}
          options={reasonsFor(rows, opened).map((id, index) => ({
            id,
            name: t(`resolution.${id}`),
            // The dialog is opened to choose a reason.
            autoFocus: reason === null ? index === 0 : id === reason,
          }))}
          value={reason}
          onChange={setReason}
          isInvalid={wasSent && reason === null}
        >
          {wasSent && reason === null ? (
            <p className="problem" role="alert">
              {t('review.reason.missing')}
            </p>
          ) : null}
        </RadioChoice>
        <TextBox
          label={t('review.reason.text')}
          value={text}
          onChange={setText}
          maxLength={maxResolutionText}
          problem={wasSent && needsText ? t('review.reason.text-missing') : null}
        />
        {unsettled.length === 0 ? null : (
          <Note tone="warning">
            {t('review.unsettled', { causes: unsettled.map(cause => t(`cause.${cause}`)).join(', ') })}
          </Note>
        )}
        <p className="small muted">{t('review.comes-back')}</p>
        <FormFoot name={t('review.resolve')} keys="Enter" onCancel={onClose} />
      </Form>
    </Sheet>
  );
};
