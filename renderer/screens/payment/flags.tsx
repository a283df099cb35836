import type { Event, EventOf } from '../../../shared/payments/evidence.ts';
import { isPayable } from '../../../shared/payments/order-link.ts';
import type { Flag, FlagKind, OrderLink } from '../../../shared/payments/payment.ts';
import { flagValues } from '../../../shared/payments/flag-values.ts';
import { useMessage, useText } from '../../i18n/text.ts';
import { useClock } from '../../stores/clock-store.ts';
import { useState } from 'react';
import { Columns2, Equal, EqualNot } from 'lucide-react';
import { signedNames } from '../../../shared/callbacks/signed-fields.ts';
import { Button } from '../../components/controls/button.tsx';
import { Sheet } from '../../components/controls/dialog.tsx';
import { DataTable } from '../../components/display/data-table.tsx';
import { Time } from '../../components/display/values.tsx';
import { VerificationMark } from '../../components/display/marks.tsx';
import { withVisibleBlanks } from '../look-up/compare.ts';

type Received = EventOf<'callback.received'>;

const isCallback = (event: Event | undefined): event is Received => event?.kind === 'callback.received';

/** Two callbacks field by field, those that changed first. */
const rowsOf = (one: Received, other: Received) => {
  const names = [...new Set([...one.body.fields, ...other.body.fields].map(([name]) => name))];
  const value = (event: Received, name: string): string | null =>
    event.body.fields.find(([field]) => field === name)?.[1] ?? null;
  return names
    .map(name => ({ name, first: value(one, name), later: value(other, name) }))
    .map(row => ({ ...row, changed: row.first !== row.later }))
    .sort((left, right) => Number(right.changed) - Number(left.changed));
};

/** A field of one transaction that changed between two callbacks: both side by side, the change marked. */
const CompareCallbacks = ({ flag, events }: { flag: Flag; events: readonly Event[] }) => {
  const t = useText();
  const [open, setOpen] = useState(false);
  const [one, other] = flag.events
    .map(id => events.find(event => event.id === id))
    .filter(isCallback)
    .sort((left, right) => left.happenedAt - right.happenedAt);
  if (!one || !other) return null;
  const valueOf = (event: Received) => ({
    className: 'code break',
    head: (
      <>
        <Time at={event.happenedAt} clock /> · {t(`via.${event.body.via}`)}{' '}
        <VerificationMark verification={event.body.verification} />
      </>
    ),
  });
  const shown = (value: string | null, changed: boolean) =>
    changed ? <strong>{value === null ? '–' : withVisibleBlanks(value)}</strong> : (value ?? '–');
  return (
    <>
      <div className="line">
        <Button icon={Columns2} onPress={() => setOpen(true)}>
          {t('callbacks-compare.open')}
        </Button>
      </div>
      <Sheet title={t('callbacks-compare.title')} isOpen={open} onClose={() => setOpen(false)} wide>
        <div className="stack">
          <p className="small muted">{t('callbacks-compare.text')}</p>
          {/* A scrollable region must be reachable by keyboard. */}
          {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
          <section className="wide-frame" tabIndex={0} aria-label={t('callbacks-compare.title')}>
            <DataTable
              className="fields compare"
              rows={rowsOf(one, other)}
              keyOf={({ name }) => name}
              rowClass={({ changed }) => (changed ? 'changed' : '')}
              columns={{
                field: {
                  head: t('field'),
                  isName: true,
                  className: 'code',
                  cell: ({ name, changed }) => (
                    <>
                      <span className="line">
                        {changed ? (
                          <EqualNot size={14} aria-hidden="true" />
                        ) : (
                          <Equal size={14} aria-hidden="true" />
                        )}
                        {name}
                      </span>
                      <span className="tiny quiet">
                        {changed ? `${t('callbacks-compare.changed')} · ` : ''}
                        {t(
                          (signedNames as readonly string[]).includes(name)
                            ? 'callbacks-compare.signed'
                            : 'callbacks-compare.unsigned',
                        )}
                      </span>
                    </>
                  ),
                },
                first: { ...valueOf(one), cell: ({ first, changed }) => shown(first, changed) },
                later: { ...valueOf(other), cell: ({ later, changed }) => shown(later, changed) },
              }}
            />
          </section>
        </div>
      </Sheet>
    </>
  );
};

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
  links,
  events,
  named,
}: {
  flags: readonly Flag[];
  links: readonly OrderLink[];
  events: readonly Event[];
  /** What the verdict above has explained already. */
  named: FlagKind | null;
}) => {
  const t = useText();
  const say = useMessage();
  const canBePaid = useClock(({ wallClock }) => links.some(link => isPayable(link, wallClock)));
  if (flags.length === 0) return null;
  // The ledger has a line of each operation: one note is enough for all.
  const moving = flags.find(({ kind }) => kind === 'money-in-progress');
  const isShown = (flag: Flag): boolean =>
    flag.kind === 'raised-twice'
      ? // Nothing is known of a link whose answer was lost.
        canBePaid || Number(flag.values['times']) > links.length
      : flag.kind !== 'money-in-progress' || flag === moving;
  return (
    <section aria-label={t('flags.name')} className="stack tight">
      {flags.filter(isShown).map(flag => (
        <article
          key={`${flag.kind} ${Object.values(flag.values).join(' ')}`}
          className={`flag pad-3 rounded on-surface ${severity[flag.kind]}`}
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
