import { fromAbsolute, getLocalTimeZone, isSameDay } from '@internationalized/date';
import { create } from 'zustand';
import type { AppError } from '../../../shared/errors.ts';
import type { Event, EventOf } from '../../../shared/payments/evidence.ts';
import { deliveryKey } from '../../../shared/callbacks/pii-fields.ts';
import { request, subscribe } from '../../ipc-client.ts';

export type Received = EventOf<'callback.received'>;

/** The live inbox of callbacks, newest first. */
type InboxState = {
  events: readonly Received[];
  problem: AppError | null;
  read: () => Promise<void>;
};

/** Limit of callbacks in the inbox; older ones are only in the timelines of their payments. */
export const inboxLimit = 100;

const receivedOnly = (events: readonly Event[]): Received[] =>
  events.filter(event => event.kind === 'callback.received');

/** Events of two sources as one list: each once, newest first. */
export const mergeEvents = (one: readonly Received[], other: readonly Received[]): Received[] => {
  const all = new Map([...other, ...one].map(event => [event.id, event]));
  return [...all.values()]
    .sort((a, b) => b.recordedAt - a.recordedAt || b.writerSeq - a.writerSeq)
    .slice(0, inboxLimit);
};

export const useInbox = create<InboxState>()(set => ({
  events: [],
  problem: null,
  read: async () => {
    const recent = await request('callbacks.recent', { limit: inboxLimit });
    if (!recent.ok) {
      set({ problem: recent.error });
      return;
    }
    set(state => ({ problem: null, events: mergeEvents(state.events, receivedOnly(recent.value.events)) }));
  },
}));

/** Adds received callbacks for the lifetime of the window. */
export const followInbox = (): void => {
  subscribe('callbacks.arrived', ({ events }) => {
    useInbox.setState(state => ({ events: mergeEvents(state.events, receivedOnly(events)) }));
  });
};

/** Groups the deliveries of one callback: the first arrival, and the number of deliveries. */
export const groupDeliveries = (
  events: readonly Received[],
): { event: Received; deliveries: readonly Received[] }[] => {
  const groups = new Map<string, Received[]>();
  for (const event of events) {
    const key = deliveryKey(event);
    groups.set(key, [...(groups.get(key) ?? []), event]);
  }
  return [...groups.values()].flatMap(deliveries => {
    const event = deliveries.at(-1);
    return event ? [{ event, deliveries }] : [];
  });
};

export const inboxFilters = ['all', 'not-verified', 'today'] as const;
export type InboxFilter = (typeof inboxFilters)[number];

/** Whether the inbox shows a callback with this filter; a day is one of the merchant's books. `now`: Unix milliseconds. */
export const matchesFilter = (event: Received, filter: InboxFilter, now: number): boolean => {
  const day = (at: number) => fromAbsolute(at, getLocalTimeZone());
  return (
    filter === 'all' ||
    (filter === 'not-verified'
      ? event.body.verification.verdict !== 'verified'
      : isSameDay(day(event.happenedAt), day(now)))
  );
};
