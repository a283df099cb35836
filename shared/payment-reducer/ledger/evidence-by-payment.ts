import type { Event } from '../../payments/evidence.ts';
import { isLedgerEvent, type LedgerItem } from './ledger.ts';
import type { Receipt } from '../evidence/callbacks.ts';
import type { Observation } from '../evidence/look-ups.ts';

/** What is known of one payment id, in order. */
export type AttemptEvidence = {
  paymentId: string;
  /** Trusted callbacks. */
  receipts: readonly Receipt[];
  observations: readonly Observation[];
  items: readonly LedgerItem[];
};

type Group = { paymentId: string; receipts: Receipt[]; observations: Observation[]; items: LedgerItem[] };

/**
 * The evidence of an order by payment id, each in order. Evidence without an id belongs to the latest payment that was
 * known when it was recorded, and to the first one if none was: a look-up by order number answers for the latest one.
 * `events`: in order; `receipts`: trusted ones.
 */
export const evidenceByPayment = (
  events: readonly Event[],
  receipts: readonly Receipt[],
  observations: readonly Observation[],
): AttemptEvidence[] => {
  const groups = new Map<string, Group>();
  let latest = '';
  const groupOf = (paymentId: string | null): Group => {
    const key = (paymentId ?? '').toLowerCase() || latest;
    const nameless = groups.get('');
    if (key !== '' && nameless && !groups.has(key)) {
      groups.delete('');
      groups.set(key, { ...nameless, paymentId: paymentId ?? '' });
    }
    const known = groups.get(key);
    if (known) return known;
    const made: Group = { paymentId: paymentId ?? '', receipts: [], observations: [], items: [] };
    groups.set(key, made);
    return made;
  };
  const byIndex = new Map<number, (() => void)[]>();
  const at = (index: number, add: () => void): void => {
    byIndex.set(index, [...(byIndex.get(index) ?? []), add]);
  };
  for (const receipt of receipts)
    at(receipt.index, () => {
      const group = groupOf(receipt.paymentId);
      group.receipts.push(receipt);
      group.items.push({ kind: 'receipt', receipt });
      if (receipt.paymentId) latest = receipt.paymentId.toLowerCase();
    });
  for (const observation of observations)
    at(observation.index, () => {
      const group = groupOf(observation.paymentId);
      group.observations.push(observation);
      group.items.push({ kind: 'observation', observation });
      if (observation.paymentId) latest = observation.paymentId.toLowerCase();
    });
  /** Which payment a request is about, by its key: its answers name only the intent. */
  const intents = new Map<string, Group>();
  for (const [index, event] of events.entries()) {
    for (const add of byIndex.get(index) ?? []) add();
    if (!isLedgerEvent(event)) continue;
    if (event.kind === 'operation.requested') {
      if (event.body.operation === 'recurring') continue;
      const group = groupOf(event.paymentId);
      intents.set(`${event.writer} ${event.body.intent}`, group);
      group.items.push({ kind: 'requested', event });
    } else if (event.kind === 'movement.recorded')
      groupOf(event.paymentId).items.push({ kind: 'recorded', event });
    else intents.get(`${event.writer} ${event.body.intent}`)?.items.push({ kind: 'ended', event });
  }
  return [...groups.values()];
};
