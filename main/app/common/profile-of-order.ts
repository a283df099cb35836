import type { LookUpKey } from '../../../shared/payments/evidence.ts';
import { profilesOf } from '../../../shared/settings/account.ts';
import type { PaymentLog } from '../../payment-log/payment-log.ts';
import type { AppSettings } from './app-settings.ts';

/**
 * The profile under which evidence of an order, or of a payment id, is stored. An account has one notification address, so
 * what is about an order of its earlier profile arrives at the later one.
 */
export const profileOfOrder = async (
  settings: Pick<AppSettings, 'read' | 'profile'>,
  log: Pick<PaymentLog, 'payment' | 'ordersOf'>,
  profileId: string,
  value: string | null,
  by: LookUpKey['by'] = 'order-number',
): Promise<string> => {
  const profile = settings.profile(profileId);
  const all = profile === null ? [] : profilesOf(settings.read().profiles, profile);
  if (value === null || all.length < 2) return profileId;
  const ids = new Set([profileId, ...all.map(({ id }) => id)]);
  if (by === 'payment-id')
    return (await log.ordersOf(value)).find(order => ids.has(order.profileId))?.profileId ?? profileId;
  for (const id of ids) if ((await log.payment(id, value)) !== null) return id;
  return profileId;
};
