import type { Event, EventOf } from '../../../../shared/payments/evidence.ts';
import { placeOf, placeText, readPlace, type Evidence, type Place } from '../list/merged-evidence.ts';
import type { PaymentLogAnswers } from '../../payment-log.ts';
import { groupOf } from '../../../../shared/activity/activity.ts';
import type { ActivitySelection, CallbackTypes } from '../../answers.ts';
import { sameId, spellingsOfId } from '../../../../shared/payment-reducer/evidence/payment-id.ts';
import type { LogDatabase } from '../store/database.ts';
import type { EventHealth } from '../../../../shared/callbacks/event-health.ts';

/** Limits of types, which the gateway names, and of a name's length, characters. */
const maxTypes = 30;
const maxTypeChars = 40;

/**
 * The types of a profile's verified callbacks, the last one to come first. `callbacks`: of all profiles, newest first;
 * `maxScanned`: how many of them are read at most.
 */
const callbackTypesOf = (
  callbacks: Iterable<Event>,
  profileId: string,
  maxScanned: number,
): CallbackTypes => {
  const types = new Map<string, EventHealth['types'][number]>();
  let scanned = 0;
  for (const event of callbacks) {
    scanned += 1;
    if (event.kind !== 'callback.received' || event.profileId !== profileId) continue;
    if (event.body.verification.verdict !== 'verified') continue;
    const type = (event.body.fields.find(([name]) => name === 'type')?.[1] ?? '').slice(0, maxTypeChars);
    const known = types.get(type);
    if (known) known.count += 1;
    else if (types.size < maxTypes) types.set(type, { type, lastAt: event.happenedAt, count: 1 });
  }
  return { types: [...types.values()], more: scanned === maxScanned };
};

/** Scan limit, callbacks of all profiles, newest first. */
const maxScanned = 20_000;

/** Reads the types of a profile's latest verified callbacks, the last one to come first. */
export const createCallbackTypesReader = (evidence: Evidence): PaymentLogAnswers['callbackTypes'] => {
  const newest = evidence.newest("event.kind = 'callback.received'");
  function* latest(): Generator<Event> {
    let scanned = 0;
    for (const row of newest([])) {
      if (scanned === maxScanned) return;
      scanned += 1;
      yield evidence.event(row);
    }
  }
  return profileId => callbackTypesOf(latest(), profileId, maxScanned);
};

const isLookUp = (event: Event): event is EventOf<'status.observed'> => event.kind === 'status.observed';

/**
 * Look-ups of a profile that found no payment, newest first, at most `limit`, from the latest part of the log. A look-up whose order or payment id
 * later belonged to a payment is left out, unless `paymentIds` requests the inquiries about those ids.
 */
export const readInquiries = (evidence: Evidence, list: LogDatabase): PaymentLogAnswers['inquiries'] => {
  const latest = evidence.latest("event.kind = 'status.observed' AND payment.profile_id = ?");
  const isListed = list
    .prepare<[string | null, string], number>(
      `SELECT 1 FROM payment p JOIN listed l ON l.payment = p.id WHERE p.order_number = ? AND p.profile_id = ?`,
    )
    .pluck();
  const isKnown = list
    .prepare<[string, string, string], number>(
      'SELECT 1 FROM payment_id WHERE payment_id IN (?, ?, ?) LIMIT 1',
    )
    .pluck();
  return (profileId, limit, paymentIds) => {
    const found: EventOf<'status.observed'>[] = [];
    for (const row of latest([profileId])) {
      if (found.length === limit) break;
      if (isListed.get(row[6], profileId) !== undefined) continue;
      const event = evidence.event(row);
      if (!isLookUp(event)) continue;
      const { paymentId } = event;
      const isWanted = paymentIds
        ? paymentId !== null && paymentIds.some(one => sameId(one, paymentId))
        : paymentId === null || isKnown.get(...spellingsOfId(paymentId)) === undefined;
      if (isWanted) found.push(event);
    }
    return found;
  };
};

/** Scan limit of one page, events: a rare filter reads a long list page by page. */
const maxScannedActivities = 5_000;

/** Activities name no profile and no order: they are together in one group. */
const group = { profileId: '', orderNumber: null };

const isActivity = (event: Event): event is EventOf<'activity.recorded'> =>
  event.kind === 'activity.recorded';

const isSelected = (
  { agent, body: { action, details } }: EventOf<'activity.recorded'>,
  { person, group: wanted }: ActivitySelection,
): boolean =>
  (person === null || [agent, details.person, details.name].includes(person)) &&
  (wanted === null || groupOf(action) === wanted);

/** Activities of all installations. */
export const readActivities = (evidence: Evidence): PaymentLogAnswers['activities'] => {
  const newest = evidence.newestOf('TRUE');
  return (selection, before, limit) => {
    const events: EventOf<'activity.recorded'>[] = [];
    let scanned = 0;
    let last: Place | null = null;
    for (const row of newest(group, before === null ? null : readPlace(before))) {
      if (events.length === limit || scanned === maxScannedActivities)
        return { events, earlier: last && placeText(last) };
      scanned += 1;
      last = placeOf(row);
      const event = evidence.event(row);
      if (isActivity(event) && isSelected(event, selection)) events.push(event);
    }
    return { events, earlier: null };
  };
};

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
