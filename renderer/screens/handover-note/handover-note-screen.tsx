import '../../styles/handover-note.css';
import { Printer, RefreshCw } from 'lucide-react';
import { createPortal } from 'react-dom';
import { Button } from '../../components/controls/button.tsx';
import { PageError } from '../../components/display/notes.tsx';
import { Screen } from '../../components/display/screen.tsx';
import { PaperHead } from '../../components/papers/paper-head.tsx';
import { useActiveProfile } from '../../stores/app-state-store.ts';
import { handoverNoteQuery } from '../../queries/reports.ts';
import { useText, useLocaleChoice, dateFormat } from '../../i18n/text.ts';
import type { ReactNode } from 'react';
import type { HandoverNote } from '../../../shared/reports/handover-note.ts';
import { DataTable } from '../../components/display/data-table.tsx';
import { Money, clockTime } from '../../components/display/values.tsx';
import { StatusBadge } from '../../components/display/status-badge.tsx';

/** Threshold before a link's expiry. */
const expiresSoonMs = 15 * 60_000;

type PaymentSummary = Pick<HandoverNote['notes'][number], 'orderNumber' | 'amount' | 'currency' | 'head'>;

const Part = ({ title, none, children }: { title: string; none: string | null; children: ReactNode }) => (
  <section className="note-part" aria-label={title}>
    <h2>{title}</h2>
    {none === null ? children : <p className="muted">{none}</p>}
  </section>
);

/** Payments as lines; the column `heading` contains what differs. */
const Lines = ({
  rows,
  heading,
}: {
  rows: readonly (PaymentSummary & { description: ReactNode })[];
  heading: string;
}) => {
  const t = useText();
  return (
    <DataTable
      className="note-lines full collapsed small"
      rows={rows}
      // A payment may have more than one note.
      keyOf={({ orderNumber }, index) => `${orderNumber} ${index}`}
      columns={{
        order: { head: t('column.order'), cell: row => row.orderNumber, isName: true, className: 'code' },
        amount: {
          head: t('column.amount'),
          cell: row => <Money amount={row.amount} currency={row.currency} />,
        },
        state: { head: t('column.state'), cell: row => <StatusBadge state={row.head} /> },
        description: { head: heading, cell: row => row.description },
      }}
    />
  );
};

/** The note itself, the same on screen and on paper: order numbers and amounts, no links and no names. */
const HandoverNoteSheet = ({ note, merchant }: { note: HandoverNote; merchant: string }) => {
  const t = useText();
  const { locale } = useLocaleChoice();
  const time = (at: number): string => clockTime(at, locale, note.createdAt);
  const endingSoon = note.running.filter(
    ({ expiresAt: runsOutAt }) => runsOutAt - note.createdAt <= expiresSoonMs,
  );
  const later = note.running.filter(({ expiresAt: runsOutAt }) => runsOutAt - note.createdAt > expiresSoonMs);
  const { needsReview } = note;
  const listed = note.running.length + note.inFlight.length;
  const countOf = (count: number, more: boolean): string =>
    t(more ? 'handover-note.count-more' : 'handover-note.count', { count });
  const isPart = needsReview.more || note.attention.length < needsReview.count;
  return (
    <>
      <p className="note-made">
        {t('handover-note.created', {
          merchant,
          agent: note.createdBy,
          at: dateFormat(locale, { dateStyle: 'full', timeStyle: 'short' }).format(note.createdAt),
        })}
      </p>
      <Part
        title={t('handover-note.attention', { count: countOf(needsReview.count, needsReview.more) })}
        none={note.attention.length === 0 && !isPart ? t('overview.attention.none') : null}
      >
        <Lines
          rows={note.attention.map(row => ({
            ...row,
            description: (
              <>
                <strong>{t(`cause.${row.cause}`)}</strong>, {t('time.since', { at: time(row.since) })}
                <br />
                {t(`next.${row.action}`)}
                <br />
                <span className="muted">
                  {row.assignee === null
                    ? t('review.unassigned')
                    : t('event.review.assigned', { name: row.assignee })}
                </span>
              </>
            ),
          }))}
          heading={t('handover-note.next-step')}
        />
        {isPart ? (
          <p>
            {t('handover-note.listed', {
              listed: note.attention.length,
              count: countOf(needsReview.count, needsReview.more),
            })}
          </p>
        ) : null}
      </Part>
      <Part
        title={t('handover-note.expiring', {
          count: countOf(endingSoon.length, note.hasMoreRunning && later.length === 0),
        })}
        none={endingSoon.length === 0 ? t('handover-note.none') : null}
      >
        <Lines
          rows={endingSoon.map(row => ({ ...row, description: time(row.expiresAt) }))}
          heading={t('handover-note.until')}
        />
      </Part>
      <Part
        title={t('handover-note.open', { count: countOf(note.open, false) })}
        none={later.length + note.inFlight.length === 0 ? t('handover-note.none') : null}
      >
        <Lines
          rows={[
            ...later.map(row => ({ ...row, description: time(row.expiresAt) })),
            ...note.inFlight.map(row => ({ ...row, description: t('time.since', { at: time(row.since) }) })),
          ]}
          heading={t('handover-note.until')}
        />
        {listed < note.open ? (
          <p>{t('handover-note.listed', { listed, count: countOf(note.open, false) })}</p>
        ) : null}
      </Part>
      <Part
        title={t('handover-note.notes', { count: countOf(note.notes.length, note.hasMoreNotes) })}
        none={note.notes.length === 0 ? t('handover-note.notes.none') : null}
      >
        <Lines
          rows={note.notes.map(row => ({
            ...row,
            description: (
              <>
                {row.text}
                <br />
                <span className="muted">
                  {time(row.at)}, {row.agent}
                </span>
              </>
            ),
          }))}
          heading={t('note.name')}
        />
        {note.hasMoreNotes ? <p>{t('handover-note.older-notes', { listed: note.notes.length })}</p> : null}
      </Part>
      <p className="small muted">{t('handover-note.redacted')}</p>
    </>
  );
};

/** The handover note for the next shift, for reading and printing. */
export const HandoverNoteScreen = () => {
  const t = useText();
  const profile = useActiveProfile();
  const of = { profileId: profile?.id ?? null };
  const { value, problem, isReading } = handoverNoteQuery.use(of);
  // An earlier one must not be printed as the present one.
  const note = isReading ? null : value;
  const merchant = profile?.name ?? '';
  return (
    <Screen
      title={t('nav.handover-note')}
      label={t('nav.handover-note')}
      lead={t('handover-note.lead')}
      className="handover-note"
      actions={
        <>
          <Button
            request="payments.handoverNote"
            icon={RefreshCw}
            onPress={() => void handoverNoteQuery.read(of)}
          >
            {t('handover-note.refresh')}
          </Button>
          <Button variant="primary" icon={Printer} isDisabled={note === null} onPress={() => window.print()}>
            {t('print')}
          </Button>
        </>
      }
    >
      <PageError error={isReading ? null : problem} isEmpty={note === null} />
      {note === null ? null : (
        <>
          <article className="panel handover-sheet" data-testid="handover-note">
            <HandoverNoteSheet note={note} merchant={merchant} />
          </article>
          {createPortal(
            <section className="slip handover-sheet" aria-hidden="true">
              <PaperHead profile={profile} title={t('nav.handover-note')} />
              <HandoverNoteSheet note={note} merchant={merchant} />
            </section>,
            document.body,
          )}
        </>
      )}
    </Screen>
  );
};
