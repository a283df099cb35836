import { profilesOf } from '../../../shared/settings/account.ts';
import type { PaymentLog } from '../../payment-log/payment-log.ts';
import type { AppSettings } from '../common/app-settings.ts';

/** The ids of the profiles of one account, the given one first. */
export const idsOfAccount = (
  settings: Pick<AppSettings, 'read' | 'profile'>,
  profileId: string,
): readonly string[] => {
  const profile = settings.profile(profileId);
  const all = profile === null ? [] : profilesOf(settings.read().profiles, profile);
  return [profileId, ...all.map(({ id }) => id).filter(id => id !== profileId)];
};

/**
 * The profile under which evidence of an order is stored. An account has one notification address, so what is about an
 * order of its earlier profile arrives at the later one.
 */
export const profileOfOrder = async (
  settings: Pick<AppSettings, 'read' | 'profile'>,
  log: Pick<PaymentLog, 'payment'>,
  profileId: string,
  orderNumber: string | null,
): Promise<string> => {
  const ids = idsOfAccount(settings, profileId);
  if (orderNumber === null || ids.length === 1) return profileId;
  for (const id of ids) if ((await log.payment(id, orderNumber)) !== null) return id;
  return profileId;
};
