import { ok } from '../../shared/errors.ts';
import { stateAt } from '../../shared/payment-reducer/state-at.ts';
import { openStates } from '../../shared/payments/outcomes.ts';
import { isLinkLive } from '../../shared/payments/link.ts';
import { paymentKey } from '../../shared/payments/payment-row.ts';
import type { PaymentRow } from '../../shared/payments/payment.ts';
import { currentTime } from '../i18n/time-left.ts';
import { request } from '../ipc-client.ts';
import { useActiveProfileId } from '../stores/app-state-store.ts';
import { createQuery } from './create-query.ts';
import { readRows } from './rows.ts';

/** Limit of cards shown at once. */
export const cardLimit = 4;
/** Display time of a card after its payment's outcome. */
const lingerMs = 120_000;
/** The longest lifetime of a link, 720 minutes: older ones are not active. */
const maxLinkAgeMs = 720 * 60_000;

/** The payments with active links, newest first, then recently finished ones. `more`: more are active than loaded. */
export type OpenLinks = { cards: readonly PaymentRow[]; more: boolean };

/** Whether a payment has a card at `now`, milliseconds. */
export const isCard = (
  row: Pick<PaymentRow, 'state' | 'since' | 'expiresAt' | 'linkUsable'>,
  now: number,
): boolean => {
  const state = stateAt(row, now);
  // After a declined attempt the customer can try again.
  if (state === 'declined' && isLinkLive(row, now)) return true;
  // A withdrawn link is not offered any more, unless the customer is paying it.
  if (state === 'waiting' && !row.linkUsable) return false;
  if (openStates.includes(state)) return true;
  // A link expires by the clock, without any event.
  const since = state !== row.state ? (row.expiresAt ?? 0) : row.since;
  return now - since < lingerMs;
};

const openLinksQuery = createQuery({
  read: async ({ profileId }: { profileId: string }, present: OpenLinks | null) => {
    const page = await request('payments.list', {
      filter: { profileId, states: [...openStates], retryable: true, from: currentTime() - maxLinkAgeMs },
      limit: 50,
    });
    if (!page.ok) return page;
    const now = currentTime();
    const open = page.value.rows.filter(row => isCard(row, now));
    const isOpen = new Set(open.map(paymentKey));
    const ended = (present?.cards ?? []).filter(card => !isOpen.has(paymentKey(card)) && isCard(card, now));
    // What can still be paid comes first, each newest first.
    return ok({ cards: [...open, ...(await readRows(ended))], more: page.value.next !== null });
  },
  on: ['payments.changed'],
  throttleMs: 150,
});

const none: OpenLinks = { cards: [], more: false };

/** The open links of the active profile. */
export const useOpenLinks = (): OpenLinks => {
  const profileId = useActiveProfileId();
  return openLinksQuery.use(profileId === null ? null : { profileId }).value ?? none;
};
