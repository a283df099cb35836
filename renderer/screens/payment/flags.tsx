import type { Event } from '../../../shared/payments/evidence.ts';
import type { Flag, FlagKind } from '../../../shared/payments/payment.ts';
import { flagValues } from '../../../shared/payments/flag-values.ts';
import { useMessage, useText } from '../../i18n/text.ts';
import { CompareCallbacks } from './compare-callbacks.tsx';

/** Severity of a flag: the first group forbids shipping, the last is informational. */
const severity: Readonly<Record<FlagKind, 'grave' | 'careful' | 'aside'>> = {
  'changed-between-deliveries': 'grave',
  'sources-disagree': 'grave',
  'source-took-back': 'grave',
  'amount-differs': 'grave',
  'currency-differs': 'grave',
  'description-differs': 'careful',
  'settled-twice': 'grave',
  'operation-unknown': 'grave',
  'refunds-differ': 'grave',
  'returned-twice': 'grave',
  'money-in-progress': 'aside',
  'paid-after-withdrawal': 'grave',
  'returned-without-callback': 'careful',
  'order-status-disagrees': 'grave',
  'contradicts-interface': 'careful',
  'unverified-evidence': 'careful',
  'outside-interface': 'aside',
  'duplicate-delivery': 'aside',
  'token-missing': 'careful',
  'not-raised-here': 'careful',
  'raised-twice': 'careful',
};

/** All inconsistencies of this payment, gravest first, with both values. */
export const Flags = ({
  flags,
  events,
  named,
}: {
  flags: readonly Flag[];
  events: readonly Event[];
  /** What the verdict above has explained already. */
  named: FlagKind | null;
}) => {
  const t = useText();
  const say = useMessage();
  if (flags.length === 0) return null;
  // The ledger has a line of each operation: one note is enough for all.
  const moving = flags.find(({ kind }) => kind === 'money-in-progress');
  // Nothing may still be paid once both were.
  const isTwice = flags.some(({ kind }) => kind === 'settled-twice');
  const isShown = (flag: Flag): boolean =>
    flag.kind === 'raised-twice' ? !isTwice : flag.kind !== 'money-in-progress' || flag === moving;
  return (
    <section aria-label={t('flags.name')} className="stack tight">
      {flags.filter(isShown).map(flag => (
        <article
          key={`${flag.kind} ${Object.values(flag.values).join(' ')}`}
          className={`flag ${severity[flag.kind]}`}
        >
          <h2 className="small">{t(`flag.${flag.kind}`)}</h2>
          {flag.kind === named ? null : <p className="small muted">{t(`flag.${flag.kind}.text`)}</p>}
          {Object.keys(flag.values).length > 0 && flag.kind !== 'money-in-progress' ? (
            <dl className="flag-values row gap-1-4 wrap below-2 small">
              {flagValues(flag).map(({ label, value, isCode }) => (
                <div key={label.key}>
                  <dt>{say(label)}</dt>
                  <dd className={isCode ? 'code break' : 'break'}>{say(value)}</dd>
                </div>
              ))}
            </dl>
          ) : null}
          {flag.kind === 'changed-between-deliveries' ? (
            <CompareCallbacks flag={flag} events={events} />
          ) : null}
        </article>
      ))}
    </section>
  );
};
