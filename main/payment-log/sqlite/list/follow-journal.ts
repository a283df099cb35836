import type { PaymentKey } from '../../../../shared/payments/payment-row.ts';
import type { CopyProgress } from '../../../../shared/team/team-standing.ts';
import type { LogDatabase } from '../store/database.ts';
import { onJournal } from './broken-list.ts';
import type { ListTransactions } from './list-transactions.ts';

/** Events whose orders are listed together: an own payment waits for those before it. */
const eventsAtOnce = 512;
/** Orders of one transaction that are listed for the first time. */
const olderAtOnce = 2_000;
/** Share of a step's time for rows; the search index, written in one batch, takes the rest. */
const rowShare = 0.65;

/** Lists the orders of this installation's journal: what is new first, then what is older, the newest payments first. */
export type JournalFollower = ReturnType<typeof followJournal>;

type State = { through: number; hash: string; below: number; elsewhere: number };
type OlderOrder = PaymentKey & { id: number };

const stateOf = (list: LogDatabase) =>
  list.prepare<[], State>('SELECT through, through_hash AS hash, below, elsewhere FROM state');

/** Whether a list was made from this journal: it is not after a backup of the journal was restored. */
export const isOfJournal = (list: LogDatabase, journal: LogDatabase): boolean => {
  const { through = 0, hash = '' } = stateOf(list).get() ?? {};
  if (through === 0) return true;
  const found = journal
    .prepare<[number], string>('SELECT lower(hex(hash)) FROM event WHERE seq = ?')
    .pluck()
    .get(through);
  return found === hash;
};

export const followJournal = (
  list: LogDatabase,
  journal: LogDatabase,
  { orders, run, haveErased }: ListTransactions,
) => {
  const readState = stateOf(list);
  const write = list.prepare<[number, string, number, number]>(
    'UPDATE state SET through = ?, through_hash = ?, below = ?, elsewhere = ?',
  );
  const lastEvent = journal.prepare<[], { seq: number; hash: string }>(
    'SELECT seq, lower(hex(hash)) AS hash FROM event ORDER BY seq DESC LIMIT 1',
  );
  const hashOf = journal
    .prepare<[number], string>('SELECT lower(hex(hash)) FROM event WHERE seq = ?')
    .pluck();
  // In the order of the events: the index of payments would read every event of the log.
  const changed = journal.prepare<[number, number], PaymentKey>(
    `SELECT p.profile_id AS profileId, p.order_number AS orderNumber
     FROM event e NOT INDEXED CROSS JOIN payment p ON p.id = e.payment
     WHERE e.seq > ? AND e.seq <= ? AND p.order_number IS NOT NULL GROUP BY e.payment ORDER BY min(e.seq)`,
  );
  const isAmended = journal
    .prepare<[number, number], number>(
      "SELECT 1 FROM event NOT INDEXED WHERE seq > ? AND seq <= ? AND kind = 'amended' LIMIT 1",
    )
    .pluck();
  const amendedElsewhere = journal.prepare<[number], OlderOrder>(
    `SELECT a.id, p.profile_id AS profileId, p.order_number AS orderNumber
     FROM amended_elsewhere a JOIN event e ON e.seq = a.event JOIN payment p ON p.id = e.payment
     WHERE a.id > ? ORDER BY a.id LIMIT ${eventsAtOnce}`,
  );
  const lastElsewhere = journal
    .prepare<[], number>('SELECT coalesce(max(id), 0) FROM amended_elsewhere')
    .pluck();
  const older = journal.prepare<[number, number], OlderOrder>(
    `SELECT id, profile_id AS profileId, order_number AS orderNumber FROM payment
     WHERE id < ? AND order_number IS NOT NULL ORDER BY id DESC LIMIT ?`,
  );
  const count = journal
    .prepare<[number, number], number>(
      'SELECT count(*) FROM payment WHERE id >= ? AND id < ? AND order_number IS NOT NULL',
    )
    .pluck();

  const fresh = { through: 0, hash: '', below: 0, elsewhere: 0 };
  let state: State = readState.get() ?? fresh;
  const save = (next: State): void => {
    write.run(next.through, next.hash, next.below, next.elsewhere);
  };
  const begin = (): void => {
    const last = onJournal(() => lastEvent.get());
    // A small journal is listed in the order of its events.
    if (!last || last.seq <= eventsAtOnce) return;
    const elsewhere = onJournal(() => lastElsewhere.get() ?? 0);
    const next = { through: last.seq, hash: last.hash, below: last.seq + 1, elsewhere };
    run(() => save(next));
    state = next;
  };
  if (state.through === 0) begin();
  const countOf = (from: number, to: number): number => onJournal(() => count.get(from, to) ?? 0);
  let left = 0;
  let listed = 0;
  const countAll = (): void => {
    const all = countOf(0, Number.MAX_SAFE_INTEGER);
    left = state.through === 0 ? all : countOf(0, state.below);
    listed = all - left;
  };
  countAll();

  /** Orders with events above `through`, up to `until`, that are not listed yet. */
  let pending: { until: number; orders: readonly PaymentKey[] } | null = null;
  /** Lists what is new; false if there is nothing. */
  const listNew = (isOver: () => boolean): boolean => {
    const last = onJournal(() => lastEvent.get()?.seq ?? 0);
    if (pending === null && last > state.through) {
      const until = Math.min(last, state.through + eventsAtOnce);
      const { through } = state;
      pending = { until, orders: onJournal(() => changed.all(through, until)) };
      if (onJournal(() => isAmended.get(through, until)) !== undefined) run(() => haveErased());
    }
    if (pending === null) return false;
    const { until, orders: some } = pending;
    const hash = onJournal(() => hashOf.get(until) ?? '');
    const next = { ...state, through: until, hash };
    const rest = run(() => {
      const unlisted = orders.list(some, isOver);
      if (unlisted.length === 0) save(next);
      return unlisted;
    });
    const isFirst = state.through === 0;
    if (rest.length === 0) state = next;
    if (isFirst) countAll();
    pending = rest.length === 0 ? null : { until, orders: rest };
    return true;
  };
  const listAmended = (): boolean => {
    const some = onJournal(() => amendedElsewhere.all(state.elsewhere));
    const last = some.at(-1);
    if (!last) return false;
    const next = { ...state, elsewhere: last.id };
    run(() => {
      orders.list(some.filter(({ orderNumber }) => orderNumber !== null));
      haveErased();
      save(next);
    });
    state = next;
    return true;
  };
  /** Returns how many it has listed; null if nothing is left. */
  const listOlder = (isOver: () => boolean): number | null => {
    if (state.below === 0) return null;
    const some = onJournal(() => older.all(state.below, olderAtOnce));
    let next = state;
    const done = run(() => {
      const unlisted = orders.list(some, isOver);
      const all = some.slice(0, some.length - unlisted.length);
      next = { ...state, below: all.at(-1)?.id ?? 0 };
      save(next);
      return all;
    });
    state = next;
    left -= done.length;
    listed += done.length;
    return done.length;
  };

  return {
    /**
     * Lists some orders within about `milliseconds`, in one transaction. `isLeft`: whether there are more; `older`: the
     * number of those that were listed for the first time since the list is made. Throws SQLite errors.
     */
    step: (maxMs: number): { isLeft: boolean; older: number } => {
      const until = performance.now() + maxMs * rowShare;
      const isOver = (): boolean => performance.now() > until;
      if (listNew(isOver) || listAmended()) return { isLeft: true, older: 0 };
      const older = listOlder(isOver);
      return { isLeft: older !== null, older: older ?? 0 };
    },
    /** The journal's event up to which everything is listed, but for older payments that are listed for the first time. */
    through: (): number => state.through,
    /** Of the journal's payments, those that are listed. */
    progress: (): CopyProgress => ({ done: listed, total: listed + Math.max(0, left) }),
  };
};
