import type { Event } from '../../../shared/payments/evidence.ts';

/** Limits of one page: events, total characters of their texts, and characters of one value. */
export const maxEvents = 200;
export const maxText = 512 * 1024;
const maxValue = 4_000;
/** Limit of requests sent from here that a first page contains in addition, of any age. */
export const maxRequests = 50;

const cut = (value: string): string =>
  value.length > maxValue ? `${value.slice(0, maxValue).toWellFormed()}… (${value.length})` : value;

/** The event with long values truncated, each followed by its length. */
export const withTruncatedValues = (event: Event): Event => {
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
