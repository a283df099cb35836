import { isInquiry } from '../../../../shared/payment-reducer/inquiry.ts';
import { reducePayment } from '../../../../shared/payment-reducer/reduce.ts';
import type { Event, EventOf } from '../../../../shared/payments/evidence.ts';
import type { ProofPath } from '../../answers.ts';
import { contentHash } from '../../evidence/chain.ts';
import { createDeliveryCounter } from '../../evidence/event-content.ts';
import { maxPathEvents, provenEvent } from '../../evidence/proven-event.ts';
import type { PaymentLogReader } from '../../payment-log.ts';
import { isActivity, isSelected, maxScannedActivities } from '../../query/activities.ts';
import { callbackTypesOf } from '../../query/callback-types.ts';
import { maxEvents, maxRequests, maxText, withTruncatedValues } from '../../query/event-page.ts';
import { maxScannedEvents, recentActivityOf } from '../../query/recent-gateway-activity.ts';
import type { Connection, Value } from '../connection.ts';
import type { EventReader, SharedEvent } from '../stored-events.ts';
import { escapeText } from '../text.ts';
import { boundaryOf, positionBefore, type Boundary } from './event-position.ts';

/** Scan limit, callbacks of all profiles, newest first. */
const maxScannedCallbacks = 5_000;
/** Events of one request while a list is scanned. */
const batchSize = 500;

const writing = 'e.recorded_at, e.writer, e.writer_seq';
const newestFirst = 'e.recorded_at DESC, e.writer DESC, e.writer_seq DESC';
const ofOrder = 'e.order_number = $1 AND e.profile_id = $2';
const beforeBoundary = (from: number): string =>
  `(e.recorded_at, e.writer, e.writer_seq) < ($${from}::bigint, $${from + 1}::int, $${from + 2}::bigint)`;
const valuesOf = ({ recordedAt, writer, writerSeq }: Boundary): Value[] => [recordedAt, writer, writerSeq];

type EvidenceReads = Pick<
  PaymentLogReader,
  | 'payment'
  | 'eventPage'
  | 'change'
  | 'events'
  | 'notesSince'
  | 'recentGatewayActivity'
  | 'callbackTypes'
  | 'recentCallbacks'
  | 'inquiries'
  | 'activities'
  | 'hasEvent'
  | 'chainEnds'
  | 'lastRecordedAt'
  | 'proof'
  | 'proofPath'
>;

/** The questions that evidence alone answers. Each rejects with the client's errors. */
export const evidenceSource = (connection: Connection, reader: EventReader): EvidenceReads => {
  const countingEvents = async (profileId: string, orderNumber: string): Promise<Event[]> => {
    const stored = await reader.read(
      `WHERE ${ofOrder} ORDER BY ${writing}`,
      [escapeText(orderNumber), escapeText(profileId)],
      'order-events',
    );
    const counts = createDeliveryCounter();
    return stored.filter(({ row }) => counts(row.dedupe_key)).map(one => reader.event(one));
  };

  /** The next page's position after the last event of a page: `condition` selects the list that is read. */
  const earlierThan = async (
    last: SharedEvent,
    condition: string,
    values: readonly Value[],
  ): Promise<number> => {
    const { recorded_at: recordedAt, writer, writer_seq: writerSeq } = last.row;
    return positionBefore(connection, { recordedAt, writer, writerSeq }, condition, values);
  };

  return {
    payment: async (profileId, orderNumber) => {
      const events = await countingEvents(profileId, orderNumber);
      return isInquiry(events, orderNumber) ? null : reducePayment(events);
    },
    events: async (profileId, orderNumber) =>
      (await countingEvents(profileId, orderNumber)).sort((one, other) => one.happenedAt - other.happenedAt),
    change: async (profileId, orderNumber, since) => {
      const events = await countingEvents(profileId, orderNumber);
      if (isInquiry(events, orderNumber)) return null;
      const before = events.filter(
        ({ writer, writerSeq }) => writer !== since.writer || writerSeq < since.writerSeq,
      );
      return {
        payment: reducePayment(events),
        previousState: isInquiry(before, orderNumber) ? null : reducePayment(before).state,
      };
    },
    eventPage: async (profileId, orderNumber, before) => {
      const order = [escapeText(orderNumber), escapeText(profileId)];
      const boundary = await boundaryOf(connection, before, ofOrder, order);
      const stored = await reader.read(
        `WHERE ${ofOrder} AND ${beforeBoundary(3)} ORDER BY ${newestFirst} LIMIT ${maxEvents + 1}`,
        [...order, ...valuesOf(boundary)],
      );
      const page: SharedEvent[] = [];
      let text = 0;
      for (const one of stored) {
        if (page.length >= maxEvents || text >= maxText) break;
        page.push(one);
        text += Math.min(one.row.values.length + (one.row.personal_values?.length ?? 0), maxText);
      }
      const last = page.at(-1);
      const hasMore = page.length < stored.length;
      const events = page.map(one => withTruncatedValues(reader.event(one)));
      if (!last || !hasMore) {
        events.sort((one, other) => one.happenedAt - other.happenedAt);
        return { events, earlier: null };
      }
      if (before === null) {
        const { recorded_at: recordedAt, writer, writer_seq: writerSeq } = last.row;
        const requests = await reader.read(
          `WHERE ${ofOrder} AND ${beforeBoundary(3)} AND e.kind IN
             ('session.requested', 'session.accepted', 'session.refused', 'session.unanswered')
           ORDER BY ${newestFirst} LIMIT ${maxRequests}`,
          [...order, ...valuesOf({ recordedAt, writer, writerSeq })],
        );
        events.push(...requests.map(one => withTruncatedValues(reader.event(one))));
      }
      events.sort((one, other) => one.happenedAt - other.happenedAt);
      return { events, earlier: await earlierThan(last, ofOrder, order) };
    },
    notesSince: async (profileId, since, limit) => {
      const stored = await reader.read(
        `WHERE e.kind = 'note.added' AND e.recorded_at >= $1 AND e.happened_at >= $1
           AND ($2::text IS NULL OR e.profile_id = $2) ORDER BY ${newestFirst} LIMIT $3`,
        [since, profileId === null ? null : escapeText(profileId), limit],
        'notes-since',
      );
      return stored
        .map(one => reader.event(one))
        .filter((event): event is EventOf<'note.added'> => event.kind === 'note.added')
        .sort((one, other) => other.happenedAt - one.happenedAt);
    },
    recentGatewayActivity: async profileId => {
      const [log] = await connection.query<{ events: number }>(
        'SELECT coalesce(sum(last_seq), 0)::bigint AS events FROM writer',
      );
      const latest = async (kinds: string): Promise<Event[]> =>
        (
          await reader.read(
            `WHERE ${kinds} AND e.profile_id = $1 ORDER BY ${newestFirst} LIMIT ${batchSize}`,
            [escapeText(profileId)],
          )
        ).map(one => reader.event(one));
      const events = [
        ...(await latest(
          "e.kind IN ('session.accepted', 'session.refused', 'session.unanswered', 'status.observed')",
        )),
        ...(await latest("e.kind = 'callback.received'")),
      ];
      return recentActivityOf(events, Math.min(log?.events ?? 0, maxScannedEvents));
    },
    callbackTypes: async profileId => {
      const stored = await reader.read(
        `WHERE e.kind = 'callback.received' ORDER BY ${newestFirst} LIMIT ${maxScannedCallbacks}`,
        [],
      );
      const callbacks = stored.map(one => reader.event(one));
      return callbackTypesOf(callbacks, profileId, maxScannedCallbacks);
    },
    recentCallbacks: async limit =>
      (await reader.read(`WHERE e.kind = 'callback.received' ORDER BY ${newestFirst} LIMIT $1`, [limit])).map(
        one => reader.event(one),
      ),
    inquiries: async (profileId, limit, paymentIds) => {
      const stored = await reader.read(
        `WHERE e.kind = 'status.observed' AND e.profile_id = $1
           AND NOT EXISTS (SELECT 1 FROM payment q JOIN listed l ON l.payment = q.id
             WHERE q.order_number = e.order_number AND q.profile_id = e.profile_id)
           AND CASE WHEN $2::text[] IS NULL
             THEN NOT EXISTS (SELECT 1 FROM payment_id i WHERE i.payment_id IN (e.payment_id, lower(e.payment_id), upper(e.payment_id)))
             ELSE lower(e.payment_id) = ANY ($2::text[]) END
         ORDER BY ${newestFirst} LIMIT $3`,
        [escapeText(profileId), paymentIds?.map(id => escapeText(id.toLowerCase())) ?? null, limit],
      );
      return stored
        .map(one => reader.event(one))
        .filter((event): event is EventOf<'status.observed'> => event.kind === 'status.observed');
    },
    activities: async (selection, before, limit) => {
      const condition = "e.kind = 'activity.recorded' AND e.order_number IS NULL AND e.profile_id = ''";
      let boundary = await boundaryOf(connection, before, condition, []);
      const events: EventOf<'activity.recorded'>[] = [];
      let last: SharedEvent | null = null;
      for (let scanned = 0; ;) {
        const stored = await reader.read(
          `WHERE ${condition} AND ${beforeBoundary(1)} ORDER BY ${newestFirst} LIMIT ${batchSize}`,
          valuesOf(boundary),
        );
        for (const one of stored) {
          if (last && (events.length === limit || scanned === maxScannedActivities))
            return { events, earlier: await earlierThan(last, condition, []) };
          scanned += 1;
          last = one;
          const event = reader.event(one);
          if (isActivity(event) && isSelected(event, selection)) events.push(event);
        }
        const end = stored.at(-1)?.row;
        if (!end || stored.length < batchSize) return { events, earlier: null };
        boundary = { recordedAt: end.recorded_at, writer: end.writer, writerSeq: end.writer_seq };
      }
    },
    hasEvent: async (profileId, orderNumber, dedupeKey) => {
      const [found] = await connection.query(
        orderNumber === null
          ? `SELECT 1 FROM event WHERE order_number IS NULL AND profile_id = $1 AND dedupe_key IS NOT NULL
               AND substr(dedupe_key, 10, 16) = substr($2, 10, 16) AND dedupe_key = $2 LIMIT 1`
          : 'SELECT 1 FROM event WHERE order_number = $3 AND profile_id = $1 AND dedupe_key = $2 LIMIT 1',
        [
          escapeText(profileId),
          escapeText(dedupeKey),
          ...(orderNumber === null ? [] : [escapeText(orderNumber)]),
        ],
      );
      return found !== undefined;
    },
    chainEnds: async () =>
      (
        await connection.query<{ writer: string; seq: number; hash: Buffer }>(
          'SELECT name AS writer, last_seq AS seq, last_hash AS hash FROM writer ORDER BY id',
        )
      ).map(({ writer, seq, hash }) => ({ writer, seq, hash: hash.toString('hex') })),
    lastRecordedAt: async () => {
      const [last] = await connection.query<{ at: number | null }>(
        `SELECT max(e.recorded_at) AS at FROM writer w
         JOIN event e ON e.writer = w.id AND e.writer_seq = w.last_seq`,
      );
      return last?.at ?? null;
    },
    proof: async (profileId, orderNumber) =>
      (
        await reader.read(`WHERE ${ofOrder} ORDER BY ${writing}`, [
          escapeText(orderNumber),
          escapeText(profileId),
        ])
      ).map(one => {
        const { header, body, digest, personal } = reader.checked(one);
        return provenEvent(header, body ?? '', personal, digest);
      }),
    proofPath: async (profileId, orderNumber, writer, first, last): Promise<ProofPath | null> => {
      if (last < first || last - first >= maxPathEvents) return null;
      const [start] = await connection.query<{ id: number; from: Buffer | null }>(
        `SELECT w.id, (SELECT b.hash FROM event b WHERE b.writer = w.id AND b.writer_seq = $4::bigint - 1) AS from
         FROM writer w JOIN event e ON e.writer = w.id
         WHERE ${ofOrder} AND w.name = $3 AND e.writer_seq = $4::bigint`,
        [escapeText(orderNumber), escapeText(profileId), writer, first],
      );
      if (!start) return null;
      const contents: string[] = [];
      for (let next = first; next <= last;) {
        const stored = await reader.read(
          `WHERE e.writer = $1 AND e.writer_seq BETWEEN $2 AND $3 ORDER BY e.writer_seq LIMIT ${batchSize}`,
          [start.id, next, last],
        );
        if (stored.length === 0) break;
        for (const one of stored) {
          const { header, body, digest } = reader.checked(one);
          contents.push(contentHash(header, body ?? '', digest));
        }
        next += stored.length;
      }
      if (contents.length !== last - first + 1) return null;
      return { writer, first, last, from: start.from?.toString('hex') ?? '0'.repeat(64), contents };
    },
  };
};
