import { ok } from '../../shared/errors.ts';
import type { EventOf } from '../../shared/payments/evidence.ts';
import { request } from '../ipc-client.ts';
import { createQuery } from './create-query.ts';

export type Received = EventOf<'callback.received'>;

/** Limit of callbacks in the inbox; older ones are only in the timelines of their payments. */
export const inboxLimit = 100;

/** The callbacks that arrived last, newest first. */
export const inboxQuery = createQuery({
  read: async () => {
    const recent = await request('callbacks.recent', { limit: inboxLimit });
    return recent.ok
      ? ok(recent.value.events.filter((event): event is Received => event.kind === 'callback.received'))
      : recent;
  },
  on: ['callbacks.arrived'],
  throttleMs: 200,
});

/** The types of callbacks that came for each profile, and when the last one did. */
export const eventHealthQuery = createQuery({
  read: () => request('receiver.events', {}),
  on: ['callbacks.arrived'],
  throttleMs: 1_000,
});
