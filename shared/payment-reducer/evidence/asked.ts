import type { Event } from '../../payments/evidence.ts';
import type { Asked, Terms } from './terms.ts';

/** The word in a request by which the gateway holds the money first, and takes it later (field notes). */
const holdsFirst = '"auth":"Y"';

type Request = { terms: Terms; isHeldFirst: boolean; isRefused: boolean };

/**
 * What had been asked for before each place in the evidence: the terms of the links and charges requested until then,
 * without the refused ones unless all were. What people request later changes no verdict about earlier evidence.
 * `events`: in order.
 */
export const askedIn = (events: readonly Event[]): ((index: number) => Asked) => {
  const changes: { index: number; asked: Asked }[] = [];
  const requests = new Map<string, Request>();
  const note = (index: number): void => {
    const all = [...requests.values()];
    const standing = all.filter(({ isRefused }) => !isRefused);
    const counted = standing.length > 0 ? standing : all;
    changes.push({
      index,
      asked: {
        terms: counted.map(({ terms }) => terms),
        isHeldFirst: counted.some(({ isHeldFirst }) => isHeldFirst),
      },
    });
  };
  for (const [index, event] of events.entries()) {
    const { writer } = event;
    if (event.kind === 'session.requested') {
      const { amount, currency, description, request, idempotencyKey } = event.body;
      const isHeldFirst = request.replaceAll(' ', '').includes(holdsFirst);
      requests.delete(`${writer} ${idempotencyKey}`);
      requests.set(`${writer} ${idempotencyKey}`, {
        terms: { amount, currency, description },
        isHeldFirst,
        isRefused: false,
      });
      note(index + 1);
    } else if (event.kind === 'operation.requested' && event.body.operation === 'recurring') {
      const { amount, currency, charge, intent } = event.body;
      const key = `${writer} ${intent}`;
      if (requests.has(key)) continue;
      const terms = { amount, currency, description: charge?.description ?? null };
      requests.set(key, { terms, isHeldFirst: false, isRefused: false });
      note(index + 1);
    } else if (event.kind === 'session.refused' || event.kind === 'operation.refused') {
      const key = event.kind === 'session.refused' ? event.body.idempotencyKey : event.body.intent;
      const request = requests.get(`${writer} ${key}`);
      if (!request) continue;
      request.isRefused = true;
      note(index + 1);
    }
  }
  const nothing: Asked = { terms: [], isHeldFirst: false };
  return index => changes.findLast(change => change.index <= index)?.asked ?? nothing;
};
