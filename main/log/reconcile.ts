import type { PaymentFilter, ReconciliationPage } from '../../shared/contract.ts';
import {
  foundIn,
  reconcile,
  reconciliationCauses,
  type ReconciliationCause,
  type ReconciliationCount,
  type ReconciliationRow,
} from '../../shared/reconcile.ts';
import type { ListPayments } from './list.ts';

/**
 * The queue of payments to reconcile, each under its gravest cause. It is walked cause by cause along the list's
 * own ways (facets, flags, links that ran out), so its cost is that of the candidates and never of all payments.
 */

/** Walks along the list for one page; a page that would need more is short and leads on. */
const mostWalks = 32;
/** Candidates of a cause looked at for its count; beyond, the count says "at least". */
const mostCounted = 1_000;

/** Of these every payment in the state counts, so that the running counts know how many there are. */
const bareStates: readonly ReconciliationCause[] = ['chargeback', 'expired-without-outcome', 'refund-seen'];

const filterOf = (cause: ReconciliationCause, profileId: string | null): PaymentFilter => ({
  words: '',
  profileId,
  currency: null,
  from: null,
  until: null,
  ...foundIn[cause],
});

/** A place in the queue: a cause, and how far its candidates were walked. */
type Place = { cause: number; at: string | null };

const placeOf = (cursor: string | null): Place => {
  const [cause = '', at = ''] = (cursor ?? '').split(' ');
  return {
    cause: Math.max(
      0,
      reconciliationCauses.findIndex(one => one === cause),
    ),
    at: at === '' ? null : at,
  };
};
const cursorOf = ({ cause, at }: Place): string | null =>
  cause < reconciliationCauses.length ? `${reconciliationCauses[cause]} ${at ?? ''}` : null;

/**
 * One page of the queue, gravest cause first and newest first within it. `cause`: this one alone, null for all;
 * `cursor`: where the last page ended, null for the first; `limit`: rows at most, and a page may hold fewer while
 * `next` still leads on. The counts come with the first page alone. `now`: milliseconds.
 */
export type ReconcilePayments = (
  profileId: string | null,
  cause: ReconciliationCause | null,
  cursor: string | null,
  limit: number,
  now: number,
) => ReconciliationPage;

export const reconcilePayments = (
  list: ListPayments,
  stateCounts: (profileId: string | null, now: number) => { states: Record<string, number> },
): ReconcilePayments => {
  const under = (
    cause: ReconciliationCause,
    filter: PaymentFilter,
    at: string | null,
    limit: number,
    now: number,
  ): { rows: ReconciliationRow[]; seen: number; next: string | null } => {
    const page = list(filter, at, limit, now);
    const rows = page.rows
      .map(row => ({ ...row, findings: reconcile(row, now) }))
      .filter(({ findings }) => findings[0]?.cause === cause);
    return { rows, seen: page.rows.length, next: page.next };
  };

  const graver = (cause: ReconciliationCause) => [
    ...new Set(
      reconciliationCauses.slice(0, reconciliationCauses.indexOf(cause)).flatMap(one => foundIn[one].flags),
    ),
  ];

  const countOf = (
    cause: ReconciliationCause,
    profileId: string | null,
    states: Record<string, number>,
    now: number,
  ): ReconciliationCount => {
    const filter = filterOf(cause, profileId);
    if (!bareStates.includes(cause)) {
      const { rows, next } = under(cause, filter, null, mostCounted, now);
      return { cause, count: rows.length, more: next !== null };
    }
    // All of them, without the few that stand under a graver cause.
    const all = filter.states.reduce((sum, state) => sum + (states[state] ?? 0), 0);
    if (all === 0) return { cause, count: 0, more: false };
    const flagged = under(cause, { ...filter, flags: graver(cause) }, null, mostCounted, now);
    const others = flagged.seen - flagged.rows.length;
    if (flagged.next === null) return { cause, count: all - others, more: false };
    return { cause, count: under(cause, filter, null, mostCounted, now).rows.length, more: true };
  };

  const counts = (profileId: string | null, now: number): ReconciliationCount[] => {
    const { states } = stateCounts(profileId, now);
    return reconciliationCauses
      .map(cause => countOf(cause, profileId, states, now))
      .filter(({ count }) => count > 0);
  };

  return (profileId, cause, cursor, limit, now) => {
    const rows: ReconciliationRow[] = [];
    const place = placeOf(cursor ?? cause);
    for (let walks = 0; rows.length < limit && walks < mostWalks; walks += 1) {
      const current = reconciliationCauses[place.cause];
      if (current === undefined || (cause !== null && current !== cause)) break;
      const walked = under(current, filterOf(current, profileId), place.at, limit - rows.length, now);
      rows.push(...walked.rows);
      place.at = walked.next;
      if (walked.next === null) place.cause += 1;
    }
    const isOver = cause !== null && reconciliationCauses[place.cause] !== cause;
    return {
      rows,
      next: isOver ? null : cursorOf(place),
      counts: cursor === null ? counts(profileId, now) : null,
    };
  };
};
