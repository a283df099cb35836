import type { Event } from '../../../../shared/payments/evidence.ts';
import { placeOf, placeText, readPlace, type Evidence, type Place } from '../list/merged-evidence.ts';
import type { PaymentLogAnswers } from '../../payment-log.ts';

/** Limits of one page: events, total characters of their texts, and characters of one value. */
const maxEvents = 200;
const maxText = 512 * 1024;
const maxValue = 4_000;
/** Limit of requests for a link that a first page contains in addition, of any age. */
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

const requestKinds = "'session.requested', 'session.accepted', 'session.refused', 'session.unanswered'";

/**
 * A prepared reader of an order's events in pages, latest written first. `before`: the `earlier` of the previous page,
 * null for the first page, which also contains the requests for a link.
 */
export const eventPages = (evidence: Evidence): PaymentLogAnswers['eventPage'] => {
  const newest = evidence.newestOf('TRUE');
  const requests = evidence.newestOf(`event.kind IN (${requestKinds})`);
  return (profileId, orderNumber, before) => {
    const order = { profileId, orderNumber };
    const events: Event[] = [];
    let text = 0;
    let last: Place | null = null;
    let earlier: Place | null = null;
    for (const row of newest(order, before === null ? null : readPlace(before))) {
      if (events.length >= maxEvents || text >= maxText) {
        earlier = last;
        break;
      }
      events.push(withTruncatedValues(evidence.event(row)));
      text += Math.min(row[14].length + (row[18]?.length ?? 0), maxText);
      last = placeOf(row);
    }
    if (before === null && earlier !== null) {
      let found = 0;
      for (const row of requests(order, earlier)) {
        if (found === maxRequests) break;
        found += 1;
        events.push(withTruncatedValues(evidence.event(row)));
      }
    }
    events.sort((one, other) => one.happenedAt - other.happenedAt);
    return { events, earlier: earlier && placeText(earlier) };
  };
};
