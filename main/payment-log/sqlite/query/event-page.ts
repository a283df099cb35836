import type { Event } from '../../../../shared/payments/evidence.ts';
import type { LogDatabase } from '../store/database.ts';
import { eventReading, selectEvents, type StoredEvent } from '../store/stored-event.ts';
import type { EventPage } from '../../answers.ts';

/** Limits of one page: events, total characters of their texts, and characters of one value. */
const maxEvents = 200;
const maxText = 512 * 1024;
const maxValue = 4_000;
/** Limit of requests sent from here that a first page contains in addition, of any age. */
const maxRequests = 50;

const cut = (value: string): string =>
  value.length > maxValue ? `${value.slice(0, maxValue).toWellFormed()}… (${value.length})` : value;

/** The event with long values truncated, each followed by its length. */
const withTruncatedValues = (event: Event): Event => {
  if (event.kind === 'callback.received') {
    const fields = event.body.fields.map(([name, value]): [string, string] => [cut(name), cut(value)]);
    return { ...event, body: { ...event.body, fields } };
  }
  if (event.kind === 'status.observed') {
    const answers = event.body.answers.map(answer => ({
      ...answer,
      extra: Object.fromEntries(Object.entries(answer.extra).map(([name, value]) => [cut(name), cut(value)])),
    }));
    return { ...event, body: { ...event.body, answers } };
  }
  return event;
};

/**
 * A prepared reader of an order's events in pages, latest written first. `payment`: its id; `before`: the `earlier`
 * of the previous page, null for the first page, which also contains the requests sent from here.
 */
export const eventPages = (
  database: LogDatabase,
): ((payment: number, before: number | null) => EventPage) => {
  const reading = eventReading(database);
  const select = database
    .prepare<[number, number], StoredEvent>(
      `${selectEvents} WHERE event.payment = ? AND event.seq < ? ORDER BY event.seq DESC`,
    )
    .raw();
  const requests = database
    .prepare<[number, number], StoredEvent>(
      `${selectEvents} WHERE event.payment = ? AND event.seq < ? AND event.kind IN
         ('session.requested', 'session.accepted', 'session.refused', 'session.unanswered')
       ORDER BY event.seq DESC LIMIT ${maxRequests}`,
    )
    .raw();
  return (payment, before) => {
    const events: Event[] = [];
    let text = 0;
    let last: number | null = null;
    let earlier: number | null = null;
    for (const row of select.iterate(payment, before ?? Number.MAX_SAFE_INTEGER)) {
      if (events.length >= maxEvents || text >= maxText) {
        earlier = last;
        break;
      }
      const event = withTruncatedValues(reading.event(row));
      events.push(event);
      text += Math.min(row[14].length + (row[18]?.length ?? 0), maxText);
      last = row[0];
    }
    if (before === null && earlier !== null)
      for (const row of requests.all(payment, earlier)) events.push(withTruncatedValues(reading.event(row)));
    events.sort((one, other) => one.happenedAt - other.happenedAt);
    return { events, earlier };
  };
};
