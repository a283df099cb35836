import { useState, type ReactNode } from 'react';
import { ChevronRight, EqualNot } from 'lucide-react';
import { Button, Disclosure, DisclosurePanel } from 'react-aria-components';
import type { Event } from '../../../shared/payments/evidence.ts';
import { requestShownOf } from '../../../shared/payment-reducer/reduce-requests.ts';
import type { MessageKey } from '../../../shared/messages/message.ts';
import type { Payment } from '../../../shared/payments/payment.ts';
import { amountText } from '../../../shared/money/format-amount.ts';
import { sameAmount } from '../../../shared/money/wire-amount.ts';
import { useLocaleChoice, useText, type Translate } from '../../i18n/text.ts';
import { withVisibleBlanks } from '../look-up/compare.ts';
import { DataTable } from '../../components/display/data-table.tsx';
import { callbackOutcome, statusOutcome } from '../../../shared/callbacks/outcome-labels.ts';

type Source = {
  name: 'requested' | 'callback' | 'unproven-callback' | 'look-up';
  values: Record<Field, string | null>;
};
type Field = 'amount' | 'currency' | 'description' | 'outcome';
const fields: readonly Field[] = ['amount', 'currency', 'description', 'outcome'];

/** A result in words; what is unknown or not verified is shown as received. */
const outcomeOf = (outcome: MessageKey | null, received: string, t: Translate): string | null =>
  outcome === null ? received || null : t(outcome);

/** The latest report of each source about the payment: the request whose link the customer has, the decisive callback, the latest look-up. */
export const sourcesOf = (events: readonly Event[], payment: Payment, t: Translate): Source[] => {
  const sources: Source[] = [];
  const requested = requestShownOf(events);
  if (requested) {
    const { amount, currency, description } = requested.body;
    sources.push({ name: 'requested', values: { amount, currency, description, outcome: null } });
  }
  const callbacks = events.filter(event => event.kind === 'callback.received');
  const callback =
    callbacks.find(({ id }) => id === payment.basis?.event) ??
    callbacks.findLast(({ body }) => body.verification.verdict === 'verified') ??
    callbacks.at(-1);
  if (callback) {
    const value = (name: string): string | null =>
      callback.body.fields.find(([field]) => field === name)?.[1] ?? null;
    sources.push({
      name: callback.body.verification.verdict === 'verified' ? 'callback' : 'unproven-callback',
      values: {
        amount: value('order_amount'),
        currency: value('order_currency'),
        description: value('order_description'),
        outcome: outcomeOf(
          callback.body.verification.verdict === 'verified'
            ? callbackOutcome(value('type') ?? '', value('status') ?? '')
            : null,
          [value('type'), value('status')].filter(Boolean).join(' · '),
          t,
        ),
      },
    });
  }
  const answer = events.findLast(event => event.kind === 'status.observed' && event.body.answers.length > 0);
  const answered = answer?.kind === 'status.observed' ? answer.body.answers[0] : undefined;
  if (answered) {
    const { amount, currency, description } = answered.order;
    sources.push({
      name: 'look-up',
      values: {
        amount,
        currency,
        description,
        outcome: outcomeOf(statusOutcome(answered.status), answered.status, t),
      },
    });
  }
  return sources;
};

/** Whether all reported values of a field agree; null if fewer than two were reported. */
export const valuesAgree = (field: Field, claimed: readonly (string | null)[]): boolean | null => {
  const values = claimed.filter(value => value !== null && value !== '');
  const [first] = values;
  if (values.length < 2 || first === undefined || first === null || field === 'outcome') return null;
  return values.every(value => (field === 'amount' ? sameAmount(value ?? '', first) : value === first));
};

/** Whether the reported results agree; null while fewer than two sources report one. */
const outcomesAgree = (payment: Payment): boolean | null => {
  if (payment.flags.some(({ kind }) => kind === 'sources-disagree' || kind === 'order-status-disagrees'))
    return false;
  return payment.state === 'paid-confirmed' ? true : null;
};

/**
 * What the verdict rests on, in one line. Its sources stand side by side on demand, and at once if they differ, with the
 * differing rows marked.
 */
export const Sources = ({
  events,
  payment,
  children,
}: {
  events: readonly Event[];
  payment: Payment;
  /** The evidence of the verdict. */
  children: ReactNode;
}) => {
  const t = useText();
  const { locale } = useLocaleChoice();
  const sources = sourcesOf(events, payment, t);
  const verdicts = fields.map(field =>
    field === 'outcome'
      ? outcomesAgree(payment)
      : valuesAgree(
          field,
          sources.map(({ values }) => values[field]),
        ),
  );
  const hasDifference = verdicts.includes(false);
  const [wanted, setWanted] = useState<boolean | null>(null);
  if (sources.length < 2) return <div className="verdict-row">{children}</div>;
  const isOpen = wanted ?? hasDifference;
  return (
    <Disclosure className="sources" isExpanded={isOpen} onExpandedChange={setWanted}>
      <div className="verdict-row">
        {children}
        {hasDifference ? (
          <strong className="line ink-warn">
            <EqualNot size={16} aria-hidden="true" /> {t('sources.some-differ')}
          </strong>
        ) : null}
        <Button slot="trigger" className="sources-button inline-line gap-1 as-text no-padding">
          {t('sources.name')}
          <ChevronRight size={14} aria-hidden="true" className="sources-chevron" />
        </Button>
      </div>
      <DisclosurePanel>
        {/* A scrollable region must be reachable by keyboard. */}
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
        <section className="wide-frame" tabIndex={0} aria-label={t('sources.name')}>
          <DataTable
            className="fields compare sources"
            rows={fields.map((field, index) => ({ field, verdict: verdicts[index] ?? null }))}
            keyOf={({ field }) => field}
            rowClass={({ verdict }) => (verdict === false ? 'differs' : '')}
            columns={{
              field: { head: t('field'), cell: ({ field }) => t(`sources.${field}`), isName: true },
              ...Object.fromEntries(
                sources.map(({ name, values }) => [
                  name,
                  {
                    head: t(`sources.${name}`),
                    cell: ({ field }: { field: Field }) => (
                      <span className={field === 'outcome' ? 'break' : 'code break'}>
                        {values[field] === null
                          ? '–'
                          : withVisibleBlanks(
                              field === 'amount' ? amountText(values[field], locale) : values[field],
                            )}
                      </span>
                    ),
                  },
                ]),
              ),
              comparison: {
                head: t('comparison'),
                className: 'small',
                cell: ({ verdict }) =>
                  verdict === null ? (
                    <span className="quiet">–</span>
                  ) : verdict ? (
                    <span className="quiet">{t('sources.equal')}</span>
                  ) : (
                    <strong className="line ink-warn">
                      <EqualNot size={14} aria-hidden="true" /> {t('sources.differs')}
                    </strong>
                  ),
              },
            }}
          />
        </section>
      </DisclosurePanel>
    </Disclosure>
  );
};
