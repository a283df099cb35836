import { inLine } from '../../../shared/plain-text.ts';
import { useEffect, useRef, useState } from 'react';
import { ownCustomer } from '../../../shared/merchant-texts/own-customer.ts';
import { formatMoney } from '../../../shared/money/format-amount.ts';
import { maxOperationText, operationTable } from '../../../shared/operations/operation-kinds.ts';
import { fieldProblems } from '../../../shared/operations/rules.ts';
import { Button } from '../../components/controls/button.tsx';
import { Sheet } from '../../components/controls/dialog.tsx';
import { SelectBox, TextBox } from '../../components/controls/fields.tsx';
import { ErrorNote, Note } from '../../components/display/notes.tsx';
import { Money } from '../../components/display/values.tsx';
import { Form } from '../../forms/form.tsx';
import { useLocaleChoice, useMessage, useText } from '../../i18n/text.ts';
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
            placeholder={t('operation-form.reason.choose')}
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
